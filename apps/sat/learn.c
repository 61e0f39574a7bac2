/* learn.c - derives a clause from a conflict
 *
 * A conflict is a clause whose literals are all false. The derived clause begins as a copy of the
 * conflict. Each literal of the current level is replaced by the other literals of its reason, the
 * youngest literal first, until only one literal of the current level is left (the first unique
 * implication point). The result follows from the formula. The search then goes back to an older
 * level, where all other literals of the derived clause are still false. So on that level the
 * clause implies its remaining literal. Literals that follow from the rest of the derived clause
 * are left out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

/* The longest chain of reasons that is followed to leave out a literal. */
#define MAX_DEPTH 100

static void
set_mark (Solver *self, Variable variable, Mark mark)
{
  if (self->marks[variable] == MARK_NONE)
    g_array_append_val (self->marked, variable);
  self->marks[variable] = (guint8)mark;
}

static Mark
get_mark (const Solver *self, Variable variable)
{
  return (Mark)self->marks[variable];
}

/* Returns: the number of different levels above 0 of @literals. Also gives these levels a new
 * stamp. */
static guint
count_levels (Solver *self, const Literal *literals, guint n_literals)
{
  guint n = 0;

  self->stamp++;
  for (guint i = 0; i < n_literals; i++)
    {
      guint level = self->levels[literal_variable (literals[i])];
      n += level > 0 && self->level_stamps[level] != self->stamp;
      self->level_stamps[level] = self->stamp;
    }
  return n;
}

/* Marks a learned clause as used, because it takes part in a conflict. Updates the clause's number
 * of levels if the number is smaller now. */
static void
note_use (Solver *self, ClauseHead *head)
{
  guint n_levels = count_levels (self, head->literals, head->n_literals);

  head->is_used = TRUE;
  if (n_levels < head->n_levels)
    head->n_levels = n_levels;
}

/* Takes the literals of the clause @at, except @known, into the derived clause: marks them, and
 * appends those of older levels. Leaves out literals of level 0. Returns: the number of literals of
 * the current level that were not marked before */
static guint
take_in (Solver *self, ClauseAt at, Literal known)
{
  ClauseHead *head = solver_clause (self, at);
  guint n_present = 0;

  if (head->is_learned)
    note_use (self, head);
  for (guint i = 0; i < head->n_literals; i++)
    {
      Literal literal = head->literals[i];
      Variable variable = literal_variable (literal);
      if (literal == known || self->levels[variable] == 0 || get_mark (self, variable) != MARK_NONE)
        continue;
      set_mark (self, variable, MARK_IN_CLAUSE);
      order_bump (&self->order, variable, 1);
      if (self->levels[variable] == solver_get_level (self))
        n_present++;
      else
        g_array_append_val (self->clause, literal);
    }
  return n_present;
}

/* Fills self->clause with the clause that is derived from @conflict. Only its first literal belongs
 * to the current level. */
static void
resolve (Solver *self, ClauseAt conflict)
{
  Literal point = LITERAL_NONE;
  guint at = self->n_trail;

  g_array_set_size (self->clause, 0);
  g_array_append_val (self->clause, point);
  for (guint n_open = take_in (self, conflict, LITERAL_NONE); n_open > 0; n_open--)
    {
      do
        point = self->trail[--at];
      while (get_mark (self, literal_variable (point)) == MARK_NONE);
      if (n_open > 1)
        n_open += take_in (self, self->reasons[literal_variable (point)], point);
    }
  g_array_index (self->clause, Literal, 0) = literal_negate (point);
}

/* Whether @literal is certainly false when all other literals of the derived clause are false. Then
 * the clause does not need it. @depth: length of the chain of reasons so far */
static gboolean
is_implied (Solver *self, Literal literal, guint depth)
{
  Variable variable = literal_variable (literal);
  ClauseAt reason = self->reasons[variable];
  Mark mark = get_mark (self, variable);

  if (self->levels[variable] == 0 || mark == MARK_IMPLIED || (mark == MARK_IN_CLAUSE && depth > 0))
    return TRUE;
  /* If the derived clause has no literal of this level, the chain of reasons ends at the level's
   * decision, which is not in the clause. */
  if (mark == MARK_FREE || reason == CLAUSE_NONE || depth == MAX_DEPTH
      || self->level_stamps[self->levels[variable]] != self->stamp)
    return FALSE;
  const ClauseHead *head = solver_clause (self, reason);
  gboolean is_so = TRUE;
  for (guint i = 0; i < head->n_literals && is_so; i++)
    is_so = head->literals[i] == literal_negate (literal)
            || is_implied (self, head->literals[i], depth + 1);
  if (mark == MARK_NONE)
    set_mark (self, variable, is_so ? MARK_IMPLIED : MARK_FREE);
  return is_so;
}

static void
minimise (Solver *self)
{
  Literal *literals = (Literal *)(gpointer)self->clause->data;
  guint n = 1;

  count_levels (self, literals, self->clause->len);
  for (guint i = 1; i < self->clause->len; i++)
    if (!is_implied (self, literals[i], 0))
      literals[n++] = literals[i];
  g_array_set_size (self->clause, n);
}

static void
clear_marks (Solver *self)
{
  for (guint i = 0; i < self->marked->len; i++)
    self->marks[g_array_index (self->marked, Variable, i)] = MARK_NONE;
  g_array_set_size (self->marked, 0);
}

/* Moves the literal with the second youngest level of the clause to the second place. Returns: that
 * level; 0 if the clause has only one literal */
static guint
find_way_back (Solver *self)
{
  Literal *literals = (Literal *)(gpointer)self->clause->data;
  guint level = 0;

  for (guint i = 1; i < self->clause->len; i++)
    {
      if (self->levels[literal_variable (literals[i])] <= level)
        continue;
      Literal youngest = literals[i];
      literals[i] = literals[1];
      literals[1] = youngest;
      level = self->levels[literal_variable (youngest)];
    }
  return level;
}

void
solver_learn (Solver *self, ClauseAt conflict)
{
  resolve (self, conflict);
  minimise (self);
  clear_marks (self);
  const Literal *literals = (const Literal *)(gpointer)self->clause->data;
  guint n_levels = count_levels (self, literals, self->clause->len);
  solver_go_back (self, find_way_back (self));
  ClauseAt reason = CLAUSE_NONE;
  if (self->clause->len > 1)
    reason = solver_add (self, literals, self->clause->len, TRUE, n_levels);
  solver_assign (self, literals[0], reason);
  order_decay (&self->order);
}
