/* test-awari-job.c - jobs of awari refuse tables, positions and numbers that only a damaged node
 * sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "awari/awari.c"
#undef main

static SatinObject
create (SatinWorkers *workers, const char *name, const guint8 *values, gsize n_values)
{
  const table_packed packed = { values, n_values };
  g_autoptr (GError) error = NULL;
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &table_type, name, &packed, &error);
  g_assert_no_error (error);
  return object;
}

/* Runs a job that finds exits. It must fail with an error whose message contains @reason. */
static void
assert_exits_refused (SatinObject below, SatinWorkers *workers, const char *reason, int n_stones,
                      gint64 first, gint64 n, int grain)
{
  Exits exits = { 0 };
  ASSERT_REFUSED (workers, reason, &exits, find_exits, below, n_stones, first, n, grain);
}

static void
test_wrong_arguments_of_exits_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const guint8 values[] = { 0 };
  SatinObject below = create (workers, "below 1", values, 1);
  Exits exits = { 0 };
  g_assert_true (satin_run (workers, &exits, find_exits, NULL, below, 1, 2, 10, 3));
  g_assert_cmpuint (exits.n_bytes, ==, 10 * LEVEL_EXITS_BYTES);
  satin_record_clear (&Exits_record, &exits);

  assert_exits_refused (0, workers, "not here", 1, 0, 12, 3);
  assert_exits_refused (below, workers, "grain", 1, 0, 12, 0);
  assert_exits_refused (below, workers, "number of stones", -1, 0, 1, 3);
  assert_exits_refused (below, workers, "number of stones", POSITION_MAX_STONES + 1, 0, 1, 3);
  assert_exits_refused (below, workers, "number of positions", 1, 0, 0, 3);
  assert_exits_refused (below, workers, "number of positions", 1, 0, 13, 3);
  assert_exits_refused (below, workers, "first position", 1, -1, 3, 3);
  assert_exits_refused (below, workers, "first position", 1, 10, 3, 3);
  assert_exits_refused (below, workers, "first position", 1, G_MAXINT64, 3, 3);
  assert_exits_refused (below, workers, "number of values", 2, 0, 3, 3);
}

static void
test_wrong_arguments_of_predecessors_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 right[] = { 0, 11 }, negative[] = { 3, -1 }, outside[] = { 12 };
  Found found = { 0 };
  g_assert_true (satin_run (workers, &found, find_predecessors, NULL, 1, right, 2, 1));
  satin_record_clear (&Found_record, &found);

  ASSERT_REFUSED (workers, "grain", &found, find_predecessors, 1, right, 2, -1);
  ASSERT_REFUSED (workers, "number of stones", &found, find_predecessors, 99, right, 2, 1);
  ASSERT_REFUSED (workers, "number of positions", &found, find_predecessors, 1, right, 0, 1);
  ASSERT_REFUSED (workers, "position", &found, find_predecessors, 1, negative, 2, 1);
  ASSERT_REFUSED (workers, "position", &found, find_predecessors, 1, outside, 1, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-awari-job/wrong-arguments-of-exits-are-refused",
                   test_wrong_arguments_of_exits_are_refused);
  g_test_add_func ("/app-awari-job/wrong-arguments-of-predecessors-are-refused",
                   test_wrong_arguments_of_predecessors_are_refused);
  return g_test_run ();
}
