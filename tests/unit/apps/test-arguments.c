/* test-arguments.c - tests the checks of a job's arguments
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common/arguments.h"

static void
test_range_has_its_bounds (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (app_argument_check ("x", -3, -3, 8, NULL));
  g_assert_true (app_argument_check ("x", 8, -3, 8, NULL));
  g_assert_false (app_argument_check ("x", -4, -3, 8, NULL));
  g_assert_false (app_argument_check ("x", 9, -3, 8, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_cmpstr (error->message, ==, "wrong arguments: x is 9, but must be from -3 to 8");
}

static void
test_refusal_says_why (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (app_argument_refuse ("no cat", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_cmpstr (error->message, ==, "wrong arguments: no cat");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-arguments/range-has-its-bounds", test_range_has_its_bounds);
  g_test_add_func ("/app-arguments/refusal-says-why", test_refusal_says_why);
  return g_test_run ();
}
