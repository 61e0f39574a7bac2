/* test-counter.c - tests the type satin_counter
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "agree.h"

static void
count (SatinObjects *objects, SatinObject id, gint64 amount)
{
  satin_counter_add_args args = { .amount = amount };
  satin_objects_update (objects, id, &satin_counter_add_method, &args);
}

static SatinObjects *
counter_new (gint64 origin, SatinObject *ret_id)
{
  SatinObjects *objects = satin_objects_new ();
  satin_objects_set_host (objects, NULL, NULL, origin);
  *ret_id =
      satin_objects_create (objects, &satin_counter_type, "n", &(satin_counter_packed){ 0 }, NULL);
  return objects;
}

static gint64
get_sum (SatinObjects *objects, SatinObject id)
{
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  return satin_counter_sum (satin_reader_read (reader, id, &satin_counter_type));
}

static void
test_adds (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = counter_new (1, &id);
  count (objects, id, 5);
  count (objects, id, 7);
  g_assert_cmpint (get_sum (objects, id), ==, 12);
}

static void
test_only_grows (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = counter_new (1, &id);
  count (objects, id, 5);
  count (objects, id, -1);
  count (objects, id, 0);
  g_assert_cmpint (get_sum (objects, id), ==, 5);
}

static void
test_no_overflow (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = counter_new (1, &id);
  count (objects, id, G_MAXINT64);
  count (objects, id, 1);
  g_assert_cmpint (get_sum (objects, id), ==, G_MAXINT64);
}

static void
test_nodes_summed (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) one = counter_new (1, &id);
  g_autoptr (SatinObjects) other = counter_new (2, &id);
  count (one, id, 5);
  count (other, id, 7);
  g_autoptr (GBytes) packed = satin_objects_pack (other, id, NULL, NULL);
  for (guint times = 0; times < 2; times++)
    g_assert_true (satin_objects_install (one, id, "satin_counter", packed, NULL));
  g_assert_cmpint (get_sum (one, id), ==, 12);
}

static void
test_version (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = counter_new (1, &id);
  count (objects, id, 5);
  g_assert_cmpint (satin_objects_get_version (objects, id), ==, 5);
}

static void
call (SatinObjects *objects, SatinObject id)
{
  count (objects, id, g_test_rand_int_range (1, 10));
}

int
main (int argc, char *argv[])
{
  static const satin_counter_packed start = { NULL, 0 };
  static const Agree agree = { &satin_counter_type, &start, call };
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/counter/adds", test_adds);
  g_test_add_func ("/so/counter/only-grows", test_only_grows);
  g_test_add_func ("/so/counter/does-not-overflow", test_no_overflow);
  g_test_add_func ("/so/counter/sums-what-nodes-counted-once", test_nodes_summed);
  g_test_add_func ("/so/counter/version-is-the-sum", test_version);
  agree_add_tests ("/so/counter", &agree);
  return g_test_run ();
}
