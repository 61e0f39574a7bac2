/* test-inlet-left.c - tests inlets and results where frames are left, and where jobs fail
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include <satin/core/frontier.h>

TASK_NOTHING ()

static Gate begun[2] = { GATE_CLOSED, GATE_CLOSED };    /* job i runs on another worker */
static Gate released[2] = { GATE_CLOSED, GATE_CLOSED }; /* job i ends */
static Gate walked = GATE_CLOSED;

static void
close_gates (void)
{
  for (guint i = 0; i < 2; i++)
    {
      gate_close (&begun[i]);
      gate_close (&released[i]);
    }
  gate_close (&walked);
}

static gint64
run (guint n_workers, const SatinTask *task)
{
  g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
  g_autoptr (GError) error = NULL;
  gint64 result = -2;
  close_gates ();
  satin_workers_run_task (workers, task, NULL, &result, &error);
  g_assert_no_error (error);
  return result;
}

SATIN_TASK (next, (long), (long, n)) { return n + 1; }

/* Runs on another worker. */
SATIN_TASK (elsewhere, (long), (int, i))
{
  gate_open (&begun[i]);
  gate_wait (&released[i]);
  return i;
}

/* Waits at safe points until the job is on another worker. */
#define AWAIT_BEGUN(I)                                                                             \
  while (!gate_is_open (&begun[I]))                                                                \
  satin_is_aborted ()

/* ---- frames on top of the inlet's frame are left ---- */

typedef struct
{
  gint64 *long_one; /* where the result of the child goes that is aborted */
  gint64 sum;
  guint n_well;
} Hearing;

SATIN_INLET (hear_two, (Hearing, hearing), (gint64, value), error)
{
  gint64 more = -7;
  if (value != NULL && *value == 0)
    SATIN_ABORT_OTHER (hearing->long_one);
  if (value == NULL || *value != 1)
    return;
  SATIN_SPAWN (&more, next, 41);
  hearing->n_well += SATIN_SYNC ();
  hearing->sum += more;
}

/* Is aborted at its first safe point. At the next one, the other job has ended, too. */
SATIN_TASK (aborted_first, (long))
{
  gate_open (&released[0]);
  while (!satin_is_aborted ())
    ;
  gate_open (&released[1]);
  gint64 until_us = g_get_monotonic_time () + 100000;
  while (g_get_monotonic_time () < until_us)
    satin_is_aborted ();
  return 9;
}

SATIN_TASK (hear_while_left, (long))
{
  gint64 first = 0, second = 0, third = 0;
  Hearing hearing = { .long_one = &third };
  SATIN_SPAWN_INLET (&first, hear_two, &hearing, elsewhere, 0);
  SATIN_SPAWN_INLET (&second, hear_two, &hearing, elsewhere, 1);
  AWAIT_BEGUN (0);
  AWAIT_BEGUN (1);
  SATIN_SPAWN_INLET (&third, hear_two, &hearing, aborted_first);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpuint (hearing.n_well, ==, 1);
  return hearing.sum;
}

static void
test_inlet_spawns_when_frames_are_left (void)
{
  g_assert_cmpint (run (3, &hear_while_left_task), ==, 42);
}

/* ---- the inlet's frame itself is left ---- */

static int n_heard_in_vain; /* atomic */

SATIN_INLET (hear_in_vain, (Hearing, hearing), (gint64, value), error)
{
  SATIN_ADD (&n_heard_in_vain, 1);
}

/* Without a safe point: first the job ends whose inlet aborts the frame below, then the job of that
 * frame. */
SATIN_TASK (end_both, (void))
{
  for (guint i = 0; i < 2; i++)
    {
      gint64 until_us = g_get_monotonic_time () + 50000;
      gate_open (&released[i]);
      while (g_get_monotonic_time () < until_us)
        sched_yield ();
    }
  while (!satin_is_aborted ())
    ;
}

SATIN_TASK (left_with_an_inlet, (long))
{
  gint64 value = 0;
  Hearing hearing = { 0 };
  SATIN_SPAWN_INLET (&value, hear_in_vain, &hearing, elsewhere, 1);
  AWAIT_BEGUN (1);
  SATIN_SPAWN (NULL, end_both);
  g_assert_false (SATIN_SYNC ());
  return 2;
}

SATIN_INLET (abort_others, (Hearing, hearing), (gint64, value), error)
{
  if (value == NULL)
    return;
  hearing->n_well++;
  SATIN_ABORT_OTHERS ();
}

SATIN_TASK (leave_an_inlet, (long))
{
  gint64 first = 0, second = 0;
  Hearing hearing = { 0 };
  SATIN_SPAWN_INLET (&first, abort_others, &hearing, elsewhere, 0);
  AWAIT_BEGUN (0);
  SATIN_SPAWN_INLET (&second, abort_others, &hearing, left_with_an_inlet);
  g_assert_true (SATIN_SYNC ());
  return hearing.n_well;
}

static void
test_no_inlet_in_a_frame_that_is_left (void)
{
  SATIN_STORE (&n_heard_in_vain, 0);
  g_assert_cmpint (run (3, &leave_an_inlet_task), ==, 1);
  g_assert_cmpint (SATIN_LOAD (&n_heard_in_vain), ==, 0);
}

/* ---- an error of a job that is aborted then ---- */

SATIN_TASK (fails, (void))
{
  satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "no"));
}

SATIN_TASK (wait_for_abort, (void))
{
  gate_open (&released[0]);
  while (!satin_is_aborted ())
    ;
}

SATIN_TASK (fails_and_waits, (long))
{
  SATIN_SPAWN (NULL, wait_for_abort);
  SATIN_SPAWN (NULL, fails);
  SATIN_SYNC_OR_RETURN (0);
  return 2;
}

SATIN_TASK (abort_a_failure, (long))
{
  gint64 first = 0, second = 0;
  Hearing hearing = { 0 };
  SATIN_SPAWN_INLET (&first, abort_others, &hearing, elsewhere, 0);
  AWAIT_BEGUN (0);
  SATIN_SPAWN_INLET (&second, abort_others, &hearing, fails_and_waits);
  g_assert_true (SATIN_SYNC ());
  return hearing.n_well;
}

static void
test_error_of_an_aborted_job_is_dropped (void)
{
  g_assert_cmpint (run (2, &abort_a_failure_task), ==, 1);
}

/* ---- the result of a typed job ---- */

static Gate waits = GATE_CLOSED;
static Gate all_end = GATE_CLOSED;

SATIN_TASK (until_all_end, (long), (int, i))
{
  gate_open (&begun[i]);
  gate_wait (&all_end);
  return i == 0 ? 1 : 42;
}

/* Runs on top of the frame that waits for the typed job. */
SATIN_TASK (end_all, (void))
{
  gate_open (&all_end);
  gint64 until_us = g_get_monotonic_time () + 100000;
  while (g_get_monotonic_time () < until_us)
    sched_yield ();
}

SATIN_INLET (hear_and_spawn, (Hearing, hearing), (gint64, value), error)
{
  gint64 more = 0;
  SATIN_SPAWN (&more, next, 998);
  g_assert_true (SATIN_SYNC ());
  hearing->sum += more;
}

SATIN_TASK (sync_typed, (long))
{
  SATIN_SPAWN_TYPED (until_all_end, 1);
  AWAIT_BEGUN (1);
  gate_open (&waits);
  return SATIN_SYNC_TYPED (until_all_end);
}

SATIN_TASK (keep_typed, (long))
{
  gint64 first = 0, second = 0;
  Hearing hearing = { 0 };
  SATIN_SPAWN_INLET (&first, hear_and_spawn, &hearing, until_all_end, 0);
  AWAIT_BEGUN (0);
  SATIN_SPAWN (&second, sync_typed);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpint (hearing.sum, ==, 999);
  return second;
}

static gpointer
send_end_all (gpointer workers)
{
  gate_wait (&waits);
  satin_workers_run_task (workers, &end_all_task, NULL, NULL, NULL);
  return NULL;
}

static void
test_inlet_keeps_a_typed_result (void)
{
  SatinWorkers *workers = make_workers (3, 0);
  g_autoptr (GError) error = NULL;
  gint64 result = -2;
  close_gates ();
  GThread *thread = g_thread_new ("send", send_end_all, workers);
  satin_workers_run_task (workers, &keep_typed_task, NULL, &result, &error);
  g_thread_join (thread);
  satin_workers_free (workers);
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, 42);
}

/* ---- a failed child, whose error an inlet has taken ---- */

static guint n_bad_seen;
static Gate taken = GATE_CLOSED;

SATIN_TASK (bad, (long))
{
  gate_open (&begun[0]);
  satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "no"));
  return 77;
}

SATIN_INLET (take_error, (Hearing, hearing), (gint64, value), error)
{
  g_clear_error (error);
  hearing->n_well++;
  gate_open (&taken);
}

SATIN_TASK (until_walked, (long))
{
  while (!gate_is_open (&walked))
    satin_is_aborted ();
  return 5;
}

SATIN_TASK (take_elsewhere, (long))
{
  gint64 first = 0, second = 0;
  Hearing hearing = { 0 };
  SATIN_SPAWN_INLET (&first, take_error, &hearing, bad);
  SPAWN_UNTIL (gate_is_open (&begun[0]));
  SATIN_SPAWN (&second, until_walked);
  g_assert_true (SATIN_SYNC ());
  return hearing.n_well;
}

SATIN_TASK (take_here, (long))
{
  gint64 first = 0, second = 0;
  Hearing hearing = { 0 };
  SATIN_SPAWN (&second, until_walked);
  SATIN_SPAWN_INLET (&first, take_error, &hearing, bad);
  g_assert_true (SATIN_SYNC ());
  return hearing.n_well;
}

static void
see (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
  if (!g_str_equal (job->task->name, "bad"))
    return;
  n_bad_seen++;
  g_assert_cmpint (job->state, ==, SATIN_FRONTIER_ABORTED);
  g_assert_null (job->result);
}

static void
on_walked (gpointer user_data)
{
  gate_open (&walked);
}

static gpointer
walk_when_taken (gpointer workers)
{
  gate_wait (&taken);
  satin_workers_walk (workers, see, on_walked, NULL);
  return NULL;
}

static void
check_no_result (guint n_workers, const SatinTask *task)
{
  SatinWorkers *workers = make_workers (n_workers, 0);
  g_autoptr (GError) error = NULL;
  gint64 result = -2;
  close_gates ();
  gate_close (&taken);
  n_bad_seen = 0;
  GThread *thread = g_thread_new ("walk", walk_when_taken, workers);
  satin_workers_run_task (workers, task, NULL, &result, &error);
  g_thread_join (thread);
  satin_workers_free (workers);
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, 1);
  g_assert_cmpuint (n_bad_seen, ==, 1);
}

static void
test_failed_child_has_no_result (void)
{
  check_no_result (1, &take_here_task);
  check_no_result (2, &take_elsewhere_task);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/inlet-left/spawns-when-frames-on-top-are-left",
                   test_inlet_spawns_when_frames_are_left);
  g_test_add_func ("/inlet-left/is-not-called-in-a-frame-that-is-left",
                   test_no_inlet_in_a_frame_that_is_left);
  g_test_add_func ("/inlet-left/error-of-an-aborted-job-is-dropped",
                   test_error_of_an_aborted_job_is_dropped);
  g_test_add_func ("/inlet-left/keeps-a-typed-result", test_inlet_keeps_a_typed_result);
  g_test_add_func ("/inlet-left/failed-child-has-no-result", test_failed_child_has_no_result);
  return g_test_run ();
}
