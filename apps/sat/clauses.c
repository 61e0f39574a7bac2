/* clauses.c - stores clauses, and keeps the watch lists of their literals
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

#define HEAD_WORDS (sizeof (ClauseHead) / sizeof (guint32))

static void
watch_clause (Solver *self, ClauseAt at)
{
  const Literal *literals = solver_clause (self, at)->literals;

  solver_watch (self, literals[0], at, literals[1]);
  solver_watch (self, literals[1], at, literals[0]);
}

ClauseAt
solver_add (Solver *self, const Literal *literals, guint n_literals, gboolean is_learned,
            guint n_levels)
{
  const ClauseHead head = {
    .n_literals = n_literals, .n_levels = n_levels, .is_learned = is_learned, .is_used = is_learned
  };
  ClauseAt at = self->words->len;

  g_array_append_vals (self->words, &head, HEAD_WORDS);
  g_array_append_vals (self->words, literals, n_literals);
  g_array_append_val (is_learned ? self->learned : self->originals, at);
  watch_clause (self, at);
  return at;
}

static gint
compare_literals (gconstpointer a, gconstpointer b)
{
  Literal x = *(const Literal *)a, y = *(const Literal *)b;
  return x < y ? -1 : x > y;
}

/* Fills self->clause with the literals of @numbers that are not assigned, sorted, each once.
 * Returns: %FALSE when the clause is always true */
static gboolean
take_numbers (Solver *self, const Clause *numbers)
{
  GArray *clause = self->clause;
  guint n = 0;

  g_array_set_size (clause, 0);
  for (gsize i = 0; i < numbers->n_literals; i++)
    {
      Literal literal = literal_from_number (numbers->literals[i]);
      if (self->values[literal] > 0)
        return FALSE;
      if (self->values[literal] == 0)
        g_array_append_val (clause, literal);
    }
  g_array_sort (clause, compare_literals);
  Literal *literals = (Literal *)(gpointer)clause->data;
  for (guint i = 0; i < clause->len; i++)
    {
      if (n > 0 && literals[n - 1] == literal_negate (literals[i]))
        return FALSE;
      if (n == 0 || literals[n - 1] != literals[i])
        literals[n++] = literals[i];
    }
  g_array_set_size (clause, n);
  return TRUE;
}

void
solver_add_numbers (Solver *self, const Clause *numbers, gboolean is_learned)
{
  if (!take_numbers (self, numbers))
    return;
  const Literal *literals = (const Literal *)(gpointer)self->clause->data;
  if (self->clause->len == 0)
    self->is_refuted = TRUE;
  else if (self->clause->len == 1)
    solver_assign (self, literals[0], CLAUSE_NONE);
  else
    solver_add (self, literals, self->clause->len, is_learned, self->clause->len);
}

/* Whether the clause can be dropped: it was forgotten, or one of its literals is true. On level 0 a
 * true literal is true for ever. */
static gboolean
is_over (const Solver *self, const ClauseHead *head)
{
  for (guint i = 0; i < head->n_literals; i++)
    if (self->values[head->literals[i]] > 0)
      return TRUE;
  return head->is_gone;
}

/* Adds the clauses @old, whose words are in @words, to the emptied solver. Leaves out clauses that
 * can be dropped (is_over()), and literals that are false. */
static void
add_again (Solver *self, const GArray *words, const GArray *old)
{
  for (guint i = 0; i < old->len; i++)
    {
      gsize at = g_array_index (old, ClauseAt, i);
      const ClauseHead *head =
          (const ClauseHead *)(gconstpointer)(words->data + at * sizeof (guint32));
      if (is_over (self, head))
        continue;
      g_array_set_size (self->clause, 0);
      for (guint k = 0; k < head->n_literals; k++)
        if (self->values[head->literals[k]] == 0)
          g_array_append_val (self->clause, head->literals[k]);
      ClauseAt added = solver_add (self, (const Literal *)(gpointer)self->clause->data,
                                   self->clause->len, head->is_learned, head->n_levels);
      solver_clause (self, added)->is_used = head->is_used;
      solver_clause (self, added)->is_told = head->is_told;
    }
}

void
solver_collect (Solver *self)
{
  g_autoptr (GArray) words = g_steal_pointer (&self->words);
  g_autoptr (GArray) originals = g_steal_pointer (&self->originals);
  g_autoptr (GArray) learned = g_steal_pointer (&self->learned);
  const guint32 unused = 0;

  for (guint i = 0; i < 2 * self->n_variables; i++)
    self->watches[i].n = 0;
  for (guint i = 0; i < self->n_trail; i++)
    self->reasons[literal_variable (self->trail[i])] = CLAUSE_NONE;
  self->words = g_array_sized_new (FALSE, FALSE, sizeof (guint32), words->len);
  self->originals = g_array_sized_new (FALSE, FALSE, sizeof (ClauseAt), originals->len);
  self->learned = g_array_sized_new (FALSE, FALSE, sizeof (ClauseAt), learned->len);
  g_array_append_val (self->words, unused);
  add_again (self, words, originals);
  add_again (self, words, learned);
}
