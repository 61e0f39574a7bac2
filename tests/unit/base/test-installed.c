/* test-installed.c - where the files of an installation are
 *
 * This file tests the rules for single paths. tests/lint/installed moves a whole installation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plugin/private.h"

#define LIBRARY "/opt/satin/lib/x86_64-linux-gnu/libsatin-base.so.0.1.0"

static void
test_prefix (void)
{
  g_autofree char *prefix = satin_installed_find_prefix (LIBRARY, "lib/x86_64-linux-gnu");
  g_assert_cmpstr (prefix, ==, "/opt/satin");
}

static void
test_root (void)
{
  g_autofree char *prefix = satin_installed_find_prefix ("/lib/libsatin-base.so.0", "lib");
  g_assert_cmpstr (prefix, ==, "");
}

static void
test_other_folder (void)
{
  g_assert_null (satin_installed_find_prefix (LIBRARY, "lib"));
  g_assert_null (satin_installed_find_prefix ("/build/mylib/libsatin-base.so.0", "lib"));
  g_assert_null (satin_installed_find_prefix ("/build/libsatin-base/libsatin-base.so.0", "lib"));
  g_assert_null (satin_installed_find_prefix (NULL, "lib"));
}

static void
test_move (void)
{
  g_autofree char *moved =
      satin_installed_move ("/usr/local/libexec/satin", "/usr/local", "/home/ann/s");
  g_assert_cmpstr (moved, ==, "/home/ann/s/libexec/satin");
}

static void
test_stay (void)
{
  const char *const paths[][2] = {
    { "/usr/locals/libexec", "/new" }, /* outside the prefix */
    { "/var/lib/satin", "/new" },
    { "/usr/local/libexec", NULL }, /* no installation */
  };
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *moved = satin_installed_move (paths[i][0], "/usr/local", paths[i][1]);
      g_assert_cmpstr (moved, ==, paths[i][0]);
    }
}

static void
test_not_installed (void)
{
  g_autofree char *path = satin_installed_path (SATIN_PREFIX "/share/satin");
  g_assert_cmpstr (path, ==, SATIN_PREFIX "/share/satin");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/installed/prefix-is-above-the-library-folder", test_prefix);
  g_test_add_func ("/base/installed/prefix-may-be-the-root", test_root);
  g_test_add_func ("/base/installed/no-prefix-in-another-folder", test_other_folder);
  g_test_add_func ("/base/installed/path-moves-with-the-prefix", test_move);
  g_test_add_func ("/base/installed/path-outside-stays", test_stay);
  g_test_add_func ("/base/installed/path-stays-when-not-installed", test_not_installed);
  return g_test_run ();
}
