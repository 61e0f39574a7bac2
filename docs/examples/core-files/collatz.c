/* collatz.c - defines the task that collatz.h declares
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "collatz.h"

#define GRAIN 10000

static gint32
count_steps (guint64 number)
{
  gint32 n = 0;
  for (; number != 1; n++)
    number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  return n;
}

SATIN_TASK_DEFINE (longest, (record, Longest), (long, from), (long, to))
{
  Longest best = { from, -1 }, right;
  if (to - from > GRAIN)
    {
      gint64 middle = from + (to - from) / 2;
      SATIN_SPAWN (&best, longest, from, middle);
      SATIN_SPAWN (&right, longest, middle, to);
      SATIN_SYNC_OR_RETURN (best);
      return right.n_steps > best.n_steps ? right : best;
    }
  for (gint64 start = from; start < to; start++)
    {
      gint32 n_steps = count_steps ((guint64)start);
      if (n_steps > best.n_steps)
        best = (Longest){ start, n_steps };
    }
  return best;
}
