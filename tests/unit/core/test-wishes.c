/* test-wishes.c - tests which wishes of other threads a spawn and a sync notice
 *
 * There is one worker, whose deque no thread runs. The requests of other threads are made at fixed
 * points.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#include <satin/core/task.h>

#define N_JOBS 200

static Worker *worker;
static guint n_wishes;

/* Asks for more as soon as jobs are put out, as the loop's thread can: it may have taken all of
 * them before the worker goes on. */
static void
take_all_and_ask (gpointer data)
{
  while (deque_world_take_queued (worker, NULL) >= 0)
    ;
  if (n_wishes-- > 0)
    worker_ask (worker, WANT_EXPORT);
}

static PoolOutside outside = { .published = take_all_and_ask };

static void
set_up (void)
{
  worker = deque_world_new (16384);
  while (worker_grow_deque (worker))
    ;
  worker_restore_limits (worker);
  worker->pool->outside = &outside;
  worker->pool->is_wanted_outside = 1;
  n_wishes = 0;
}

static void
tear_down (void)
{
  deque_world_free (worker);
}

static gboolean
is_spawn_slow (void)
{
  return worker->fast.limit == POISONED_LIMIT;
}

static gboolean
is_sync_slow (void)
{
  return worker->fast.join == POISONED_JOIN;
}

static void
attend (guint32 head)
{
  worker_attend (worker, worker->fast.slots + head);
}

static void
test_served (void)
{
  deque_world_fill (worker, 0, N_JOBS, SATIN_SLOT_QUEUED);
  worker_ask (worker, WANT_EXPORT);
  g_assert_true (is_spawn_slow () && is_sync_slow ());
  attend (N_JOBS);
  g_assert_false (is_spawn_slow () || is_sync_slow ());
}

/* A sync of many jobs has no spawn that could notice the second wish. */
static void
test_again_while_served (void)
{
  deque_world_fill (worker, 0, N_JOBS, SATIN_SLOT_QUEUED);
  worker_ask (worker, WANT_EXPORT);
  n_wishes = 1;
  attend (N_JOBS);
  g_assert_true (is_spawn_slow () && is_sync_slow ());
  worker->pool->outside = NULL;
  attend (N_JOBS);
  g_assert_cmpint (worker->pool->n_queued_exports, >, 0);
  g_assert_false (is_spawn_slow () || is_sync_slow ());
}

/* The limits may be restored for another reason, right after the wish. */
static void
test_restored (void)
{
  worker_ask (worker, WANT_WALK);
  worker_restore_limits (worker);
  g_assert_true (is_spawn_slow () && is_sync_slow ());
}

static void
test_nothing_to_give (void)
{
  worker_ask (worker, WANT_EXPORT);
  worker_ask (worker, WANT_WORK);
  attend (0);
  g_assert_true (is_spawn_slow ());
  g_assert_false (is_sync_slow ());
}

static void
test_given_at_spawn (void)
{
  worker_ask (worker, WANT_EXPORT);
  worker_ask (worker, WANT_WORK);
  attend (0);
  deque_world_fill (worker, 0, 2, SATIN_SLOT_QUEUED);
  attend (2);
  g_assert_cmpint (deque_world_claim (worker), >=, 0);
  g_assert_false (is_spawn_slow ());
  worker_ask (worker, WANT_EXPORT);
  g_assert_true (is_spawn_slow () && is_sync_slow ());
}

/* With jobs for some idle workers only, the next jobs are published at spawns. */
static void
test_too_few (void)
{
  worker->pool->n_idle = 3;
  deque_world_put (worker, 0, SATIN_SLOT_QUEUED);
  worker_ask (worker, WANT_WORK);
  attend (1);
  g_assert_true (is_spawn_slow () && is_sync_slow ());
  attend (1);
  g_assert_true (is_spawn_slow ());
  g_assert_true (worker->fast.join == worker->fast.slots + 1);
}

/* A search below a deep recursion is not over at once. */
static void
test_search_goes_on (void)
{
  deque_world_fill (worker, 0, 8000, SATIN_SLOT_RUNNING);
  deque_world_fill (worker, 8000, 8100, SATIN_SLOT_QUEUED);
  worker_ask (worker, WANT_WORK);
  attend (8100);
  g_assert_true (is_spawn_slow () && is_sync_slow ());
  g_assert_cmpint (deque_world_claim (worker), ==, -1);
  attend (8100);
  g_assert_cmpint (deque_world_claim (worker), ==, 8000);
}

SATIN_TASK (staying, (void)) {}

/* Jobs that had to stay on this node may leave it now. */
static void
test_unpinned (void)
{
  const SatinTask *task = &staying_task;
  for (guint i = 0; i < N_JOBS; i++)
    worker->fast.slots[i] = (SatinSlot){ .task = (guintptr)task };
  pool_pin (worker->pool, task, 0);
  worker_ask (worker, WANT_EXPORT);
  attend (N_JOBS);
  g_assert_cmpint (worker->pool->n_queued_exports, ==, 0);
  g_assert_true (is_spawn_slow ());
  g_assert_false (is_sync_slow ());
  pool_unpin (worker->pool, task);
  g_assert_true (is_sync_slow ());
  worker->pool->outside = NULL;
  attend (N_JOBS);
  g_assert_cmpint (worker->pool->n_queued_exports, >, 0);
  g_clear_pointer (&worker->pool->pinned, g_free);
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/wishes/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("served-wish-is-over", test_served);
  add ("wish-that-comes-while-one-is-served-keeps-syncs-slow", test_again_while_served);
  add ("wish-outlives-other-reasons-to-restore-the-limits", test_restored);
  add ("syncs-do-not-look-for-jobs-that-only-a-spawn-can-bring", test_nothing_to_give);
  add ("spawn-brings-what-there-was-not", test_given_at_spawn);
  add ("more-is-published-as-long-as-there-is-any", test_too_few);
  add ("syncs-look-until-the-search-is-over", test_search_goes_on);
  add ("jobs-that-may-leave-at-last-are-put-out", test_unpinned);
  return g_test_run ();
}
