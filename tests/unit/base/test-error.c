/* test-error.c - the exit status of each code
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/error.h>

static void
test_no_error_is_0 (void)
{
  g_assert_cmpint (satin_error_exit_status (NULL), ==, 0);
}

static void
test_invalid_is_2 (void)
{
  g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_INVALID, "x");

  g_assert_cmpint (satin_error_exit_status (error), ==, 2);
}

static void
test_other_codes_are_10_and_more (void)
{
  for (int code = SATIN_ERROR_NOT_FOUND; code <= SATIN_ERROR_IO; code++)
    {
      g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, code, "x");

      g_assert_cmpint (satin_error_exit_status (error), ==, 10 + code);
    }
}

/* Scripts rely on these numbers; docs/errors.md lists them. */
static void
test_documented_numbers_stay (void)
{
  g_assert_cmpint (SATIN_ERROR_NOT_FOUND, ==, 1);
  g_assert_cmpint (SATIN_ERROR_SECRET, ==, 6);
  g_assert_cmpint (SATIN_ERROR_TIMEOUT, ==, 11);
  g_assert_cmpint (SATIN_ERROR_IO, ==, 17);
}

static void
test_foreign_domain_is_1 (void)
{
  g_autoptr (GError) error = g_error_new_literal (G_FILE_ERROR, G_FILE_ERROR_NOENT, "x");

  g_assert_cmpint (satin_error_exit_status (error), ==, 1);
}

static void
test_unknown_code_is_1 (void)
{
  g_autoptr (GError) beyond = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_IO + 1, "x");
  g_autoptr (GError) below = g_error_new_literal (SATIN_ERROR, -1, "x");

  g_assert_cmpint (satin_error_exit_status (beyond), ==, 1);
  g_assert_cmpint (satin_error_exit_status (below), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/error/no-error-is-0", test_no_error_is_0);
  g_test_add_func ("/base/error/invalid-is-2", test_invalid_is_2);
  g_test_add_func ("/base/error/other-codes-are-10-and-more", test_other_codes_are_10_and_more);
  g_test_add_func ("/base/error/documented-numbers-stay", test_documented_numbers_stay);
  g_test_add_func ("/base/error/foreign-domain-is-1", test_foreign_domain_is_1);
  g_test_add_func ("/base/error/unknown-code-is-1", test_unknown_code_is_1);
  return g_test_run ();
}
