/* test-plugin.c - tests finding plugins by name and by URI, and keeping them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include <satin/base/plugin.h>

static const char *
get_name (const SatinPlugin *plugin)
{
  return satin_plugin_get_desc (plugin)->name;
}

static void
test_load_finds_by_name (void)
{
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_STORAGE, "good", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (get_name (plugin), ==, "good");
}

static void
test_second_load_gives_the_same (void)
{
  g_assert_true (satin_plugin_load (SATIN_PLUGIN_STORAGE, "good", NULL)
                 == satin_plugin_load (SATIN_PLUGIN_STORAGE, "good", NULL));
}

static void
test_open_of_the_same_file_gives_the_same (void)
{
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_STORAGE, "good", NULL);
  g_autofree char *detour =
      g_build_filename (g_getenv ("SATIN_PLUGIN_PATH"), ".", "storage-good.so", NULL);

  g_assert_true (satin_plugin_open (detour, NULL) == plugin);
}

static void
test_missing_plugin_names_file_and_folders (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_plugin_load (SATIN_PLUGIN_POLICY, "good", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "policy-good.so"));
  g_assert_nonnull (strstr (error->message, g_getenv ("SATIN_PLUGIN_PATH")));
}

static void
test_name_that_is_a_path_is_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_plugin_load (SATIN_PLUGIN_STORAGE, "../good", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_broken_plugin_fails_each_time (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (satin_plugin_load (SATIN_PLUGIN_STORAGE, "abi", &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_ABI);
    }
}

static void
test_uri_finds_by_its_scheme (void)
{
  g_autoptr (GError) error = NULL;
  const SatinPlugin *by_name =
      satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, "good://host:1/x", &error);
  const SatinPlugin *by_scheme =
      satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, "even-better:/x", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (get_name (by_name), ==, "good");
  g_assert_cmpstr (get_name (by_scheme), ==, "other");
}

static void
test_uri_needs_more_than_a_namesake (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, "other://x", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "'other:'"));
}

static void
test_uri_of_a_broken_namesake_tells_why (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, "abi://x", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_ABI);
}

static void
test_unserved_uri_names_what_could_not_be_asked (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, "sftp://x", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "storage-abi"));
}

static void
test_text_without_scheme_is_no_uri (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, "/tmp/x", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_list_is_sorted_and_tells_the_broken (void)
{
  g_autoptr (GPtrArray) broken = NULL;
  g_autoptr (GPtrArray) plugins = satin_plugin_list (&broken);
  static const char *const good[] = { "good",  "newer",     "no-params", "no-second",
                                      "other", "small-ops", "endless",   "first" };

  g_assert_cmpuint (plugins->len, >=, G_N_ELEMENTS (good));
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_cmpstr (get_name (plugins->pdata[i]), ==, good[i]);
  g_assert_cmpuint (broken->len, ==, 17);
  for (guint i = 0; i < broken->len; i++)
    g_assert_nonnull (strstr (broken->pdata[i], "storage-"));
}

static void
test_list_without_interest_in_the_broken (void)
{
  g_autoptr (GPtrArray) plugins = satin_plugin_list (NULL);

  g_assert_cmpuint (plugins->len, >, 0);
}

static pthread_barrier_t barrier;

static void *
load_storage (void *name)
{
  pthread_barrier_wait (&barrier);
  return (void *)satin_plugin_load (SATIN_PLUGIN_STORAGE, name, NULL);
}

static void
load_in_threads (const char *name)
{
  pthread_t threads[8];
  void *plugins[G_N_ELEMENTS (threads)];

  pthread_barrier_init (&barrier, NULL, G_N_ELEMENTS (threads));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpint (pthread_create (&threads[i], NULL, load_storage, (void *)name), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    pthread_join (threads[i], &plugins[i]);
  pthread_barrier_destroy (&barrier);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_assert_nonnull (plugins[i]);
      g_assert_true (plugins[i] == plugins[0]);
    }
}

/* This case must run before any other case loads these plugins. */
static void
test_threads_get_the_same (void)
{
  load_in_threads ("newer");
  load_in_threads ("good");
  load_in_threads ("other");
}

/* No case before this one may load the plugin storage-small-ops. */
static void
test_opened_file_is_what_its_name_means_from_then_on (void)
{
  g_autofree char *folder = g_dir_make_tmp ("satin-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "storage-small-ops.so", NULL);
  g_autofree char *target =
      g_build_filename (g_getenv ("SATIN_PLUGIN_PATH"), "storage-small-ops.so", NULL);
  const SatinPlugin *plugin;

  g_assert_cmpint (symlink (target, path), ==, 0);
  plugin = satin_plugin_open (path, NULL);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_cmpstr (satin_plugin_get_path (plugin), ==, path);
  g_assert_true (satin_plugin_load (SATIN_PLUGIN_STORAGE, "small-ops", NULL) == plugin);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/plugin/" name, func)
  ADD ("threads-get-the-same", test_threads_get_the_same);
  ADD ("opened-file-is-what-its-name-means-from-then-on",
       test_opened_file_is_what_its_name_means_from_then_on);
  ADD ("load-finds-by-name", test_load_finds_by_name);
  ADD ("second-load-gives-the-same", test_second_load_gives_the_same);
  ADD ("open-of-the-same-file-gives-the-same", test_open_of_the_same_file_gives_the_same);
  ADD ("missing-plugin-names-file-and-folders", test_missing_plugin_names_file_and_folders);
  ADD ("name-that-is-a-path-is-refused", test_name_that_is_a_path_is_refused);
  ADD ("broken-plugin-fails-each-time", test_broken_plugin_fails_each_time);
  ADD ("uri-finds-by-its-scheme", test_uri_finds_by_its_scheme);
  ADD ("uri-needs-more-than-a-namesake", test_uri_needs_more_than_a_namesake);
  ADD ("uri-of-a-broken-namesake-tells-why", test_uri_of_a_broken_namesake_tells_why);
  ADD ("unserved-uri-names-what-could-not-be-asked",
       test_unserved_uri_names_what_could_not_be_asked);
  ADD ("text-without-scheme-is-no-uri", test_text_without_scheme_is_no_uri);
  ADD ("list-is-sorted-and-tells-the-broken", test_list_is_sorted_and_tells_the_broken);
  ADD ("list-without-interest-in-the-broken", test_list_without_interest_in_the_broken);
  return g_test_run ();
}
