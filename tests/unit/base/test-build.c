/* test-build.c - tests which build a process runs, and the builds of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/build.h>

static void
test_this_process_has_one (void)
{
  const char *build = satin_build_get ();
  g_assert_nonnull (build);
  g_assert_true (satin_build_is_valid (build));
  g_assert_true (satin_build_get () == build);
}

static void
test_what_is_no_build_is_told (void)
{
  static const char *const wrong[] = { "", "x86-64", ":0a", "x86-64:", "a:b:c", "a:0 b:1", "a:\n" };
  g_autofree char *zeros = g_strnfill (SATIN_BUILD_MAX_BYTES, '0');
  g_autofree char *large = g_strconcat ("x86-64:", zeros, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (satin_build_is_valid (wrong[i]));
  g_assert_false (satin_build_is_valid (large));
  g_assert_true (satin_build_is_valid ("x86-64:0a"));
}

static void
test_another_of_the_same_machine_is_not_allowed (void)
{
  g_assert_false (satin_builds_allow ("arm64:01 x86-64:0a", "x86-64:0b"));
  g_assert_true (satin_builds_allow ("arm64:01 x86-64:0a", "x86-64:0a"));
}

static void
test_another_machine_is_allowed (void)
{
  g_assert_true (satin_builds_allow ("x86-64:0a", "x86:0b"));
  g_assert_true (satin_builds_allow ("x86:0a", "x86-64:0b"));
}

static void
test_what_is_not_known_is_allowed (void)
{
  g_assert_true (satin_builds_allow (NULL, "x86-64:0a"));
  g_assert_true (satin_builds_allow ("", "x86-64:0a"));
  g_assert_true (satin_builds_allow ("x86-64:0a", NULL));
  g_assert_true (satin_builds_allow ("x86-64:0a", ""));
}

static void
test_each_machine_is_added_once (void)
{
  g_autofree char *one = satin_builds_add (NULL, "x86-64:0a");
  g_autofree char *two = satin_builds_add (one, "arm64:0b");
  g_autofree char *same = satin_builds_add (two, "x86-64:0a");
  g_assert_cmpstr (one, ==, "x86-64:0a");
  g_assert_cmpstr (two, ==, "x86-64:0a arm64:0b");
  g_assert_cmpstr (same, ==, two);
}

static void
test_machines_have_a_bound (void)
{
  g_autofree char *builds = g_strdup ("");
  for (guint i = 0; i < 2 * SATIN_BUILDS_MAX; i++)
    {
      g_autofree char *build = g_strdup_printf ("elf-%u:0", i);
      char *more = satin_builds_add (builds, build);
      g_free (builds);
      builds = more;
    }
  g_auto (GStrv) all = g_strsplit (builds, " ", -1);
  g_assert_cmpuint (g_strv_length (all), ==, SATIN_BUILDS_MAX);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(name, func) g_test_add_func ("/base/build/" name, func)
  CASE ("this-process-has-one", test_this_process_has_one);
  CASE ("what-is-no-build-is-told", test_what_is_no_build_is_told);
  CASE ("another-of-the-same-machine-is-not-allowed",
        test_another_of_the_same_machine_is_not_allowed);
  CASE ("another-machine-is-allowed", test_another_machine_is_allowed);
  CASE ("what-is-not-known-is-allowed", test_what_is_not_known_is_allowed);
  CASE ("each-machine-is-added-once", test_each_machine_is_added_once);
  CASE ("machines-have-a-bound", test_machines_have_a_bound);
  return g_test_run ();
}
