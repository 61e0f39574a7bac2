/* growth.c - decides cell by cell, and counts the last two cells without taking them
 *
 * The grid has the layers from -1 to the number of cells, and each layer has rows and columns from
 * minus to plus that number. The first cell is in the middle of layer 0. So a polycube never
 * reaches the edge, and the cells before the first one are known from the beginning.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "growth.h"

#include <string.h>

#include "../common/arguments.h"

static gboolean
was_taken (const Place *place, int index)
{
  guint64 word = (guint64)(index < 64 ? place->low : place->high);
  return ((word >> index % 64) & 1) != 0;
}

static void
take (Place *place, int index)
{
  gint64 *word = index < 64 ? &place->low : &place->high;
  *word = (gint64)((guint64)*word | G_GUINT64_CONSTANT (1) << index % 64);
}

/* Adds the neighbours of @cell to the list. Returns: the new number of cells in the list */
static int
add_neighbours (Growth *self, int cell, int end)
{
  for (int i = 0; i < self->n_steps; i++)
    {
      int neighbour = cell + self->steps[i];
      if (!self->is_known[neighbour])
        {
          self->is_known[neighbour] = 1;
          self->list[end++] = neighbour;
        }
    }
  return end;
}

static int
count_neighbours (const Growth *self, int cell)
{
  int n = 0;
  for (int i = 0; i < self->n_steps; i++)
    n += !self->is_known[cell + self->steps[i]];
  return n;
}

/* Counts the polycubes of the last level, if it lacks at most two cells. Returns: whether it lacks
 * at most two */
static gboolean
count (Growth *self)
{
  GrowthLevel *level = &self->levels[self->depth];
  int n_missing = self->n_cells - self->n_first - self->depth;
  if (n_missing > 2)
    return FALSE;
  gint64 n = level->end - level->next;
  if (n_missing == 1)
    self->n_counted += n;
  else
    {
      /* Each cell of the list is taken with a later cell of the list, or with a new neighbour. */
      self->n_counted += n * (n - 1) / 2;
      for (int i = level->next; i < level->end; i++)
        self->n_counted += count_neighbours (self, self->list[i]);
    }
  level->next = level->end;
  return TRUE;
}

static void
go_up (Growth *self)
{
  int end = self->levels[self->depth].end;
  if (--self->depth >= 0)
    for (int i = self->levels[self->depth].end; i < end; i++)
      self->is_known[self->list[i]] = 0;
}

static void
go_down (Growth *self)
{
  GrowthLevel *level = &self->levels[self->depth];
  int cell = self->list[level->next++];
  level[1] = (GrowthLevel){ level->next, add_neighbours (self, cell, level->end) };
  self->depth++;
  if (count (self))
    go_up (self);
}

static void
clear_grid (Growth *self, int first, int n_dimensions)
{
  int n = self->n_cells, width = 2 * n + 1, layer = width * width;
  memset (self->is_known, 0, (gsize)(layer * (n + 2)) * sizeof *self->is_known);
  for (int i = 0; i <= first; i++)
    self->is_known[i] = 1;
  const int steps[] = { 1, -1, width, -width, layer, -layer };
  self->n_steps = 2 * n_dimensions;
  memcpy (self->steps, steps, sizeof steps);
}

/* Takes the cells of the place. Returns: %FALSE when no polycube with fewer than @n_cells cells has
 * them. @ret_end: (out): number of cells in the list */
static gboolean
replay (Growth *self, const Place *place, int *ret_end)
{
  Place taken = { 0 };
  int end = 1;
  for (int i = 0; i < place->next; i++)
    {
      if (i >= end)
        return FALSE;
      if (was_taken (place, i))
        {
          if (++self->n_first == self->n_cells)
            return FALSE;
          end = add_neighbours (self, self->list[i], end);
          take (&taken, i);
        }
    }
  *ret_end = end;
  return taken.low == place->low && taken.high == place->high;
}

gboolean
growth_init (Growth *self, const Place *place, int n_cells, int n_dimensions, GError **error)
{
  if (!app_argument_check ("number of cells", n_cells, 1, GROWTH_MAX_CELLS, error)
      || !app_argument_check ("number of dimensions", n_dimensions, 2, 3, error)
      || !app_argument_check ("next cell", place->next, 0, GROWTH_MAX_LIST, error))
    return FALSE;
  int width = 2 * n_cells + 1, cell = width * width + n_cells * width + n_cells, end;
  self->first = *place;
  self->n_cells = n_cells;
  self->n_first = 0;
  self->n_counted = 0;
  clear_grid (self, cell, n_dimensions);
  self->list[0] = cell;
  if (!replay (self, place, &end))
    return app_argument_refuse ("no polycube has these cells", error);
  self->depth = 0;
  self->levels[0] = (GrowthLevel){ place->next, end };
  count (self);
  return TRUE;
}

gboolean
growth_run (Growth *self, gint64 n)
{
  gint64 enough = n < G_MAXINT64 - self->n_counted ? self->n_counted + n : G_MAXINT64;
  while (self->depth >= 0)
    {
      const GrowthLevel *level = &self->levels[self->depth];
      int n_missing = self->n_cells - self->n_first - self->depth;
      if (level->next == level->end)
        go_up (self);
      else if (self->n_counted >= enough && n_missing >= GROWTH_PLACE_CELLS)
        return FALSE;
      else
        go_down (self);
    }
  return TRUE;
}

int
growth_list_places (const Growth *self, Place *ret_places)
{
  Place taken = self->first;
  int n = 0;
  for (int depth = 0; depth <= self->depth; depth++)
    {
      const GrowthLevel *level = &self->levels[depth];
      if (level->next < level->end)
        {
          ret_places[n] = taken;
          ret_places[n++].next = level->next;
        }
      take (&taken, level->next - 1);
    }
  return n;
}
