/* test-task-cplusplus.cc - tasks of a program in C++
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include <vector>

SATIN_TASK (fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, fib, n - 1);
  SATIN_SPAWN (&b, fib, n - 2);
  SATIN_SYNC ();
  return a + b;
}

SATIN_TASK (typed_fib, (long), (int, n))
{
  if (n < 2)
    return n;
  SATIN_SPAWN_TYPED (typed_fib, n - 1);
  gint64 b = SATIN_CALL (typed_fib, n - 2);
  return b + SATIN_SYNC_TYPED (typed_fib);
}

SATIN_TASK (sum, (double), (array_double, values))
{
  double left, right;
  if (n_values == 1)
    return values[0];
  gsize n_left = n_values / 2;
  SATIN_SPAWN (&left, sum, values, n_left);
  SATIN_SPAWN (&right, sum, values + n_left, n_values - n_left);
  SATIN_SYNC ();
  return left + right;
}

/* Two tasks that call each other. */
SATIN_TASK_DECLARE (is_odd, (boolean), (int, n))
SATIN_TASK (is_even, (boolean), (int, n)) { return n == 0 || SATIN_CALL (is_odd, n - 1); }
SATIN_TASK_DEFINE (is_odd, (boolean), (int, n)) { return n != 0 && SATIN_CALL (is_even, n - 1); }

SATIN_TASK (fail, (void))
{
  satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_INVALID, "as it was told"));
}

SATIN_TASK (try_it, (int))
{
  g_autoptr (GError) error = NULL;
  SATIN_SPAWN (NULL, fail);
  return SATIN_SYNC_ERROR (&error) ? 0 : error->code;
}

typedef void (*Check) (SatinWorkers *workers);

static void
on_two_workers (gconstpointer check)
{
  SatinWorkersOptions options = {};
  options.struct_size = sizeof options;
  GError *error = NULL;
  options.n_workers = 2;
  SatinWorkers *workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  reinterpret_cast<Check> (const_cast<gpointer> (check)) (workers);
  satin_workers_free (workers);
}

static void
check_spawn (SatinWorkers *workers)
{
  gint64 result = -1;
  g_assert_true (satin_run (workers, &result, fib, NULL, 24));
  g_assert_cmpint (result, ==, 46368);
}

static void
check_typed (SatinWorkers *workers)
{
  gint64 result = -1;
  g_assert_true (satin_run (workers, &result, typed_fib, NULL, 24));
  g_assert_cmpint (result, ==, 46368);
}

static void
check_vector (SatinWorkers *workers)
{
  std::vector<double> values (1000, 0.5);
  double result = -1;
  g_assert_true (satin_run (workers, &result, sum, NULL, values.data (), values.size ()));
  g_assert_cmpfloat (result, ==, 500);
}

static void
check_declared (SatinWorkers *workers)
{
  gboolean result = FALSE;
  g_assert_true (satin_run (workers, &result, is_even, NULL, 100));
  g_assert_true (result);
}

static void
check_failure (SatinWorkers *workers)
{
  gint32 result = -1;
  g_assert_true (satin_run (workers, &result, try_it, NULL));
  g_assert_cmpint (result, ==, SATIN_ERROR_INVALID);
}

/* The twin of a task is for jobs that may go to other nodes. */
static void
test_twins_know_each_other ()
{
  g_assert_true (fib_task.twin->is_exported);
  g_assert_true (fib_task.twin->twin == &fib_task);
}

static void
add (const char *path, Check check)
{
  g_test_add_data_func (path, reinterpret_cast<gpointer> (check), on_two_workers);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/core/task-cplusplus/spawns-and-syncs", check_spawn);
  add ("/core/task-cplusplus/spawns-typed-jobs", check_typed);
  add ("/core/task-cplusplus/takes-a-vector-by-reference", check_vector);
  add ("/core/task-cplusplus/may-be-declared-first", check_declared);
  add ("/core/task-cplusplus/fails-with-an-error", check_failure);
  g_test_add_func ("/core/task-cplusplus/twins-know-each-other", test_twins_know_each_other);
  return g_test_run ();
}
