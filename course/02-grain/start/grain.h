/* grain.h - when to stop spawning
 *
 * Given. Yours is grain.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/**
 * Position:
 * @n: columns and rows of the board
 * @row: how many rows have a queen. "This row" below is the next one, which has none yet
 * @columns: a bit for each column that has a queen
 * @left, @right: a bit for each column of this row that a queen attacks along a diagonal
 * @n_free: squares of this row where a queen may stand
 *
 * A board on which the queens of the first rows stand.
 */
typedef struct
{
  int n;
  int row;
  guint32 columns, left, right;
  int n_free;
} Position;

/* Whether each free square of this row becomes a job of its own. If not, one job searches the rest
 * of the board alone. The answer must depend on the position, and on nothing else. */
gboolean is_worth_jobs (const Position *position);
