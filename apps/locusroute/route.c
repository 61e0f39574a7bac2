/* route.c - the cost array, and the search for a wire's cheapest way through it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "route.h"

#include <string.h>

/* A straight run of @n places. In the array, each is @step after the place before. */
typedef struct
{
  gsize first;
  gsize step;
  int n;
} Run;

static gsize
place (const Costs *costs, int channel, int column)
{
  return (gsize)channel * (gsize)costs->n_columns + (gsize)column;
}

/* Returns: the run along a channel, from column @first up to but not including @end */
static Run
along (const Costs *costs, int channel, int first, int end)
{
  return (Run){ place (costs, channel, first), 1, end - first };
}

/* Returns: the run across the channels at a column, including both ends */
static Run
across (const Costs *costs, int column, int from, int to)
{
  return (Run){ place (costs, MIN (from, to), column), (gsize)costs->n_columns,
                ABS (from - to) + 1 };
}

#define MAX_RUNS 3

/* Lists the runs of a way. No place is in two of them. Returns: the number of runs */
static int
runs_of (const Costs *costs, const Segment *s, int bend, Run *ret_runs)
{
  if (bend < costs->n_columns)
    {
      ret_runs[0] = along (costs, s->first_channel, s->first_column, bend);
      ret_runs[1] = across (costs, bend, s->first_channel, s->last_channel);
      ret_runs[2] = along (costs, s->last_channel, bend + 1, s->last_column + 1);
    }
  else
    {
      int channel = bend - costs->n_columns;
      ret_runs[0] = across (costs, s->first_column, s->first_channel, channel);
      ret_runs[1] = along (costs, channel, s->first_column + 1, s->last_column);
      ret_runs[2] = across (costs, s->last_column, channel, s->last_channel);
    }
  return MAX_RUNS;
}

static gint64
add_up (const Costs *costs, const Run *run)
{
  gint64 total = 0;
  for (int i = 0; i < run->n; i++)
    total += costs->counts[run->first + (gsize)i * run->step];
  return total;
}

void
costs_lay (Costs *self, const Segment *segment, gint32 change)
{
  Run runs[MAX_RUNS];
  if (segment->bend == BEND_NONE)
    return;
  int n = runs_of (self, segment, segment->bend, runs);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < runs[i].n; k++)
      self->counts[runs[i].first + (gsize)k * runs[i].step] += change;
}

void
costs_relay (Costs *self, Segment *segment, gint32 bend)
{
  if (bend == segment->bend)
    return;
  costs_lay (self, segment, -1);
  segment->bend = bend;
  costs_lay (self, segment, 1);
}

gint64
costs_of_way (const Costs *self, const Segment *segment)
{
  Run runs[MAX_RUNS];
  gint64 total = 0;
  int n = runs_of (self, segment, segment->bend, runs);
  for (int i = 0; i < n; i++)
    total += add_up (self, &runs[i]);
  return total;
}

gint64
costs_height (const Costs *self)
{
  gint64 height = 0;
  for (int channel = 0; channel < self->n_channels; channel++)
    {
      gint32 most = 0;
      for (int column = 0; column < self->n_columns; column++)
        most = MAX (most, self->counts[place (self, channel, column)]);
      height += most;
    }
  return height;
}

gint64
costs_crowding (const Costs *self)
{
  gint64 total = 0;
  for (gsize i = 0; i < place (self, self->n_channels, 0); i++)
    total += (gint64)self->counts[i] * (self->counts[i] - 1) / 2;
  return total;
}

/* ---- ways ---- */

/* The cheapest way that was found so far. */
typedef struct
{
  int bend;
  gint64 cost;
} Best;

static void
improve (Best *best, int bend, gint64 cost)
{
  if (best->bend == BEND_NONE || cost < best->cost)
    *best = (Best){ bend, cost };
}

/* Returns: (transfer full): for each column of @s the sum of the places from the channel of one pin
 * to the channel of the other. The loop goes channel by channel, because the array lies in memory
 * in that order */
static gint64 *
add_up_columns (const Costs *costs, const Segment *s)
{
  int n = s->last_column - s->first_column + 1;
  int low = MIN (s->first_channel, s->last_channel), high = MAX (s->first_channel, s->last_channel);
  gint64 *sums = g_new0 (gint64, n);
  for (int channel = low; channel <= high; channel++)
    {
      const gint32 *counts = &costs->counts[place (costs, channel, s->first_column)];
      for (int i = 0; i < n; i++)
        sums[i] += counts[i];
    }
  return sums;
}

/* Tries all ways by a column. From one column to the next, each of the two runs along channels
 * changes by one place only. Returns: the number of places that were looked at */
static gint64
try_columns (const Costs *costs, const Segment *s, Best *best)
{
  const gint32 *first = &costs->counts[place (costs, s->first_channel, s->first_column)];
  const gint32 *last = &costs->counts[place (costs, s->last_channel, s->first_column)];
  g_autofree gint64 *sums = add_up_columns (costs, s);
  Run after = along (costs, s->last_channel, s->first_column + 1, s->last_column + 1);
  gint64 left = 0, right = add_up (costs, &after);
  for (int i = 0; i <= after.n; i++)
    {
      improve (best, s->first_column + i, left + sums[i] + right);
      left += first[i];
      if (i < after.n)
        right -= last[i + 1];
    }
  return (gint64)(after.n + 1) * (ABS (s->first_channel - s->last_channel) + 2);
}

/* Finds the channels along which @s may run: from one below the lower pin's to one above the upper
 * pin's. */
static void
channels_of (const Costs *costs, const Segment *s, int *ret_low, int *ret_high)
{
  *ret_low = MAX (MIN (s->first_channel, s->last_channel) - 1, 0);
  *ret_high = MIN (MAX (s->first_channel, s->last_channel) + 1, costs->n_channels - 1);
}

gboolean
route_may_bend (const Costs *costs, const Segment *segment, int bend)
{
  int low, high, channel = bend - costs->n_columns;
  if (bend < costs->n_columns)
    return bend >= segment->first_column && bend <= segment->last_column;
  channels_of (costs, segment, &low, &high);
  return segment->first_column < segment->last_column && channel >= low && channel <= high;
}

/* Whether both pins are in the grid, and the bend is possible for them. */
static gboolean
segment_is_possible (const Costs *costs, const Segment *s)
{
  return s->first_channel >= 0 && s->first_channel < costs->n_channels && s->last_channel >= 0
         && s->last_channel < costs->n_channels && s->first_column >= 0
         && s->first_column <= s->last_column && s->last_column < costs->n_columns
         && (s->bend == BEND_NONE || route_may_bend (costs, s, s->bend));
}

gboolean
route_is_possible (const Costs *costs, const Segment *segments, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!segment_is_possible (costs, &segments[i])
        || segments[i].wire < (i > 0 ? segments[i - 1].wire : 0))
      return FALSE;
  return TRUE;
}

/* Tries all ways by a channel. Returns: the number of places that were looked at */
static gint64
try_channels (const Costs *costs, const Segment *s, Best *best)
{
  gint64 n_places = 0;
  int low, high;
  channels_of (costs, s, &low, &high);
  for (int channel = low; channel <= high; channel++)
    {
      Run runs[MAX_RUNS];
      gint64 cost = 0;
      int n = runs_of (costs, s, costs->n_columns + channel, runs);
      for (int i = 0; i < n; i++)
        {
          cost += add_up (costs, &runs[i]);
          n_places += runs[i].n;
        }
      improve (best, costs->n_columns + channel, cost);
    }
  return n_places;
}

int
route_segment (const Costs *costs, const Segment *segment, gint64 *n_looked_at)
{
  Best best = { BEND_NONE, 0 };
  *n_looked_at += try_columns (costs, segment, &best);
  /* If both pins are in one column, there is only one way. */
  if (segment->first_column < segment->last_column)
    *n_looked_at += try_channels (costs, segment, &best);
  return best.bend;
}

/* ---- wires ---- */

/* Returns: how many segments, from the first on, belong to the wire of the first */
static gsize
wire_length (const Segment *segments, gsize n)
{
  gsize i = 1;
  while (i < n && segments[i].wire == segments[0].wire)
    i++;
  return i;
}

/* A rectangle of the array, which begins at @channel and @column. */
typedef struct
{
  int channel;
  int column;
  int n_channels;
  int n_columns;
} Box;

/* Returns: the box of all places that a wire may run through */
static Box
box_of (const Costs *costs, const Segment *segments, gsize n)
{
  int first_channel = costs->n_channels, last_channel = -1;
  int first_column = costs->n_columns, last_column = -1;
  for (gsize i = 0; i < n; i++)
    {
      const Segment *s = &segments[i];
      first_channel = MIN (first_channel, MIN (s->first_channel, s->last_channel) - 1);
      last_channel = MAX (last_channel, MAX (s->first_channel, s->last_channel) + 1);
      first_column = MIN (first_column, s->first_column);
      last_column = MAX (last_column, s->last_column);
    }
  first_channel = MAX (first_channel, 0);
  last_channel = MIN (last_channel, costs->n_channels - 1);
  return (Box){ first_channel, first_column, last_channel - first_channel + 1,
                last_column - first_column + 1 };
}

static Costs
copy_box (const Costs *costs, const Box *box)
{
  gsize n = (gsize)box->n_columns;
  Costs copy = { box->n_channels, box->n_columns, g_new (gint32, (gsize)box->n_channels * n) };
  for (int i = 0; i < box->n_channels; i++)
    memcpy (&copy.counts[place (&copy, i, 0)],
            &costs->counts[place (costs, box->channel + i, box->column)], n * sizeof (gint32));
  return copy;
}

/* Returns: @s with the channels, columns and bend that it has in a copy of @box */
static Segment
into_box (const Segment *s, const Costs *costs, const Box *box)
{
  Segment inside = { s->wire,
                     s->first_channel - box->channel,
                     s->first_column - box->column,
                     s->last_channel - box->channel,
                     s->last_column - box->column,
                     s->bend };
  if (s->bend >= costs->n_columns)
    inside.bend += box->n_columns - costs->n_columns - box->channel;
  else if (s->bend != BEND_NONE)
    inside.bend -= box->column;
  return inside;
}

static int
out_of_box (int bend, const Costs *costs, const Box *box)
{
  if (bend < box->n_columns)
    return bend + box->column;
  return bend - box->n_columns + box->channel + costs->n_columns;
}

static gint64
route_wire (const Costs *costs, const Segment *segments, gsize n, gint32 *ret_bends)
{
  const Box box = box_of (costs, segments, n);
  Costs view = copy_box (costs, &box);
  gint64 n_looked_at = (gint64)box.n_channels * box.n_columns;
  for (gsize i = 0; i < n; i++)
    {
      Segment old = into_box (&segments[i], costs, &box);
      costs_lay (&view, &old, -1);
    }
  for (gsize i = 0; i < n; i++)
    {
      Segment segment = into_box (&segments[i], costs, &box);
      segment.bend = route_segment (&view, &segment, &n_looked_at);
      costs_lay (&view, &segment, 1);
      ret_bends[i] = out_of_box (segment.bend, costs, &box);
    }
  g_free (view.counts);
  return n_looked_at;
}

gint64
route_wires (const Costs *costs, const Segment *segments, gsize n, gint32 *ret_bends)
{
  gint64 n_looked_at = 0;
  for (gsize i = 0, length; i < n; i += length)
    {
      length = wire_length (&segments[i], n - i);
      n_looked_at += route_wire (costs, &segments[i], length, &ret_bends[i]);
    }
  return n_looked_at;
}

gsize
route_half (const Segment *segments, gsize n)
{
  return route_batch (segments, n, (segments[n - 1].wire - segments[0].wire) / 2 + 1);
}

gsize
route_batch (const Segment *segments, gsize n, int n_wires)
{
  gsize i = 0;
  while (i < n && segments[i].wire < segments[0].wire + n_wires)
    i++;
  return i;
}
