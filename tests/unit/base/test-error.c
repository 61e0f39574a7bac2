/* test-error.c - tests the exit status of each error code
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <satin/base/error.h>

/* A failure that was lost on the way must not look like success. */
static void
test_no_error_is_wrong_and_not_0 (void)
{
  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*error != NULL*");
  g_assert_cmpint (satin_error_exit_status (NULL), ==, 1);
  g_test_assert_expected_messages ();
}

static void
test_code_has_the_status_of_its_error (void)
{
  for (int code = SATIN_ERROR_INVALID; code <= SATIN_ERROR_ABORTED; code++)
    {
      g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, code, "x");

      g_assert_cmpint (satin_error_code_exit_status (code), ==, satin_error_exit_status (error));
    }
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
  for (int code = SATIN_ERROR_NOT_FOUND; code <= SATIN_ERROR_ABORTED; code++)
    {
      g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, code, "x");

      g_assert_cmpint (satin_error_exit_status (error), ==, 10 + code);
    }
}

/* Scripts rely on these numbers. */
static void
test_document_has_each_status (void)
{
  static const struct
  {
    SatinErrorCode code;
    const char *name;
  } rows[] = {
#define ROW(code) { code, #code }
    ROW (SATIN_ERROR_INVALID),     ROW (SATIN_ERROR_NOT_FOUND),
    ROW (SATIN_ERROR_FORMAT),      ROW (SATIN_ERROR_TRUNCATED),
    ROW (SATIN_ERROR_LIMIT),       ROW (SATIN_ERROR_PROGRAM),
    ROW (SATIN_ERROR_SECRET),      ROW (SATIN_ERROR_PROTOCOL),
    ROW (SATIN_ERROR_ABI),         ROW (SATIN_ERROR_ADDRESS_IN_USE),
    ROW (SATIN_ERROR_UNREACHABLE), ROW (SATIN_ERROR_TIMEOUT),
    ROW (SATIN_ERROR_CLOSED),      ROW (SATIN_ERROR_FENCED),
    ROW (SATIN_ERROR_NODE_LOST),   ROW (SATIN_ERROR_JOB),
    ROW (SATIN_ERROR_CANCELLED),   ROW (SATIN_ERROR_IO),
    ROW (SATIN_ERROR_STOPPED),     ROW (SATIN_ERROR_ABORTED),
#undef ROW
  };
  g_autofree char *path =
      g_build_filename (g_getenv ("SATIN_SOURCE_ROOT"), "docs", "errors.md", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpuint (G_N_ELEMENTS (rows), ==, SATIN_ERROR_ABORTED + 1);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, (int)rows[i].code, "x");
      g_autofree char *row =
          g_strdup_printf ("| `%s` | %d |", rows[i].name, satin_error_exit_status (error));

      g_test_message ("%s", row);
      g_assert_nonnull (strstr (text, row));
    }
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
  g_autoptr (GError) beyond = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_ABORTED + 1, "x");
  g_autoptr (GError) below = g_error_new_literal (SATIN_ERROR, -1, "x");

  g_assert_cmpint (satin_error_exit_status (beyond), ==, 1);
  g_assert_cmpint (satin_error_exit_status (below), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/error/no-error-is-wrong-and-not-0", test_no_error_is_wrong_and_not_0);
  g_test_add_func ("/base/error/code-has-the-status-of-its-error",
                   test_code_has_the_status_of_its_error);
  g_test_add_func ("/base/error/invalid-is-2", test_invalid_is_2);
  g_test_add_func ("/base/error/other-codes-are-10-and-more", test_other_codes_are_10_and_more);
  g_test_add_func ("/base/error/document-has-each-status", test_document_has_each_status);
  g_test_add_func ("/base/error/foreign-domain-is-1", test_foreign_domain_is_1);
  g_test_add_func ("/base/error/unknown-code-is-1", test_unknown_code_is_1);
  return g_test_run ();
}
