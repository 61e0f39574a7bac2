/* test-job.c - jobs of tsp refuse distances, places and numbers that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include "tsp/tsp.c"
#undef main

#include "small-worlds.h"

#define N_CITIES 7

static const Plan plan = { .n_raises = 3, .grain = 2 };

typedef struct
{
  SatinWorkers *workers;
  Distances distances;
} Fixture;

static void
fixture_init (Fixture *self, gconstpointer user_data)
{
  self->workers = make_one_worker ();
  self->distances = small_world_new (N_CITIES, 100);
}

static void
fixture_done (Fixture *self, gconstpointer user_data)
{
  satin_workers_free (self->workers);
  satin_record_clear (&Distances_record, &self->distances);
}

static void
test_right_arguments_are_accepted (Fixture *self, gconstpointer user_data)
{
  static const gint32 path[] = { 0 };
  Found found = { 0 };
  g_assert_true (satin_run (self->workers, &found, find_tour, NULL, self->distances, plan, 0, path,
                            1, 3, no_penalties, N_CITIES, G_MAXINT32));
  satin_record_clear (&Found_record, &found);
  g_assert_true (satin_run (self->workers, &found, find_tour, NULL, self->distances, plan, 0, NULL,
                            0, 0, no_penalties, N_CITIES, G_MAXINT32));
  const gint32 city = 0;
  g_assert_cmpint (found.length, ==, small_world_find_shortest (&self->distances, &city, 1));
  satin_record_clear (&Found_record, &found);
}

#define DISTANCES_REFUSED(REASON, ...)                                                             \
  ASSERT_REFUSED (self->workers, REASON, &found, find_tour, ((Distances){ __VA_ARGS__ }), plan, 0, \
                  NULL, 0, 0, no_penalties, N_CITIES, G_MAXINT32)

static void
test_wrong_distances_are_refused (Fixture *self, gconstpointer user_data)
{
  gint32 *between = (gint32 *)self->distances.between;
  Found found = { 0 };
  DISTANCES_REFUSED ("number of cities", -7, between, 49);
  DISTANCES_REFUSED ("number of cities", 2, between, 4);
  DISTANCES_REFUSED ("number of cities", INSTANCE_MAX_CITIES + 1, between, 49);
  DISTANCES_REFUSED ("of all cities", 7, between, 48);
  between[9] = -1;
  DISTANCES_REFUSED ("a distance", 7, between, 49);
  between[9] = G_MAXINT32;
  DISTANCES_REFUSED ("a distance", 7, between, 49);
}

#define PLACE_REFUSED(REASON, ...)                                                                 \
  ASSERT_REFUSED (self->workers, REASON, &found, find_tour, self->distances, plan, 0, __VA_ARGS__, \
                  G_MAXINT32)

static void
test_wrong_places_are_refused (Fixture *self, gconstpointer user_data)
{
  static const gint32 low[] = { 0, -1 }, high[] = { 0, 7 }, twice[] = { 0, 2, 0 };
  static const gint32 path[] = { 0, 1, 2, 3, 4, 5 };
  gint64 penalties[N_CITIES] = { 0 };
  Found found = { 0 };
  PLACE_REFUSED ("no beginning", low, 2, 3, no_penalties, N_CITIES);
  PLACE_REFUSED ("no beginning", high, 2, 3, no_penalties, N_CITIES);
  PLACE_REFUSED ("no beginning", twice, 3, 3, no_penalties, N_CITIES);
  PLACE_REFUSED ("no beginning", path, 3, 1, no_penalties, N_CITIES);
  PLACE_REFUSED ("no beginning", path, 3, 7, no_penalties, N_CITIES);
  PLACE_REFUSED ("no beginning", path, 3, G_MININT32, no_penalties, N_CITIES);
  /* No city is left. */
  PLACE_REFUSED ("no beginning", path, 6, 6, no_penalties, N_CITIES);
  PLACE_REFUSED ("penalty for each", path, 3, 4, no_penalties, 6);
  penalties[5] = G_MAXINT64;
  PLACE_REFUSED ("a penalty is", path, 3, 4, penalties, N_CITIES);
  penalties[5] = G_MININT64;
  PLACE_REFUSED ("a penalty is", path, 3, 4, penalties, N_CITIES);
}

#define PLAN_REFUSED(REASON, SHORTEST, LIMIT, ...)                                                 \
  ASSERT_REFUSED (self->workers, REASON, &found, find_tour, self->distances,                       \
                  ((Plan){ __VA_ARGS__ }), SHORTEST, NULL, 0, 0, no_penalties, N_CITIES, LIMIT)

static void
test_wrong_plans_are_refused (Fixture *self, gconstpointer user_data)
{
  Found found = { 0 };
  PLAN_REFUSED ("number of raises", 0, 100, .n_raises = -1, .grain = 1);
  PLAN_REFUSED ("number of raises", 0, 100, .n_raises = SEARCH_MAX_RAISES + 1, .grain = 1);
  /* With such a grain, a job would spawn the same job again. */
  PLAN_REFUSED ("grain", 0, 100, .n_raises = 1, .grain = 0);
  PLAN_REFUSED ("limit", 0, G_MININT32, .n_raises = 1, .grain = 1);
  PLAN_REFUSED ("not here", 77, 100, .n_raises = 1, .grain = 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function)                                                                       \
  g_test_add ("/app-tsp-job/" path, Fixture, NULL, fixture_init, function, fixture_done)
  CASE ("right-arguments-are-accepted", test_right_arguments_are_accepted);
  CASE ("wrong-distances-are-refused", test_wrong_distances_are_refused);
  CASE ("wrong-places-are-refused", test_wrong_places_are_refused);
  CASE ("wrong-plans-are-refused", test_wrong_plans_are_refused);
  return g_test_run ();
}
