/* reference.c - a solution of assignment 2 that gets all points
 *
 * With few rows left, a position takes less time than a spawn, whatever the size of the board. The
 * first four rows make more jobs than hundreds of nodes need.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "grain.h"

#define LEAST_LEFT 10
#define MOST_ROWS  4

gboolean
is_worth_jobs (const Position *position)
{
  return position->n - position->row >= LEAST_LEFT && position->row < MOST_ROWS;
}
