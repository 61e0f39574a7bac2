/* queens.h - boards of N queens and how long one takes, without searching it
 *
 * The first rows are set as the program nqueens sets them, so a tree of boards has the real number
 * of children everywhere. What a board of the last of these rows would take is estimated from its
 * free squares: the number of positions below a board grows as a power of how much of its
 * free rows is not attacked, and scatters around that. For N = 12 to 16 the positions were
 * counted. There the power is 1.82 N - 16.3, what it predicts and what was counted correlate by 0.7
 * to 0.8, and the boards differ from each other about as much as the real ones: their standard
 * deviation is 0.5 to 0.43 of the mean, and the largest takes four times the mean.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Boards that can be estimated. */
#define QUEENS_MIN 10
#define QUEENS_MAX 24

/* Rows that make jobs. */
#define QUEENS_ROWS 5

/* Columns of the next row that are attacked, a bit each: down the columns and along both diagonals.
 */
typedef struct
{
  guint32 columns;
  guint32 left;
  guint32 right;
} QueensBoard;

/* The free columns of the next row. */
guint32 queens_free (int n, const QueensBoard *board);

/* The board with a queen more, on the one bit @queen. */
QueensBoard queens_set (int n, const QueensBoard *board, guint32 queen);

/**
 * queens_weight:
 * @n: rows of the whole board
 * @board: of which %QUEENS_ROWS are set
 * @seed: of the scatter
 *
 * Returns: what the rest of @board takes, above 0, in a unit of its own
 */
double queens_weight (int n, const QueensBoard *board, gint64 seed);

G_END_DECLS
