/* solver.c - the search: decides, restarts, gives up
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

/* Conflicts between restarts: this times 1, 1, 2, 1, 1, 2, 4, ... */
#define RESTART_UNIT 50

Solver *
solver_new (const Formula *formula)
{
  guint n = (guint)formula->n_variables;
  Solver *self = g_new (Solver, 1);
  const guint32 unused = 0;
  Clause clause;
  gsize at = 0;

  *self = (Solver){ .n_variables = n,
                    .words = g_array_sized_new (FALSE, FALSE, sizeof (guint32),
                                                (guint)formula->n_literals),
                    .originals = g_array_new (FALSE, FALSE, sizeof (ClauseAt)),
                    .learned = g_array_new (FALSE, FALSE, sizeof (ClauseAt)),
                    .watches = g_new0 (WatchList, 2 * (gsize)n),
                    .values = g_new0 (gint8, 2 * (gsize)n),
                    .levels = g_new0 (guint, n),
                    .reasons = g_new0 (ClauseAt, n),
                    .phases = g_new (guint8, n),
                    .trail = g_new (Literal, n),
                    .n_until_restart = RESTART_UNIT,
                    .luby = { 1, 1 },
                    .level_begins = g_array_new (FALSE, FALSE, sizeof (guint)),
                    .marks = g_new0 (guint8, n),
                    .marked = g_array_new (FALSE, FALSE, sizeof (Variable)),
                    .level_stamps = g_new0 (guint64, (gsize)n + 1),
                    .clause = g_array_new (FALSE, FALSE, sizeof (Literal)) };
  for (guint i = 0; i < n; i++)
    self->phases[i] = TRUE;
  order_init (&self->order, n);
  solver_schedule_reduce (self);
  g_array_append_val (self->words, unused);
  while (formula_next (formula->literals, formula->n_literals, &at, &clause))
    solver_add_numbers (self, &clause, FALSE);
  return self;
}

void
solver_free (Solver *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i < 2 * (gsize)self->n_variables; i++)
    g_free (self->watches[i].items);
  g_free (self->watches);
  g_array_unref (self->words);
  g_array_unref (self->originals);
  g_array_unref (self->learned);
  g_free (self->values);
  g_free (self->levels);
  g_free (self->reasons);
  g_free (self->phases);
  g_free (self->trail);
  g_array_unref (self->level_begins);
  order_done (&self->order);
  g_free (self->marks);
  g_array_unref (self->marked);
  g_free (self->level_stamps);
  g_array_unref (self->clause);
  g_free (self);
}

/* ---- restarts ---- */

/* Moves @self to the next number of Luby's sequence, by Knuth's formula. */
static void
go_on (Luby *self)
{
  if ((self->u & -self->u) == self->v)
    *self = (Luby){ self->u + 1, 1 };
  else
    self->v *= 2;
}

static void
restart (Solver *self)
{
  go_on (&self->luby);
  self->n_until_restart = (gint64)self->luby.v * RESTART_UNIT;
  solver_go_back (self, 0);
}

/* ---- the search ---- */

typedef struct
{
  const gint32 *cube;
  gsize n_cube;
  gint64 n_left; /* conflicts until the search gives up */
} Search;

static void
meet_conflict (Solver *self, Search *search, ClauseAt conflict)
{
  self->n_conflicts++;
  self->n_until_reduce--;
  self->n_until_restart--;
  search->n_left--;
  if (solver_get_level (self) == 0)
    self->is_refuted = TRUE;
  else
    solver_learn (self, conflict);
}

/* Decides the next literal of the cube or, after the cube, of the most active variable. Returns:
 * %FALSE when all variables are assigned, or when a literal of the cube is false; then *@ret_answer
 * is the answer of the search */
static gboolean
decide (Solver *self, const Search *search, SolverAnswer *ret_answer)
{
  Variable variable;

  if (solver_get_level (self) < search->n_cube)
    {
      Literal literal = literal_from_number (search->cube[solver_get_level (self)]);
      if (self->values[literal] < 0)
        {
          *ret_answer = SOLVER_UNSATISFIABLE;
          return FALSE;
        }
      solver_decide (self, literal);
      return TRUE;
    }
  while (order_take (&self->order, &variable))
    if (self->values[literal_of (variable, FALSE)] == 0)
      {
        solver_decide (self, literal_of (variable, self->phases[variable]));
        return TRUE;
      }
  *ret_answer = SOLVER_SATISFIABLE;
  return FALSE;
}

static gboolean
is_whole (const Solver *self)
{
  return self->n_trail == self->n_variables;
}

SolverAnswer
solver_search (Solver *self, const gint32 *cube, gsize n_cube, gint64 n_conflicts)
{
  Search search = { cube, n_cube, n_conflicts };
  SolverAnswer answer = SOLVER_UNSATISFIABLE;

  solver_go_back (self, 0);
  while (!self->is_refuted)
    {
      ClauseAt conflict = solver_propagate (self);
      if (conflict != CLAUSE_NONE)
        {
          meet_conflict (self, &search, conflict);
          continue;
        }
      if (search.n_left <= 0 && solver_get_level (self) >= n_cube)
        {
          solver_go_back (self, (guint)n_cube);
          return is_whole (self) ? SOLVER_SATISFIABLE : SOLVER_UNKNOWN;
        }
      if (self->n_until_restart <= 0)
        restart (self);
      if (self->n_until_reduce <= 0 && solver_get_level (self) == 0)
        solver_reduce (self);
      if (!decide (self, &search, &answer))
        return answer;
    }
  return SOLVER_UNSATISFIABLE;
}

void
solver_get_model (const Solver *self, guint8 *ret_model)
{
  for (Variable variable = 0; variable < self->n_variables; variable++)
    ret_model[variable] = self->values[literal_of (variable, FALSE)] > 0;
}

gint32
solver_choose_split (const Solver *self)
{
  Variable best = self->n_variables;

  for (Variable variable = 0; variable < self->n_variables; variable++)
    if (self->values[literal_of (variable, FALSE)] == 0
        && (best == self->n_variables || order_is_before (&self->order, variable, best)))
      best = variable;
  return literal_to_number (literal_of (best, self->phases[best]));
}

gint64
solver_count_conflicts (const Solver *self)
{
  return self->n_conflicts;
}

guint
solver_count_learned (const Solver *self)
{
  return self->learned->len;
}
