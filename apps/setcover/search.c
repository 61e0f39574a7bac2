/* search.c - searches for the cheapest cover, depth first
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "search.h"

/**
 * Level:
 * @begin: index of the row's first column in SetCoverSearch.columns
 * @next: index of the next column to take. The column at @next - 1 is taken, and the columns before
 *   that, from @begin on, are out
 * @end: index after the row's last column
 *
 * A row whose columns are taken one after the other.
 */
typedef struct
{
  guint begin;
  guint next;
  guint end;
} Level;

static Level *
level_at (const SetCoverSearch *self, guint index)
{
  return &g_array_index (self->levels, Level, index);
}

static gint32
column_at (const SetCoverSearch *self, guint index)
{
  return g_array_index (self->columns, gint32, index);
}

gboolean
setcover_place_is_in (const SetCoverPlace *place, const SetCover *cover)
{
  g_autofree guint8 *is_decided = g_malloc0 (cover->n_costs);
  for (gsize i = 0; i < place->n_decisions; i++)
    {
      gint32 decision = place->decisions[i], column = decision >= 0 ? decision : ~decision;
      if ((gsize)column >= cover->n_costs || is_decided[column])
        return FALSE;
      is_decided[column] = TRUE;
    }
  return TRUE;
}

void
setcover_search_init (SetCoverSearch *self, const SetCover *cover, const SetCoverPlace *place,
                      gint64 cost)
{
  *self = (SetCoverSearch){
    .first = g_array_new (FALSE, FALSE, sizeof (gint32)),
    .levels = g_array_new (FALSE, FALSE, sizeof (Level)),
    .columns = g_array_new (FALSE, FALSE, sizeof (gint32)),
    .found = { .cost = cost },
  };
  setcover_partial_init (&self->partial, cover);
  if (place->n_decisions > 0)
    g_array_append_vals (self->first, place->decisions, (guint)place->n_decisions);
  for (gsize i = 0; i < place->n_decisions; i++)
    if (place->decisions[i] >= 0)
      setcover_partial_take (&self->partial, place->decisions[i]);
    else
      self->partial.is_free[~place->decisions[i]] = FALSE;
}

void
setcover_search_know (SetCoverSearch *self, gint64 cost, const gint32 *columns, gsize n_columns)
{
  self->found.cost = cost;
  self->found.columns = g_memdup2 (columns, n_columns * sizeof *columns);
  self->found.n_columns = n_columns;
}

void
setcover_search_clear (SetCoverSearch *self)
{
  setcover_partial_clear (&self->partial);
  g_array_unref (self->first);
  g_array_unref (self->levels);
  g_array_unref (self->columns);
  satin_record_clear (&SetCoverFound_record, &self->found);
}

/* ---- positions ---- */

static void
keep_cover (SetCoverSearch *self)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (gint32));
  for (guint i = 0; i < self->first->len; i++)
    if (g_array_index (self->first, gint32, i) >= 0)
      g_array_append_val (columns, g_array_index (self->first, gint32, i));
  for (guint i = 0; i < self->levels->len; i++)
    {
      gint32 column = column_at (self, level_at (self, i)->next - 1);
      g_array_append_val (columns, column);
    }
  g_free ((gpointer)self->found.columns);
  self->found.cost = self->partial.cost;
  self->found.n_columns = columns->len;
  self->found.columns = (const gint32 *)(gpointer)g_array_free (columns, FALSE);
}

/* Sorts columns by their cost for each row that they gain, the lowest first. Of equal columns, the
 * column with the lower number comes first, so that the order is the same everywhere. */
static int
compare_columns (gconstpointer a, gconstpointer b, gpointer partial)
{
  const SetCoverPartial *of = partial;
  gint32 first = *(const gint32 *)a, second = *(const gint32 *)b;
  gint64 first_cost = (gint64)of->cover->costs[first] * of->gains[second];
  gint64 second_cost = (gint64)of->cover->costs[second] * of->gains[first];
  if (first_cost != second_cost)
    return first_cost < second_cost ? -1 : 1;
  return first - second;
}

/* Adds a level for the row of @bound, with the free columns of the row. Leaves out columns with
 * which a cover cannot be cheaper than the cheapest so far. */
static void
push_level (SetCoverSearch *self, const SetCoverBound *bound)
{
  SetCoverPartial *partial = &self->partial;
  const SetCover *cover = partial->cover;
  GArray *columns = self->columns;
  Level level = { .begin = columns->len };
  for (gint32 i = cover->starts[bound->row]; i < cover->starts[bound->row + 1]; i++)
    {
      gint32 column = cover->entries[i];
      if (!partial->is_free[column])
        continue;
      if (setcover_partial_cost_with (partial, bound, column) < self->found.cost)
        g_array_append_val (columns, column);
    }
  level.next = level.begin;
  level.end = columns->len;
  if (level.end > level.begin)
    g_qsort_with_data (&g_array_index (columns, gint32, level.begin),
                       (int)(level.end - level.begin), sizeof (gint32), compare_columns, partial);
  g_array_append_val (self->levels, level);
}

/* Searches one position. Returns: %FALSE when no cheaper cover can be below the position */
static gboolean
look (SetCoverSearch *self)
{
  if (self->partial.n_uncovered == 0)
    {
      if (self->partial.cost < self->found.cost)
        keep_cover (self);
      return FALSE;
    }
  SetCoverBound bound = setcover_partial_bound (&self->partial);
  if (bound.cost >= self->found.cost)
    return FALSE;
  push_level (self, &bound);
  return TRUE;
}

/* Takes the next column of the last level. Removes levels that have no column left. Returns: %FALSE
 * when no level is left, because everything was searched */
static gboolean
step (SetCoverSearch *self)
{
  SetCoverPartial *partial = &self->partial;
  while (self->levels->len > 0)
    {
      Level *level = level_at (self, self->levels->len - 1);
      if (level->next > level->begin)
        {
          gint32 column = column_at (self, level->next - 1);
          setcover_partial_untake (partial, column);
          partial->is_free[column] = FALSE;
        }
      if (level->next < level->end)
        {
          setcover_partial_take (partial, column_at (self, level->next++));
          return TRUE;
        }
      for (guint i = level->begin; i < level->end; i++)
        partial->is_free[column_at (self, i)] = TRUE;
      g_array_set_size (self->columns, level->begin);
      g_array_set_size (self->levels, self->levels->len - 1);
    }
  return FALSE;
}

gboolean
setcover_search_run (SetCoverSearch *self, gint64 n_positions)
{
  for (gint64 i = 0; i < n_positions; i++)
    {
      self->found.n_positions++;
      look (self);
      if (!step (self))
        return TRUE;
    }
  return FALSE;
}

/* ---- places ---- */

static SetCoverPlace
make_place (const GArray *decisions)
{
  return (SetCoverPlace){ g_memdup2 (decisions->data, decisions->len * sizeof (gint32)),
                          decisions->len };
}

SetCoverPlace *
setcover_search_places (const SetCoverSearch *self, guint *ret_n)
{
  SetCoverPlace *places = g_new (SetCoverPlace, self->levels->len + 1);
  g_autoptr (GArray) decisions = g_array_copy (self->first);
  guint n = 0;
  for (guint i = 0; i < self->levels->len; i++)
    {
      const Level *level = level_at (self, i);
      gint32 taken = column_at (self, level->next - 1), out = ~taken;
      for (guint j = level->begin; j + 1 < level->next; j++)
        {
          gint32 column = ~column_at (self, j);
          g_array_append_val (decisions, column);
        }
      /* One place is for all columns of the row that were not tried yet. In that place, the column
       * that is taken now is out. In all later places it is taken. */
      g_array_append_val (decisions, out);
      if (level->next < level->end)
        places[n++] = make_place (decisions);
      g_array_index (decisions, gint32, decisions->len - 1) = taken;
    }
  places[n++] = make_place (decisions);
  *ret_n = n;
  return places;
}

/* ---- what was found ---- */

SetCoverFound
setcover_search_take (SetCoverSearch *self)
{
  SetCoverFound found = self->found;
  self->found = (SetCoverFound){ 0 };
  return found;
}

void
setcover_found_merge (SetCoverFound *self, SetCoverFound *other)
{
  gint64 n_positions = self->n_positions + other->n_positions;
  if (other->n_columns > 0 && other->cost < self->cost)
    {
      SetCoverFound mine = *self;
      *self = *other;
      *other = mine;
    }
  self->n_positions = n_positions;
}

gboolean
setcover_found_is_right (const SetCoverFound *found, const SetCover *cover)
{
  SetCoverPartial partial;
  for (gsize i = 0; i < found->n_columns; i++)
    if (found->columns[i] < 0 || (gsize)found->columns[i] >= cover->n_costs)
      return FALSE;
  setcover_partial_init (&partial, cover);
  for (gsize i = 0; i < found->n_columns; i++)
    setcover_partial_take (&partial, found->columns[i]);
  gboolean is_right = partial.n_uncovered == 0 && partial.cost == found->cost;
  setcover_partial_clear (&partial);
  return is_right;
}
