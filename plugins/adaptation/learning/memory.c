/* memory.c - clusters that are barred for a time; saving and loading the memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include <string.h>

/* The longest bar of a cluster that was barred before. */
#define MAX_BAR_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

/* Limits for the values of a memory that is loaded, so that nothing overflows. */
#define MAX_TIME_US ((gint64)1 << 55)
#define MAX_WEIGHT  1e6

static void
clear_bar (gpointer data)
{
  satin_record_clear (&Bar_record, data);
}

void
memory_init (Learning *self)
{
  const SatinBadnessWeights weights = SATIN_BADNESS_WEIGHTS;
  self->memory = (Memory){ .slow = weights.slow, .far = weights.far, .reason = JUDGE_NOTHING };
  self->bars = g_array_new (FALSE, FALSE, sizeof (Bar));
  g_array_set_clear_func (self->bars, clear_bar);
}

void
memory_clear (Learning *self)
{
  g_array_unref (self->bars);
}

static Bar *
find (const Learning *self, const char *name)
{
  for (guint i = 0; i < self->bars->len; i++)
    if (g_str_equal (g_array_index (self->bars, Bar, i).name, name))
      return &g_array_index (self->bars, Bar, i);
  return NULL;
}

guint
memory_may_ask (const Learning *self, const char *name, gint64 now_us, guint n)
{
  const Bar *bar = find (self, name);
  if (bar == NULL || n == 0)
    return n;
  if (now_us < bar->until_us)
    return 0;
  return bar->is_tried ? n : 1;
}

void
memory_asked (Learning *self, const char *name, gint64 now_us)
{
  Bar *bar = find (self, name);
  if (bar == NULL)
    return;
  /* The first machine is tried for a while before more may be asked for. */
  if (!bar->is_tried)
    bar->until_us = now_us + self->bar_us;
  bar->is_tried = TRUE;
}

static void
forget_oldest (Learning *self)
{
  guint oldest = 0;
  for (guint i = 1; i < self->bars->len; i++)
    if (g_array_index (self->bars, Bar, i).until_us
        < g_array_index (self->bars, Bar, oldest).until_us)
      oldest = i;
  g_array_remove_index (self->bars, oldest);
}

void
memory_bar (Learning *self, const char *name, gint64 now_us)
{
  Bar *bar = find (self, name);
  if (bar == NULL)
    {
      if (self->bars->len == MAX_BARS)
        forget_oldest (self);
      const Bar fresh = { .name = g_strdup (name) };
      g_array_append_val (self->bars, fresh);
      bar = &g_array_index (self->bars, Bar, self->bars->len - 1);
    }
  bar->bar_us = bar->bar_us == 0 ? self->bar_us : MIN (2 * bar->bar_us, MAX_BAR_US);
  bar->until_us = now_us + bar->bar_us;
  bar->is_tried = FALSE;
}

void
memory_unbar_newest (Learning *self, gint64 now_us)
{
  Bar *newest = NULL;
  for (guint i = 0; i < self->bars->len; i++)
    {
      Bar *bar = &g_array_index (self->bars, Bar, i);
      if (newest == NULL || bar->until_us - bar->bar_us > newest->until_us - newest->bar_us)
        newest = bar;
    }
  if (newest == NULL)
    return;
  newest->until_us = MIN (newest->until_us, now_us);
  newest->bar_us = MAX (newest->bar_us / 2, 1);
}

/* ---- saving and loading ---- */

/* Adds @by_us to all times in the memory and the bars. */
static void
move_times (Memory *memory, GArray *bars, gint64 by_us)
{
  memory->ceiling_until_us += by_us;
  for (guint i = 0; i < bars->len; i++)
    g_array_index (bars, Bar, i).until_us += by_us;
}

void
memory_begin (Learning *self, gint64 now_us)
{
  if (self->is_loaded)
    move_times (&self->memory, self->bars, now_us);
  self->is_loaded = FALSE;
  self->now_us = now_us;
}

GBytes *
memory_save (gpointer adaptation)
{
  Learning *self = adaptation;
  Memory memory = self->memory;
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (Bar)); /* names borrowed from
                                                                       * @self */
  g_array_append_vals (bars, self->bars->data, self->bars->len);
  if (!self->is_loaded)
    move_times (&memory, bars, -self->now_us);
  memory.bars = (const Bar *)(gpointer)bars->data;
  memory.n_bars = bars->len;
  return satin_record_to_bytes (&Memory_record, &memory);
}

static gboolean
is_in (gdouble value, gdouble least, gdouble most)
{
  return value >= least && value <= most;
}

static gboolean
is_time (gint64 time_us)
{
  return time_us >= -MAX_TIME_US && time_us <= MAX_TIME_US;
}

static gboolean
is_era (const Era *era)
{
  return is_in (era->n_periods, 0, MAX_WEIGHT) && is_in (era->efficiency, 0, MAX_WEIGHT)
         && is_in (era->rate, 0, G_MAXDOUBLE) && is_in (era->capacity, 0, G_MAXDOUBLE);
}

/* Whether all values of a loaded memory are in their ranges. */
static gboolean
is_possible (const Memory *memory)
{
  for (gsize i = 0; i < memory->n_bars; i++)
    if (!is_time (memory->bars[i].until_us) || !is_time (memory->bars[i].bar_us)
        || memory->bars[i].bar_us < 0)
      return FALSE;
  return memory->n_bars <= MAX_BARS && is_time (memory->ceiling_until_us)
         && is_in (memory->slow, 1 / MAX_WEIGHT, MAX_WEIGHT)
         && is_in (memory->far, 1 / MAX_WEIGHT, MAX_WEIGHT)
         && is_in (memory->rate_before, 0, G_MAXDOUBLE)
         && is_in (memory->capacity_before, 0, G_MAXDOUBLE) && is_era (&memory->era)
         && is_in (memory->ceiling_utilisation, 0, 1) && memory->reason >= JUDGE_NOTHING
         && memory->reason <= SATIN_REMOVE_REPLACED && memory->n_before >= 0 && memory->ceiling >= 0
         && memory->n_to_replace >= 0 && memory->n_at_replacing >= 0;
}

/* Replaces the memory and the bars of @self by copies of @memory and its bars. */
static void
take_over (Learning *self, const Memory *memory)
{
  g_array_set_size (self->bars, 0);
  for (gsize i = 0; i < memory->n_bars; i++)
    {
      Bar bar;
      satin_record_copy (&Bar_record, &memory->bars[i], &bar);
      g_array_append_val (self->bars, bar);
    }
  self->memory = *memory;
  self->memory.bars = NULL;
  self->memory.n_bars = 0;
  self->is_loaded = TRUE;
}

gboolean
memory_load (gpointer adaptation, GBytes *bytes, GError **error)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  Memory memory;
  if (!satin_record_decode (&Memory_record, data, n_bytes, &memory, error))
    return FALSE;
  gboolean is_good = is_possible (&memory);
  if (is_good)
    take_over (adaptation, &memory);
  else
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                         "a memory with figures that cannot be");
  satin_record_clear (&Memory_record, &memory);
  return is_good;
}
