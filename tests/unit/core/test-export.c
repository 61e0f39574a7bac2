/* test-export.c - tests the export queue, slot by slot
 *
 * There is one worker, whose deque no thread runs. Its tasks only count their runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "deque-world.h"
#include "idle-recovery.h"

static Worker *owner;
static guint n_runs;

SATIN_TASK (one, (void)) { n_runs++; }

SATIN_TASK (other, (void)) { n_runs += 1000; }

static void
set_up (void)
{
  owner = deque_world_new (4096);
  while (worker_grow_deque (owner))
    ;
  n_runs = 0;
}

static void
tear_down (void)
{
  deque_world_free (owner);
}

static void
put (guint32 index, const SatinTask *task)
{
  owner->fast.slots[index].task = (guintptr)task;
}

static void
fill (guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    put (i, &one_task);
}

/* Syncs a slot that is not in a public region, as its owner would. */
static void
sync_slot (guint32 index, guint32 head)
{
  SatinSlot *slot = &owner->fast.slots[index];
  const SatinTask *task = slot_task (slot);
  slot->task = (guintptr)task | SATIN_SLOT_RUNNING;
  task->run (&owner->fast, slot, owner->fast.slots + head);
  slot->task = (guintptr)task | SATIN_SLOT_DONE;
}

static void
test_half (void)
{
  fill (0, 9);
  g_assert_true (deque_world_export (owner, 9));
  for (int i = 0; i < 5; i++)
    g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, i);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, -1);
}

static void
test_only_one (void)
{
  fill (0, 1);
  g_assert_true (deque_world_export (owner, 1));
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 0);
}

static void
test_nothing (void)
{
  g_assert_false (deque_world_export (owner, 0));
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, -1);
}

static void
test_anywhere (void)
{
  fill (0, 12);
  for (guint32 i = 0; i < 12; i += 2)
    deque_world_put (owner, i, i % 4 ? SATIN_SLOT_RUNNING : SATIN_SLOT_DONE);
  g_assert_true (deque_world_export (owner, 12));
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 1);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 3);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 5);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, -1);
}

/* The entries of the export queue say where the frames of their jobs begin. */
static void
test_bases (void)
{
  static const guint32 bases[] = { 0, 0, 0, 4, 4, 4, 8 };
  fill (0, 14);
  deque_world_put (owner, 3, SATIN_SLOT_RUNNING);
  deque_world_put (owner, 7, SATIN_SLOT_RUNNING);
  g_assert_true (deque_world_export (owner, 2));
  g_assert_true (deque_world_export (owner, 14));
  for (guint i = 0; i < G_N_ELEMENTS (bases); i++)
    {
      QueuedExport queued;
      g_assert_true (pool_take_queued (owner->pool, STATE_REMOTE, JOBS_ALL, &queued));
      g_assert_cmpint (queued.base - owner->fast.slots, ==, bases[i]);
    }
}

static void
test_typed_stay (void)
{
  put (0, &one_task_typed_);
  put (1, &one_task);
  deque_world_export (owner, 2);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 1);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, -1);
}

static void
test_public_stay (void)
{
  fill (0, 4);
  deque_world_publish (owner, 4);
  deque_world_export (owner, 4);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 2);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, -1);
}

static void
test_exported_are_not_published (void)
{
  fill (0, 4);
  deque_world_export (owner, 4);
  g_assert_true (deque_world_publish (owner, 4));
  g_assert_cmpint (deque_world_claim (owner), ==, 2);
  g_assert_cmpint (deque_world_claim (owner), ==, -1);
}

static void
test_exported_once (void)
{
  fill (0, 4);
  deque_world_export (owner, 4);
  deque_world_export (owner, 4);
  deque_world_export (owner, 4);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, i);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, -1);
}

static void
test_owner_takes_back (void)
{
  fill (0, 2);
  deque_world_export (owner, 2);
  sync_slot (1, 2);
  sync_slot (0, 2);
  g_assert_cmpuint (n_runs, ==, 2);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, -1);
}

static void
test_runs_once (void)
{
  fill (0, 1);
  deque_world_export (owner, 1);
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 0);
  /* The node that took it has finished before the owner comes. */
  owner->fast.slots[0].state = STATE_DONE;
  sync_slot (0, 1);
  g_assert_cmpuint (n_runs, ==, 0);
}

/* The slot was in the export queue and came back. Now it is in the export queue again, with another
 * task. */
static void
test_slot_used_again (void)
{
  const SatinTask *task;
  fill (0, 1);
  deque_world_export (owner, 1);
  sync_slot (0, 1);
  put (0, &other_task);
  deque_world_export (owner, 1);
  g_assert_cmpint (deque_world_take_queued (owner, &task), ==, 0);
  g_assert_true (task == &other_task);
  g_assert_cmpint (deque_world_take_queued (owner, &task), ==, -1);
}

/* No node takes a job, but the export queue does not grow for ever. */
static void
test_export_queue_is_bounded (void)
{
  for (guint i = 0; i < 1000; i++)
    {
      fill (0, 8);
      deque_world_export (owner, 8);
      for (guint32 slot = 8; slot-- > 0;)
        sync_slot (slot, 8);
    }
  g_assert_cmpuint (owner->pool->export_queue->len, <=, 8);
}

static void
test_long_stack (void)
{
  deque_world_fill (owner, 0, 3000, SATIN_SLOT_RUNNING);
  put (2990, &one_task);
  g_assert_true (deque_world_export (owner, 3000));
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 2990);
}

/* A root job that spawns all its jobs in one loop has them side by side. While it syncs them, the
 * oldest are with thieves, and the newest are done. The search is bounded, but finds the jobs
 * between. */
static void
test_long_sync (void)
{
  deque_world_free (owner);
  owner = deque_world_new (16384);
  while (worker_grow_deque (owner))
    ;
  fill (0, 5000);
  while (deque_world_export (owner, 5000))
    while (deque_world_take_queued (owner, NULL) >= 0)
      ;
  fill (5000, 6000);
  deque_world_fill (owner, 6000, 10000, SATIN_SLOT_DONE);
  worker_ask (owner, WANT_EXPORT);
  satin_sync_slow (&owner->fast, owner->fast.slots + 5999, owner->fast.slots + 10000);
  int taken = deque_world_take_queued (owner, NULL);
  g_assert_cmpint (taken, >=, 5000);
  g_assert_cmpint (taken, <, 6000);
}

/* ---- jobs with hints ---- */

static guint n_ended;

static void
end_hints (gpointer hints)
{
  n_ended++;
}

static SatinRecoveryOps counting_ops;

/* Puts the job at @index into the export queue with @hints, as its owner's spawn does. */
static void
queue_hinted (guint32 index, gpointer hints)
{
  counting_ops = idle_recovery_ops;
  counting_ops.unref = end_hints;
  owner->pool->recovery_ops = &counting_ops;
  n_ended = 0;
  put (index, one_task.twin);
  QueuedExport queued = {
    .slot = &owner->fast.slots[index], .task = &one_task, .owner = owner, .hints = hints
  };
  pool_add_queued (owner->pool, &queued);
}

static void
test_hinted_passed_over (void)
{
  QueuedExport queued;
  queue_hinted (0, &n_runs);
  put (1, &one_task);
  deque_world_export (owner, 2);
  g_assert_true (pool_take_queued (owner->pool, STATE_REMOTE, JOBS_UNBOUND, &queued));
  g_assert_true (queued.slot == &owner->fast.slots[1]);
  g_assert_false (pool_take_queued (owner->pool, STATE_REMOTE, JOBS_UNBOUND, &queued));
}

/* All that the hints lead to is on this node, so the job does not wait for another node. */
static void
test_unbound_taken (void)
{
  QueuedExport queued;
  owner->pool->has_all_hinted = TRUE;
  queue_hinted (0, &n_runs);
  g_assert_true (pool_take_queued (owner->pool, STATE_REMOTE, JOBS_UNBOUND, &queued));
  g_assert_true (queued.hints == &n_runs);
  g_assert_cmpint (owner->pool->n_queued_hinted, ==, 0);
}

static void
test_hinted_taken (void)
{
  QueuedExport queued;
  queue_hinted (0, &n_runs);
  g_assert_true (pool_take_queued (owner->pool, STATE_REMOTE, JOBS_ALL, &queued));
  g_assert_true (queued.hints == &n_runs);
  g_assert_cmpuint (n_ended, ==, 0);
}

static void
test_hinted_reclaimed (void)
{
  gpointer hints;
  queue_hinted (0, &n_runs);
  g_assert_true (pool_reclaim (owner->pool, &owner->fast.slots[0], STATE_OURS, &hints));
  g_assert_true (hints == &n_runs);
  g_assert_cmpint (owner->pool->n_queued_hinted, ==, 0);
}

static void
test_hinted_taken_once (void)
{
  QueuedExport queued;
  gpointer hints;
  queue_hinted (0, &n_runs);
  pool_take_queued (owner->pool, STATE_REMOTE, JOBS_ALL, &queued);
  g_assert_false (pool_reclaim (owner->pool, &owner->fast.slots[0], STATE_OURS, &hints));
  g_assert_null (hints);
}

/* The slot is used again. Its older entry in the export queue has the hints of the earlier job,
 * which are freed. */
static void
test_hinted_slot_again (void)
{
  QueuedExport queued;
  queue_hinted (0, &n_runs);
  owner->fast.slots[0].state = STATE_OURS;
  queue_hinted (0, &n_ended);
  g_assert_cmpuint (n_ended, ==, 1);
  g_assert_true (pool_take_queued (owner->pool, STATE_REMOTE, JOBS_ALL, &queued));
  g_assert_true (queued.hints == &n_ended);
}

static void
test_hinted_left (void)
{
  queue_hinted (0, &n_runs);
  pool_clear_export_queue (owner->pool);
  g_assert_cmpuint (n_ended, ==, 1);
  owner->pool->export_queue = g_array_new (FALSE, FALSE, sizeof (QueuedExport));
}

/* Figures count what is stolen: not a job that its own worker takes out of the queue again. */
static void
test_own_is_not_stolen (void)
{
  fill (0, 1);
  deque_world_export (owner, 1);
  g_assert_true (worker_steal_queued (owner, owner->fast.slots + 1));
  g_assert_cmpuint (n_runs, ==, 1);
  g_assert_cmpuint (owner->figures.n_stolen, ==, 0);
  g_assert_cmpuint (owner->figures.n_tried, ==, 0);
}

static void
test_steal_is_a_try (void)
{
  Worker *thief = deque_world_new (4096);
  SatinWorkers *pool = thief->pool;
  while (worker_grow_deque (thief))
    ;
  thief->pool = owner->pool;
  fill (0, 1);
  deque_world_export (owner, 1);
  g_assert_true (worker_steal_queued (thief, thief->fast.slots));
  g_assert_false (worker_steal_queued (thief, thief->fast.slots));
  g_assert_cmpuint (n_runs, ==, 1);
  g_assert_cmpuint (thief->figures.n_stolen, ==, 1);
  g_assert_cmpuint (thief->figures.n_tried, ==, 1);
  thief->pool = pool;
  deque_world_free (thief);
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/export/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("puts-half-of-the-queued-jobs-out", test_half);
  add ("puts-the-only-job-out", test_only_one);
  add ("puts-nothing-out-when-nothing-is-queued", test_nothing);
  add ("puts-jobs-out-from-anywhere", test_anywhere);
  add ("says-where-the-frames-of-jobs-begin", test_bases);
  add ("leaves-typed-jobs", test_typed_stay);
  add ("leaves-public-jobs", test_public_stay);
  add ("leaves-nothing-of-it-public", test_exported_are_not_published);
  add ("puts-each-job-out-once", test_exported_once);
  add ("owner-runs-what-nobody-took", test_owner_takes_back);
  add ("owner-does-not-run-what-was-taken", test_runs_once);
  add ("slot-that-is-used-again-has-its-new-task", test_slot_used_again);
  add ("export-queue-does-not-grow-when-nobody-takes", test_export_queue_is_bounded);
  add ("finds-jobs-near-the-end-of-a-long-stack", test_long_stack);
  add ("finds-jobs-between-stolen-and-finished-ones", test_long_sync);
  add ("job-with-hints-is-passed-over", test_hinted_passed_over);
  add ("job-with-hints-is-taken-with-them", test_hinted_taken);
  add ("own-job-that-is-taken-again-is-no-steal", test_own_is_not_stolen);
  add ("job-of-another-worker-is-a-steal-and-a-try", test_steal_is_a_try);
  add ("gives-all-away-when-no-hints-make-wait", test_unbound_taken);
  add ("job-with-hints-comes-back-with-them", test_hinted_reclaimed);
  add ("job-with-hints-is-taken-once", test_hinted_taken_once);
  add ("hints-end-when-the-slot-is-used-again", test_hinted_slot_again);
  add ("hints-end-with-the-export-queue", test_hinted_left);
  return g_test_run ();
}
