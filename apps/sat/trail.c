/* trail.c - assigns literals, finds the literals that clauses imply, and undoes assignments
 *
 * Each clause watches two of its literals. As long as neither is false, the clause implies nothing.
 * So a clause is visited only when one of the two becomes false. When levels are undone, the
 * watches stay as they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

void
solver_assign (Solver *self, Literal literal, ClauseAt reason)
{
  Variable variable = literal_variable (literal);

  self->values[literal] = 1;
  self->values[literal_negate (literal)] = -1;
  self->levels[variable] = solver_get_level (self);
  self->reasons[variable] = reason;
  self->trail[self->n_trail++] = literal;
}

void
solver_decide (Solver *self, Literal literal)
{
  g_array_append_val (self->level_begins, self->n_trail);
  if (self->values[literal] == 0)
    solver_assign (self, literal, CLAUSE_NONE);
}

void
solver_go_back (Solver *self, guint level)
{
  if (level >= solver_get_level (self))
    return;
  guint begin = g_array_index (self->level_begins, guint, level);
  for (guint i = self->n_trail; i-- > begin;)
    {
      Literal literal = self->trail[i];
      Variable variable = literal_variable (literal);
      self->values[literal] = self->values[literal_negate (literal)] = 0;
      self->phases[variable] = literal_is_false (literal);
      order_insert (&self->order, variable);
    }
  self->n_trail = self->n_drawn = begin;
  g_array_set_size (self->level_begins, level);
}

/* The second literal of a clause has become false. Watches instead of it a literal that is not
 * false, from the third on. Returns: %FALSE when all literals from the third on are false */
static inline gboolean
watch_another (Solver *self, ClauseHead *head, ClauseAt at)
{
  Literal *literals = head->literals;

  for (guint i = 2; i < head->n_literals; i++)
    {
      if (self->values[literals[i]] < 0)
        continue;
      Literal other = literals[i];
      literals[i] = literals[1];
      literals[1] = other;
      solver_watch (self, other, at, literals[0]);
      return TRUE;
    }
  return FALSE;
}

/* Visits the clauses that watch @literal, which has become false. Returns: a clause whose literals
 * are all false, or CLAUSE_NONE */
static ClauseAt
visit (Solver *self, Literal literal)
{
  /* A clause never begins to watch a false literal, so this list does not grow. */
  WatchList *list = &self->watches[literal];
  Watch *from = list->items, *to = list->items, *end = list->items + list->n;
  ClauseAt conflict = CLAUSE_NONE;

  while (from < end && conflict == CLAUSE_NONE)
    {
      Watch watch = *from++;
      if (self->values[watch.other] > 0)
        {
          *to++ = watch;
          continue;
        }
      ClauseHead *head = solver_clause (self, watch.clause);
      Literal first = head->literals[0] ^ head->literals[1] ^ literal;
      head->literals[0] = first;
      head->literals[1] = literal;
      if (self->values[first] <= 0 && watch_another (self, head, watch.clause))
        continue;
      *to++ = (Watch){ watch.clause, first };
      if (self->values[first] < 0)
        conflict = watch.clause;
      else if (self->values[first] == 0)
        solver_assign (self, first, watch.clause);
    }
  while (from < end)
    *to++ = *from++;
  list->n = (guint)(to - list->items);
  return conflict;
}

ClauseAt
solver_propagate (Solver *self)
{
  ClauseAt conflict = CLAUSE_NONE;

  while (conflict == CLAUSE_NONE && self->n_drawn < self->n_trail)
    conflict = visit (self, literal_negate (self->trail[self->n_drawn++]));
  return conflict;
}
