/* reduce.c - forgets learned clauses, because too many of them slow down propagation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

/* Clauses are forgotten for the first time after FIRST_INTERVAL conflicts. Each interval after that
 * is MORE_INTERVAL conflicts longer than the interval before. */
#define FIRST_INTERVAL 2000
#define MORE_INTERVAL  300

/* Clauses with this many levels or fewer are never forgotten. */
#define GOOD_LEVELS 2

void
solver_schedule_reduce (Solver *self)
{
  self->n_until_reduce = FIRST_INTERVAL + MORE_INTERVAL * (gint64)self->n_reduced;
}

/* Sorts the worst clauses to the front; of two clauses that are equally bad, the older comes
 * first. */
static gint
compare_worth (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Solver *self = user_data;
  ClauseAt x_at = *(const ClauseAt *)a, y_at = *(const ClauseAt *)b;
  const ClauseHead *x = solver_clause (self, x_at), *y = solver_clause (self, y_at);

  if (x->n_levels != y->n_levels)
    return x->n_levels > y->n_levels ? -1 : 1;
  if (x->n_literals != y->n_literals)
    return x->n_literals > y->n_literals ? -1 : 1;
  return x_at < y_at ? -1 : x_at > y_at;
}

void
solver_reduce (Solver *self)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (ClauseAt));

  for (guint i = 0; i < self->learned->len; i++)
    {
      ClauseAt at = g_array_index (self->learned, ClauseAt, i);
      ClauseHead *head = solver_clause (self, at);
      if (head->n_levels > GOOD_LEVELS && !head->is_used)
        g_array_append_val (candidates, at);
      head->is_used = FALSE;
    }
  g_array_sort_with_data (candidates, compare_worth, self);
  for (guint i = 0; i < candidates->len / 2; i++)
    solver_clause (self, g_array_index (candidates, ClauseAt, i))->is_gone = TRUE;
  solver_collect (self);
  self->n_reduced++;
  solver_schedule_reduce (self);
}
