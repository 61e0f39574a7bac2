/* test-share.c - tests which clauses a search exports, and what it does with imported clauses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

#include "formulas.h"

/* Returns: (transfer full): the clauses that a search in @cube exports after @n_conflicts
 * conflicts */
static GArray *
learn (const Formula *formula, const gint32 *cube, gsize n_cube, gint64 n_conflicts,
       gsize max_length, gsize max_literals)
{
  g_autoptr (Solver) solver = solver_new (formula);

  solver_search (solver, cube, n_cube, n_conflicts);
  return solver_export (solver, max_length, max_literals);
}

static const gint32 *
literals_of (const GArray *told)
{
  return (const gint32 *)(gconstpointer)told->data;
}

/* A clause follows from a formula if the formula has no model where all literals of the clause are
 * false. */
static gboolean
follows (const Formula *formula, const Clause *clause)
{
  gint32 opposite[FORMULAS_MAX_VARIABLES];

  for (gsize i = 0; i < clause->n_literals; i++)
    opposite[i] = -clause->literals[i];
  return !formulas_has_model (formula, opposite, clause->n_literals);
}

static void
test_told_follows_from_the_formula_alone (void)
{
  guint n_told = 0;
  for (guint i = 0; i < 300; i++)
    {
      g_auto (TestFormula) formula = formulas_draw (i);
      const gint32 cube[] = { (i & 1) ? 1 : -1, (i & 2) ? 2 : -2 };
      g_autoptr (GArray) told = learn (&formula, cube, 2, 8, FORMULAS_MAX_VARIABLES, 1000);
      Clause clause;
      gsize at = 0;
      for (; formula_next (literals_of (told), told->len, &at, &clause); n_told++)
        g_assert_true (follows (&formula, &clause));
    }
  g_assert_cmpuint (n_told, >, 300);
}

static void
test_cube_is_not_told (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 4 2\n-1 2 0\n3 4 0\n");
  const gint32 cube[] = { 1, -3 };
  g_autoptr (GArray) told = learn (&formula, cube, 2, 10, 10, 1000);
  g_assert_cmpuint (told->len, ==, 0);
}

static void
test_long_clauses_are_not_told (void)
{
  g_auto (TestFormula) formula = formulas_make ("uniform:100,430,3,1");
  guint n_told = 0;
  g_autoptr (GArray) told = learn (&formula, NULL, 0, 200, 5, 100000);
  Clause clause;
  gsize at = 0;
  for (gsize before = 0; formula_next (literals_of (told), told->len, &at, &clause); n_told++)
    {
      g_assert_cmpuint (clause.n_literals, <=, 5);
      /* Short clauses come first. */
      g_assert_cmpuint (clause.n_literals, >=, before);
      before = clause.n_literals;
    }
  g_assert_cmpuint (n_told, >, 5);
}

static void
test_told_has_a_limit (void)
{
  g_auto (TestFormula) formula = formulas_make ("uniform:100,430,3,1");
  g_autoptr (GArray) all = learn (&formula, NULL, 0, 200, 20, 100000);
  for (gsize limit = 0; limit < 100; limit++)
    {
      g_autoptr (GArray) told = learn (&formula, NULL, 0, 200, 20, limit);
      g_assert_cmpuint (told->len, <=, limit);
      g_assert_true (told->len == 0 || literals_of (told)[told->len - 1] == 0);
    }
  g_assert_cmpuint (all->len, >, 100);
}

static void
test_nothing_is_told_of_no_length (void)
{
  g_auto (TestFormula) formula = formulas_make ("uniform:100,430,3,1");
  g_autoptr (GArray) told = learn (&formula, NULL, 0, 200, 0, 100000);
  g_assert_cmpuint (told->len, ==, 0);
}

static void
test_what_was_told_draws_conclusions (void)
{
  static const gint32 told[] = { -1, 2, 0, 3, 0 };
  g_auto (TestFormula) formula = formulas_read ("p cnf 4 1\n1 2 4 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  solver_import (solver, told, G_N_ELEMENTS (told));
  g_assert_cmpint (solver->values[literal_from_number (3)], ==, 1);
  solver_decide (solver, literal_from_number (1));
  solver_propagate (solver);
  g_assert_cmpint (solver->values[literal_from_number (2)], ==, 1);
  g_assert_cmpuint (solver_count_learned (solver), ==, 1);
}

static void
test_what_was_told_is_told_on (void)
{
  static const gint32 told[] = { 3, 0, -1, 2, 0 };
  g_auto (TestFormula) formula = formulas_read ("p cnf 4 1\n1 2 4 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  solver_import (solver, told, G_N_ELEMENTS (told));
  g_autoptr (GArray) on = solver_export (solver, 5, 100);
  g_assert_cmpuint (on->len, ==, 5);
}

/* Returns: how much an imported clause adds to the activity of a variable, after @n_conflicts
 * conflicts */
static double
activity_when_told (gint64 n_conflicts)
{
  static const gint32 told[] = { 1, 2, 0 };
  g_auto (TestFormula) formula = formulas_make ("pigeon:6");
  g_autoptr (Solver) solver = solver_new (&formula);
  if (n_conflicts > 0)
    solver_search (solver, NULL, 0, n_conflicts);
  double before = solver->order.activity[0];
  solver_import (solver, told, G_N_ELEMENTS (told));
  return solver->order.activity[0] - before;
}

static void
test_only_a_search_that_begins_is_led (void)
{
  g_assert_cmpfloat (activity_when_told (0), >, 0);
  g_assert_cmpfloat (activity_when_told (10), ==, 0);
}

static void
test_answer_is_the_same_when_told (void)
{
  for (guint i = 0; i < 300; i++)
    {
      g_auto (TestFormula) formula = formulas_draw (i);
      const gint32 cube[] = { 1, -2 };
      g_autoptr (GArray) told = learn (&formula, cube, 2, 8, FORMULAS_MAX_VARIABLES, 1000);
      g_autoptr (Solver) solver = solver_new (&formula);
      solver_import (solver, literals_of (told), told->len);
      g_assert_cmpint (solver_search (solver, NULL, 0, SOLVER_NO_LIMIT), ==,
                       formulas_has_model (&formula, NULL, 0) ? SOLVER_SATISFIABLE
                                                              : SOLVER_UNSATISFIABLE);
    }
}

static void
test_told_saves_conflicts (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:6");
  g_autoptr (GArray) told = learn (&formula, NULL, 0, SOLVER_NO_LIMIT, 20, 100000);
  g_autoptr (Solver) alone = solver_new (&formula), with = solver_new (&formula);
  solver_import (with, literals_of (told), told->len);
  solver_search (alone, NULL, 0, SOLVER_NO_LIMIT);
  solver_search (with, NULL, 0, SOLVER_NO_LIMIT);
  g_assert_cmpint (solver_count_conflicts (with), <, solver_count_conflicts (alone) / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/sat/share/" path, function)
  CASE ("told-follows-from-the-formula-alone", test_told_follows_from_the_formula_alone);
  CASE ("cube-is-not-told", test_cube_is_not_told);
  CASE ("long-clauses-are-not-told", test_long_clauses_are_not_told);
  CASE ("told-has-a-limit", test_told_has_a_limit);
  CASE ("nothing-is-told-of-no-length", test_nothing_is_told_of_no_length);
  CASE ("what-was-told-draws-conclusions", test_what_was_told_draws_conclusions);
  CASE ("what-was-told-is-told-on", test_what_was_told_is_told_on);
  CASE ("only-a-search-that-begins-is-led", test_only_a_search_that_begins_is_led);
  CASE ("answer-is-the-same-when-told", test_answer_is_the_same_when_told);
  CASE ("told-saves-conflicts", test_told_saves_conflicts);
  return g_test_run ();
}
