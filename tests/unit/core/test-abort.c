/* test-abort.c - tests frames that abort their children
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

TASK_NOTHING ()

static Gate begun = GATE_CLOSED;
static Gate released = GATE_CLOSED;
static int n_run;  /* atomic */
static int n_left; /* atomic: leaves that stopped early */

typedef struct
{
  gint64 best, limit;
  gboolean is_single;   /* the inlet aborts one child only */
  const gint64 *victim; /* (nullable): that child */
} Frame;

SATIN_TASK (count, (long), (long, n))
{
  SATIN_ADD (&n_run, 1);
  return n;
}

SATIN_INLET (cut, (Frame, frame), (gint64, result), error)
{
  frame->best = MAX (frame->best, *result);
  if (frame->best < frame->limit)
    return;
  if (frame->is_single)
    SATIN_ABORT_OTHER (frame->victim);
  else
    SATIN_ABORT_OTHERS ();
}

static gint64
run (guint n_workers, const SatinTask *task)
{
  g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
  g_autoptr (GError) error = NULL;
  gint64 result = -2;
  gate_close (&begun);
  gate_close (&released);
  n_run = n_left = 0;
  satin_workers_run_task (workers, task, NULL, &result, &error);
  g_assert_no_error (error);
  return result;
}

/* The newest child runs first. The result 7 comes from values[2], so two older children are
 * dropped. */
SATIN_TASK (cut_siblings, (long))
{
  gint64 values[10];
  Frame frame = { .limit = 7 };
  for (gint64 i = 0; i < 10; i++)
    SATIN_SPAWN_INLET (&values[i], cut, &frame, count, 9 - i);
  return SATIN_SYNC () ? frame.best : -1;
}

static void
test_queued_ones_are_dropped (void)
{
  g_assert_cmpint (run (1, &cut_siblings_task), ==, 7);
  g_assert_cmpint (n_run, ==, 8);
}

SATIN_TASK (abort_in_body, (long))
{
  gint64 values[3] = { 0, 0, 0 };
  SATIN_SPAWN (&values[0], count, 1);
  SATIN_SPAWN (&values[1], count, 2);
  SATIN_ABORT ();
  SATIN_SPAWN (&values[2], count, 4);
  g_assert_true (SATIN_SYNC ());
  return values[0] + values[1] + values[2];
}

static void
test_frame_goes_on (void)
{
  g_assert_cmpint (run (1, &abort_in_body_task), ==, 4);
  g_assert_cmpint (n_run, ==, 1);
}

SATIN_TASK (abort_one, (long))
{
  gint64 values[3] = { 0, 0, 0 };
  for (gint64 i = 0; i < 3; i++)
    SATIN_SPAWN (&values[i], count, i + 1);
  SATIN_ABORT_CHILD (&values[1]);
  g_assert_true (SATIN_SYNC ());
  return values[0] + values[2];
}

static void
test_one_child (void)
{
  g_assert_cmpint (run (1, &abort_one_task), ==, 4);
  g_assert_cmpint (n_run, ==, 2);
}

/* A leaf that ends only when it is aborted. It opens @released, so that the job which aborts it
 * cannot end before the leaf has begun. */
SATIN_TASK (until_aborted, (long))
{
  gate_open (&begun);
  gate_open (&released);
  while (!satin_is_aborted ())
    sched_yield ();
  SATIN_ADD (&n_left, 1);
  return 1000;
}

/* After this job was aborted, its spawns do nothing, and each of its syncs says that it was
 * aborted. */
SATIN_TASK (inside_aborted, (long))
{
  gint64 value = 3;
  GError *error = NULL;
  SATIN_SPAWN (&value, until_aborted);
  g_assert_false (SATIN_SYNC ());
  SATIN_SPAWN (&value, count, 5);
  g_assert_false (SATIN_SYNC ());
  g_assert_false (SATIN_SYNC_ERROR (&error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_ABORTED);
  g_clear_error (&error);
  SATIN_SPAWN_TYPED (count, 5);
  g_assert_cmpint (SATIN_SYNC_TYPED (count), ==, 0);
  satin_fail (g_error_new_literal (SATIN_ERROR, 7, "nobody hears of it"));
  g_assert_false (SATIN_SYNC ());
  SATIN_ADD (&n_left, 1);
  return 2000;
}

SATIN_TASK (wait_for_release, (long))
{
  gate_open (&begun);
  gate_wait (&released);
  return 7;
}

SATIN_TASK (run_until_aborted, (long), (boolean, is_deep))
{
  gint64 value;
  if (is_deep)
    return SATIN_CALL (inside_aborted);
  SATIN_SPAWN (&value, until_aborted);
  g_assert_false (SATIN_SYNC ());
  return value;
}

/* A thief runs the child whose inlet cuts; this worker runs the child that is cut. */
#define CUT_RUNNING(IS_DEEP, SPAWN_IT)                                                             \
  gint64 values[3] = { 0, 0, 0 };                                                                  \
  Frame frame = { .limit = 7 };                                                                    \
  SATIN_SPAWN_INLET (&values[0], cut, &frame, wait_for_release);                                   \
  SPAWN_UNTIL (gate_is_open (&begun));                                                             \
  SPAWN_IT;                                                                                        \
  g_assert_true (SATIN_SYNC ());                                                                   \
  SATIN_SPAWN (&values[2], count, 11);                                                             \
  g_assert_true (SATIN_SYNC ());                                                                   \
  return values[2];

SATIN_TASK (cut_running, (long)){
  CUT_RUNNING (FALSE, SATIN_SPAWN_INLET (&values[1], cut, &frame, run_until_aborted, FALSE))
}

SATIN_TASK (cut_deep, (long))
{
  CUT_RUNNING (TRUE, SATIN_SPAWN_INLET (&values[1], cut, &frame, run_until_aborted, TRUE))
}

static void
test_running_one_is_left (void)
{
  g_assert_cmpint (run (2, &cut_running_task), ==, 11);
  g_assert_cmpint (n_left, ==, 1);
  g_assert_cmpint (run (2, &cut_deep_task), ==, 11);
  g_assert_cmpint (n_left, ==, 2);
}

/* A younger child with an inlet lies above the plain sibling, so the abort knows that the plain one
 * belongs to the frame. */
SATIN_TASK (cut_plain, (long))
{
  gint64 values[3] = { 0, 0, 0 };
  Frame frame = { .limit = 7 };
  SATIN_SPAWN_INLET (&values[0], cut, &frame, wait_for_release);
  SPAWN_UNTIL (gate_is_open (&begun));
  SATIN_SPAWN (&values[1], run_until_aborted, FALSE);
  SATIN_SPAWN_INLET (&values[2], cut, &frame, count, 1);
  g_assert_true (SATIN_SYNC ());
  return frame.best;
}

static void
test_plain_sibling_is_left (void)
{
  g_assert_cmpint (run (2, &cut_plain_task), ==, 7);
  g_assert_cmpint (n_left, ==, 1);
}

/* A thief's job is aborted, and so is the job that it has spawned. */
SATIN_TASK (cut_stolen, (long))
{
  gint64 values[2];
  Frame frame = { .limit = 7 };
  SATIN_SPAWN_INLET (&values[0], cut, &frame, inside_aborted);
  SPAWN_UNTIL (gate_is_open (&begun));
  SATIN_SPAWN_INLET (&values[1], cut, &frame, count, 8);
  g_assert_true (SATIN_SYNC ());
  return frame.best;
}

static void
test_stolen_one_is_left (void)
{
  g_assert_cmpint (run (2, &cut_stolen_task), ==, 8);
  g_assert_cmpint (n_left, ==, 2);
  g_assert_cmpint (run (4, &cut_stolen_task), ==, 8);
  g_assert_cmpint (n_left, ==, 2);
}

/* A frame calls this task as a plain function. It shares the frame's part of the deque, but an
 * abort of the frame's children does not reach its jobs. */
SATIN_TASK (sum_of_three, (long))
{
  gint64 values[3];
  for (gint64 i = 0; i < 3; i++)
    SATIN_SPAWN (&values[i], count, i + 1);
  gate_open (&released);
  SPAWN_UNTIL (SATIN_LOAD (&n_left) == 1);
  g_assert_true (SATIN_SYNC ());
  return values[0] + values[1] + values[2];
}

SATIN_INLET (cut_and_note, (Frame, frame), (gint64, result), error)
{
  SATIN_ABORT_OTHERS ();
  SATIN_ADD (&n_left, 1);
}

SATIN_TASK (call_while_cut, (long))
{
  gint64 values[2];
  Frame frame = { .limit = 7 };
  SATIN_SPAWN_INLET (&values[0], cut_and_note, &frame, wait_for_release);
  SPAWN_UNTIL (gate_is_open (&begun));
  gint64 sum = SATIN_CALL (sum_of_three);
  g_assert_true (SATIN_SYNC ());
  return sum;
}

static void
test_called_task_is_no_child (void)
{
  g_assert_cmpint (run (2, &call_while_cut_task), ==, 6);
}

SATIN_TASK (abort_by_name, (long))
{
  gint64 values[3] = { 0, 0, 0 };
  Frame frame = { .limit = 3, .is_single = TRUE, .victim = &values[0] };
  for (gint64 i = 0; i < 3; i++)
    SATIN_SPAWN_INLET (&values[i], cut, &frame, count, i + 1);
  g_assert_true (SATIN_SYNC ());
  return values[0] + values[1] + values[2];
}

static void
test_inlet_aborts_one (void)
{
  g_assert_cmpint (run (1, &abort_by_name_task), ==, 5);
}

/* ---- random trees: whatever is aborted, the answer is that of a search in order ---- */

static guint32
mix (guint32 x)
{
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

#define MAX_ARITY 6

static guint
arity_of (guint32 node)
{
  return 1 + mix (node ^ 0x5bd1e995u) % MAX_ARITY;
}

/* Returns: the best of all leaves below @node, or @limit if that is less */
static gint64
best_in_order (guint32 node, guint depth, gint64 limit)
{
  if (depth == 0)
    return MIN ((gint64)(mix (node) % 1000), limit);
  gint64 best = 0;
  for (guint i = 0; i < arity_of (node) && best < limit; i++)
    best = MAX (best, best_in_order (mix (node + i + 1), depth - 1, limit));
  return best;
}

/* Some children have no inlet, some are called, and a second round follows the sync. */
SATIN_TASK (best_of, (long), (int, node), (int, depth), (long, limit))
{
  gint64 values[MAX_ARITY] = { 0 };
  Frame frame = { .limit = limit };
  guint n = arity_of ((guint32)node), n_first = (n + 1) / 2;
  if (depth == 0)
    return MIN ((gint64)(mix ((guint32)node) % 1000), limit);
  for (guint i = 0; i < n; i++)
    {
      gint32 child = (gint32)mix ((guint32)node + i + 1);
      if (i == n_first && !SATIN_SYNC ())
        return -1;
      if (i == n_first && frame.best >= limit)
        return limit;
      if (i % 4 == 1)
        SATIN_SPAWN (&values[i], best_of, child, depth - 1, limit);
      else if (i % 4 == 2)
        values[i] = SATIN_CALL (best_of, child, depth - 1, limit);
      else
        SATIN_SPAWN_INLET (&values[i], cut, &frame, best_of, child, depth - 1, limit);
    }
  if (!SATIN_SYNC ())
    return -1;
  for (guint i = 0; i < n && frame.best < limit; i++)
    frame.best = MAX (frame.best, values[i]);
  return MIN (frame.best, limit);
}

static void
test_any_order_gives_the_same (void)
{
  guint n_seeds = g_test_slow () ? 400 : 40;
  g_autoptr (SatinWorkers) workers = make_workers (4, 0);
  for (guint seed = 1; seed <= n_seeds; seed++)
    {
      gint64 limit = 900 + seed * 7 % 110, result;
      g_autoptr (GError) error = NULL;
      gint32 depth = 3 + seed % 6;
      g_assert_true (
          satin_run (workers, &result, best_of, &error, (gint32)mix (seed), depth, limit));
      g_assert_cmpint (result, ==, best_in_order (mix (seed), depth, limit));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/abort/drops-queued-children", test_queued_ones_are_dropped);
  g_test_add_func ("/abort/frame-goes-on", test_frame_goes_on);
  g_test_add_func ("/abort/of-one-child", test_one_child);
  g_test_add_func ("/abort/of-one-child-by-an-inlet", test_inlet_aborts_one);
  g_test_add_func ("/abort/running-child-is-left", test_running_one_is_left);
  g_test_add_func ("/abort/plain-sibling-is-left", test_plain_sibling_is_left);
  g_test_add_func ("/abort/stolen-child-is-left", test_stolen_one_is_left);
  g_test_add_func ("/abort/called-task-is-no-child", test_called_task_is_no_child);
  g_test_add_func ("/abort/any-order-gives-the-same", test_any_order_gives_the_same);
  return g_test_run ();
}
