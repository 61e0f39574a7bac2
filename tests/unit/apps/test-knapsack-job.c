/* test-knapsack-job.c - jobs of knapsack refuse instances and places that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "knapsack/knapsack.c"
#undef main

static const KnapsackItem items[] = { { 3, 9, 1 }, { 4, 8, 2 }, { 5, 5, 3 } };
static const Knapsack right = { 8, items, 3 };

static SatinObject
create (SatinWorkers *workers)
{
  const choice_packed packed = { .value = -1 };
  g_autoptr (GError) error = NULL;
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &choice_type, "best", &packed, &error);
  g_assert_no_error (error);
  return object;
}

static void
test_wrong_places_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const guint8 taken[] = { 0, 1, 1, 1 };
  SatinObject best = create (workers);
  KnapsackFound found = { 0 };
  g_assert_true (
      satin_run (workers, &found, knapsack, NULL, taken, 2, 2, -1, best, FALSE, 1, right));
  g_assert_cmpint (found.value, ==, 8);
  satin_record_clear (&KnapsackFound_record, &found);

#define PLACE_REFUSED(N_TAKEN, LEVEL)                                                              \
  ASSERT_REFUSED (workers, "no such place", &found, knapsack, taken, N_TAKEN, LEVEL, -1, best,     \
                  FALSE, 1, right)
  PLACE_REFUSED (2, 4);
  PLACE_REFUSED (2, 1);
  PLACE_REFUSED (0, -1);
  PLACE_REFUSED (0, G_MAXINT32);
  PLACE_REFUSED (4, 4);
  /* Two items of weight 4 and 5 do not fit. */
  PLACE_REFUSED (3, 3);
}

static void
test_wrong_instances_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  /* The search divides by the weight of an item, so a weight of 0 is refused, too. */
  static const KnapsackItem light[] = { { 0, 9, 1 } }, heavy[] = { { G_MAXINT32, 9, 1 } };
  static const KnapsackItem bad[] = { { 3, -1, 1 } };
  const struct
  {
    Knapsack knapsack;
    const char *reason;
  } cases[] = {
    { { -1, items, 3 }, "capacity" }, { { G_MAXINT64, items, 3 }, "capacity" },
    { { 8, NULL, 0 }, "number of" },  { { 8, light, 1 }, "weight of an item" },
    { { 8, heavy, 1 }, "weight of" }, { { 8, bad, 1 }, "value of an item" },
  };
  SatinObject best = create (workers);
  KnapsackFound found = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ASSERT_REFUSED (workers, cases[i].reason, &found, knapsack, NULL, 0, 0, -1, best, FALSE, 1,
                    cases[i].knapsack);
}

static void
test_wrong_grain_and_object_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  SatinObject best = create (workers);
  KnapsackFound found = { 0 };
  ASSERT_REFUSED (workers, "not here", &found, knapsack, NULL, 0, 0, -1, 0, FALSE, 1, right);
  ASSERT_REFUSED (workers, "not here", &found, knapsack, NULL, 0, 0, -1, best + 1, FALSE, 1, right);
  /* With such a grain, a job would spawn the same job again. */
  ASSERT_REFUSED (workers, "grain", &found, knapsack, NULL, 0, 0, -1, best, FALSE, 0, right);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-knapsack-job/" path, function)
  CASE ("wrong-places-are-refused", test_wrong_places_are_refused);
  CASE ("wrong-instances-are-refused", test_wrong_instances_are_refused);
  CASE ("wrong-grain-and-object-are-refused", test_wrong_grain_and_object_are_refused);
  return g_test_run ();
}
