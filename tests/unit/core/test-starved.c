/* test-starved.c - tests that idle workers get jobs of a long sync, which no spawn interrupts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"
#include "workers/pool.h"

#include <satin/core/sharing.h>

TASK_NOTHING ()

#define N_WORKERS 3
#define N_LEAVES  400
/* A leaf waits so long for another worker to run a leaf. */
#define WAIT_US ((gint64)20000)

static SatinWorkers *workers;
static Gate idle = GATE_CLOSED; /* two workers have no job from here on */
static Gate loop_over = GATE_CLOSED;
static int n_held;           /* atomic: workers that wait for the gate "idle" */
static int n_ran[N_WORKERS]; /* atomic: leaves that each worker has run */

/* Keeps a worker busy until the loop has begun. */
SATIN_TASK (hold, (void))
{
  SATIN_ADD (&n_held, 1);
  gate_wait (&idle);
}

static guint
count_leaves (guint *ret_most)
{
  guint n = 0, most = 0;
  for (guint i = 0; i < N_WORKERS; i++)
    {
      guint n_own = (guint)SATIN_LOAD (&n_ran[i]);
      n += n_own;
      most = MAX (most, n_own);
    }
  *ret_most = most;
  return n;
}

static gboolean
is_shared (void)
{
  guint most;
  return count_leaves (&most) > most;
}

/* The fifth leaf lets the other workers go, and waits until they look for jobs. Some leaves are
 * short, so that the owner is asked again at once. Later ones wait for other workers. */
SATIN_TASK (starved_leaf, (void), (int, number))
{
  SATIN_ADD (&n_ran[satin_worker_get_index (satin_worker_)], 1);
  gint64 until_us = g_get_monotonic_time () + WAIT_US;
  if (number == 5)
    {
      gate_open (&idle);
      while (pool_count_idle (workers) < N_WORKERS - 1 && g_get_monotonic_time () < until_us)
        sched_yield ();
    }
  while (number > 20 && !is_shared () && g_get_monotonic_time () < until_us)
    sched_yield ();
}

SATIN_TASK (long_loop, (void))
{
  for (int i = N_LEAVES; i-- > 0;)
    SATIN_SPAWN (NULL, starved_leaf, i);
  SATIN_SYNC_OR_RETURN ();
  gate_open (&loop_over);
}

SATIN_TASK (older_job, (void)) { gate_wait (&loop_over); }

SATIN_TASK (above_an_older_job, (int))
{
  /* The workers may have asked for jobs before they got those that hold them. */
  SATIN_SPAWN (NULL, nothing);
  SATIN_SYNC_OR_RETURN (0);
  SATIN_SPAWN (NULL, older_job);
  SATIN_SPAWN (NULL, long_loop);
  SATIN_SYNC_OR_RETURN (0);
  return 1;
}

SATIN_TASK (deep, (void), (int, n))
{
  if (n > 0)
    SATIN_SPAWN (NULL, deep, n - 1);
  else
    SATIN_SPAWN (NULL, long_loop);
  SATIN_SYNC_OR_RETURN ();
}

SATIN_TASK (on_a_deep_stack, (int))
{
  SATIN_SPAWN (NULL, deep, 5000);
  SATIN_SYNC_OR_RETURN (0);
  return 1;
}

static gpointer
hold_one (gpointer data)
{
  satin_workers_run_task (workers, &hold_task, NULL, NULL, NULL);
  return NULL;
}

static void
check_shared (const SatinTask *task)
{
  GThread *threads[N_WORKERS - 1];
  g_autoptr (GError) error = NULL;
  gint32 result = 0;
  guint most;
  gate_close (&idle);
  gate_close (&loop_over);
  SATIN_STORE (&n_held, 0);
  memset (n_ran, 0, sizeof n_ran);
  workers = make_workers (N_WORKERS, 0);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("hold", hold_one, NULL);
  while (SATIN_LOAD (&n_held) < N_WORKERS - 1)
    sched_yield ();
  satin_workers_run_task (workers, task, NULL, &result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  satin_workers_free (workers);
  g_assert_cmpuint (count_leaves (&most), ==, N_LEAVES);
  g_assert_true (is_shared ());
}

/* Two workers become idle. The first one takes the older job, and nothing else was public then. */
static void
test_older_job_is_taken (void)
{
  check_shared (&above_an_older_job_task);
}

/* The search for queued jobs is not over at once. */
static void
test_deep_stack (void)
{
  check_shared (&on_a_deep_stack_task);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/starved/no-worker-while-an-older-job-is-taken", test_older_job_is_taken);
  g_test_add_func ("/starved/no-worker-below-a-deep-stack", test_deep_stack);
  return g_test_run ();
}
