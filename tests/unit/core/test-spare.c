/* test-spare.c - tests a spare worker, which runs a job with hints while the only regular one waits
 *
 * The older job spawns a child, and waits for it. The test takes that child, as another node would.
 * The younger job has hints. It is the root job in some cases. All other jobs are jobs of another
 * node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"
#include "fake-recovery.h"
#include "workers/pool.h"

#include <alloca.h>

#define STACK_BYTES      ((gsize)4 << 20)
#define MUCH_TOO_LATE_US ((gint64)15 * 1000000)

static SatinThreadOps ops; /* satin_thread_ops, except where a case says otherwise */
static SatinWorkers *workers;
static FakeRecovery recovery;
static SatinSlot *taken;
static int is_taken; /* atomic */
static Gate has_begun = GATE_CLOSED, may_go_on = GATE_CLOSED, is_deep = GATE_CLOSED;
static char order[8];
static guint n_order; /* written by the worker whose turn it is */
static int n_hungry;  /* atomic: how often the pool asked for jobs of other nodes */

TASK_NOTHING ()

SATIN_TASK (older, (void))
{
  SATIN_SPAWN (NULL, nothing);
  SPAWN_UNTIL (SATIN_LOAD (&is_taken));
  SATIN_SYNC ();
  order[n_order++] = 'o';
}

SATIN_TASK (younger, (void))
{
  gate_open (&has_begun);
  gate_wait (&may_go_on);
  SATIN_SPAWN (NULL, nothing);
  order[n_order++] = 'y';
  SATIN_SYNC ();
}

/* Waits in two syncs. At the second one, more than half of its stack is used. */
SATIN_TASK (digger, (void))
{
  SATIN_SPAWN (NULL, nothing);
  SPAWN_UNTIL (SATIN_LOAD (&is_taken));
  SATIN_SYNC ();
  volatile char *deep = alloca (STACK_BYTES / 8 * 5);
  deep[0] = 0;
  SATIN_STORE (&is_taken, 0);
  gate_open (&is_deep);
  SATIN_SPAWN (NULL, nothing);
  SPAWN_UNTIL (SATIN_LOAD (&is_taken));
  SATIN_SYNC ();
  order[n_order++] = 'o';
}

/* Runs until the root job has run. */
SATIN_TASK (endless, (void))
{
  gate_open (&has_begun);
  SPAWN_UNTIL (SATIN_LOAD (&is_taken));
  SATIN_SYNC ();
  order[n_order++] = 'e';
}

SATIN_TASK (root, (void))
{
  order[n_order++] = 'r';
  SATIN_STORE (&is_taken, 1);
}

typedef struct
{
  Job job;
  Gate is_over;
} Watched;

static Watched older_job, younger_job;

static void
watched_over (Job *job, GError *error)
{
  g_assert_no_error (error);
  gate_open (&((Watched *)job)->is_over);
}

static void
submit (Watched *self, const SatinTask *task, gpointer hints, gboolean is_remote)
{
  self->job = (Job){
    .slot.task = (guintptr)task, .done = watched_over, .hints = hints, .is_remote = is_remote
  };
  gate_close (&self->is_over);
  pool_submit (workers, &self->job);
}

static void
take_child (void)
{
  while ((taken = worker_claim_oldest (&workers->workers[0])) == NULL)
    {
      worker_ask (&workers->workers[0], WANT_WORK);
      sched_yield ();
    }
  SATIN_STORE (&taken->state, (guintptr)STATE_REMOTE);
  SATIN_STORE (&is_taken, 1);
}

static void
give_child_back (void)
{
  pool_settle (workers, taken, STATE_DONE, &workers->workers[0]);
}

static void
note_hungry (gpointer user_data)
{
  SATIN_ADD (&n_hungry, 1);
}

static void
ignore_published (gpointer user_data)
{
}

static void
start (void)
{
  static const PoolOutside outside = { .published = ignore_published, .hungry = note_hungry };
  const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                        .n_workers = 1,
                                        .stack_bytes = STACK_BYTES,
                                        .thread_ops = &ops };
  g_autoptr (GError) error = NULL;
  ops = satin_thread_ops;
  SATIN_STORE (&is_taken, 0);
  n_order = 0;
  gate_close (&has_begun);
  gate_close (&may_go_on);
  fake_recovery_init (&recovery);
  workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  workers->recovery_ops = recovery.base.ops;
  SATIN_STORE (&workers->outside, &outside);
}

/* Begins a case: the older job, of @task, waits, and the younger one has begun. */
static void
begin_with (const SatinTask *task, gboolean is_root)
{
  start ();
  submit (&older_job, task, NULL, TRUE);
  take_child ();
  while (pool_count_idle (workers) == 0)
    sched_yield ();
  submit (&younger_job, &younger_task, fake_recovery_make_hints (&recovery), !is_root);
  pool_need_spare (workers, &recovery);
  gate_wait (&has_begun);
}

static void
begin (void)
{
  begin_with (&older_task, FALSE);
}

static void
await_wanting (void)
{
  while (SATIN_LOAD (&workers->wanting[0]) != 1)
    sched_yield ();
}

static void
end (void)
{
  gate_open (&may_go_on);
  gate_wait (&younger_job.is_over);
  gate_wait (&older_job.is_over);
  satin_workers_free (workers);
  fake_recovery_clear (&recovery);
}

static void
test_runs (void)
{
  begin ();
  gate_open (&may_go_on);
  gate_wait (&younger_job.is_over);
  g_assert_false (gate_is_open (&older_job.is_over));
  give_child_back ();
  end ();
  g_assert_cmpmem (order, n_order, "yo", 2);
}

/* The older job continues at once when the younger job reaches a safe point, and not before. */
static void
test_older_goes_on (void)
{
  begin ();
  give_child_back ();
  await_wanting ();
  g_assert_false (gate_is_open (&older_job.is_over));
  end ();
  g_assert_cmpmem (order, n_order, "oy", 2);
}

static void
test_root_goes_on (void)
{
  begin_with (&older_task, TRUE);
  give_child_back ();
  await_wanting ();
  end ();
  g_assert_cmpmem (order, n_order, "yo", 2);
}

/* The root job begins at the next safe point of the only worker. */
static void
test_root_begins (void)
{
  start ();
  submit (&older_job, &endless_task, NULL, TRUE);
  gate_wait (&has_begun);
  submit (&younger_job, &root_task, fake_recovery_make_hints (&recovery), FALSE);
  pool_need_spare (workers, &recovery);
  end ();
  g_assert_cmpmem (order, n_order, "re", 2);
}

static void
test_root_is_next (void)
{
  Watched first = { .is_over = GATE_CLOSED };
  start ();
  submit (&older_job, &older_task, NULL, TRUE);
  take_child ();
  submit (&first, &endless_task, fake_recovery_make_hints (&recovery), TRUE);
  submit (&younger_job, &root_task, fake_recovery_make_hints (&recovery), FALSE);
  give_child_back ();
  gate_wait (&first.is_over);
  end ();
  g_assert_cmpmem (order, n_order, "ore", 3);
}

/* The worker that waits cannot take a job on its full stack, so it does not count as idle. Even so
 * it gives its turn to the spare worker. */
static void
test_full_stack (void)
{
  gate_close (&is_deep);
  begin_with (&digger_task, FALSE);
  give_child_back ();
  await_wanting ();
  gate_open (&may_go_on);
  gate_wait (&is_deep);
  take_child ();
  gate_wait (&younger_job.is_over);
  give_child_back ();
  end ();
  g_assert_cmpmem (order, n_order, "yo", 2);
}

static void
test_turns (void)
{
  begin ();
  g_assert_cmpint (pool_count_idle (workers), ==, 0);
  g_assert_false (pool_may_begin_bound (workers));
  give_child_back ();
  end ();
}

static void
test_not_counted (void)
{
  begin ();
  g_assert_cmpuint (satin_workers_get_n (workers), ==, 1);
  give_child_back ();
  end ();
}

/* Without a job the spare worker rests. It is used again, and no other one is started. */
static void
test_again (void)
{
  begin ();
  gate_open (&may_go_on);
  gate_wait (&younger_job.is_over);
  submit (&younger_job, &younger_task, fake_recovery_make_hints (&recovery), TRUE);
  pool_need_spare (workers, &recovery);
  gate_wait (&younger_job.is_over);
  g_assert_cmpuint (SATIN_LOAD (&workers->n), ==, 2);
  give_child_back ();
  end ();
}

/* The worker that waits has asked for jobs before, when none came, and does not ask again. So the
 * spare worker asks. */
static void
test_calls_for_work (void)
{
  begin ();
  int n_before = SATIN_LOAD (&n_hungry);
  gate_open (&may_go_on);
  while (SATIN_LOAD (&n_hungry) == n_before)
    sched_yield ();
  give_child_back ();
  end ();
}

static int is_waiting; /* atomic: the spare worker's thread waits */

static void
note_wait (int *word, gint64 timeout_us)
{
  if (word == &workers->workers[1].park)
    SATIN_STORE (&is_waiting, 1);
  satin_thread_ops.wait (word, timeout_us);
}

/* Returns only when the thread waits or has begun a job. */
static gpointer
start_slowly (void (*main) (gpointer data), gpointer data, gsize stack_bytes, GError **error)
{
  gpointer thread = satin_thread_ops.start (main, data, stack_bytes, error);
  while (!SATIN_LOAD (&is_waiting) && !gate_is_open (&has_begun))
    sched_yield ();
  g_assert_false (gate_is_open (&has_begun));
  return thread;
}

/* The thread of a spare worker may run before other threads see the worker. Then it waits. */
static void
test_unseen (void)
{
  start ();
  SATIN_STORE (&is_waiting, 0);
  ops.wait = note_wait;
  ops.start = start_slowly;
  submit (&older_job, &older_task, NULL, TRUE);
  take_child ();
  while (pool_count_idle (workers) == 0)
    sched_yield ();
  submit (&younger_job, &younger_task, fake_recovery_make_hints (&recovery), TRUE);
  pool_need_spare (workers, &recovery);
  gate_wait (&has_begun);
  give_child_back ();
  end ();
}

static gpointer
start_no_thread (void (*main) (gpointer data), gpointer data, gsize stack_bytes, GError **error)
{
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_IO, "no more threads");
  return NULL;
}

static void
ignore_job (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
}

static void
note_walk (gpointer is_over)
{
  SATIN_STORE ((int *)is_over, 1);
}

/* A walk waits for each worker. It also ends if the thread of a spare worker could not start. */
static void
test_without_thread (void)
{
  int is_over = 0; /* atomic */
  start ();
  ops.start = start_no_thread;
  submit (&older_job, &older_task, NULL, TRUE);
  take_child ();
  submit (&younger_job, &younger_task, fake_recovery_make_hints (&recovery), TRUE);
  g_test_expect_message ("satin-core", G_LOG_LEVEL_MESSAGE,
                         "cannot start worker 1 *no more threads");
  pool_need_spare (workers, &recovery);
  g_test_assert_expected_messages ();
  satin_workers_walk (workers, ignore_job, note_walk, &is_over);
  gint64 end_us = g_get_monotonic_time () + MUCH_TOO_LATE_US;
  while (!SATIN_LOAD (&is_over) && g_get_monotonic_time () < end_us)
    sched_yield ();
  g_assert_true (SATIN_LOAD (&is_over));
  give_child_back ();
  end ();
  g_assert_cmpmem (order, n_order, "oy", 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/spare/runs-while-the-worker-waits", test_runs);
  g_test_add_func ("/core/spare/who-was-there-before-goes-on-first", test_older_goes_on);
  g_test_add_func ("/core/spare/who-has-the-root-job-goes-on-first", test_root_goes_on);
  g_test_add_func ("/core/spare/the-root-job-begins-while-the-worker-is-busy", test_root_begins);
  g_test_add_func ("/core/spare/the-root-job-is-the-next-one", test_root_is_next);
  g_test_add_func ("/core/spare/a-turn-is-given-from-a-full-stack", test_full_stack);
  g_test_add_func ("/core/spare/no-more-run-than-there-are-workers", test_turns);
  g_test_add_func ("/core/spare/is-not-counted-as-a-worker", test_not_counted);
  g_test_add_func ("/core/spare/is-used-again", test_again);
  g_test_add_func ("/core/spare/calls-for-work-when-its-job-is-over", test_calls_for_work);
  g_test_add_func ("/core/spare/begins-no-job-before-it-is-seen", test_unseen);
  g_test_add_func ("/core/spare/walks-end-if-its-thread-does-not-start", test_without_thread);
  return g_test_run ();
}
