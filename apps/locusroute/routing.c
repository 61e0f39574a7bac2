/* routing.c - the ways of all wires as a shared object
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing.h"

/* Sets the way of a segment, if it is of a later round than the segment's way. A job that ran twice
 * may find two ways in the same round. Then the way with the higher bend stays. */
static void
lay_segment (routing_state *state, gsize i, gint32 round, gint32 bend)
{
  Segment *segment = &state->segments[i];
  if (round < state->rounds[i] || (round == state->rounds[i] && bend <= segment->bend)
      || !route_may_bend (&state->costs, segment, bend))
    return;
  costs_relay (&state->costs, segment, bend);
  state->rounds[i] = round;
}

SATIN_METHOD_BODY (routing, lay, (int, first), (int, round), (array_int, bends))
{
  for (gsize i = 0; i < n_bends; i++)
    if (first >= 0 && (gsize)first + i < state->n_segments)
      lay_segment (state, (gsize)first + i, round, bends[i]);
}

static gsize
n_places (const Costs *costs)
{
  return (gsize)costs->n_channels * (gsize)costs->n_columns;
}

/* ---- the type ---- */

static void
routing_clear (gpointer data)
{
  routing_state *state = data;
  g_free (state->costs.counts);
  g_free (state->segments);
  g_free (state->rounds);
}

static void
routing_copy (gconstpointer data, gpointer ret_state)
{
  const routing_state *state = data;
  routing_state *copy = ret_state;
  *copy = *state;
  copy->costs.counts =
      g_memdup2 (state->costs.counts, n_places (&state->costs) * sizeof *state->costs.counts);
  copy->segments = g_memdup2 (state->segments, state->n_segments * sizeof *state->segments);
  copy->rounds = g_memdup2 (state->rounds, state->n_segments * sizeof *state->rounds);
}

static void
routing_pack (gconstpointer data, gpointer ret_record)
{
  const routing_state *state = data;
  routing_packed *packed = ret_record;
  *packed = (routing_packed){
    .n_channels = state->costs.n_channels,
    .n_columns = state->costs.n_columns,
    .segments = g_memdup2 (state->segments, state->n_segments * sizeof *state->segments),
    .n_segments = state->n_segments,
    .rounds = g_memdup2 (state->rounds, state->n_segments * sizeof *state->rounds),
    .n_rounds = state->n_segments,
  };
}

static gboolean
packed_is_possible (const routing_packed *packed)
{
  const Costs costs = { packed->n_channels, packed->n_columns, NULL };
  return packed->n_channels >= 1 && packed->n_columns >= 1
         && (gint64)packed->n_channels * packed->n_columns <= CIRCUIT_MAX_PLACES
         && packed->n_rounds == packed->n_segments
         && route_is_possible (&costs, packed->segments, packed->n_segments);
}

static gboolean
routing_unpack (gconstpointer record, gpointer ret_state, GError **error)
{
  const routing_packed *packed = record;
  routing_state *state = ret_state;
  if (!packed_is_possible (packed))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "the routes in a shared object do not fit the circuit");
      return FALSE;
    }
  *state = (routing_state){
    .costs = { packed->n_channels, packed->n_columns, NULL },
    .segments = g_memdup2 (packed->segments, packed->n_segments * sizeof *packed->segments),
    .rounds = g_memdup2 (packed->rounds, packed->n_rounds * sizeof *packed->rounds),
    .n_segments = packed->n_segments,
  };
  state->costs.counts = g_new0 (gint32, n_places (&state->costs));
  for (gsize i = 0; i < state->n_segments; i++)
    costs_lay (&state->costs, &state->segments[i], 1);
  return TRUE;
}

static void
routing_merge (gpointer data, gconstpointer other_data)
{
  routing_state *state = data;
  const routing_state *other = other_data;
  for (gsize i = 0; i < MIN (state->n_segments, other->n_segments); i++)
    lay_segment (state, i, other->rounds[i], other->segments[i].bend);
}

SATIN_OBJECT_TYPE_DEFINE (routing, .unpack = routing_unpack, .pack = routing_pack,
                          .copy = routing_copy, .clear = routing_clear, .merge = routing_merge)
