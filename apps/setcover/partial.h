/* partial.h - a cover under construction, and a lower bound of its cost when it is complete
 *
 * Each column is taken, out, or free. Each uncovered row gets a price that it pays. The prices are
 * chosen so that the rows of a column together never pay more than the column costs. So any columns
 * that cover these rows cost at least the sum of the prices. The part of a column's cost that its
 * rows do not pay is the *excess* of the column: a cover with this column costs at least that much
 * more than the sum.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

typedef struct
{
  const SetCover *cover; /* (borrowed) */
  gint32 *column_starts; /* (owned): for each column the index of its first row in column_rows, and
                          * at the end the number of entries */
  gint32 *column_rows;   /* (owned): the rows of all columns, column after column */
  guint8 *is_free;       /* (owned): for each column: neither taken nor out */
  gint32 *n_covers;      /* (owned): for each row: how many taken columns cover it */
  gint32 *gains;         /* (owned): for each column: how many uncovered rows it has */
  gint32 n_uncovered;    /* number of uncovered rows */
  gint64 cost;           /* sum of the costs of the columns that are taken */
  gint64 *prices;        /* (owned): for each column: its cost, divided among its uncovered rows */
  gint64 *excess;        /* (owned): for each column its excess, in units of 1 / SCALE of a cost */
} SetCoverPartial;

/**
 * SetCoverBound:
 * @cost: any cover with the taken columns, and without those that are out, costs at least this;
 *   G_MAXINT64 when there is no such cover
 * @sum: sum of the prices, in units of 1 / SCALE of a cost
 * @row: an uncovered row with the fewest free columns
 */
typedef struct
{
  gint64 cost;
  gint64 sum;
  gint32 row;
} SetCoverBound;

/* Begins with all columns free. @cover: (borrowed): must outlive @self */
void setcover_partial_init (SetCoverPartial *self, const SetCover *cover);

void setcover_partial_clear (SetCoverPartial *self);

/* Takes a column that is free. */
void setcover_partial_take (SetCoverPartial *self, gint32 column);

/* Undoes setcover_partial_take(): the column is free again. */
void setcover_partial_untake (SetCoverPartial *self, gint32 column);

/* Gives prices to the uncovered rows, of which there must be at least one. Returns: the lower bound
 * that follows. Cost: O(rows + columns + entries of the uncovered rows) */
SetCoverBound setcover_partial_bound (SetCoverPartial *self);

/* Returns: a lower bound of the cost of any cover with the free column @column, from the prices of
 * the last setcover_partial_bound() */
gint64 setcover_partial_cost_with (const SetCoverPartial *self, const SetCoverBound *bound,
                                   gint32 column);

G_END_DECLS
