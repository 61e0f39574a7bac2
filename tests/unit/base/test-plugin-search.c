/* test-plugin-search.c - tests in which folders plugins are searched for
 *
 * Only the names of files count here, so the files are empty.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <glib/gstdio.h>

#include "plugin/private.h"

/* The search path consists of two folders, a and b. */
typedef struct
{
  char *top;        /* (owned) */
  char *old_path;   /* (owned): the value of SATIN_PLUGIN_PATH before */
  GPtrArray *paths; /* (owned) (owned char*): the files and folders that were made, parents first */
} Fixture;

static void
make_folder (Fixture *fixture, const char *name)
{
  char *path = g_build_filename (fixture->top, name, NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_ptr_array_add (fixture->paths, path);
}

static void
make_file (Fixture *fixture, const char *name)
{
  char *path = g_build_filename (fixture->top, name, NULL);

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_ptr_array_add (fixture->paths, path);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  fixture->top = g_dir_make_tmp ("satin-XXXXXX", NULL);
  fixture->paths = g_ptr_array_new_with_free_func (g_free);
  make_folder (fixture, "a");
  make_folder (fixture, "b");
  path = g_strdup_printf ("%s/a::%s/b:%s/missing", fixture->top, fixture->top, fixture->top);
  fixture->old_path = g_strdup (g_getenv ("SATIN_PLUGIN_PATH"));
  g_setenv ("SATIN_PLUGIN_PATH", path, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  for (guint i = fixture->paths->len; i > 0; i--)
    g_assert_cmpint (g_remove (fixture->paths->pdata[i - 1]), ==, 0);
  g_assert_cmpint (g_rmdir (fixture->top), ==, 0);
  if (fixture->old_path != NULL)
    g_setenv ("SATIN_PLUGIN_PATH", fixture->old_path, TRUE);
  else
    g_unsetenv ("SATIN_PLUGIN_PATH");
  g_ptr_array_unref (fixture->paths);
  g_free (fixture->old_path);
  g_free (fixture->top);
}

/* Checks that policy-x.so is found at @name, or with %NULL that it is not found. */
static void
assert_found (Fixture *fixture, const char *name)
{
  g_autofree char *found = satin_plugin_find_file (SATIN_PLUGIN_POLICY, "x");
  g_autofree char *expected = name == NULL ? NULL : g_build_filename (fixture->top, name, NULL);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_top_of_a_folder_is_searched (Fixture *fixture, gconstpointer data)
{
  make_file (fixture, "b/policy-x.so");
  assert_found (fixture, "b/policy-x.so");
}

static void
test_one_level_below_is_searched (Fixture *fixture, gconstpointer data)
{
  make_folder (fixture, "a/policy-x");
  make_file (fixture, "a/policy-x/policy-x.so");
  assert_found (fixture, "a/policy-x/policy-x.so");
}

static void
test_two_levels_below_are_searched (Fixture *fixture, gconstpointer data)
{
  make_folder (fixture, "a/policy");
  make_folder (fixture, "a/policy/x");
  make_file (fixture, "a/policy/x/policy-x.so");
  assert_found (fixture, "a/policy/x/policy-x.so");
}

static void
test_three_levels_below_are_not_searched (Fixture *fixture, gconstpointer data)
{
  make_folder (fixture, "a/deep");
  make_folder (fixture, "a/deep/deeper");
  make_folder (fixture, "a/deep/deeper/deepest");
  make_file (fixture, "a/deep/deeper/deepest/policy-x.so");
  assert_found (fixture, NULL);
}

static void
test_earlier_folder_wins (Fixture *fixture, gconstpointer data)
{
  make_folder (fixture, "a/sub");
  make_file (fixture, "a/sub/policy-x.so");
  make_file (fixture, "b/policy-x.so");
  assert_found (fixture, "a/sub/policy-x.so");
}

static void
test_top_wins_over_below (Fixture *fixture, gconstpointer data)
{
  make_folder (fixture, "a/aa");
  make_file (fixture, "a/aa/policy-x.so");
  make_file (fixture, "a/policy-x.so");
  assert_found (fixture, "a/policy-x.so");
}

static void
test_first_name_wins_among_subfolders (Fixture *fixture, gconstpointer data)
{
  make_folder (fixture, "a/two");
  make_file (fixture, "a/two/policy-x.so");
  make_folder (fixture, "a/one");
  make_file (fixture, "a/one/policy-x.so");
  assert_found (fixture, "a/one/policy-x.so");
}

static void
test_folder_of_a_build_tree_wins_below (Fixture *fixture, gconstpointer data)
{
  make_folder (fixture, "a/aa");
  make_file (fixture, "a/aa/policy-x.so");
  make_folder (fixture, "a/policy");
  make_folder (fixture, "a/policy/x");
  make_file (fixture, "a/policy/x/policy-x.so");
  assert_found (fixture, "a/policy/x/policy-x.so");
}

static void
test_only_names_of_plugins_are_listed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) files = NULL;

  make_file (fixture, "a/policy-x.so");
  make_file (fixture, "a/policy-x.so.p");
  make_file (fixture, "a/policy-.so");
  make_file (fixture, "a/policy.so");
  make_file (fixture, "a/policy-a_b.so");
  make_file (fixture, "a/flavour-x.so");
  make_file (fixture, "a/libsatin-base.so");
  make_file (fixture, "b/policy-x.so");
  make_file (fixture, "b/part-y.so");
  files = satin_plugin_find_all_files ();
  g_assert_cmpuint (files->len, >=, 2); /* more when plugins are installed */
  g_assert_true (g_str_has_suffix (files->pdata[0], "/a/policy-x.so"));
  g_assert_true (g_str_has_suffix (files->pdata[1], "/b/part-y.so"));
  for (guint i = 2; i < files->len; i++)
    g_assert_false (g_str_has_prefix (files->pdata[i], fixture->top));
}

static void
test_installed_folder_comes_last (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = satin_plugin_get_search_path ();
  g_autofree char *alone = NULL;

  g_assert_true (g_str_has_prefix (path, fixture->top));
  g_assert_true (g_str_has_suffix (path, "/satin/plugins"));
  g_unsetenv ("SATIN_PLUGIN_PATH");
  alone = satin_plugin_get_search_path ();
  g_assert_true (g_path_is_absolute (alone));
  g_assert_null (strchr (alone, ':'));
}

static void
test_path_gives_kind_and_name (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = NULL;

  g_assert_cmpint (satin_plugin_parse_path ("/x/transport-tcp-2.so", &name), ==,
                   SATIN_PLUGIN_TRANSPORT);
  g_assert_cmpstr (name, ==, "tcp-2");
}

static void
test_names_are_letters_digits_and_dashes (Fixture *fixture, gconstpointer data)
{
  g_assert_true (satin_plugin_is_name ("Crs-2"));
  g_assert_false (satin_plugin_is_name (""));
  g_assert_false (satin_plugin_is_name ("../crs"));
  g_assert_false (satin_plugin_is_name ("a b"));
  g_assert_false (satin_plugin_is_name ("\xc3\xa9"));
}

static void
test_each_kind_has_its_word (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_TRANSPORT), ==, "transport");
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_REGISTRY), ==, "registry");
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_STORAGE), ==, "storage");
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_POLICY), ==, "policy");
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_PROVISION), ==, "provision");
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_PART), ==, "part");
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_FILTER), ==, "filter");
  g_assert_cmpstr (satin_plugin_kind_name (SATIN_PLUGIN_LAUNCHER), ==, "launcher");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func)                                                                            \
  g_test_add ("/base/plugin-search/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("top-of-a-folder-is-searched", test_top_of_a_folder_is_searched);
  ADD ("one-level-below-is-searched", test_one_level_below_is_searched);
  ADD ("two-levels-below-are-searched", test_two_levels_below_are_searched);
  ADD ("three-levels-below-are-not-searched", test_three_levels_below_are_not_searched);
  ADD ("earlier-folder-wins", test_earlier_folder_wins);
  ADD ("top-wins-over-below", test_top_wins_over_below);
  ADD ("first-name-wins-among-subfolders", test_first_name_wins_among_subfolders);
  ADD ("folder-of-a-build-tree-wins-below", test_folder_of_a_build_tree_wins_below);
  ADD ("only-names-of-plugins-are-listed", test_only_names_of_plugins_are_listed);
  ADD ("installed-folder-comes-last", test_installed_folder_comes_last);
  ADD ("path-gives-kind-and-name", test_path_gives_kind_and_name);
  ADD ("names-are-letters-digits-and-dashes", test_names_are_letters_digits_and_dashes);
  ADD ("each-kind-has-its-word", test_each_kind_has_its_word);
  return g_test_run ();
}
