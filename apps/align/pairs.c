/* pairs.c - the pairs of sequences
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pairs.h"

#include <math.h>

#include "../common/arguments.h"

gboolean
pairs_check (const Pairs *self, const Costs *costs, const Sequences *sequences, GError **error)
{
  gint64 n_pairs = sequences_n_pairs (sequences);
  return app_argument_check ("first pair", self->first, 0, n_pairs, error)
         && app_argument_check ("last pair", self->last, self->first, n_pairs, error)
         && app_argument_check ("cost of a gap", costs->open, 0, GOTOH_MAX_COST, error)
         && app_argument_check ("cost of a residue", costs->extend, 0, GOTOH_MAX_COST, error);
}

void
pairs_find (gint64 pair, int *ret_greater, int *ret_less)
{
  /* The pairs whose greater sequence is i begin at i (i - 1) / 2. */
  gint64 greater = (gint64)((1 + sqrt (1 + 8 * (double)pair)) / 2);
  while (greater * (greater - 1) / 2 > pair)
    greater--;
  while (greater * (greater + 1) / 2 <= pair)
    greater++;
  *ret_greater = (int)greater;
  *ret_less = (int)(pair - greater * (greater - 1) / 2);
}

/* Goes to the next pair. */
static void
step (int *greater, int *less)
{
  if (++*less == *greater)
    {
      ++*greater;
      *less = 0;
    }
}

gint64
pairs_n_cells (const Pairs *self, const Sequences *sequences)
{
  gint64 n_cells = 0;
  int greater, less;
  pairs_find (self->first, &greater, &less);
  for (gint64 pair = self->first; pair < self->last; pair++)
    {
      int n_a, n_b;
      sequences_get (sequences, greater, &n_a);
      sequences_get (sequences, less, &n_b);
      n_cells += (gint64)n_a * n_b;
      step (&greater, &less);
    }
  return n_cells;
}

void
pairs_score (const Pairs *self, const Costs *costs, const Sequences *sequences, gint32 *ret_scores)
{
  int greater, less;
  pairs_find (self->first, &greater, &less);
  for (gint64 pair = self->first; pair < self->last; pair++)
    {
      int n_a, n_b;
      const guint8 *a = sequences_get (sequences, greater, &n_a);
      const guint8 *b = sequences_get (sequences, less, &n_b);
      ret_scores[pair - self->first] = gotoh_score (costs, a, n_a, b, n_b);
      step (&greater, &less);
    }
}
