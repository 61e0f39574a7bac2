/* test-job.c - jobs of locusroute refuse circuits and numbers that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include "locusroute/locusroute.c"
#undef main

#define N_COLUMNS  5
#define N_CHANNELS 3

static const gint32 counts[N_COLUMNS * N_CHANNELS];

/* Two wires. */
static const Segment segments[] = { { 0, 0, 0, 2, 4, BEND_NONE }, { 1, 2, 1, 1, 3, 2 } };

static void
test_wrong_numbers_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Ways ways = { 0 };
  g_assert_true (
      satin_run (workers, &ways, locusroute, NULL, N_COLUMNS, counts, 15, segments, 2, 1, 0));
  g_assert_cmpuint (ways.n_bends, ==, 2);
  satin_record_clear (&Ways_record, &ways);

  ASSERT_REFUSED (workers, "number of columns", &ways, locusroute, 0, counts, 15, segments, 2, 1,
                  0);
  ASSERT_REFUSED (workers, "number of columns", &ways, locusroute, -5, counts, 15, segments, 2, 1,
                  0);
  ASSERT_REFUSED (workers, "number of places", &ways, locusroute, 5, NULL, 0, segments, 2, 1, 0);
  ASSERT_REFUSED (workers, "not in the circuit", &ways, locusroute, 5, counts, 14, segments, 2, 1,
                  0);
  ASSERT_REFUSED (workers, "number of segments", &ways, locusroute, 5, counts, 15, NULL, 0, 1, 0);
  /* With such a grain, a job would spawn the same job again. */
  ASSERT_REFUSED (workers, "grain", &ways, locusroute, 5, counts, 15, segments, 2, 0, 0);
}

static void
test_wrong_segments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const Segment wrong[] = {
    { -1, 0, 0, 2, 4, BEND_NONE }, { 0, -1, 0, 2, 4, BEND_NONE }, { 0, 0, -1, 2, 4, BEND_NONE },
    { 0, 0, 0, 3, 4, BEND_NONE },  { 0, 0, 0, 2, 5, BEND_NONE },  { 0, 0, 3, 2, 2, BEND_NONE },
    { 0, 0, 0, 2, 4, -2 },         { 0, 0, 0, 2, 4, 8 },          { 0, 0, 1, 2, 1, N_COLUMNS },
    { 0, 0, 0, 2, 4, G_MAXINT32 },
  };
  const Segment disordered[] = { segments[1], segments[0] };
  Ways ways = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    ASSERT_REFUSED (workers, "not in the circuit", &ways, locusroute, 5, counts, 15, &wrong[i], 1,
                    1, 0);
  ASSERT_REFUSED (workers, "not in the circuit", &ways, locusroute, 5, counts, 15, disordered, 2, 1,
                  0);
}

static void
test_wrong_shared_segments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 rounds[2];
  const routing_packed packed = { N_CHANNELS, N_COLUMNS, segments, 2, rounds, 2 };
  g_autoptr (GError) error = NULL;
  Ways ways = { 0 };
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &routing_type, "ways", &packed, &error);
  g_assert_no_error (error);
  g_assert_true (satin_run (workers, &ways, locusroute_shared, NULL, object, 0, 2, 1, 1, 0));
  g_assert_cmpuint (ways.n_bends, ==, 2);
  satin_record_clear (&Ways_record, &ways);

  ASSERT_REFUSED (workers, "not here", &ways, locusroute_shared, 0, 0, 2, 1, 1, 0);
  ASSERT_REFUSED (workers, "not here", &ways, locusroute_shared, object + 1, 0, 2, 1, 1, 0);
  ASSERT_REFUSED (workers, "number of segments", &ways, locusroute_shared, object, 0, 0, 1, 1, 0);
  ASSERT_REFUSED (workers, "number of segments", &ways, locusroute_shared, object, 0, 3, 1, 1, 0);
  ASSERT_REFUSED (workers, "first segment", &ways, locusroute_shared, object, 1, 2, 1, 1, 0);
  ASSERT_REFUSED (workers, "first segment", &ways, locusroute_shared, object, -1, 2, 1, 1, 0);
  ASSERT_REFUSED (workers, "grain", &ways, locusroute_shared, object, 0, 2, 1, -1, 0);
}

/* Another node may return too few ways, or an impossible way. */
static void
test_wrong_ways_are_refused (void)
{
  g_auto (Circuit) circuit = { 0 };
  g_auto (Router) router = { 0 };
  g_assert_true (circuit_generate ("4x3x5", 1, &circuit, NULL));
  router_init (&router, &circuit, 4, 1);
  const Segment *all;
  gsize n;
  g_assert_true (router_next (&router, &all, &n));
  g_autofree gint32 *bends = g_new (gint32, n);
  for (gsize i = 0; i < n; i++)
    bends[i] = all[i].first_column;
  g_autoptr (GError) error = NULL;
  g_assert_false (router_take (&router, bends, n - 1, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_clear_error (&error);
  bends[n - 1] = G_MAXINT32;
  g_assert_false (router_take (&router, bends, n, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_cmpint (all[0].bend, ==, BEND_NONE);
  bends[n - 1] = all[n - 1].first_column;
  g_assert_true (router_take (&router, bends, n, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-locusroute-job/" path, function)
  CASE ("wrong-numbers-are-refused", test_wrong_numbers_are_refused);
  CASE ("wrong-segments-are-refused", test_wrong_segments_are_refused);
  CASE ("wrong-shared-segments-are-refused", test_wrong_shared_segments_are_refused);
  CASE ("wrong-ways-are-refused", test_wrong_ways_are_refused);
  return g_test_run ();
}
