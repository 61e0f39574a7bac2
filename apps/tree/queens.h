/* queens.h - estimates how long a board of N queens takes, without searching it
 *
 * The first rows are set as the program nqueens sets them, so a tree of boards has the real number
 * of children everywhere. For the rows below, the time of a board is estimated: from the number of
 * squares in these rows that no queen attacks. The number of positions below a board is about a
 * power of that number, with random deviations.
 *
 * For N = 12 to 16 the positions were counted. The exponent that fits these counts is 1.82 N
 * - 16.3. The estimates and the counts correlate by 0.7 to 0.8. The estimates vary about as much as
 * the counts: the standard deviation of the counts is 0.5 to 0.43 of their mean, and the largest
 * count is four times the mean.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The sizes N for which there is an estimate. */
#define QUEENS_MIN 10
#define QUEENS_MAX 24

/* The number of rows that make jobs. */
#define QUEENS_ROWS 5

/* The columns of the next row that queens attack: straight down their columns, and along the two
 * diagonals. Each set has one bit for each column. */
typedef struct
{
  guint32 columns;
  guint32 left;
  guint32 right;
} QueensBoard;

/* Returns: the columns of the next row that are not attacked */
guint32 queens_free (int n, const QueensBoard *board);

/* Returns: @board with one more queen, in the column of the one bit of @queen */
QueensBoard queens_set (int n, const QueensBoard *board, guint32 queen);

/**
 * queens_weight:
 * @n: number of rows of the whole board
 * @board: a board with %QUEENS_ROWS queens
 * @seed: decides the random factor of the estimate
 *
 * Returns: the estimated time for the rest of @board, above 0, in a unit of its own
 */
double queens_weight (int n, const QueensBoard *board, gint64 seed);

G_END_DECLS
