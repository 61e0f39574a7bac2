/* test-sight.c - tests what another thread sees of a worker that is in a job
 *
 * A job waits at a gate. Meanwhile the test looks at its worker.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include "threads/sight.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static Gate begun = GATE_CLOSED, may_end = GATE_CLOSED;

static void
wait_here (void)
{
  gate_open (&begun);
  gate_wait (&may_end);
}

SATIN_TASK (leaf, (long), (int, depth), (double, weight))
{
  wait_here ();
  return depth;
}

SATIN_TASK (named_leaf, (long), (string, name), (int, depth))
{
  wait_here ();
  return depth;
}

SATIN_TASK (large_leaf, (long), (long, a), (long, b), (long, c), (long, d), (long, e), (long, f))
{
  wait_here ();
  return a + f;
}

/* Each sync runs the newest child first, so leaf 2 is the job that waits. */
SATIN_TASK (branch, (long), (int, depth))
{
  gint64 results[3];
  if (depth > 0)
    {
      SATIN_SPAWN (&results[0], leaf, 99, 0.25);
      SATIN_SPAWN (&results[1], branch, depth - 1);
      return SATIN_SYNC () ? results[0] + results[1] : 0;
    }
  SATIN_SPAWN (&results[0], leaf, 1, 0.5);
  SATIN_SPAWN (&results[1], leaf, 2, 1.5);
  return SATIN_SYNC () ? results[0] + results[1] : 0;
}

SATIN_TASK (with_typed, (long), (int, depth))
{
  SATIN_SPAWN_TYPED (leaf, depth, 2.5);
  return SATIN_SYNC_TYPED (leaf);
}

/* The scenes: each runs one root job. */
static void
run_branch (SatinWorkers *workers, gint64 *ret_result)
{
  g_assert_true (satin_run (workers, ret_result, branch, NULL, 3));
}

static void
run_leaf (SatinWorkers *workers, gint64 *ret_result)
{
  g_assert_true (satin_run (workers, ret_result, leaf, NULL, 7, 1.0));
}

static void
run_named (SatinWorkers *workers, gint64 *ret_result)
{
  g_assert_true (satin_run (workers, ret_result, named_leaf, NULL, "x", 8));
}

static void
run_large (SatinWorkers *workers, gint64 *ret_result)
{
  g_assert_true (satin_run (workers, ret_result, large_leaf, NULL, 1, 2, 3, 4, 5, 6));
}

static void
run_typed (SatinWorkers *workers, gint64 *ret_result)
{
  g_assert_true (satin_run (workers, ret_result, with_typed, NULL, 5));
}

typedef struct
{
  SatinWorkers *workers; /* (owned) */
  void (*run) (SatinWorkers *workers, gint64 *ret_result);
  gint64 result;
  GThread *thread;
} Scene;

static gpointer
run_scene (gpointer data)
{
  Scene *self = data;
  self->run (self->workers, &self->result);
  return NULL;
}

/* Runs the scene until a leaf waits. */
static void
scene_begin (Scene *self, void (*run) (SatinWorkers *workers, gint64 *ret_result))
{
  *self = (Scene){ .workers = make_workers (1, 0), .run = run };
  gate_close (&begun);
  gate_close (&may_end);
  self->thread = g_thread_new ("scene", run_scene, self);
  gate_wait (&begun);
}

static void
scene_end (Scene *self, gint64 result)
{
  gate_open (&may_end);
  g_thread_join (self->thread);
  g_assert_cmpint (self->result, ==, result);
  satin_workers_free (self->workers);
}

static void
check_seen (void (*run) (SatinWorkers *workers, gint64 *ret_result), const char *text,
            gint64 result)
{
  Scene scene;
  Sight first, second;
  scene_begin (&scene, run);
  g_assert_true (sight_take (&scene.workers->workers[0], &first));
  g_assert_true (sight_take (&scene.workers->workers[0], &second));
  g_assert_true (sight_is_same (&first, &second));
  g_assert_nonnull (first.job);
  g_autofree char *seen = sight_describe (&first);
  g_assert_cmpstr (seen, ==, text);
  scene_end (&scene, result);
}

static void
test_job_below_frames (void)
{
  check_seen (run_branch, "task leaf (depth 2, weight 1.5)", 3 * 99 + 3);
}

static void
test_job_from_outside (void)
{
  check_seen (run_leaf, "task leaf (depth 7, weight 1)", 7);
}

/* A string lies elsewhere, and may be gone when it is read. */
static void
test_only_arguments_in_the_slot_are_read (void)
{
  check_seen (run_named, "task named_leaf (depth 8)", 8);
}

static void
test_arguments_beside_the_deque (void)
{
  check_seen (run_large, "task large_leaf (a 1, b 2, c 3, d 4, e 5, f 6)", 7);
}

/* A typed job that its own frame syncs is a plain call, so it counts as its caller. */
static void
test_typed_job (void)
{
  check_seen (run_typed, "task with_typed (depth 5)", 5);
}

static void
test_idle_worker (void)
{
  Sight sight;
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  while (SATIN_LOAD_RELAXED (&workers->workers[0].figures.idle_since_us) == 0)
    sched_yield ();
  g_assert_false (sight_take (&workers->workers[0], &sight));
}

SATIN_TASK (fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, fib, n - 1);
  SATIN_SPAWN (&b, fib, n - 2);
  return SATIN_SYNC () ? a + b : 0;
}

static int is_fib_over;

static gpointer
run_fib (gpointer workers)
{
  gint64 result;
  for (guint i = 0; i < 20; i++)
    g_assert_true (satin_run (workers, &result, fib, NULL, 20));
  SATIN_STORE (&is_fib_over, 1);
  return NULL;
}

/* The workers change their deques all the time. So the sights differ, but nothing worse may
 * happen. */
static void
test_workers_that_work_are_looked_at (void)
{
  Sight sight;
  SatinWorkers *workers = make_workers (2, 0);
  SATIN_STORE (&is_fib_over, 0);
  GThread *thread = g_thread_new ("fib", run_fib, workers);
  for (guint i = 0; !SATIN_LOAD (&is_fib_over); i++)
    if (sight_take (&workers->workers[i % 2], &sight))
      g_free (sight_describe (&sight));
  g_thread_join (thread);
  satin_workers_free (workers);
}

/* Emulators of other processors may not know the call that copies memory. */
static gboolean
may_look (void)
{
  int from = 1, to = 0;
  const struct iovec local = { &to, sizeof to }, remote = { &from, sizeof from };
  return process_vm_readv (getpid (), &local, 1, &remote, 1, 0) == sizeof to;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!may_look ())
    {
      g_print ("1..0 # SKIP a process may not copy its own memory here\n");
      return 0;
    }
  g_test_add_func ("/sight/job-below-frames", test_job_below_frames);
  g_test_add_func ("/sight/job-from-outside", test_job_from_outside);
  g_test_add_func ("/sight/only-arguments-in-the-slot-are-read",
                   test_only_arguments_in_the_slot_are_read);
  g_test_add_func ("/sight/arguments-beside-the-deque", test_arguments_beside_the_deque);
  g_test_add_func ("/sight/typed-job", test_typed_job);
  g_test_add_func ("/sight/idle-worker", test_idle_worker);
  g_test_add_func ("/sight/workers-that-work-are-looked-at", test_workers_that_work_are_looked_at);
  return g_test_run ();
}
