/* partial.c - keeps count of the covered rows, and gives prices to the uncovered rows
 *
 * Prices are whole numbers in units of 1 / SCALE of a cost, so that all machines compute the same
 * prices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "partial.h"

#include <string.h>

/* With this value, the sum of all costs, in units of 1 / SCALE, stays below 2^53. */
#define SCALE 65536

/* Fills in the rows of each column, from the columns of each row. */
static void
transpose (SetCoverPartial *self)
{
  const SetCover *cover = self->cover;
  gsize n_columns = cover->n_costs;
  gint32 *ends = self->column_starts + 1;
  for (gsize i = 0; i < cover->n_entries; i++)
    self->gains[cover->entries[i]]++;
  for (gsize column = 0; column + 1 < n_columns; column++)
    ends[column + 1] = ends[column] + self->gains[column];
  /* At first ends[c] is the start of column c. The loop advances ends[c] to the end of column c,
   * which is the start of column c + 1. */
  for (gint32 row = 0; row < setcover_n_rows (cover); row++)
    for (gint32 i = cover->starts[row]; i < cover->starts[row + 1]; i++)
      self->column_rows[ends[cover->entries[i]]++] = row;
}

void
setcover_partial_init (SetCoverPartial *self, const SetCover *cover)
{
  gsize n_columns = cover->n_costs;
  *self = (SetCoverPartial){
    .cover = cover,
    .column_starts = g_new0 (gint32, n_columns + 1),
    .column_rows = g_new (gint32, cover->n_entries),
    .is_free = g_malloc (n_columns),
    .n_covers = g_new0 (gint32, cover->n_starts),
    .gains = g_new0 (gint32, n_columns),
    .n_uncovered = setcover_n_rows (cover),
    .prices = g_new0 (gint64, n_columns),
    .excess = g_new0 (gint64, n_columns),
  };
  memset (self->is_free, 1, n_columns);
  transpose (self);
}

void
setcover_partial_clear (SetCoverPartial *self)
{
  g_free (self->column_starts);
  g_free (self->column_rows);
  g_free (self->is_free);
  g_free (self->n_covers);
  g_free (self->gains);
  g_free (self->prices);
  g_free (self->excess);
}

/* Updates the gains of the columns of @row, which becomes covered (@change is -1) or uncovered
 * (@change is 1). */
static void
change_gains (SetCoverPartial *self, gint32 row, gint32 change)
{
  const SetCover *cover = self->cover;
  for (gint32 i = cover->starts[row]; i < cover->starts[row + 1]; i++)
    self->gains[cover->entries[i]] += change;
  self->n_uncovered += change;
}

void
setcover_partial_take (SetCoverPartial *self, gint32 column)
{
  self->is_free[column] = FALSE;
  self->cost += self->cover->costs[column];
  for (gint32 i = self->column_starts[column]; i < self->column_starts[column + 1]; i++)
    if (self->n_covers[self->column_rows[i]]++ == 0)
      change_gains (self, self->column_rows[i], -1);
}

void
setcover_partial_untake (SetCoverPartial *self, gint32 column)
{
  self->is_free[column] = TRUE;
  self->cost -= self->cover->costs[column];
  for (gint32 i = self->column_starts[column]; i < self->column_starts[column + 1]; i++)
    if (--self->n_covers[self->column_rows[i]] == 0)
      change_gains (self, self->column_rows[i], 1);
}

/* ---- what the rest costs ---- */

/* Sets the price of each free column to its cost, divided evenly among its uncovered rows. The
 * price of a row will be the least price of its columns. */
static void
set_prices (SetCoverPartial *self)
{
  const SetCover *cover = self->cover;
  for (gsize column = 0; column < cover->n_costs; column++)
    {
      self->excess[column] = (gint64)cover->costs[column] * SCALE;
      if (self->is_free[column] && self->gains[column] > 0)
        self->prices[column] = self->excess[column] / self->gains[column];
    }
}

/* Returns: the least of @values (prices or excess) over the free columns of @row; G_MAXINT64 when
 * the row has no free column. @ret_n_free: the number of free columns of the row */
static gint64
least_of_row (const SetCoverPartial *self, gint32 row, const gint64 *values, gint32 *ret_n_free)
{
  const SetCover *cover = self->cover;
  gint64 least = G_MAXINT64;
  gint32 n_free = 0;
  for (gint32 i = cover->starts[row]; i < cover->starts[row + 1]; i++)
    {
      gint32 column = cover->entries[i];
      if (!self->is_free[column])
        continue;
      n_free++;
      least = MIN (least, values[column]);
    }
  *ret_n_free = n_free;
  return least;
}

static void
pay (SetCoverPartial *self, gint32 row, gint64 price)
{
  const SetCover *cover = self->cover;
  for (gint32 i = cover->starts[row]; i < cover->starts[row + 1]; i++)
    self->excess[cover->entries[i]] -= price;
}

/* Lets each uncovered row pay: the amount is the least of @values over the row's free columns, and
 * the row pays it to each of its columns. Also finds the row with the fewest free columns. Returns:
 * %FALSE when a row has no free column */
static gboolean
pay_all (SetCoverPartial *self, const gint64 *values, SetCoverBound *bound)
{
  gint32 least_free = G_MAXINT32;
  for (gint32 row = 0; row < setcover_n_rows (self->cover); row++)
    {
      gint32 n_free;
      if (self->n_covers[row] > 0)
        continue;
      gint64 price = least_of_row (self, row, values, &n_free);
      if (n_free == 0)
        return FALSE;
      if (n_free < least_free)
        {
          least_free = n_free;
          bound->row = row;
        }
      if (price == 0)
        continue;
      bound->sum += price;
      pay (self, row, price);
    }
  return TRUE;
}

static gint64
cost_of (const SetCoverPartial *self, gint64 sum)
{
  return self->cost + (sum + SCALE - 1) / SCALE;
}

SetCoverBound
setcover_partial_bound (SetCoverPartial *self)
{
  SetCoverBound bound = { 0 };
  set_prices (self);
  /* First each row pays an even share of a column's cost. Then each row pays the least excess that
   * its columns still have. */
  if (!pay_all (self, self->prices, &bound) || !pay_all (self, self->excess, &bound))
    return (SetCoverBound){ .cost = G_MAXINT64 };
  bound.cost = cost_of (self, bound.sum);
  return bound;
}

gint64
setcover_partial_cost_with (const SetCoverPartial *self, const SetCoverBound *bound, gint32 column)
{
  return cost_of (self, bound->sum + self->excess[column]);
}
