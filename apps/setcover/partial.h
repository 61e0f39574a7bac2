/* partial.h - a cover in the making: some columns are taken, some are out, and what the rest costs
 * at least
 *
 * Each row that is not covered yet is given a price such that no column has to pay more for its
 * rows than it costs: whatever covers them all costs at least the sum of the prices. What of a
 * column's cost is not paid then, its *excess*, is what a cover with it costs more.
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
  gint32 *column_starts; /* (owned): one more than columns: where the rows of a column begin */
  gint32 *column_rows;   /* (owned): of all columns, each column's one after the other */
  guint8 *is_free;       /* (owned): of each column: neither taken nor out */
  gint32 *n_covers;      /* (owned): how many taken columns cover a row */
  gint32 *gains;         /* (owned): how many rows that are not covered a column has */
  gint32 n_uncovered;    /* rows */
  gint64 cost;           /* of what is taken */
  gint64 *prices;        /* (owned): of each column: what a row of it would pay at most */
  gint64 *excess;        /* (owned): of each column, in the unit of a bound */
} SetCoverPartial;

/**
 * SetCoverBound:
 * @cost: what any cover costs at least, with what is taken; G_MAXINT64 when there is none
 * @sum: of the prices, in a unit of its own
 * @row: with the fewest free columns, if there is any row to cover
 */
typedef struct
{
  gint64 cost;
  gint64 sum;
  gint32 row;
} SetCoverBound;

/* Nothing is taken. @cover: stays the caller's and valid */
void setcover_partial_init (SetCoverPartial *self, const SetCover *cover);

void setcover_partial_clear (SetCoverPartial *self);

/* Takes a column that is free. */
void setcover_partial_take (SetCoverPartial *self, gint32 column);

/* Undoes that: the column is free again. */
void setcover_partial_untake (SetCoverPartial *self, gint32 column);

/* What has to be paid. Rows are left to cover. Cost: O(entries of these rows) */
SetCoverBound setcover_partial_bound (SetCoverPartial *self);

/* What any cover with the free @column costs at least, by the last bound. */
gint64 setcover_partial_cost_with (const SetCoverPartial *self, const SetCoverBound *bound,
                                   gint32 column);

G_END_DECLS
