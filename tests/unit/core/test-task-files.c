/* test-task-files.c - tests tasks that one file defines and others spawn
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "task-files.h"

SATIN_TASK_DEFINE (is_even, (boolean), (int, n))
{
  gboolean result;
  if (n == 0)
    return TRUE;
  SATIN_SPAWN (&result, is_odd, n - 1);
  SATIN_SYNC_OR_RETURN (FALSE);
  return result;
}

SATIN_TASK (in_all_forms, (int))
{
  gint64 values[] = { 1, 2, 3, 4, 5 }, sum;
  SATIN_SPAWN_TYPED (is_odd, 7);
  gboolean is_right =
      SATIN_SYNC_TYPED (is_odd) && SATIN_CALL (is_odd, 9) && !SATIN_CALL (is_even, 3);
  SATIN_SPAWN (&sum, add, values, G_N_ELEMENTS (values));
  SATIN_SPAWN (NULL, nothing);
  SATIN_SYNC_OR_RETURN (-1);
  return is_right && sum == 15;
}

static SatinWorkers *
make_workers (guint n_workers)
{
  const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                        .n_workers = n_workers };
  g_autoptr (GError) error = NULL;
  SatinWorkers *workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  return workers;
}

static void
test_tasks_of_two_files_spawn_each_other (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2);
  g_autoptr (GError) error = NULL;
  gboolean result;
  satin_run (workers, &result, is_even, &error, 1000);
  g_assert_no_error (error);
  g_assert_true (result);
  satin_run (workers, &result, is_even, &error, 777);
  g_assert_no_error (error);
  g_assert_false (result);
}

static void
test_all_forms_reach_another_file (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2);
  g_autoptr (GError) error = NULL;
  gint32 result;
  satin_run (workers, &result, in_all_forms, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/task-files/tasks-of-two-files-spawn-each-other",
                   test_tasks_of_two_files_spawn_each_other);
  g_test_add_func ("/core/task-files/all-forms-reach-another-file",
                   test_all_forms_reach_another_file);
  return g_test_run ();
}
