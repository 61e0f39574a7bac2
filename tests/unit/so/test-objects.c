/* test-objects.c - tests the store of one node: creating, updating and reading objects
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample-types.h"

static const tour_packed start = { 100, NULL, 0 };
static const gint32 cities[] = { 1, 5, 8 };

static void
test_id_same (void)
{
  /* All nodes must compute the same id, on any machine. */
  g_assert_cmpint (satin_object_id ("tour", "best"), ==, G_GINT64_CONSTANT (-2879041878210123298));
}

static void
test_id_of_type (void)
{
  g_assert_cmpint (satin_object_id ("tour", "best"), !=, satin_object_id ("numbers", "best"));
}

static void
test_create_twice (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject best = satin_objects_create (objects, &tour_type, "best", &start, NULL);
  tour_packed other = { 50, NULL, 0 };
  g_assert_cmpint (satin_objects_create (objects, &tour_type, "best", &other, NULL), ==, best);
  const tour_state *tour = satin_reader_read (reader, best, &tour_type);
  g_assert_cmpint (tour->length, ==, 100);
}

static void
test_update_applies (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject best = satin_objects_create (objects, &tour_type, "best", &start, NULL);
  tour_improve_args better = { 60, cities, G_N_ELEMENTS (cities) };
  g_assert_true (satin_objects_update (objects, best, &tour_improve_method, &better));
  const tour_state *tour = satin_reader_read (reader, best, &tour_type);
  g_assert_cmpint (tour->length, ==, 60);
  g_assert_cmpmem (tour->cities, tour->n_cities * sizeof *tour->cities, cities, sizeof cities);
}

static void
test_update_elsewhere (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_assert_false (
      satin_objects_update (objects, 17, &tour_improve_method, &(tour_improve_args){ 1, NULL, 0 }));
}

static void
test_read_elsewhere (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  g_assert_null (satin_reader_read (reader, 17, &tour_type));
}

static void
test_read_found_later (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject best = satin_object_id ("tour", "best");
  g_assert_null (satin_reader_read (reader, best, &tour_type));
  satin_objects_create (objects, &tour_type, "best", &start, NULL);
  g_assert_nonnull (satin_reader_read (reader, best, &tour_type));
}

/* Creates object @number, 1 to 3. A store keeps only two objects of this type. */
static SatinObject
create_step (SatinObjects *objects, gint64 number)
{
  const char *names[] = { "zero", "one", "two", "three" };
  step_packed value = { number };
  return satin_objects_create (objects, &step_type, names[number], &value, NULL);
}

static void
count (SatinObject id, const SatinObjectType *type, gpointer user_data)
{
  (*(guint *)user_data)++;
}

static void
test_oldest_is_emptied (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  guint n = 0;
  SatinObject one = create_step (objects, 1);
  const step_state *seen = satin_reader_read (reader, one, &step_type);
  create_step (objects, 2);
  SatinObject three = create_step (objects, 3);
  g_assert_cmpint (satin_objects_get_version (objects, one), ==, -1);
  g_assert_null (satin_objects_pack (objects, one, NULL, NULL));
  satin_objects_foreach (objects, count, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (seen->value, ==, 1); /* a reader has its view until the next safe point */
  satin_reader_refresh (reader);
  g_assert_null (satin_reader_read (reader, one, &step_type));
  g_assert_cmpint (((const step_state *)satin_reader_read (reader, three, &step_type))->value, ==,
                   3);
}

static void
test_emptied_one_comes_again (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject one = create_step (objects, 1);
  g_autoptr (GBytes) packed = satin_objects_pack (objects, one, NULL, NULL);
  SatinObject two = create_step (objects, 2);
  create_step (objects, 3);
  g_assert_true (satin_objects_install (objects, one, "step", packed, NULL));
  g_assert_cmpint (satin_objects_get_version (objects, two), ==, -1); /* it is the oldest object
                                                                         now */
  g_assert_cmpint (((const step_state *)satin_reader_read (reader, one, &step_type))->value, ==, 1);
  g_assert_cmpint (create_step (objects, 2), ==, two);
  g_assert_cmpint (satin_objects_get_version (objects, two), ==, 0);
  g_assert_cmpint (satin_objects_get_version (objects, one), ==, 0);
}

/* A job of another node may name an object that its task does not expect. */
static void
test_other_type_is_not_read (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject one = create_step (objects, 1);
  g_assert_null (satin_reader_read (reader, one, &tour_type));
  g_assert_nonnull (satin_reader_read (reader, one, &step_type));
  g_assert_null (satin_reader_read (reader, one, &tour_type));
}

static void
test_view_stays (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  numbers_add (objects, id, 1);
  const numbers_state *seen = numbers_read (reader, id);
  numbers_add (objects, id, 2);
  g_assert_true (numbers_read (reader, id) == seen);
  g_assert_cmpuint (seen->n_values, ==, 1);
}

static void
test_view_refreshed (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  numbers_read (reader, id);
  numbers_add (objects, id, 2);
  satin_reader_refresh (reader);
  g_assert_cmpuint (numbers_read (reader, id)->n_values, ==, 1);
}

static void
test_view_own (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  g_autoptr (SatinReader) early = satin_reader_new (objects);
  g_autoptr (SatinReader) late = satin_reader_new (objects);
  numbers_read (early, id);
  numbers_add (objects, id, 2);
  g_assert_cmpuint (numbers_read (late, id)->n_values, ==, 1);
  g_assert_cmpuint (numbers_read (early, id)->n_values, ==, 0);
}

static void
test_copies_one_for_many (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  numbers_read (reader, id);
  guint before = numbers_count_copies ();
  for (guint i = 0; i < 100; i++)
    numbers_add (objects, id, i);
  satin_reader_refresh (reader);
  g_assert_cmpuint (numbers_read (reader, id)->n_values, ==, 100);
  g_assert_cmpuint (numbers_count_copies () - before, ==, 0); /* nobody reads the old state any
                                                                 more */
}

static void
test_copies_when_seen (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  g_autoptr (SatinReader) early = satin_reader_new (objects);
  g_autoptr (SatinReader) late = satin_reader_new (objects);
  numbers_read (early, id);
  guint before = numbers_count_copies ();
  for (guint i = 0; i < 100; i++)
    numbers_add (objects, id, i);
  numbers_read (late, id);
  g_assert_cmpuint (numbers_count_copies () - before, ==, 1);
}

static void
test_waiting_bounded (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  numbers_read (reader, id);
  guint before = numbers_count_copies ();
  for (guint i = 0; i < 1000; i++)
    numbers_add (objects, id, i);
  /* Many waiting updates are applied even if nobody reads the object. */
  g_assert_cmpuint (numbers_count_copies () - before, >, 0);
  satin_reader_refresh (reader);
  g_assert_cmpuint (numbers_read (reader, id)->n_values, ==, 1000);
}

static void
test_version (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  g_assert_cmpint (satin_objects_get_version (objects, 17), ==, -1);
  g_assert_cmpint (satin_objects_get_version (objects, id), ==, 0);
  numbers_add (objects, id, 5);
  g_assert_cmpint (satin_objects_get_version (objects, id), ==, 1);
}

static void
add_name (SatinObject id, const SatinObjectType *type, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", type->name);
}

static void
test_foreach_in_order (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  satin_objects_create (objects, &tour_type, "best", &start, NULL);
  satin_objects_create (objects, &numbers_type, "more", &(numbers_packed){ NULL, 0 }, NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  satin_objects_foreach (objects, add_name, names);
  g_assert_cmpstr (names->str, ==, "numbers tour numbers ");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/objects/oldest-of-a-type-that-keeps-some-is-emptied",
                   test_oldest_is_emptied);
  g_test_add_func ("/so/objects/what-was-emptied-comes-again", test_emptied_one_comes_again);
  g_test_add_func ("/so/objects/id/is-the-same-everywhere", test_id_same);
  g_test_add_func ("/so/objects/id/tells-types-apart", test_id_of_type);
  g_test_add_func ("/so/objects/create/leaves-what-is-there", test_create_twice);
  g_test_add_func ("/so/objects/update/is-seen", test_update_applies);
  g_test_add_func ("/so/objects/update/of-none-is-false", test_update_elsewhere);
  g_test_add_func ("/so/objects/read/of-none-is-null", test_read_elsewhere);
  g_test_add_func ("/so/objects/read/finds-what-came-later", test_read_found_later);
  g_test_add_func ("/so/objects/view/stays-until-refresh", test_view_stays);
  g_test_add_func ("/so/objects/view/is-newest-after-refresh", test_view_refreshed);
  g_test_add_func ("/so/objects/view/is-each-reader-s-own", test_view_own);
  g_test_add_func ("/so/objects/copies/none-when-nobody-looks", test_copies_one_for_many);
  g_test_add_func ("/so/objects/copies/one-for-many-updates", test_copies_when_seen);
  g_test_add_func ("/so/objects/updates/do-not-wait-without-bound", test_waiting_bounded);
  g_test_add_func ("/so/objects/reader/other-type-is-not-read", test_other_type_is_not_read);
  g_test_add_func ("/so/objects/version/is-the-type-s", test_version);
  g_test_add_func ("/so/objects/foreach/in-order-of-coming", test_foreach_in_order);
  return g_test_run ();
}
