/* test-task.c - tests every kind of argument and result, run by the spawner and by a thief
 *
 * Each kind has an echo task and a root task that spawns it once. The root either syncs at once,
 * and runs the echo itself, or spawns until a thief has the echo.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include <math.h>
#include <string.h>

TASK_NOTHING ()

/* Opened when the job under test has begun, on any thread. */
static Gate begun = GATE_CLOSED;
static SatinWorkers *workers;

/* Defines an echo task of @KIND, and its root task. */
#define ECHO(KIND)                                                                                 \
  SATIN_TASK (echo_##KIND, (KIND), (KIND, value))                                                  \
  {                                                                                                \
    gate_open (&begun);                                                                            \
    return value;                                                                                  \
  }                                                                                                \
  SATIN_TASK (root_##KIND, (KIND), (KIND, value), (boolean, is_stolen))                            \
  {                                                                                                \
    echo_##KIND##_value result;                                                                    \
    SATIN_SPAWN (&result, echo_##KIND, value);                                                     \
    if (is_stolen)                                                                                 \
      SPAWN_UNTIL (gate_is_open (&begun))                                                          \
    SATIN_SYNC ();                                                                                 \
    return result;                                                                                 \
  }                                                                                                \
  static echo_##KIND##_value run_##KIND (echo_##KIND##_value value, gboolean is_stolen)            \
  {                                                                                                \
    g_autoptr (GError) error = NULL;                                                               \
    echo_##KIND##_value result;                                                                    \
    gate_close (&begun);                                                                           \
    g_assert_true (satin_run (workers, &result, root_##KIND, &error, value, is_stolen));           \
    return result;                                                                                 \
  }

ECHO (int)
ECHO (long)
ECHO (float)
ECHO (double)
ECHO (boolean)
ECHO (string)

static void
test_int (gconstpointer is_stolen)
{
  gint32 values[] = { 0, -1, G_MININT32, G_MAXINT32 };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpint (run_int (values[i], is_stolen != NULL), ==, values[i]);
}

static void
test_long (gconstpointer is_stolen)
{
  gint64 values[] = { 0, -1, G_MININT64, G_MAXINT64 };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpint (run_long (values[i], is_stolen != NULL), ==, values[i]);
}

static void
test_float (gconstpointer is_stolen)
{
  float values[] = { 0, -1.5f, INFINITY, 1e-40f };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      float result = run_float (values[i], is_stolen != NULL);
      g_assert_cmpmem (&result, sizeof result, &values[i], sizeof result);
    }
}

static void
test_double (gconstpointer is_stolen)
{
  double values[] = { 0, -1.5, -INFINITY, 1e-310 };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      double result = run_double (values[i], is_stolen != NULL);
      g_assert_cmpmem (&result, sizeof result, &values[i], sizeof result);
    }
}

static void
test_boolean (gconstpointer is_stolen)
{
  g_assert_true (run_boolean (TRUE, is_stolen != NULL));
  g_assert_false (run_boolean (FALSE, is_stolen != NULL));
}

static void
test_string (gconstpointer is_stolen)
{
  g_assert_cmpstr (run_string ("na\xc3\xafve", is_stolen != NULL), ==, "na\xc3\xafve");
}

/* One task takes all kinds of arrays, as pointers and counts; that makes fewer than 16 fields. */
SATIN_TASK (sum_all, (double), (bytes, bytes), (array_int, ints), (array_long, longs),
            (array_float, floats), (array_double, doubles), (array_boolean, booleans),
            (array_string, strings))
{
  double sum = 0;
  for (gsize i = 0; i < n_bytes; i++)
    sum += bytes[i];
  for (gsize i = 0; i < n_ints; i++)
    sum += ints[i];
  for (gsize i = 0; i < n_longs; i++)
    sum += longs[i];
  for (gsize i = 0; i < n_floats; i++)
    sum += floats[i];
  for (gsize i = 0; i < n_doubles; i++)
    sum += doubles[i];
  for (gsize i = 0; i < n_booleans; i++)
    sum += booleans[i];
  for (gsize i = 0; i < n_strings; i++)
    sum += strlen (strings[i]);
  gate_open (&begun);
  return sum;
}

SATIN_TASK (root_sum_all, (double), (boolean, is_stolen))
{
  static const guint8 bytes[] = { 1, 2 };
  static const gint32 ints[] = { 10, 20, 30 };
  static const gint64 longs[] = { 100 };
  static const float floats[] = { 0.5f, 0.25f };
  static const double doubles[] = { 1000 };
  static const gboolean booleans[] = { TRUE, FALSE, TRUE };
  static const SatinString strings[] = { "abc", "" };
  double sum;
  SATIN_SPAWN (&sum, sum_all, bytes, 2, ints, 3, longs, 1, floats, 2, doubles, 1, booleans, 3,
               strings, 2);
  if (is_stolen)
    SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC ();
  return sum;
}

static void
test_arrays (gconstpointer is_stolen)
{
  double sum = 0;
  gate_close (&begun);
  g_assert_true (satin_run (workers, &sum, root_sum_all, NULL, is_stolen != NULL));
  g_assert_cmpfloat (sum, ==, 3 + 60 + 100 + 0.75 + 1000 + 2 + 3);
}

SATIN_RECORD (Point, (double, x), (double, y))
SATIN_RECORD (Segment, (record, from, Point), (record, to, Point))
SATIN_RECORD (Path, (string, name), (array_record, segments, Segment), (record, box, Segment))

static Path
copy_path (const Path *path)
{
  Path copy = *path;
  copy.name = g_strdup (path->name);
  copy.segments = g_memdup2 (path->segments, path->n_segments * sizeof (Segment));
  return copy;
}

/* The pointers in its result belong to the spawner. */
SATIN_TASK (echo_path, (record, Path), (record, path, Path), (array_record, more, Segment))
{
  Path copy = copy_path (&path);
  copy.box = more[n_more - 1];
  gate_open (&begun);
  return copy;
}

SATIN_TASK (root_path, (record, Path), (boolean, is_stolen))
{
  static const Segment segments[] = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } };
  Path path = { .name = "p", .segments = segments, .n_segments = 2, .box = segments[1] };
  Path result;
  SATIN_SPAWN (&result, echo_path, path, segments, 1);
  if (is_stolen)
    SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC ();
  return result;
}

static void
test_nested_records (gconstpointer is_stolen)
{
  Path path;
  gate_close (&begun);
  g_assert_true (satin_run (workers, &path, root_path, NULL, is_stolen != NULL));
  g_assert_cmpstr (path.name, ==, "p");
  g_assert_cmpuint (path.n_segments, ==, 2);
  g_assert_cmpfloat (path.segments[1].to.y, ==, 8);
  g_assert_cmpfloat (path.box.to.y, ==, 4);
  satin_record_clear (&Path_record, &path);
}

/* Arguments of 40 bytes lie in the slot, those of 48 and 512 bytes beside the deque. */
SATIN_RECORD (Block, (long, a), (long, b), (long, c), (long, d))
SATIN_RECORD (Large, (record, a, Block), (record, b, Block), (record, c, Block), (record, d, Block))

SATIN_TASK (sum_40, (long), (long, a), (long, b), (long, c), (long, d), (long, e))
{
  return a + b + c + d + e;
}

SATIN_TASK (sum_48, (long), (long, a), (long, b), (long, c), (long, d), (long, e), (long, f))
{
  return a + b + c + d + e + f;
}

SATIN_TASK (last_of_512, (record, Large), (record, a, Large), (record, b, Large),
            (record, c, Large), (record, d, Large))
{
  G_STATIC_ASSERT (sizeof (last_of_512_args) == SATIN_ARGS_MAX_BYTES);
  gate_open (&begun);
  return d;
}

/* Spawns all three at once. The large one must return its fourth argument. */
SATIN_TASK (root_sizes, (long), (boolean, is_stolen))
{
  Large blocks[4] = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    blocks[i].a.a = blocks[i].d.d = i;
  gint64 small, middle;
  Large large;
  SATIN_SPAWN (&large, last_of_512, blocks[0], blocks[1], blocks[2], blocks[3]);
  SATIN_SPAWN (&middle, sum_48, 10, 20, 30, 40, 50, 60);
  SATIN_SPAWN (&small, sum_40, 1, 2, 3, 4, 5);
  if (is_stolen)
    SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC ();
  g_assert_cmpmem (&large, sizeof large, &blocks[3], sizeof large);
  return small + middle;
}

static void
test_sizes (gconstpointer is_stolen)
{
  for (guint i = 0; i < 20; i++)
    {
      gint64 sum = 0;
      gate_close (&begun);
      g_assert_true (satin_run (workers, &sum, root_sizes, NULL, is_stolen != NULL));
      g_assert_cmpint (sum, ==, 15 + 210);
    }
}

/* The address is passed as a number, so this job must not leave the process. */
SATIN_TASK (store, (void), (long, address), (int, value))
{
  *(gint32 *)(gsize)address = value;
  gate_open (&begun);
}

SATIN_TASK (root_store, (int), (boolean, is_stolen))
{
  gint32 place = 0;
  SATIN_SPAWN (NULL, store, (gint64)(gsize)&place, 7);
  if (is_stolen)
    SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC ();
  return place;
}

static void
test_without_result (gconstpointer is_stolen)
{
  gint32 place = 0;
  gate_close (&begun);
  g_assert_true (satin_run (workers, &place, root_store, NULL, is_stolen != NULL));
  g_assert_cmpint (place, ==, 7);
}

SATIN_TASK (answer, (int))
{
  gate_open (&begun);
  return 42;
}

SATIN_TASK (root_answer, (int), (boolean, is_stolen))
{
  gint32 result;
  SATIN_SPAWN (&result, answer);
  if (is_stolen)
    SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC ();
  return result;
}

static void
test_without_arguments (gconstpointer is_stolen)
{
  gint32 result = 0;
  gate_close (&begun);
  g_assert_true (satin_run (workers, &result, root_answer, NULL, is_stolen != NULL));
  g_assert_cmpint (result, ==, 42);
}

/* Arguments may have any name: the macros' own names end with an underscore. */
SATIN_TASK (any_names, (int), (int, worker), (int, slot), (int, head), (int, ret), (int, args),
            (int, done), (array_int, error))
{
  return worker + slot + head + ret + args + done + (gint32)n_error;
}

SATIN_TASK (root_any_names, (int))
{
  gint32 args, task = 100, result = 1;
  SATIN_SPAWN (&args, any_names, task, result, 0, 0, 0, 0, NULL, 0);
  SATIN_SYNC ();
  SATIN_SPAWN_TYPED (any_names, task, result, 0, 0, 0, 0, NULL, 0);
  gint32 slot = SATIN_SYNC_TYPED (any_names);
  return args + slot + SATIN_CALL (any_names, task, result, 0, 0, 0, 0, NULL, 0);
}

static void
test_any_names (void)
{
  gint32 result = 0;
  g_assert_true (satin_run (workers, &result, root_any_names, NULL));
  g_assert_cmpint (result, ==, 303);
}

static void
test_root_without_anything (void)
{
  g_assert_true (satin_run (workers, NULL, nothing, NULL));
}

static void
test_root_takes_512_bytes (void)
{
  Large a = { 0 }, d = { .d = { .d = 5 } }, result;
  g_assert_true (satin_run (workers, &result, last_of_512, NULL, a, a, a, d));
  g_assert_cmpint (result.d.d, ==, 5);
}

/* Adds two cases: the spawner runs the job, and a thief does. */
static void
add (const char *claim, GTestDataFunc func)
{
  g_autofree char *at_home = g_strdup_printf ("/core/task/%s", claim);
  g_autofree char *stolen = g_strdup_printf ("/core/task/%s-to-a-thief-too", claim);
  g_test_add_data_func (at_home, NULL, func);
  g_test_add_data_func (stolen, &begun, func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  workers = make_workers (2, 0);
  add ("int-goes-and-comes", test_int);
  add ("long-goes-and-comes", test_long);
  add ("float-goes-and-comes", test_float);
  add ("double-goes-and-comes", test_double);
  add ("boolean-goes-and-comes", test_boolean);
  add ("string-goes-and-comes", test_string);
  add ("arrays-go", test_arrays);
  add ("nested-records-go-and-come", test_nested_records);
  add ("arguments-of-40-48-and-512-bytes-go", test_sizes);
  add ("task-without-result-runs", test_without_result);
  add ("task-without-arguments-runs", test_without_arguments);
  g_test_add_func ("/core/task/arguments-may-have-any-name", test_any_names);
  g_test_add_func ("/core/task/root-needs-no-arguments-and-no-result", test_root_without_anything);
  g_test_add_func ("/core/task/root-takes-512-bytes", test_root_takes_512_bytes);
  int status = g_test_run ();
  satin_workers_free (workers);
  return status;
}
