/* test-storage-open.c - tests opening a storage by its URI
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

#include <glib/gstdio.h>

static void
assert_refused (const char *uri, const char *params, SatinErrorCode code, const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_storage_open (uri, params, TRUE, &error));
  g_assert_error (error, SATIN_ERROR, (gint)code);
  g_assert_true (g_pattern_match_simple (pattern, error->message));
}

static void
test_scheme (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinStorage) storage = satin_storage_open ("mem:open", NULL, TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (storage->can, ==, storage->ops.can (storage->handle));
  g_assert_cmpuint (storage->can & SATIN_STORAGE_CAN_APPEND, !=, 0);
}

static void
test_params (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinStorage) storage = satin_storage_open ("mem:open", "capacity=5", TRUE, &error);
  g_assert_no_error (error);
  g_assert_false (
      storage->ops.append (storage->handle, "x", 0, (const guint8 *)"123456", 6, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

static void
test_no_plugin (void)
{
  assert_refused ("nowhere:open", NULL, SATIN_ERROR_NOT_FOUND, "*nowhere*");
}

static void
test_wrong_params (void)
{
  assert_refused ("mem:open", "colour=red", SATIN_ERROR_INVALID, "storage-mem: *colour*");
}

static void
test_wrong_folder (void)
{
  assert_refused ("mem:", NULL, SATIN_ERROR_INVALID, "*mem:*");
}

static void
test_make (void)
{
  g_autofree char *top = g_dir_make_tmp ("satin-XXXXXX", NULL);
  g_autofree char *uri = g_strconcat ("file:", top, "/folder", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_storage_open (uri, "capacity=5", FALSE, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_autoptr (SatinStorage) storage = satin_storage_open (uri, NULL, TRUE, &error);
  g_assert_no_error (error);
  g_autoptr (SatinStorage) again = satin_storage_open (uri, NULL, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_rmdir (uri + 5), ==, 0);
  g_assert_cmpint (g_rmdir (top), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/storage-open/" path, func)
  CLAIM ("plugin-is-found-by-the-scheme", test_scheme);
  CLAIM ("params-are-the-plugins", test_params);
  CLAIM ("unknown-scheme-is-refused", test_no_plugin);
  CLAIM ("wrong-param-names-the-plugin", test_wrong_params);
  CLAIM ("wrong-folder-is-refused", test_wrong_folder);
  CLAIM ("folder-is-made-when-it-may-be", test_make);
  return g_test_run ();
}
