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
 * @row: how many rows have their queen; the queen of this row comes next
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

/* Whether each free square of the row becomes a job of its own. If not, this job searches the rest
 * of the board alone. It is a function of the position, and of nothing else. */
gboolean is_worth_jobs (const Position *position);
