/* test-forgotten-sync.c - tests that a task fails when it returns without a sync
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

TASK_NOTHING ()

static Gate begun = GATE_CLOSED;

SATIN_TASK (child, (int))
{
  gate_open (&begun);
  return -1;
}

/* A correct task. */
SATIN_TASK (synced, (boolean))
{
  gint32 result;
  SATIN_SPAWN (&result, child);
  return SATIN_SYNC () && result == -1;
}

static void
assert_goes_on (SatinWorkers *workers)
{
  gboolean is_well = FALSE;
  g_assert_true (satin_run (workers, &is_well, synced, NULL));
  g_assert_true (is_well);
}

static gint32 forgotten[100];

SATIN_TASK (forget_sync, (int), (int, n))
{
  for (gint32 i = 0; i < n; i++)
    SATIN_SPAWN (&forgotten[i], child);
  return 1;
}

SATIN_TASK (root_forget_sync, (int), (int, n))
{
  gint32 result;
  SATIN_SPAWN (&result, forget_sync, n);
  SATIN_SYNC ();
  return 0;
}

static void
check_forgotten_sync (guint n_workers, gsize deque_slots, gint32 n)
{
  g_autoptr (SatinWorkers) workers = make_workers (n_workers, deque_slots);
  g_autoptr (GError) error = NULL;
  gint32 result;
  g_assert_false (satin_run (workers, &result, root_forget_sync, &error, n));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_cmpstr (error->message, ==,
                   "task forget_sync returned without a SATIN_SYNC after its last spawn: sync "
                   "before each return");
  assert_goes_on (workers);
}

static void
test_forgotten_sync (void)
{
  check_forgotten_sync (1, 0, 1);
  check_forgotten_sync (1, 0, 100);
  check_forgotten_sync (1, 64, 100);
}

SATIN_TASK (forget_stolen, (int))
{
  SATIN_SPAWN (&forgotten[0], child);
  SPAWN_UNTIL (gate_is_open (&begun))
  return 1;
}

static void
test_forgotten_sync_of_a_stolen_job (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  g_autoptr (GError) error = NULL;
  gint32 result;
  gate_close (&begun);
  g_assert_false (satin_run (workers, &result, forget_stolen, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  assert_goes_on (workers);
}

SATIN_TASK (forget_typed, (int), (int, n))
{
  for (gint32 i = 0; i < n; i++)
    SATIN_SPAWN_TYPED (child);
  for (gint32 i = 1; i < n; i++)
    SATIN_SYNC_TYPED (child);
  return 1;
}

static void
test_forgotten_typed_sync (void)
{
  g_autoptr (SatinWorkers) small = make_workers (1, 64);
  g_autoptr (GError) error = NULL;
  gint32 result;
  for (gint32 n = 1; n < 100; n += 98)
    {
      g_assert_false (satin_run (small, &result, forget_typed, &error, n));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
      g_clear_error (&error);
      assert_goes_on (small);
    }
}

/* A task that is called shares its caller's frame, but must sync its own children, too. */
SATIN_TASK (call_forgetful, (int))
{
  gint32 before = -5, result;
  SATIN_SPAWN (&before, child);
  SATIN_CALL (forget_sync, 2);
  g_autoptr (GError) error = NULL;
  gboolean is_well = SATIN_SYNC_ERROR (&error);
  result = is_well ? -1 : error->code;
  return before == -1 ? result : -2;
}

static void
test_forgotten_sync_of_a_call (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  g_autoptr (GError) error = NULL;
  gint32 result = -2;
  g_assert_true (satin_run (workers, &result, call_forgetful, &error));
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, SATIN_ERROR_JOB);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/forgotten-sync/" claim, func)
  ADD ("of-a-task-fails-it", test_forgotten_sync);
  ADD ("while-a-job-is-stolen-fails-the-task", test_forgotten_sync_of_a_stolen_job);
  ADD ("typed-fails-the-task", test_forgotten_typed_sync);
  ADD ("of-a-called-task-fails-its-caller", test_forgotten_sync_of_a_call);
  return g_test_run ();
}
