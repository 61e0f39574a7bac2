/* level.c - decides values from the largest to the smallest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "level.h"

#include "../common/arguments.h"

/* Most positions have fewer predecessors than this. */
#define PREDECESSORS 4

void
level_init (Level *self, int n_stones, gint8 *values)
{
  gsize n = (gsize)position_count (n_stones);
  *self = (Level){ .n_stones = n_stones,
                   .n = (gint64)n,
                   .values = values,
                   .exits = g_new (gint8, n),
                   .n_inside = g_new (guint8, n),
                   .threshold = n_stones + 1,
                   .won = g_array_new (FALSE, FALSE, sizeof (gint32)),
                   .lost = g_array_new (FALSE, FALSE, sizeof (gint32)),
                   .current = g_array_new (FALSE, FALSE, sizeof (gint32)) };
  for (gsize i = 0; i < n; i++)
    values[i] = 0;
}

void
level_clear (Level *self)
{
  g_free (self->exits);
  g_free (self->n_inside);
  g_clear_pointer (&self->won, g_array_unref);
  g_clear_pointer (&self->lost, g_array_unref);
  g_clear_pointer (&self->current, g_array_unref);
}

/* ---- moves that leave the level ---- */

void
level_get_exits (int n_stones, const gint8 *below, gint64 first, gint64 n, guint8 *ret_exits)
{
  Position position = position_at (n_stones, first);
  for (gint64 i = 0; i < n; i++)
    {
      if (i > 0)
        position_go_on (&position);
      int n_inside, exit = position_get_exits (&position, n_stones, below, &n_inside);
      ret_exits[LEVEL_EXITS_BYTES * i] = (guint8)exit;
      ret_exits[LEVEL_EXITS_BYTES * i + 1] = (guint8)n_inside;
    }
}

gboolean
level_take_exits (Level *self, const guint8 *exits, gsize n_exits, GError **error)
{
  if (n_exits != LEVEL_EXITS_BYTES * (gsize)self->n)
    return app_argument_refuse ("the moves of some positions are missing", error);
  for (gint64 i = 0; i < self->n; i++)
    {
      self->exits[i] = (gint8)exits[LEVEL_EXITS_BYTES * i];
      self->n_inside[i] = exits[LEVEL_EXITS_BYTES * i + 1];
      if (!app_argument_check ("best move", self->exits[i], POSITION_NO_EXIT, self->n_stones, error)
          || !app_argument_check ("number of moves", self->n_inside[i], 0, POSITION_N_OWN, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- decisions ---- */

static void
decide (Level *self, gint32 index, int value)
{
  self->values[index] = (gint8)value;
  g_array_append_val (value > 0 ? self->won : self->lost, index);
}

/* Decides what moves that leave the level decide at the threshold. */
static void
begin_threshold (Level *self)
{
  int threshold = self->threshold;
  for (gint32 i = 0; i < self->n; i++)
    if (self->values[i] == 0)
      {
        if (self->exits[i] == threshold)
          decide (self, i, threshold);
        else if (self->exits[i] == -threshold && self->n_inside[i] == 0)
          decide (self, i, -threshold);
      }
}

gboolean
level_next (Level *self, const gint32 **ret_positions, gsize *ret_n)
{
  while (self->won->len == 0 && self->lost->len == 0)
    {
      if (self->threshold <= 1)
        return FALSE;
      self->threshold--;
      begin_threshold (self);
    }
  GArray *done = self->current;
  self->is_current_lost = self->lost->len > 0;
  GArray **next = self->is_current_lost ? &self->lost : &self->won;
  self->current = *next;
  *next = done;
  g_array_set_size (done, 0);
  *ret_positions = (const gint32 *)(gpointer)self->current->data;
  *ret_n = self->current->len;
  return TRUE;
}

/* Notes that a move from the position @index leads to a position with the value @threshold. If it
 * was the last move in the level, all of these lead to that value or a larger one. */
static void
lose_move (Level *self, gint32 index)
{
  if (self->n_inside[index] == 0 || --self->n_inside[index] > 0)
    return;
  if (self->exits[index] <= -self->threshold)
    decide (self, index, -self->threshold);
}

gboolean
level_take (Level *self, const gint32 *predecessors, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++)
    {
      gint32 index = predecessors[i];
      if (!app_argument_check ("position", index, 0, self->n - 1, error))
        return FALSE;
      if (self->values[index] != 0)
        continue;
      if (self->is_current_lost)
        decide (self, index, self->threshold);
      else
        lose_move (self, index);
    }
  return TRUE;
}

gint32 *
level_find_predecessors (int n_stones, const gint32 *positions, gsize n, gsize *ret_n)
{
  g_autoptr (GArray) found =
      g_array_sized_new (FALSE, FALSE, sizeof (gint32), (guint)(PREDECESSORS * n));
  for (gsize i = 0; i < n; i++)
    {
      gint32 predecessors[POSITION_MAX_PREDECESSORS];
      Position position = position_at (n_stones, positions[i]);
      int n_found = position_list_predecessors (&position, predecessors);
      g_array_append_vals (found, predecessors, (guint)n_found);
    }
  return g_array_steal (found, ret_n);
}
