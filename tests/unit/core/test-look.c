/* test-look.c - tests which state of a worker a simulated world can inspect
 *
 * There is one worker, whose deque no thread runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

static Worker *owner;
static SatinSlot *slot;

static void
set_up (void)
{
  owner = deque_world_new (4096);
  slot = &owner->fast.slots[0];
}

static void
tear_down (void)
{
  deque_world_free (owner);
}

static void
settle_from (guintptr state)
{
  slot->state = state;
  pool_settle (owner->pool, slot, STATE_DONE, owner);
}

static void
test_result_of_another_node (void)
{
  settle_from (STATE_REMOTE);
  g_assert_cmpint (owner->pool->n_refilled, ==, 0);
}

static void
test_result_of_another_worker (void)
{
  settle_from ((guintptr)owner);
  g_assert_cmpint (owner->pool->n_refilled, ==, 0);
}

static void
test_result_that_is_awaited (void)
{
  settle_from (STATE_REMOTE | STATE_JOINED);
  g_assert_cmpint (owner->pool->n_refilled, ==, 0);
}

static void
test_second_result (void)
{
  settle_from (STATE_REMOTE);
  pool_settle (owner->pool, slot, STATE_DONE, owner);
  g_assert_cmpint (owner->pool->n_refilled, ==, 1);
}

static void
test_result_after_its_return (void)
{
  settle_from (STATE_QUEUED_EXPORT);
  g_assert_cmpint (owner->pool->n_refilled, ==, 1);
}

static void
test_public_jobs_are_queued (void)
{
  deque_world_fill (owner, 0, 8, SATIN_SLOT_QUEUED);
  g_assert_true (deque_world_publish (owner, 8));
  g_assert_cmpuint (pool_count_queued (owner->pool), ==, 4);
}

static void
test_export_is_queued_until_it_is_taken (void)
{
  deque_world_fill (owner, 0, 8, SATIN_SLOT_QUEUED);
  g_assert_true (deque_world_export (owner, 8));
  g_assert_cmpint (deque_world_take_queued (owner, NULL), ==, 0);
  g_assert_cmpuint (pool_count_queued (owner->pool), ==, 3);
}

/* A job in the export queue may have flags: it has an inlet, or its owner waits for it in a sync.
 */
static void
test_flags_do_not_hide_queued_exports (void)
{
  deque_world_fill (owner, 0, 8, SATIN_SLOT_QUEUED);
  g_assert_true (deque_world_export (owner, 8));
  owner->fast.slots[0].state |= STATE_HEARD;
  owner->fast.slots[1].state |= STATE_JOINED;
  g_assert_cmpuint (pool_count_queued (owner->pool), ==, 4);
}

static Job *
begin_visit (SatinSlot *head, Job *job)
{
  owner->outside = worker_set_border (owner, NULL, job, head);
  return job;
}

static void
test_newest_job_of_another_node_is_running (void)
{
  Job below = { .is_remote = TRUE }, above = { .is_remote = TRUE };
  begin_visit (slot, &below);
  deque_world_fill (owner, 1, 3, SATIN_SLOT_RUNNING);
  begin_visit (slot + 3, &above);
  g_assert_true (pool_get_running (owner->pool, 0) == &above);
}

static void
test_own_jobs_are_no_other_nodes (void)
{
  deque_world_fill (owner, 0, 3, SATIN_SLOT_RUNNING);
  g_assert_null (pool_get_running (owner->pool, 0));
}

static void
add (const char *claim, void (*func) (void))
{
  g_autofree char *path = g_strconcat ("/core/look/", claim, NULL);
  g_test_add_vtable (path, 0, NULL, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("a-result-of-another-node-is-expected", test_result_of_another_node);
  add ("a-result-of-another-worker-is-expected", test_result_of_another_worker);
  add ("a-result-that-is-awaited-is-expected", test_result_that_is_awaited);
  add ("a-second-result-is-counted", test_second_result);
  add ("a-result-after-the-jobs-return-is-counted", test_result_after_its_return);
  add ("public-jobs-are-queued", test_public_jobs_are_queued);
  add ("export-in-the-queue-is-counted-until-it-is-taken", test_export_is_queued_until_it_is_taken);
  add ("export-in-the-queue-is-counted-whatever-its-owner-has-flagged",
       test_flags_do_not_hide_queued_exports);
  add ("the-newest-job-of-another-node-is-running", test_newest_job_of_another_node_is_running);
  add ("own-jobs-are-no-other-nodes", test_own_jobs_are_no_other_nodes);
  return g_test_run ();
}
