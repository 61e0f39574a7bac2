/* test-type.c - tests the program's table of object types
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample-types.h"

static void
test_found (void)
{
  g_assert_true (satin_object_type_find ("tour") == &tour_type);
  g_assert_null (satin_object_type_find ("tou"));
}

static void
test_method_found (void)
{
  g_assert_true (satin_object_type_find_method (&numbers_type, "cut") == &numbers_cut_method);
  g_assert_null (satin_object_type_find_method (&tour_type, "cut"));
}

static void
test_methods_in_order (void)
{
  g_assert_cmpstr (numbers_type.methods->name, ==, "add");
  g_assert_cmpstr (numbers_type.methods->next->name, ==, "cut");
}

static void
test_twice (void)
{
  if (g_test_subprocess ())
    {
      static SatinObjectType twin = { .name = "tour", .record = &tour_record };
      satin_object_type_register (&twin);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*two object types are named tour*");
}

static void
test_checkpointed_in_place (void)
{
  if (g_test_subprocess ())
    {
      static SatinObjectType type = {
        .name = "table", .record = &tour_record, .is_in_place = TRUE, .is_checkpointed = TRUE
      };
      satin_object_type_register (&type);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*object type table: is_checkpointed excludes*");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/type/is-found-by-name", test_found);
  g_test_add_func ("/so/type/method-is-found-by-name", test_method_found);
  g_test_add_func ("/so/type/methods-stand-in-order-of-names", test_methods_in_order);
  g_test_add_func ("/so/type/two-of-a-name-are-refused", test_twice);
  g_test_add_func ("/so/type/in-place-is-not-checkpointed", test_checkpointed_in_place);
  return g_test_run ();
}
