/* memory.c - clusters that were bad, for a time; saved and loaded
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include <string.h>

/* However often it was bad. */
#define MAX_BAR_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

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
  /* The first is looked at for a while before others follow. */
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

GBytes *
memory_save (gpointer adaptation)
{
  Learning *self = adaptation;
  Memory memory = self->memory;
  memory.bars = (const Bar *)self->bars->data;
  memory.n_bars = self->bars->len;
  return satin_record_to_bytes (&Memory_record, &memory);
}

gboolean
memory_load (gpointer adaptation, GBytes *bytes, GError **error)
{
  Learning *self = adaptation;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  Memory memory;
  if (!satin_record_decode (&Memory_record, data, n_bytes, &memory, error))
    return FALSE;
  g_array_set_size (self->bars, 0);
  for (gsize i = 0; i < MIN (memory.n_bars, MAX_BARS); i++)
    {
      Bar bar;
      satin_record_copy (&Bar_record, &memory.bars[i], &bar);
      g_array_append_val (self->bars, bar);
    }
  self->memory = memory;
  self->memory.bars = NULL;
  self->memory.n_bars = 0;
  satin_record_clear (&Memory_record, &memory);
  return TRUE;
}
