/* test-job.c - jobs of cubes refuse formulas, cubes and clauses that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include "cubes/cubes.c"
#undef main

static const Effort effort = { .n_conflicts = 100, .n_candidates = 4 };

static SatinObject
create (SatinWorkers *workers, const char *name, const Formula *formula)
{
  const problem_packed packed = { *formula };
  g_autoptr (GError) error = NULL;
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &problem_type, name, &packed, &error);
  g_assert_no_error (error);
  return object;
}

static void
assert_refused (SatinObject problem_id, SatinWorkers *workers, const char *reason,
                const gint32 *cube, gsize n_cube, const gint32 *given, gsize n_given)
{
  Verdict verdict = { 0 };
  ASSERT_REFUSED (workers, reason, &verdict, conquer, problem_id, 0, cube, n_cube, given, n_given,
                  effort);
}

/* The formula (1 or 2) and (-1 or 2). */
static const gint32 literals[] = { 1, 2, 0, -1, 2, 0 };

static void
test_wrong_literals_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 wrong[] = { G_MININT32, G_MAXINT32, 3, -3, 0 };
  static const gint32 good[] = { -2, -2, -2 }, open[] = { 1, 2 };
  SatinObject object = create (workers, "right", &(Formula){ 2, literals, 6 });
  Verdict verdict = { 0 };
  g_assert_true (
      satin_run (workers, &verdict, conquer, NULL, object, 0, good, 3, literals, 6, effort));
  g_assert_cmpint (verdict.answer, ==, ENGINE_UNSATISFIABLE);
  satin_record_clear (&Verdict_record, &verdict);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    assert_refused (object, workers, "cube", &wrong[i], 1, NULL, 0);
  for (guint i = 0; i + 1 < G_N_ELEMENTS (wrong); i++)
    {
      const gint32 clause[] = { wrong[i], 0 };
      assert_refused (object, workers, "given clause", NULL, 0, clause, 2);
    }
  assert_refused (object, workers, "given clause", NULL, 0, open, 2);
}

static void
test_wrong_formulas_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 lowest[] = { G_MININT32, 0 };
  const Formula few = { 1, literals, 6 }, open = { 2, literals, 5 }, low = { 2, lowest, 2 };
  const Formula none = { -1, NULL, 0 }, many = { G_MAXINT32, literals, 6 };
  assert_refused (0, workers, "not here", NULL, 0, NULL, 0);
  assert_refused (create (workers, "few", &few), workers, "wrong clause", NULL, 0, NULL, 0);
  assert_refused (create (workers, "open", &open), workers, "wrong clause", NULL, 0, NULL, 0);
  assert_refused (create (workers, "low", &low), workers, "wrong clause", NULL, 0, NULL, 0);
  assert_refused (create (workers, "none", &none), workers, "variables", NULL, 0, NULL, 0);
  assert_refused (create (workers, "many", &many), workers, "variables", NULL, 0, NULL, 0);
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
    { { .n_conflicts = 0, .n_candidates = 4 }, "conflicts" },
    { { .n_conflicts = 1, .n_candidates = 0 }, "candidates" },
    { { .n_conflicts = 1, .n_candidates = 4, .pass_length = -1 }, "pass" },
    { { .n_conflicts = 1, .n_candidates = 4, .share_length = 101 }, "share" },
    { { .n_conflicts = 1, .n_candidates = 4, .conflict_ns = -1 }, "time of a conflict" },
    { { .n_conflicts = 1, .n_candidates = 4, .max_proof_bytes = G_MAXINT64 }, "proof" },
  };
  SatinObject object = create (workers, "right", &(Formula){ 2, literals, 6 });
  Verdict verdict = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ASSERT_REFUSED (workers, cases[i].reason, &verdict, conquer, object, 0, NULL, 0, NULL, 0,
                    cases[i].effort);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-cubes-job/" path, function)
  CASE ("wrong-literals-are-refused", test_wrong_literals_are_refused);
  CASE ("wrong-formulas-are-refused", test_wrong_formulas_are_refused);
  CASE ("wrong-efforts-are-refused", test_wrong_efforts_are_refused);
  return g_test_run ();
}
