/* test-arguments.c - tests which options do not matter to results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "member/arguments.h"

#include <satin/core.h>

/* Checks that of @words, which are separated by spaces, only @expected matter. */
static void
assert_matter (const char *words, const char *expected)
{
  g_auto (GStrv) argv = g_strsplit (words, " ", -1);
  g_autoptr (GPtrArray) left = arguments_that_matter (argv, g_strv_length (argv));
  g_ptr_array_add (left, NULL);
  g_autofree char *text = g_strjoinv (" ", (char **)left->pdata);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_free_ones (void)
{
  assert_matter ("--time 8", "8");
  assert_matter ("8 --time", "8");
  assert_matter ("--times 8", "--times 8");
}

static void
test_with_a_value (void)
{
  assert_matter ("--output=x 8", "8");
  assert_matter ("--output x 8", "8");
  assert_matter ("8 --output", "8");
  assert_matter ("--outputs x", "--outputs x");
}

static void
test_operands (void)
{
  assert_matter ("-- --time --output x", "-- --time --output x");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  satin_argument_is_free ("--time");
  satin_argument_is_free ("--output=");
  g_test_add_func ("/core/arguments/free-ones-do-not-matter", test_free_ones);
  g_test_add_func ("/core/arguments/nor-does-their-value", test_with_a_value);
  g_test_add_func ("/core/arguments/operands-matter", test_operands);
  return g_test_run ();
}
