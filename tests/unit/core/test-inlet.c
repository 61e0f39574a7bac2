/* test-inlet.c - tests frames that hear of the ends of their children, one by one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include <string.h>

TASK_NOTHING ()

#define N 20

static Gate begun = GATE_CLOSED;
static Gate released = GATE_CLOSED;

/* All that a frame has heard. */
typedef struct
{
  gint64 sum;
  guint n_told, n_failed;
  gboolean is_inside;
  gboolean keeps_errors;
  const gint64 *first; /* the result that came first */
} Frame;

SATIN_TASK (square, (long), (long, n)) { return n * n; }

SATIN_TASK (fail_or_square, (long), (long, n))
{
  if (n < 0)
    satin_fail (g_error_new (SATIN_ERROR, 7, "job %d", (int)n));
  return n * n;
}

/* The arguments leave no room for the inlet in the slot, so the inlet lies beside the deque. The
 * arguments of sum_of_seven lie beside the deque themselves. */
SATIN_TASK (sum_of_four, (long), (long, a), (long, b), (long, c), (long, d))
{
  return a + b + c + d;
}

SATIN_TASK (sum_of_seven, (long), (long, a), (long, b), (long, c), (long, d), (long, e), (long, f),
            (long, g))
{
  return a + b + c + d + e + f + g;
}

SATIN_TASK (without_result, (void), (long, n)) {}

SATIN_TASK (wait_for_release, (long))
{
  gate_open (&begun);
  gate_wait (&released);
  return 5;
}

SATIN_INLET (hear, (Frame, frame), (gint64, result), error)
{
  g_assert_false (frame->is_inside);
  frame->is_inside = TRUE;
  frame->n_told++;
  if (frame->first == NULL)
    frame->first = result;
  if (result != NULL)
    frame->sum += *result;
  if (*error != NULL)
    {
      frame->n_failed++;
      if (!frame->keeps_errors)
        g_clear_error (error);
    }
  frame->is_inside = FALSE;
}

static gint64
run (guint n_workers, gsize deque_slots, const SatinTask *task)
{
  g_autoptr (SatinWorkers) workers = make_workers (n_workers, deque_slots);
  g_autoptr (GError) error = NULL;
  gint64 result = -2;
  gate_close (&begun);
  gate_close (&released);
  satin_workers_run_task (workers, task, NULL, &result, &error);
  g_assert_no_error (error);
  return result;
}

SATIN_TASK (hear_all, (long))
{
  gint64 values[N];
  Frame frame = { 0 };
  for (gint64 i = 0; i < N; i++)
    SATIN_SPAWN_INLET (&values[i], hear, &frame, square, i);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpuint (frame.n_told, ==, N);
  return frame.sum;
}

static void
test_each_child_is_heard_once (void)
{
  g_assert_cmpint (run (1, 0, &hear_all_task), ==, (N - 1) * N * (2 * N - 1) / 6);
}

/* The deque has no room for the newer children, so they run at their spawns. */
SATIN_TASK (hear_many, (long))
{
  gint64 values[200];
  Frame frame = { 0 };
  for (gint64 i = 0; i < 200; i++)
    SATIN_SPAWN_INLET (&values[i], hear, &frame, square, i);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpuint (frame.n_told, ==, 200);
  return frame.sum;
}

static void
test_full_deque (void)
{
  g_assert_cmpint (run (1, 64, &hear_many_task), ==, 199 * 200 * 399 / 6);
}

SATIN_TASK (hear_sizes, (long))
{
  gint64 values[2];
  Frame frame = { 0 }, silent = { 0 };
  SATIN_SPAWN_INLET (&values[0], hear, &frame, sum_of_four, 1, 2, 3, 4);
  SATIN_SPAWN_INLET (&values[1], hear, &frame, sum_of_seven, 10, 20, 30, 40, 50, 60, 70);
  SATIN_SPAWN_INLET (NULL, hear, &silent, without_result, 3);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpuint (silent.n_told, ==, 1);
  g_assert_null (silent.first);
  return frame.sum;
}

static void
test_arguments_of_all_sizes (void)
{
  g_assert_cmpint (run (1, 0, &hear_sizes_task), ==, 10 + 280);
}

/* A thief has the oldest child. The frame hears of its end before the frame's sync comes to it. */
SATIN_TASK (hear_stolen, (long))
{
  gint64 values[2];
  Frame frame = { 0 };
  SATIN_SPAWN_INLET (&values[0], hear, &frame, wait_for_release);
  SPAWN_UNTIL (gate_is_open (&begun));
  gate_open (&released);
  SPAWN_UNTIL (frame.n_told == 1);
  SATIN_SPAWN_INLET (&values[1], hear, &frame, square, 2);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpuint (frame.n_told, ==, 2);
  g_assert_true (frame.first == &values[0]);
  return frame.sum;
}

static void
test_stolen_child_is_heard_early (void)
{
  g_assert_cmpint (run (2, 0, &hear_stolen_task), ==, 5 + 4);
}

SATIN_TASK (take_errors, (long))
{
  gint64 values[3];
  Frame frame = { 0 };
  SATIN_SPAWN_INLET (&values[0], hear, &frame, fail_or_square, -1);
  SATIN_SPAWN_INLET (&values[1], hear, &frame, fail_or_square, 3);
  SATIN_SPAWN_INLET (&values[2], hear, &frame, fail_or_square, -2);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpuint (frame.n_failed, ==, 2);
  return frame.sum;
}

static void
test_error_that_is_taken (void)
{
  g_assert_cmpint (run (1, 0, &take_errors_task), ==, 9);
}

SATIN_TASK (keep_errors, (long))
{
  gint64 values[2];
  Frame frame = { .keeps_errors = TRUE };
  GError *error = NULL;
  SATIN_SPAWN_INLET (&values[0], hear, &frame, fail_or_square, 3);
  SATIN_SPAWN_INLET (&values[1], hear, &frame, fail_or_square, -2);
  g_assert_false (SATIN_SYNC_ERROR (&error));
  g_assert_error (error, SATIN_ERROR, 7);
  g_clear_error (&error);
  g_assert_cmpuint (frame.n_told, ==, 2);
  return frame.sum;
}

static void
test_error_that_is_left (void)
{
  g_assert_cmpint (run (1, 0, &keep_errors_task), ==, 9);
}

SATIN_TASK (fail_when_released, (long))
{
  gate_open (&begun);
  gate_wait (&released);
  satin_fail (g_error_new_literal (SATIN_ERROR, 8, "released"));
  return 0;
}

/* Other children of the frame run when the stolen child fails. They must not see the failure. */
SATIN_TASK (fail_early, (long))
{
  gint64 value;
  Frame frame = { .keeps_errors = TRUE };
  GError *error = NULL;
  SATIN_SPAWN_INLET (&value, hear, &frame, fail_when_released);
  SPAWN_UNTIL (gate_is_open (&begun));
  gate_open (&released);
  SPAWN_UNTIL (frame.n_told == 1);
  g_assert_false (SATIN_SYNC_ERROR (&error));
  g_assert_error (error, SATIN_ERROR, 8);
  g_clear_error (&error);
  return 1;
}

static void
test_error_of_a_stolen_child_waits_for_the_sync (void)
{
  g_assert_cmpint (run (2, 0, &fail_early_task), ==, 1);
}

/* ---- inlets that fail themselves ---- */

#define FOREIGN_DOMAIN g_quark_from_static_string ("core-test-inlet")

/* Whether an inlet aborts the jobs on top of its frame, before or after it fails. */
typedef enum
{
  ABORT_NEVER,
  ABORT_BEFORE,
  ABORT_AFTER,
} AbortWhen;

typedef struct
{
  AbortWhen when;
  guint n_told;
} Failing;

SATIN_INLET (hear_and_fail, (Failing, failing), (gint64, result), error)
{
  failing->n_told++;
  if (failing->when == ABORT_BEFORE)
    SATIN_ABORT_OTHERS ();
  satin_fail (g_error_new_literal (FOREIGN_DOMAIN, SATIN_ERROR_ABORTED, "the inlet failed"));
  if (failing->when == ABORT_AFTER)
    SATIN_ABORT_OTHERS ();
}

/* Runs until the inlet of its parent's frame has run on top of it. */
SATIN_TASK (spawn_until_told, (void), (long, failing))
{
  const Failing *frame = (const Failing *)(guintptr)failing;
  gate_open (&released);
  SPAWN_UNTIL (frame->n_told > 0)
  SATIN_SYNC ();
}

/* A thief has the child with the failing inlet. That child ends while the other child runs on this
 * worker. */
SATIN_TASK (fail_in_inlet, (long), (int, when))
{
  gint64 value;
  Failing failing = { .when = (AbortWhen)when };
  Frame other = { 0 };
  GError *error = NULL;
  SATIN_SPAWN_INLET (&value, hear_and_fail, &failing, wait_for_release);
  SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SPAWN_INLET (NULL, hear, &other, spawn_until_told, (gint64)(guintptr)&failing);
  gboolean is_well = SATIN_SYNC_ERROR (&error);
  g_assert_false (is_well);
  g_assert_error (error, FOREIGN_DOMAIN, SATIN_ERROR_ABORTED);
  g_clear_error (&error);
  return failing.n_told;
}

static void
fail_in_an_early_inlet (AbortWhen when)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  gint64 result = 0;
  gate_close (&begun);
  gate_close (&released);
  g_assert_true (satin_run (workers, &result, fail_in_inlet, NULL, when));
  g_assert_cmpint (result, ==, 1);
}

static void
test_failure_of_another_domain (void)
{
  fail_in_an_early_inlet (ABORT_NEVER);
}

static void
test_failure_after_abort (void)
{
  fail_in_an_early_inlet (ABORT_BEFORE);
}

static void
test_failure_before_abort (void)
{
  fail_in_an_early_inlet (ABORT_AFTER);
}

SATIN_INLET (hear_and_spawn, (Frame, frame), (gint64, result), error)
{
  gint64 more[3];
  frame->n_told++;
  for (gint64 i = 0; i < 3; i++)
    SATIN_SPAWN (&more[i], square, *result + i);
  g_assert_true (SATIN_SYNC ());
  frame->sum += more[0] + more[1] + more[2];
}

SATIN_TASK (spawn_inside, (long))
{
  gint64 values[2];
  Frame frame = { 0 };
  SATIN_SPAWN_INLET (&values[0], hear_and_spawn, &frame, square, 1);
  SATIN_SPAWN_INLET (&values[1], hear_and_spawn, &frame, square, 2);
  g_assert_true (SATIN_SYNC ());
  g_assert_cmpuint (frame.n_told, ==, 2);
  return frame.sum;
}

static void
test_inlet_may_spawn (void)
{
  g_assert_cmpint (run (1, 0, &spawn_inside_task), ==, 1 + 4 + 9 + 16 + 25 + 36);
  g_assert_cmpint (run (4, 0, &spawn_inside_task), ==, 1 + 4 + 9 + 16 + 25 + 36);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/inlet/hears-of-each-child-once", test_each_child_is_heard_once);
  g_test_add_func ("/inlet/hears-of-those-that-had-no-room", test_full_deque);
  g_test_add_func ("/inlet/arguments-of-all-sizes", test_arguments_of_all_sizes);
  g_test_add_func ("/inlet/hears-of-a-stolen-child-early", test_stolen_child_is_heard_early);
  g_test_add_func ("/inlet/takes-errors", test_error_that_is_taken);
  g_test_add_func ("/inlet/leaves-errors-to-the-sync", test_error_that_is_left);
  g_test_add_func ("/inlet/error-of-a-stolen-child-waits-for-the-sync",
                   test_error_of_a_stolen_child_waits_for_the_sync);
  g_test_add_func ("/inlet/failure-of-another-domain-with-the-code-of-aborted-is-kept",
                   test_failure_of_another_domain);
  g_test_add_func ("/inlet/failure-after-it-aborted-is-kept", test_failure_after_abort);
  g_test_add_func ("/inlet/failure-before-it-aborted-is-kept", test_failure_before_abort);
  g_test_add_func ("/inlet/may-spawn", test_inlet_may_spawn);
  return g_test_run ();
}
