/* test-solver.c - tests propagation, learning, models and refutations
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver-state.h"

#include "formulas.h"

#define N_DRAWN 600

static gboolean
is_true (const Solver *solver, gint32 number)
{
  return solver->values[literal_from_number (number)] > 0;
}

static gboolean
is_assigned (const Solver *solver, gint32 number)
{
  return solver->values[literal_from_number (number)] != 0;
}

static void
decide (Solver *solver, gint32 number)
{
  solver_decide (solver, literal_from_number (number));
}

/* ---- propagation ---- */

static void
test_chain_is_followed (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 4 3\n-1 2 0\n-2 3 0\n-2 -3 4 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  decide (solver, 1);
  g_assert_cmpuint (solver_propagate (solver), ==, CLAUSE_NONE);
  for (gint32 i = 1; i <= 4; i++)
    g_assert_true (is_true (solver, i));
}

static void
test_nothing_follows_from_two_open_literals (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 3 1\n-1 2 3 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  decide (solver, 1);
  g_assert_cmpuint (solver_propagate (solver), ==, CLAUSE_NONE);
  g_assert_false (is_assigned (solver, 2));
  g_assert_false (is_assigned (solver, 3));
}

static void
test_conclusion_is_the_same_in_any_order (void)
{
  static const gint32 orders[][2] = { { 1, 2 }, { 2, 1 }, { 1, 3 }, { 3, 1 }, { 2, 3 }, { 3, 2 } };
  g_auto (TestFormula) formula = formulas_read ("p cnf 3 1\n1 2 3 0\n");
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (Solver) solver = solver_new (&formula);
      decide (solver, -orders[i][0]);
      solver_propagate (solver);
      decide (solver, -orders[i][1]);
      solver_propagate (solver);
      g_assert_true (is_true (solver, 6 - orders[i][0] - orders[i][1]));
    }
}

static void
test_conflict_is_a_clause_that_is_false (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 3 3\n-1 2 0\n-1 3 0\n-2 -3 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  decide (solver, 1);
  ClauseAt conflict = solver_propagate (solver);
  g_assert_cmpuint (conflict, !=, CLAUSE_NONE);
  const ClauseHead *head = solver_clause (solver, conflict);
  for (guint i = 0; i < head->n_literals; i++)
    g_assert_cmpint (solver->values[head->literals[i]], ==, -1);
}

static void
test_going_back_takes_conclusions_back (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 4 2\n-1 2 0\n-3 4 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  decide (solver, 1);
  solver_propagate (solver);
  decide (solver, 3);
  solver_propagate (solver);
  solver_go_back (solver, 1);
  g_assert_true (is_true (solver, 2));
  g_assert_false (is_assigned (solver, 3));
  g_assert_false (is_assigned (solver, 4));
  decide (solver, 3);
  solver_propagate (solver);
  g_assert_true (is_true (solver, 4));
}

static void
test_doubled_literals_count_once (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 3 2\n1 1 1 0\n2 -2 3 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  g_assert_true (is_true (solver, 1));
  g_assert_cmpuint (solver->originals->len, ==, 0);
}

/* ---- learning ---- */

/* Deciding 1 and 2 leads to a conflict through 3 alone, so -3 is learned: the first unique
 * implication point. */
static void
test_first_point_is_learned (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 5 4\n-1 -2 3 0\n-3 4 0\n-3 5 0\n-4 -5 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  decide (solver, 1);
  solver_propagate (solver);
  decide (solver, 2);
  solver_learn (solver, solver_propagate (solver));
  g_assert_cmpuint (solver_get_level (solver), ==, 0);
  g_assert_true (is_true (solver, -3));
  g_assert_cmpuint (solver->learned->len, ==, 0);
}

/* The conflict needs 1 but not 2, so the search goes back to the level of 1. */
static void
test_search_goes_back_beyond_what_does_not_matter (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 5 2\n-1 -3 4 0\n-1 -3 -4 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  for (gint32 i = 1; i <= 2; i++)
    {
      decide (solver, i);
      solver_propagate (solver);
    }
  decide (solver, 3);
  solver_learn (solver, solver_propagate (solver));
  g_assert_cmpuint (solver_get_level (solver), ==, 1);
  g_assert_true (is_true (solver, -3));
  g_assert_cmpuint (solver->learned->len, ==, 1);
  const ClauseHead *head = solver_clause (solver, g_array_index (solver->learned, ClauseAt, 0));
  g_assert_cmpuint (head->n_literals, ==, 2);
  g_assert_cmpint (literal_to_number (head->literals[0]), ==, -3);
  g_assert_cmpint (literal_to_number (head->literals[1]), ==, -1);
}

/* 2 follows from 1, and both take part in the conflict. So -1 is enough in the learned clause. */
static void
test_implied_literals_are_left_out (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 4 3\n-1 2 0\n-1 -2 -3 4 0\n-1 -2 -3 -4 0\n");
  g_autoptr (Solver) solver = solver_new (&formula);
  decide (solver, 1);
  solver_propagate (solver);
  decide (solver, 3);
  solver_learn (solver, solver_propagate (solver));
  const ClauseHead *head = solver_clause (solver, g_array_index (solver->learned, ClauseAt, 0));
  g_assert_cmpuint (head->n_literals, ==, 2);
  g_assert_cmpint (literal_to_number (head->literals[1]), ==, -1);
}

static void
test_marks_are_cleared (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:5");
  g_autoptr (Solver) solver = solver_new (&formula);
  solver_search (solver, NULL, 0, 20);
  for (guint i = 0; i < solver->n_variables; i++)
    g_assert_cmpuint (solver->marks[i], ==, MARK_NONE);
}

static void
test_half_of_the_useless_is_forgotten (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:8");
  g_autoptr (Solver) solver = solver_new (&formula);
  guint n_useless = 0;
  solver_search (solver, NULL, 0, 1000);
  solver_go_back (solver, 0);
  for (guint i = 0; i < solver->learned->len; i++)
    {
      ClauseHead *head = solver_clause (solver, g_array_index (solver->learned, ClauseAt, i));
      head->is_used = FALSE;
      n_useless += head->n_levels > 2;
    }
  guint n_before = solver->learned->len, n_originals = solver->originals->len;
  g_assert_cmpuint (n_useless, >, 100);
  solver_reduce (solver);
  g_assert_cmpuint (solver->learned->len, ==, n_before - n_useless / 2);
  g_assert_cmpuint (solver->originals->len, ==, n_originals);
  g_assert_cmpint (solver_search (solver, NULL, 0, SOLVER_NO_LIMIT), ==, SOLVER_UNSATISFIABLE);
}

/* ---- answers ---- */

static void
test_answer_is_that_of_all_assignments (void)
{
  guint n_satisfiable = 0;
  for (guint i = 0; i < N_DRAWN; i++)
    {
      g_auto (TestFormula) formula = formulas_draw (i);
      gboolean has_model = formulas_has_model (&formula, NULL, 0);
      g_test_message ("%u", i);
      g_assert_cmpint (formulas_solve (&formula), ==,
                       has_model ? SOLVER_SATISFIABLE : SOLVER_UNSATISFIABLE);
      n_satisfiable += has_model;
    }
  /* Both answers must be frequent among the formulas. */
  g_assert_cmpuint (n_satisfiable, >, N_DRAWN / 5);
  g_assert_cmpuint (n_satisfiable, <, N_DRAWN * 4 / 5);
}

static void
test_model_satisfies_the_formula (void)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *kind = g_strdup_printf ("uniform:150,600,3,%u", i);
      g_auto (TestFormula) formula = formulas_make (kind);
      g_autoptr (Solver) solver = solver_new (&formula);
      guint8 model[150];
      if (solver_search (solver, NULL, 0, SOLVER_NO_LIMIT) != SOLVER_SATISFIABLE)
        continue;
      solver_get_model (solver, model);
      g_assert_true (formula_is_satisfied (&formula, model, 150));
    }
}

static void
test_wrong_model_is_found_out (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 2 2\n1 2 0\n-1 -2 0\n");
  g_assert_true (formula_is_satisfied (&formula, (const guint8[]){ 1, 0 }, 2));
  g_assert_false (formula_is_satisfied (&formula, (const guint8[]){ 1, 1 }, 2));
  g_assert_false (formula_is_satisfied (&formula, (const guint8[]){ 0, 0 }, 2));
  g_assert_false (formula_is_satisfied (&formula, (const guint8[]){ 1, 0 }, 1));
}

static void
test_empty_formula_is_satisfiable (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 0 0\n");
  g_assert_cmpint (formulas_solve (&formula), ==, SOLVER_SATISFIABLE);
}

static void
test_empty_clause_is_unsatisfiable (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 2 2\n1 2 0\n0\n");
  g_assert_cmpint (formulas_solve (&formula), ==, SOLVER_UNSATISFIABLE);
}

static void
test_contradiction_is_unsatisfiable (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 2 3\n1 0\n-1 2 0\n-2 0\n");
  g_assert_cmpint (formulas_solve (&formula), ==, SOLVER_UNSATISFIABLE);
}

static void
test_pigeons_are_unsatisfiable (void)
{
  for (guint n = 1; n <= 8; n++)
    {
      g_autofree char *kind = g_strdup_printf ("pigeon:%u", n);
      g_auto (TestFormula) formula = formulas_make (kind);
      g_assert_cmpint (formulas_solve (&formula), ==, SOLVER_UNSATISFIABLE);
    }
}

static void
test_search_is_the_same_each_time (void)
{
  g_auto (TestFormula) formula = formulas_make ("uniform:150,640,3,5");
  gint64 n_conflicts[2];
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Solver) solver = solver_new (&formula);
      solver_search (solver, NULL, 0, SOLVER_NO_LIMIT);
      n_conflicts[i] = solver_count_conflicts (solver);
    }
  g_assert_cmpint (n_conflicts[0], >, 100);
  g_assert_cmpint (n_conflicts[0], ==, n_conflicts[1]);
}

/* ---- cubes ---- */

static void
test_answer_holds_in_the_cube (void)
{
  for (guint i = 0; i < N_DRAWN; i++)
    {
      g_auto (TestFormula) formula = formulas_draw (i);
      g_autoptr (Solver) solver = solver_new (&formula);
      const gint32 cube[] = { (i & 1) ? 1 : -1, (i & 2) ? 2 : -2, (i & 4) ? 3 : -3 };
      for (gsize n = G_N_ELEMENTS (cube) + 1; n-- > 0;)
        {
          /* One solver serves all cubes: what it learns in one cube holds outside, too. */
          gboolean has_model = formulas_has_model (&formula, cube, n);
          g_assert_cmpint (solver_search (solver, cube, n, SOLVER_NO_LIMIT), ==,
                           has_model ? SOLVER_SATISFIABLE : SOLVER_UNSATISFIABLE);
          for (gsize k = 0; k < n && has_model; k++)
            g_assert_true (is_true (solver, cube[k]));
        }
    }
}

static void
test_search_ends_after_its_conflicts (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:8");
  g_autoptr (Solver) solver = solver_new (&formula);
  const gint32 cube[] = { 1, 11 };
  g_assert_cmpint (solver_search (solver, cube, 2, 100), ==, SOLVER_UNKNOWN);
  g_assert_cmpint (solver_count_conflicts (solver), >=, 100);
  g_assert_cmpint (solver_count_conflicts (solver), <, 110);
}

static void
test_split_is_open_in_the_cube (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:8");
  g_autoptr (Solver) solver = solver_new (&formula);
  const gint32 cube[] = { 1, 11 };
  solver_search (solver, cube, 2, 100);
  gint32 split = solver_choose_split (solver);
  g_assert_cmpint (split, !=, 0);
  g_assert_true (is_true (solver, 1) && is_true (solver, 11));
  g_assert_false (is_assigned (solver, split));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/sat/solver/" path, function)
  CASE ("chain-is-followed", test_chain_is_followed);
  CASE ("nothing-follows-from-two-open-literals", test_nothing_follows_from_two_open_literals);
  CASE ("conclusion-is-the-same-in-any-order", test_conclusion_is_the_same_in_any_order);
  CASE ("conflict-is-a-clause-that-is-false", test_conflict_is_a_clause_that_is_false);
  CASE ("going-back-takes-conclusions-back", test_going_back_takes_conclusions_back);
  CASE ("doubled-literals-count-once", test_doubled_literals_count_once);
  CASE ("first-point-is-learned", test_first_point_is_learned);
  CASE ("search-goes-back-beyond-what-does-not-matter",
        test_search_goes_back_beyond_what_does_not_matter);
  CASE ("implied-literals-are-left-out", test_implied_literals_are_left_out);
  CASE ("marks-are-cleared", test_marks_are_cleared);
  CASE ("half-of-the-useless-is-forgotten", test_half_of_the_useless_is_forgotten);
  CASE ("answer-is-that-of-all-assignments", test_answer_is_that_of_all_assignments);
  CASE ("model-satisfies-the-formula", test_model_satisfies_the_formula);
  CASE ("wrong-model-is-found-out", test_wrong_model_is_found_out);
  CASE ("empty-formula-is-satisfiable", test_empty_formula_is_satisfiable);
  CASE ("empty-clause-is-unsatisfiable", test_empty_clause_is_unsatisfiable);
  CASE ("contradiction-is-unsatisfiable", test_contradiction_is_unsatisfiable);
  CASE ("pigeons-are-unsatisfiable", test_pigeons_are_unsatisfiable);
  CASE ("search-is-the-same-each-time", test_search_is_the_same_each_time);
  CASE ("answer-holds-in-the-cube", test_answer_holds_in_the_cube);
  CASE ("search-ends-after-its-conflicts", test_search_ends_after_its_conflicts);
  CASE ("split-is-open-in-the-cube", test_split_is_open_in_the_cube);
  return g_test_run ();
}
