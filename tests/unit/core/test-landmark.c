/* test-landmark.c - tests the search for the oldest queued job of a deep deque
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#define N_SLOTS 65536
#define QUEUED  SATIN_SLOT_QUEUED
#define RUNNING SATIN_SLOT_RUNNING
#define DONE    SATIN_SLOT_DONE

static Worker *owner;

static void
set_up (void)
{
  owner = deque_world_new (N_SLOTS);
  while (owner->end < owner->fast.slots + N_SLOTS)
    g_assert_true (worker_grow_deque (owner));
}

static void
tear_down (void)
{
  deque_world_free (owner);
}

/* Searches until a job is found, at most @n times. */
static guint32
find_in (guint n, guint32 head)
{
  guint32 found = head;
  while (n-- > 0 && found == head)
    found = worker_find_queued (owner, 0, head);
  return found;
}

static gboolean
has_landmark (guint32 index)
{
  return (owner->fast.slots[index].task & SLOT_LANDMARK) != 0;
}

static void
test_empty (void)
{
  g_assert_cmpuint (worker_find_queued (owner, 0, 0), ==, 0);
  deque_world_fill (owner, 0, 100, RUNNING);
  g_assert_cmpuint (worker_find_queued (owner, 0, 100), ==, 100);
}

static void
test_oldest (void)
{
  deque_world_fill (owner, 0, 1000, RUNNING);
  deque_world_put (owner, 900, QUEUED);
  deque_world_put (owner, 500, QUEUED);
  g_assert_cmpuint (worker_find_queued (owner, 0, 1000), ==, 500);
  g_assert_cmpuint (worker_find_queued (owner, 501, 1000), ==, 900);
}

/* A job in the middle of a deep stack is found in a few searches. */
static void
test_middle (void)
{
  deque_world_fill (owner, 0, 50000, RUNNING);
  deque_world_put (owner, 25000, QUEUED);
  g_assert_cmpuint (find_in (10, 50000), ==, 25000);
}

static void
test_starts_at_landmark (void)
{
  deque_world_fill (owner, 0, 4000, RUNNING);
  deque_world_put (owner, 3000, QUEUED);
  g_assert_cmpuint (find_in (1, 4000), ==, 3000);
  g_assert_true (has_landmark (2999));
  /* In a run, no job can be queued below a landmark. The test queues one, and the search does not
   * see it. */
  deque_world_put (owner, 100, QUEUED);
  g_assert_cmpuint (find_in (1, 4000), ==, 3000);
}

static void
test_landmark_ends_with_its_job (void)
{
  deque_world_fill (owner, 0, 4000, RUNNING);
  deque_world_put (owner, 3000, QUEUED);
  find_in (1, 4000);
  deque_world_put (owner, 2999, DONE);
  deque_world_put (owner, 100, QUEUED);
  g_assert_cmpuint (find_in (1, 4000), ==, 100);
}

static void
test_landmark_above_head_is_gone (void)
{
  deque_world_fill (owner, 0, 4000, RUNNING);
  deque_world_put (owner, 3000, QUEUED);
  find_in (1, 4000);
  deque_world_put (owner, 100, QUEUED);
  g_assert_cmpuint (find_in (1, 2000), ==, 100);
}

static void
test_older_landmark_stays (void)
{
  deque_world_fill (owner, 0, 4000, RUNNING);
  deque_world_put (owner, 1000, QUEUED);
  find_in (1, 4000);
  deque_world_put (owner, 1000, RUNNING);
  deque_world_put (owner, 3000, QUEUED);
  find_in (1, 4000);
  g_assert_cmpuint (owner->landmarks->len, ==, 2);
  /* The frames from slot 2000 on end, and other frames take their place, with new jobs. */
  deque_world_fill (owner, 2000, 4000, DONE);
  deque_world_fill (owner, 2000, 4000, RUNNING);
  deque_world_put (owner, 2500, QUEUED);
  g_assert_cmpuint (find_in (1, 4000), ==, 2500);
  g_assert_true (has_landmark (999));
  g_assert_false (has_landmark (2999));
}

/* Only the frame of a running job keeps the frames below from spawning. */
static void
test_done_is_no_landmark (void)
{
  deque_world_fill (owner, 0, 4000, DONE);
  deque_world_put (owner, 3000, QUEUED);
  find_in (1, 4000);
  g_assert_cmpuint (owner->landmarks->len, ==, 0);
}

/* A search that does not begin at the first slot cannot know whether older jobs are queued. */
static void
test_partial_search (void)
{
  deque_world_fill (owner, 0, 4000, RUNNING);
  deque_world_put (owner, 10, QUEUED);
  g_assert_cmpuint (worker_find_queued (owner, 1000, 4000), ==, 4000);
  g_assert_cmpuint (owner->landmarks->len, ==, 1);
  g_assert_cmpuint (worker_find_queued (owner, 0, 4000), ==, 10);
}

/* Searches that begin at the same slot go on where the last one ended. */
static void
test_partial_searches_go_on (void)
{
  deque_world_fill (owner, 0, 20000, RUNNING);
  deque_world_put (owner, 10, QUEUED);
  deque_world_put (owner, 15000, QUEUED);
  for (int i = 0; i < 3; i++)
    {
      g_assert_cmpuint (worker_find_queued (owner, 1000, 20000), ==, 20000);
      g_assert_true (owner->is_search_cut);
    }
  g_assert_cmpuint (worker_find_queued (owner, 1000, 20000), ==, 15000);
  g_assert_false (owner->is_search_cut);
}

static void
test_newest_without_landmark (void)
{
  deque_world_fill (owner, 0, 50000, DONE);
  deque_world_put (owner, 49990, QUEUED);
  g_assert_cmpuint (find_in (1, 50000), ==, 49990);
}

/* The root job of a farm spawns very many jobs in one loop. Other nodes get the oldest jobs, which
 * its owner would run last. */
static void
check_farm (int first)
{
  for (int next = first; next < 20000;)
    {
      g_assert_true (deque_world_export (owner, 50000));
      for (int index; (index = deque_world_take_queued (owner, NULL)) >= 0; next++)
        g_assert_cmpint (index, ==, next);
    }
}

static void
test_farm (void)
{
  deque_world_fill (owner, 0, 50000, QUEUED);
  check_farm (0);
}

/* Another worker of the same node has taken the first jobs. */
static void
test_farm_with_thief (void)
{
  int n_claimed = 0;
  deque_world_fill (owner, 0, 50000, QUEUED);
  g_assert_true (deque_world_publish (owner, 50000));
  while (deque_world_claim (owner) >= 0)
    n_claimed++;
  g_assert_cmpint (n_claimed, >, 0);
  check_farm (n_claimed);
}

/* Exports the jobs in the first 64 of 1,000 slots. A search passes them then. */
static void
export_64 (void)
{
  deque_world_fill (owner, 0, 1000, QUEUED);
  g_assert_true (deque_world_export (owner, 1000));
  g_assert_cmpuint (find_in (1, 1000), ==, 64);
  g_assert_cmpuint (owner->landmarks->len, ==, 1);
}

static void
test_exported_landmark_ends_with_its_sync (void)
{
  export_64 ();
  deque_world_put (owner, 63, DONE);
  deque_world_put (owner, 10, QUEUED);
  g_assert_cmpuint (find_in (1, 1000), ==, 10);
}

/* The frame has ended, and another one has spawned a job into the same slot, which is exported at
 * once. */
static void
test_exported_landmark_is_forgotten (void)
{
  export_64 ();
  deque_world_put (owner, 10, QUEUED);
  worker_forget_landmarks (owner, &owner->fast.slots[63]);
  g_assert_cmpuint (find_in (1, 1000), ==, 10);
}

static void
test_marks_stay (void)
{
  deque_world_fill (owner, 0, 4000, RUNNING);
  find_in (1, 4000);
  g_assert_true (has_landmark (3999));
  g_assert_cmpint (slot_mark (&owner->fast.slots[3999]), ==, RUNNING);
  g_assert_true (slot_task (&owner->fast.slots[3999]) == slot_task (&owner->fast.slots[0]));
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/landmark/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("nothing-queued", test_empty);
  add ("finds-the-oldest", test_oldest);
  add ("finds-what-is-deep-in-the-middle", test_middle);
  add ("search-starts-at-the-landmark", test_starts_at_landmark);
  add ("landmark-ends-with-its-job", test_landmark_ends_with_its_job);
  add ("landmark-above-the-head-is-gone", test_landmark_above_head_is_gone);
  add ("older-landmark-stays", test_older_landmark_stays);
  add ("finished-job-is-no-landmark", test_done_is_no_landmark);
  add ("landmark-of-a-search-from-above-hides-nothing-below", test_partial_search);
  add ("searches-from-above-go-on", test_partial_searches_go_on);
  add ("finds-new-ones-without-landmarks", test_newest_without_landmark);
  add ("finds-the-oldest-of-a-loop-of-very-many", test_farm);
  add ("finds-the-oldest-after-another-worker-took-some", test_farm_with_thief);
  add ("exported-landmark-ends-with-its-sync", test_exported_landmark_ends_with_its_sync);
  add ("exported-landmark-is-forgotten-at-a-spawn", test_exported_landmark_is_forgotten);
  add ("landmark-hides-neither-mark-nor-task", test_marks_stay);
  return g_test_run ();
}
