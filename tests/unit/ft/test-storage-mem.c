/* test-storage-mem.c - tests what only the storage plugin mem does
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-handle.h"

static SatinStorageOps ops;

static const guint8 *const bytes = (const guint8 *)"0123456789";

static gpointer
open_with (const char *uri, const char *assignments)
{
  return storage_handle_open ("mem", uri, assignments, &ops);
}

static const char *
list (gpointer storage)
{
  return storage_handle_list (&ops, storage);
}

static void
test_one_name_is_one_folder (void)
{
  gpointer one = open_with ("mem:here", NULL), same = open_with ("mem:here", NULL);
  gpointer other = open_with ("mem:there", NULL);
  g_assert_true (ops.append (one, "log", 0, bytes, 10, NULL));
  g_assert_cmpstr (list (same), ==, "log 10;");
  g_assert_cmpstr (list (other), ==, "");
  ops.remove (one, "log", NULL);
  ops.close (one);
  ops.close (same);
  ops.close (other);
}

static void
test_files_outlive_the_last_handle (void)
{
  gpointer storage = open_with ("mem:here", NULL);
  g_assert_true (ops.append (storage, "log", 0, bytes, 10, NULL));
  ops.close (storage);
  storage = open_with ("mem:here", NULL);
  g_assert_cmpstr (list (storage), ==, "log 10;");
  ops.remove (storage, "log", NULL);
  ops.close (storage);
}

static void
test_folder_needs_a_name (void)
{
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_STORAGE, "mem", NULL);
  g_autoptr (GError) error = NULL;
  satin_plugin_copy_ops (plugin, satin_storage_required, &ops, sizeof ops, NULL);
  g_autoptr (SatinParams) params =
      satin_params_parse_text (satin_plugin_get_desc (plugin)->params, NULL, NULL);
  g_assert_null (ops.open ("mem:", params, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_it_is_found_by_its_scheme (void)
{
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, "mem:x", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (satin_plugin_get_desc (plugin)->name, ==, "mem");
}

static void
test_room_is_that_of_the_folder (void)
{
  gpointer storage = open_with ("mem:here", "capacity=16");
  g_autoptr (GError) error = NULL;
  g_assert_true (ops.append (storage, "one", 0, bytes, 10, NULL));
  g_assert_false (ops.append (storage, "two", 0, bytes, 7, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_true (ops.append (storage, "two", 0, bytes, 6, NULL));
  ops.remove (storage, "one", NULL);
  ops.remove (storage, "two", NULL);
  ops.close (storage);
}

static void
test_interrupt_fails_one_call_only (void)
{
  gpointer storage = open_with ("mem:here", NULL);
  g_autoptr (GError) error = NULL;
  ops.interrupt (storage);
  g_assert_false (ops.append (storage, "log", 0, bytes, 10, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  g_assert_true (ops.append (storage, "log", 0, bytes, 10, NULL));
  ops.remove (storage, "log", NULL);
  ops.close (storage);
}

static void
remove_it (const char *name, guint64 size_bytes, gpointer user_data)
{
  g_assert_true (ops.remove (user_data, name, NULL));
}

static void
test_files_may_be_removed_while_they_are_listed (void)
{
  gpointer storage = open_with ("mem:here", NULL);
  g_assert_true (ops.append (storage, "one", 0, bytes, 10, NULL));
  g_assert_true (ops.append (storage, "two", 0, bytes, 10, NULL));
  g_assert_true (ops.list (storage, remove_it, storage, NULL));
  g_assert_cmpstr (list (storage), ==, "");
  ops.close (storage);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/storage-mem/" path, func)
  CLAIM ("one-name-is-one-folder", test_one_name_is_one_folder);
  CLAIM ("files-outlive-the-last-handle", test_files_outlive_the_last_handle);
  CLAIM ("folder-needs-a-name", test_folder_needs_a_name);
  CLAIM ("it-is-found-by-its-scheme", test_it_is_found_by_its_scheme);
  CLAIM ("room-is-that-of-the-folder", test_room_is_that_of_the_folder);
  CLAIM ("interrupt-fails-one-call-only", test_interrupt_fails_one_call_only);
  CLAIM ("files-may-be-removed-while-they-are-listed",
         test_files_may_be_removed_while_they_are_listed);
  return g_test_run ();
}
