/* test-job.c - jobs of sat refuse formulas, cubes and clauses that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include "sat/sat.c"
#undef main

static const Effort effort = { .n_conflicts = 100, .share_length = 4 };

/* The formula (1 or 2) and (-1 or 2). */
static const gint32 literals[] = { 1, 2, 0, -1, 2, 0 };
static const Formula formula = { 2, literals, 6 };

static void
assert_refused (SatinWorkers *workers, const char *reason, const Formula *wrong, const gint32 *cube,
                gsize n_cube, const gint32 *told, gsize n_told)
{
  Verdict verdict = { 0 };
  ASSERT_REFUSED (workers, reason, &verdict, search_cube, *wrong, 0, cube, n_cube, told, n_told,
                  effort);
}

static void
test_wrong_literals_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 wrong[] = { G_MININT32, G_MAXINT32, 3, -3, 0 };
  static const gint32 good[] = { -2, 1 }, twice[] = { 1, 1 }, both[] = { 1, -1 }, open[] = { 1, 2 };
  Verdict verdict = { 0 };
  g_assert_true (
      satin_run (workers, &verdict, search_cube, NULL, formula, 0, good, 2, literals, 6, effort));
  g_assert_cmpint (verdict.answer, ==, SOLVER_UNSATISFIABLE);
  satin_record_clear (&Verdict_record, &verdict);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    assert_refused (workers, "cube has a wrong", &formula, &wrong[i], 1, NULL, 0);
  for (guint i = 0; i + 1 < G_N_ELEMENTS (wrong); i++)
    {
      const gint32 clause[] = { wrong[i], 0 };
      assert_refused (workers, "given clause", &formula, NULL, 0, clause, 2);
    }
  assert_refused (workers, "given clause", &formula, NULL, 0, open, 2);
  /* The search would have more levels than there are variables. */
  assert_refused (workers, "variable twice", &formula, twice, 2, NULL, 0);
  assert_refused (workers, "variable twice", &formula, both, 2, NULL, 0);
}

static void
test_wrong_formulas_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 lowest[] = { G_MININT32, 0 };
  const Formula few = { 1, literals, 6 }, open = { 2, literals, 5 }, low = { 2, lowest, 2 };
  const Formula none = { -1, NULL, 0 }, many = { G_MAXINT32, literals, 6 };
  assert_refused (workers, "wrong clause", &few, NULL, 0, NULL, 0);
  assert_refused (workers, "wrong clause", &open, NULL, 0, NULL, 0);
  assert_refused (workers, "wrong clause", &low, NULL, 0, NULL, 0);
  assert_refused (workers, "variables", &none, NULL, 0, NULL, 0);
  assert_refused (workers, "variables", &many, NULL, 0, NULL, 0);
}

static void
test_wrong_efforts_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const struct
  {
    Effort effort;
    const char *reason;
  } cases[] = {
    { { .n_conflicts = 0 }, "conflicts" },
    { { .n_conflicts = 1, .share_length = -1 }, "to pass" },
    { { .n_conflicts = 1, .clause_length = 101 }, "to send" },
    { { .n_conflicts = 1, .conflict_ns = -1 }, "time of a conflict" },
  };
  Verdict verdict = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ASSERT_REFUSED (workers, cases[i].reason, &verdict, search_cube, formula, 0, NULL, 0, NULL, 0,
                    cases[i].effort);
}

static void
test_unknown_set_is_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Verdict verdict = { 0 };
  ASSERT_REFUSED (workers, "not here", &verdict, search_cube, formula, 77, NULL, 0, NULL, 0,
                  effort);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-sat-job/" path, function)
  CASE ("wrong-literals-are-refused", test_wrong_literals_are_refused);
  CASE ("wrong-formulas-are-refused", test_wrong_formulas_are_refused);
  CASE ("wrong-efforts-are-refused", test_wrong_efforts_are_refused);
  CASE ("unknown-set-is-refused", test_unknown_set_is_refused);
  return g_test_run ();
}
