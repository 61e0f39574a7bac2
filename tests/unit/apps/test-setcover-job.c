/* test-setcover-job.c - jobs of setcover refuse instances and places that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "setcover/setcover.c"
#undef main

/* Two rows, and three columns: the first covers both rows. */
static const gint32 costs[] = { 3, 1, 1 }, starts[] = { 0, 2, 4 }, entries[] = { 0, 1, 0, 2 };
static const SetCover right = { costs, 3, starts, 3, entries, 4 };

static SatinObject
create (SatinWorkers *workers)
{
  const cheapest_packed packed = { .cost = G_MAXINT64 };
  g_autoptr (GError) error = NULL;
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &cheapest_type, "best", &packed, &error);
  g_assert_no_error (error);
  return object;
}

static void
test_wrong_places_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 wrong[] = { 3, ~3, G_MAXINT32, G_MININT32 }, twice[] = { 0, 0 };
  static const gint32 both[] = { 0, ~0 }, first[] = { ~1 };
  SatinObject best = create (workers);
  SetCoverFound found = { 0 };
  g_assert_true (satin_run (workers, &found, setcover, NULL, ((SetCoverPlace){ first, 1 }),
                            G_MAXINT64, best, FALSE, 1, right));
  g_assert_cmpint (found.cost, ==, 3);
  satin_record_clear (&SetCoverFound_record, &found);

#define PLACE_REFUSED(DECISIONS, N)                                                                \
  ASSERT_REFUSED (workers, "no such place", &found, setcover, ((SetCoverPlace){ DECISIONS, N }),   \
                  G_MAXINT64, best, FALSE, 1, right)
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    PLACE_REFUSED (&wrong[i], 1);
  PLACE_REFUSED (twice, 2);
  PLACE_REFUSED (both, 2);
}

static void
test_wrong_instances_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 free[] = { 0, 1, 1 }, dear[] = { 3, 1, G_MAXINT32 };
  static const gint32 late[] = { 1, 2, 4 }, back[] = { 0, 5, 4 }, few[] = { 0, 2, 3 };
  static const gint32 low[] = { 0, -1, 0, 2 }, high[] = { 0, 1, 0, 3 };
  const struct
  {
    SetCover cover;
    const char *reason;
  } cases[] = {
    { { NULL, 0, starts, 3, entries, 4 }, "number of columns" },
    { { costs, 3, NULL, 0, NULL, 0 }, "number of rows" },
    { { costs, 3, starts, 1, NULL, 0 }, "number of rows" },
    { { free, 3, starts, 3, entries, 4 }, "wrong cost" },
    { { dear, 3, starts, 3, entries, 4 }, "wrong cost" },
    { { costs, 3, late, 3, entries, 4 }, "follow each other" },
    { { costs, 3, back, 3, entries, 4 }, "follow each other" },
    { { costs, 3, few, 3, entries, 4 }, "follow each other" },
    { { costs, 3, starts, 3, low, 4 }, "wrong column" },
    { { costs, 3, starts, 3, high, 4 }, "wrong column" },
  };
  const SetCoverPlace all = { 0 };
  SatinObject best = create (workers);
  SetCoverFound found = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ASSERT_REFUSED (workers, cases[i].reason, &found, setcover, all, G_MAXINT64, best, FALSE, 1,
                    cases[i].cover);
}

static void
test_wrong_grain_and_object_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const SetCoverPlace all = { 0 };
  SatinObject best = create (workers);
  SetCoverFound found = { 0 };
  ASSERT_REFUSED (workers, "not here", &found, setcover, all, G_MAXINT64, 0, FALSE, 1, right);
  ASSERT_REFUSED (workers, "not here", &found, setcover, all, G_MAXINT64, best + 1, FALSE, 1,
                  right);
  /* With such a grain, a job would spawn the same job again. */
  ASSERT_REFUSED (workers, "grain", &found, setcover, all, G_MAXINT64, best, FALSE, 0, right);
}

/* Another node may return a cover that covers all rows, but also has a column that does not
 * exist. */
static void
test_unknown_columns_are_not_right (void)
{
  static const gint32 columns[] = { 0, G_MAXINT32 };
  g_assert_true (setcover_found_is_right (&(SetCoverFound){ 3, columns, 1, 1 }, &right));
  g_assert_false (setcover_found_is_right (&(SetCoverFound){ 3, columns, 2, 1 }, &right));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-setcover-job/" path, function)
  CASE ("wrong-places-are-refused", test_wrong_places_are_refused);
  CASE ("wrong-instances-are-refused", test_wrong_instances_are_refused);
  CASE ("wrong-grain-and-object-are-refused", test_wrong_grain_and_object_are_refused);
  CASE ("unknown-columns-are-not-right", test_unknown_columns_are_not_right);
  return g_test_run ();
}
