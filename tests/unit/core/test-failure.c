/* test-failure.c - tests where the errors of jobs that fail go
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

TASK_NOTHING ()

static Gate begun = GATE_CLOSED;
static Gate released = GATE_CLOSED;
static Gate stolen = GATE_CLOSED;

/* Fails with @code, and a message that names it; with -1 it does not fail. */
SATIN_TASK (fail_with, (int), (int, code))
{
  gate_open (&begun);
  if (code >= 0)
    satin_fail (g_error_new (SATIN_ERROR, code, "job %d", code));
  return code;
}

/* Returns: the code of an error that a sync gave, or -1; frees the error */
static gint32
take_code (GError *error)
{
  gint32 code = error == NULL ? -1 : error->code;
  g_clear_error (&error);
  return code;
}

/* Runs @task, which has no arguments, and returns its result, an int. */
static gint32
run (guint n_workers, const SatinTask *task)
{
  g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
  g_autoptr (GError) error = NULL;
  gint32 result = -2;
  gate_close (&begun);
  gate_close (&released);
  g_assert_true (satin_workers_run_task (workers, task, NULL, &result, &error));
  g_assert_no_error (error);
  return result;
}

SATIN_TASK (catch_child, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, fail_with, 5);
  gboolean is_ok = SATIN_SYNC_ERROR (&error);
  return is_ok ? -1 : take_code (error);
}

static void
test_catch_child (void)
{
  g_assert_cmpint (run (1, &catch_child_task), ==, 5);
}

SATIN_TASK (no_failure, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, fail_with, -1);
  gboolean is_ok = SATIN_SYNC_ERROR (&error);
  return is_ok && error == NULL ? 0 : 1;
}

static void
test_no_failure (void)
{
  g_assert_cmpint (run (1, &no_failure_task), ==, 0);
}

/* @n_levels + 1 frames that only spawn and sync, with a child that fails below them. */
SATIN_TASK (pass_on, (int), (int, n_levels))
{
  gint32 result;
  if (n_levels == 0)
    SATIN_SPAWN (&result, fail_with, 6);
  else
    SATIN_SPAWN (&result, pass_on, n_levels - 1);
  return SATIN_SYNC () ? 0 : 1;
}

SATIN_TASK (catch_grandchild, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, pass_on, 10);
  SATIN_SYNC_ERROR (&error);
  return take_code (error) == 6 ? result : -1;
}

static void
test_catch_grandchild (void)
{
  g_assert_cmpint (run (1, &catch_grandchild_task), ==, 1);
}

/* The newest job runs first, so with one worker the job with code 2 fails first. */
SATIN_TASK (catch_first, (int))
{
  gint32 result[3];
  GError *error = NULL;
  SATIN_SPAWN (&result[0], fail_with, 1);
  SATIN_SPAWN (&result[1], fail_with, 2);
  SATIN_SPAWN (&result[2], fail_with, -1);
  SATIN_SYNC_ERROR (&error);
  return take_code (error);
}

static void
test_catch_first (void)
{
  g_assert_cmpint (run (1, &catch_first_task), ==, 2);
}

/* A sync returns a failure only once. */
SATIN_TASK (catch_once, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, fail_with, 1);
  SATIN_SYNC_ERROR (&error);
  g_clear_error (&error);
  SATIN_SPAWN (&result, fail_with, -1);
  gboolean is_ok = SATIN_SYNC_ERROR (&error);
  return is_ok ? take_code (error) : 100;
}

static void
test_catch_once (void)
{
  g_assert_cmpint (run (1, &catch_once_task), ==, -1);
}

/* The other children of the frame run although one fails. */
SATIN_TASK (siblings, (int))
{
  gint32 results[10];
  GError *error = NULL;
  for (gint32 i = 0; i < 10; i++)
    if (i == 5)
      SATIN_SPAWN (&results[i], fail_with, 0);
    else
      SATIN_SPAWN (&results[i], fail_with, -1);
  SATIN_SYNC_ERROR (&error);
  g_clear_error (&error);
  gint32 n = 0;
  for (gint32 i = 0; i < 10; i++)
    n += i != 5 && results[i] == -1;
  return n;
}

static void
test_siblings (void)
{
  g_assert_cmpint (run (4, &siblings_task), ==, 9);
}

SATIN_TASK (catch_stolen, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, fail_with, 7);
  SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC_ERROR (&error);
  return take_code (error);
}

static void
test_catch_stolen (void)
{
  g_assert_cmpint (run (2, &catch_stolen_task), ==, 7);
}

/* A stolen frame passes on its child's failure. */
SATIN_TASK (catch_through_stolen, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, pass_on, 3);
  SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC_ERROR (&error);
  return take_code (error);
}

static void
test_catch_through_stolen (void)
{
  g_assert_cmpint (run (2, &catch_through_stolen_task), ==, 6);
}

/* A typed child's failure goes to the nearest SATIN_SYNC_ERROR. */
SATIN_TASK (spawn_typed, (int), (int, code))
{
  SATIN_SPAWN_TYPED (fail_with, code);
  return SATIN_SYNC_TYPED (fail_with);
}

SATIN_TASK (catch_typed, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, spawn_typed, 8);
  SATIN_SYNC_ERROR (&error);
  return take_code (error);
}

static void
test_catch_typed (void)
{
  g_assert_cmpint (run (1, &catch_typed_task), ==, 8);
}

SATIN_TASK (catch_stolen_typed, (int))
{
  GError *error = NULL;
  SATIN_SPAWN_TYPED (fail_with, 9);
  gint32 n = 0;
  for (; !gate_is_open (&begun); n++)
    {
      SATIN_SPAWN_TYPED (nothing);
      sched_yield ();
    }
  while (n-- > 0)
    SATIN_SYNC_TYPED (nothing);
  SATIN_SYNC_TYPED (fail_with);
  SATIN_SYNC_ERROR (&error);
  return take_code (error);
}

static void
test_catch_stolen_typed (void)
{
  g_assert_cmpint (run (2, &catch_stolen_typed_task), ==, 9);
}

/* Runs on the worker that waits for stolen_parent. A child of the frame that waits has failed; this
 * job must not see that. */
SATIN_TASK (innocent, (boolean))
{
  gboolean is_ok = SATIN_SYNC ();
  gate_open (&released);
  return is_ok;
}

SATIN_TASK (stolen_parent, (boolean))
{
  gboolean is_ok;
  gate_open (&begun);
  SATIN_SPAWN (&is_ok, innocent);
  SPAWN_UNTIL (gate_is_open (&released))
  SATIN_SYNC ();
  return is_ok;
}

SATIN_TASK (fail_and_help, (int))
{
  gboolean is_ok = FALSE;
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&is_ok, stolen_parent);
  SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SPAWN (&result, fail_with, 3);
  SATIN_SYNC_ERROR (&error);
  return take_code (error) == 3 && is_ok ? 0 : 1;
}

static void
test_fail_and_help (void)
{
  g_assert_cmpint (run (2, &fail_and_help_task), ==, 0);
}

/* ---- jobs of one frame do not see each other's failures ---- */

/* Returns: whether its own sync went well */
SATIN_TASK (sync_well, (boolean))
{
  gint32 result;
  SATIN_SPAWN (&result, fail_with, -1);
  return SATIN_SYNC ();
}

/* Handles a failure of its own. */
SATIN_TASK (deal_with, (int), (int, code))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, fail_with, code);
  SATIN_SYNC_ERROR (&error);
  return take_code (error);
}

SATIN_TASK (after_failure, (int))
{
  gint32 result, dealt = -1;
  gboolean is_ok = FALSE;
  GError *error = NULL;
  SATIN_SPAWN (&dealt, deal_with, 4);
  SATIN_SPAWN (&is_ok, sync_well);
  SATIN_SPAWN (&result, fail_with, 5);
  SATIN_SYNC_ERROR (&error);
  return take_code (error) == 5 && is_ok && dealt == 4 ? 0 : 1;
}

static void
test_after_failure (void)
{
  g_assert_cmpint (run (1, &after_failure_task), ==, 0);
  g_assert_cmpint (run (4, &after_failure_task), ==, 0);
}

SATIN_TASK (typed_after_failure, (int))
{
  GError *error = NULL;
  SATIN_SPAWN_TYPED (deal_with, 4);
  SATIN_SPAWN_TYPED (sync_well);
  SATIN_SPAWN_TYPED (fail_with, 5);
  SATIN_SYNC_TYPED (fail_with);
  gboolean is_ok = SATIN_SYNC_TYPED (sync_well);
  gint32 dealt = SATIN_SYNC_TYPED (deal_with);
  SATIN_SYNC_ERROR (&error);
  return take_code (error) == 5 && is_ok && dealt == 4 ? 0 : 1;
}

static void
test_typed_after_failure (void)
{
  g_assert_cmpint (run (1, &typed_after_failure_task), ==, 0);
  g_assert_cmpint (run (4, &typed_after_failure_task), ==, 0);
}

static int n_runs;

/* Keeps a thief busy until it may steal. */
SATIN_TASK (hold_thief, (void))
{
  gate_open (&begun);
  while (!gate_is_open (&released))
    sched_yield ();
}

SATIN_TASK (be_stolen, (void)) { gate_open (&stolen); }

/* Lets the thief go, and runs until the thief has taken a job. */
SATIN_TASK (run_beside_thief, (int))
{
  int n = g_atomic_int_add (&n_runs, 1) + 1;
  gate_open (&released);
  SATIN_SPAWN (NULL, be_stolen);
  if (n == 1)
    SPAWN_UNTIL (gate_is_open (&stolen))
  SATIN_SYNC ();
  return n;
}

/* The typed job runs on top of its own slot. Meanwhile no thief may get that slot. */
SATIN_TASK (typed_runs_once, (int))
{
  GError *error = NULL;
  SATIN_SPAWN (NULL, hold_thief);
  SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SPAWN_TYPED (run_beside_thief);
  SATIN_SPAWN_TYPED (fail_with, 5);
  SATIN_SYNC_TYPED (fail_with);
  SATIN_SYNC_TYPED (run_beside_thief);
  SATIN_SYNC_ERROR (&error);
  return take_code (error);
}

static void
test_typed_runs_once (void)
{
  n_runs = 0;
  gate_close (&stolen);
  g_assert_cmpint (run (2, &typed_runs_once_task), ==, 5);
  g_assert_cmpint (n_runs, ==, 1);
}

/* The deque is full, so these jobs run at their spawns. */
SATIN_TASK (inline_after_failure, (int))
{
  gint32 result, dealt = -1;
  gboolean is_ok = FALSE;
  GError *error = NULL;
  for (guint i = 0; i < 64; i++)
    SATIN_SPAWN (NULL, nothing);
  SATIN_SPAWN (&result, fail_with, 5);
  SATIN_SPAWN (&is_ok, sync_well);
  SATIN_SPAWN (&dealt, deal_with, 4);
  SATIN_SYNC_ERROR (&error);
  return take_code (error) == 5 && is_ok && dealt == 4 ? 0 : 1;
}

static void
test_inline_after_failure (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 64);
  gint32 result = -1;
  g_assert_true (satin_run (workers, &result, inline_after_failure, NULL));
  g_assert_cmpint (result, ==, 0);
}

/* A job has called satin_fail(). The jobs that it spawns after that do not see the failure. */
SATIN_TASK (fail_and_spawn, (boolean))
{
  gboolean is_ok = FALSE;
  satin_fail (g_error_new (SATIN_ERROR, 5, "early"));
  SATIN_SPAWN (&is_ok, sync_well);
  SATIN_SYNC ();
  return is_ok;
}

SATIN_TASK (catch_fail_and_spawn, (int))
{
  gboolean is_ok = FALSE;
  GError *error = NULL;
  SATIN_SPAWN (&is_ok, fail_and_spawn);
  SATIN_SYNC_ERROR (&error);
  return take_code (error) == 5 && is_ok ? 0 : 1;
}

static void
test_fail_and_spawn (void)
{
  g_assert_cmpint (run (1, &catch_fail_and_spawn_task), ==, 0);
}

static void
test_failing_root (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  g_autoptr (GError) error = NULL;
  gint32 result;
  g_assert_false (satin_run (workers, &result, fail_with, &error, 12));
  g_assert_error (error, SATIN_ERROR, 12);
  g_assert_cmpstr (error->message, ==, "job 12");
}

static void
test_uncaught_failure (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  g_autoptr (GError) error = NULL;
  gint32 result;
  g_assert_false (satin_run (workers, &result, pass_on, &error, 20));
  g_assert_error (error, SATIN_ERROR, 6);
}

static void
test_failing_root_without_error (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  gint32 result;
  g_assert_false (satin_run (workers, &result, fail_with, NULL, 12));
}

static void
test_after_failing_root (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  g_autoptr (GError) error = NULL;
  gint32 result;
  g_assert_false (satin_run (workers, &result, fail_with, NULL, 12));
  g_assert_true (satin_run (workers, &result, fail_with, &error, -1));
  g_assert_no_error (error);
}

SATIN_TASK (fail_twice, (int))
{
  satin_fail (g_error_new (SATIN_ERROR, 1, "first"));
  satin_fail (g_error_new (SATIN_ERROR, 2, "second"));
  return 0;
}

static void
test_fail_twice (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  g_autoptr (GError) error = NULL;
  gint32 result;
  g_assert_false (satin_run (workers, &result, fail_twice, &error));
  g_assert_error (error, SATIN_ERROR, 1);
}

/* ---- messages ---- */

SATIN_TASK (catch_message, (string), (int, n_levels))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, pass_on, n_levels);
  SATIN_SYNC_ERROR (&error);
  SatinString message = g_strdup (error->message);
  g_error_free (error);
  return message;
}

static void
test_message_names_the_job (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  SatinString message = NULL;
  g_assert_true (satin_run (workers, &message, catch_message, NULL, 3));
  g_assert_cmpstr (message, ==, "task fail_with (code 6): job 6");
  g_free ((char *)message);
}

/* Gets the error of its child, and fails with it. */
SATIN_TASK (fail_again, (int))
{
  gint32 result;
  GError *error = NULL;
  SATIN_SPAWN (&result, fail_with, 6);
  SATIN_SYNC_ERROR (&error);
  satin_fail (error);
  return 0;
}

SATIN_TASK (root_of_two, (int))
{
  gint32 result;
  SATIN_SPAWN (&result, fail_again);
  SATIN_SYNC ();
  return 0;
}

static void
test_message_names_one_job (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  g_autoptr (GError) error = NULL;
  gint32 result;
  g_assert_false (satin_run (workers, &result, root_of_two, &error));
  g_assert_cmpstr (error->message, ==, "task fail_with (code 6): job 6");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/failure/" claim, func)
  ADD ("reaches-the-sync-that-asks", test_catch_child);
  ADD ("none-leaves-the-error-unset", test_no_failure);
  ADD ("passes-through-frames-that-only-sync", test_catch_grandchild);
  ADD ("first-of-several-counts", test_catch_first);
  ADD ("is-gone-once-taken", test_catch_once);
  ADD ("leaves-the-siblings-running", test_siblings);
  ADD ("of-a-stolen-job-reaches-its-spawner", test_catch_stolen);
  ADD ("passes-through-a-stolen-frame", test_catch_through_stolen);
  ADD ("of-a-typed-job-goes-to-the-nearest-sync", test_catch_typed);
  ADD ("of-a-stolen-typed-job-goes-to-the-nearest-sync", test_catch_stolen_typed);
  ADD ("is-not-seen-by-a-job-that-runs-on-top", test_fail_and_help);
  ADD ("is-not-seen-by-jobs-of-the-same-frame", test_after_failure);
  ADD ("is-not-seen-by-typed-jobs-of-the-same-frame", test_typed_after_failure);
  ADD ("leaves-a-typed-job-after-it-to-one-worker", test_typed_runs_once);
  ADD ("is-not-seen-by-jobs-run-at-their-spawn", test_inline_after_failure);
  ADD ("is-not-seen-by-jobs-spawned-after-it", test_fail_and_spawn);
  ADD ("of-the-root-reaches-the-caller", test_failing_root);
  ADD ("that-nobody-takes-reaches-the-caller", test_uncaught_failure);
  ADD ("of-the-root-may-be-ignored", test_failing_root_without_error);
  ADD ("of-one-root-does-not-touch-the-next", test_after_failing_root);
  ADD ("of-a-job-that-fails-twice-is-the-first", test_fail_twice);
  ADD ("names-the-job-but-not-the-root", test_message_names_the_job);
  ADD ("names-one-job-when-it-fails-again", test_message_names_one_job);
  return g_test_run ();
}
