/* test-export.c - single slots put out for other nodes, without threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#include <string.h>

static guint n_runs;

static void
count_run (SatinWorker *worker, SatinSlot *slot, SatinSlot *head)
{
  n_runs++;
}

static const SatinTask away;
static const SatinTask general = { .run = count_run, .name = "general", .twin = &away };
static const SatinTask away = {
  .run = satin_run_away, .name = "general", .is_away = TRUE, .twin = &general
};
static const SatinTask typed = { .run = count_run, .name = "typed", .is_typed = TRUE };

static Worker *worker;
static SatinWorkers pool;

static void
set_up (void)
{
  n_runs = 0;
  memset (&pool, 0, sizeof pool);
  pthread_mutex_init (&pool.lock, NULL);
  pool.stock = g_array_new (FALSE, FALSE, sizeof (Stock));
  worker = deque_world_new (1024);
  worker->pool = &pool;
}

static void
tear_down (void)
{
  g_array_unref (pool.stock);
  pthread_mutex_destroy (&pool.lock);
  deque_world_free (worker);
}

static void
put (guint32 index, const SatinTask *task, SatinSlotMark mark)
{
  worker->fast.slots[index].task = (guintptr)task | mark;
}

static void
put_queued (guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    put (i, &general, SATIN_SLOT_QUEUED);
}

static gboolean
export_below (guint32 head)
{
  return worker_export (worker, worker->fast.slots + head);
}

/* Takes one for another node. Returns: its index, or -1 */
static int
take (void)
{
  Stock stock;
  if (!pool_take_stock (&pool, STATE_REMOTE, &stock))
    return -1;
  g_assert_true (stock.task == &general);
  g_assert_true (stock.owner == worker);
  return stock.slot - worker->fast.slots;
}

static void
sync_slot (guint32 index, guint32 head)
{
  SatinSlot *slot = worker->fast.slots + index;
  slot_task (slot)->run (&worker->fast, slot, worker->fast.slots + head);
}

static void
test_half_the_oldest (void)
{
  put_queued (0, 5);
  g_assert_true (export_below (5));
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (take (), ==, i);
  g_assert_cmpint (take (), ==, -1);
}

static void
test_from_many_frames (void)
{
  for (guint32 frame = 0; frame < 8; frame++)
    {
      put (3 * frame, &general, SATIN_SLOT_QUEUED);
      put (3 * frame + 1, &general, SATIN_SLOT_RUNNING);
      put (3 * frame + 2, &general, SATIN_SLOT_DONE);
    }
  g_assert_true (export_below (24));
  for (int frame = 0; frame < 4; frame++)
    g_assert_cmpint (take (), ==, 3 * frame);
  g_assert_cmpint (take (), ==, -1);
}

static void
test_typed_stays (void)
{
  put (0, &typed, SATIN_SLOT_QUEUED);
  g_assert_false (export_below (1));
  g_assert_cmpint (take (), ==, -1);
}

static void
test_public_stays (void)
{
  put_queued (0, 4);
  deque_world_publish (worker, 4);
  g_assert_true (export_below (4));
  g_assert_cmpint (take (), ==, 2);
  g_assert_cmpint (take (), ==, -1);
}

static void
test_exported_is_not_published (void)
{
  put_queued (0, 2);
  export_below (2);
  g_assert_true (deque_world_publish (worker, 2));
  g_assert_cmpint (deque_world_claim (worker), ==, 1);
}

static void
test_owner_has_it_back (void)
{
  put_queued (0, 1);
  export_below (1);
  sync_slot (0, 1);
  g_assert_cmpuint (n_runs, ==, 1);
  g_assert_cmpint (take (), ==, -1);
}

static void
test_old_entry_serves_for_new_job (void)
{
  put_queued (0, 1);
  export_below (1);
  sync_slot (0, 1);
  put_queued (0, 1);
  export_below (1);
  g_assert_cmpint (take (), ==, 0);
  g_assert_cmpint (take (), ==, -1);
}

static void
test_sync_sees_the_result (void)
{
  put_queued (0, 1);
  export_below (1);
  take ();
  SATIN_STORE (&worker->fast.slots[0].state, (guintptr)STATE_DONE);
  sync_slot (0, 1);
  g_assert_cmpuint (n_runs, ==, 0);
  g_assert_null (worker->fast.error);
}

static void
test_sync_runs_what_came_back (void)
{
  put_queued (0, 1);
  export_below (1);
  take ();
  SATIN_STORE (&worker->fast.slots[0].state, (guintptr)STATE_RETURNED);
  sync_slot (0, 1);
  g_assert_cmpuint (n_runs, ==, 1);
}

static void
test_sync_takes_the_failure (void)
{
  put_queued (0, 1);
  export_below (1);
  take ();
  worker->fast.slots[0].args[0] = (guintptr)g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "seven");
  SATIN_STORE (&worker->fast.slots[0].state, (guintptr)STATE_FAILED);
  sync_slot (0, 1);
  g_assert_error (worker->fast.error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_clear_error (&worker->fast.error);
}

/* A region's bounds must not be kept in a slot that another node has: its state would be lost. */
static void
test_region_above_leaves_it_alone (void)
{
  put (0, &general, SATIN_SLOT_RUNNING);
  put_queued (1, 2);
  g_assert_true (export_below (2));
  g_assert_cmpint (take (), ==, 1);
  put_queued (2, 4);
  g_assert_true (deque_world_publish (worker, 4));
  g_assert_cmpuint (worker->fast.slots[1].state, ==, STATE_REMOTE);
}

/* Runs each claim in a world of its own. */
static void
run_claim (gconstpointer data)
{
  set_up ();
  ((void (*) (void))data) ();
  tear_down ();
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } claims[] = {
    { "/core/export/half-the-oldest", test_half_the_oldest },
    { "/core/export/from-many-frames", test_from_many_frames },
    { "/core/export/typed-stays", test_typed_stays },
    { "/core/export/public-stays", test_public_stays },
    { "/core/export/exported-is-not-published", test_exported_is_not_published },
    { "/core/export/owner-has-it-back", test_owner_has_it_back },
    { "/core/export/old-entry-serves-for-new-job", test_old_entry_serves_for_new_job },
    { "/core/export/sync-sees-the-result", test_sync_sees_the_result },
    { "/core/export/sync-runs-what-came-back", test_sync_runs_what_came_back },
    { "/core/export/sync-takes-the-failure", test_sync_takes_the_failure },
    { "/core/export/region-above-leaves-it-alone", test_region_above_leaves_it_alone },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (claims); i++)
    g_test_add_data_func (claims[i].path, (gconstpointer)claims[i].test, run_claim);
  return g_test_run ();
}
