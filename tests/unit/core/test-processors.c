/* test-processors.c - tests how many processors this process may use
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "threads/processors.h"

#include <glib/gstdio.h>
#include <sched.h>
#include <satin/core/workers.h>

static void
test_quota_rounds_up (void)
{
  g_assert_cmpuint (processors_from_quota ("200000 100000\n"), ==, 2);
  g_assert_cmpuint (processors_from_quota ("200001 100000\n"), ==, 3);
  g_assert_cmpuint (processors_from_quota ("150000 100000"), ==, 2);
}

static void
test_quota_is_at_least_one (void)
{
  g_assert_cmpuint (processors_from_quota ("1000 100000\n"), ==, 1);
}

static void
test_no_quota (void)
{
  static const char *const texts[] = { "max 100000\n", "-1 100000", "0 100000", "100000 0",
                                       "100000",       "",          "many few" };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpuint (processors_from_quota (texts[i]), ==, 0);
}

static void
test_quota_of_any_size (void)
{
  g_assert_cmpuint (processors_from_quota ("9223372036854775807 1"), ==, G_MAXINT32);
}

/* Makes a folder of control groups, with @limits in "", "/a" and "/a/b"; %NULL: no file.
 * Returns: how many processors the group @path may use */
static guint
read_groups (const char *const limits[3], const char *path)
{
  static const char *const folders[] = { "", "a", "a/b" };
  g_autofree char *root = g_dir_make_tmp ("satin-groups-XXXXXX", NULL);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *folder = g_build_filename (root, folders[i], NULL);
      g_autofree char *file = g_build_filename (folder, "cpu.max", NULL);
      g_mkdir_with_parents (folder, 0700);
      if (limits[i] != NULL)
        g_assert_true (g_file_set_contents (file, limits[i], -1, NULL));
    }
  guint n = processors_from_groups (root, path);
  for (guint i = 3; i-- > 0;)
    {
      g_autofree char *folder = g_build_filename (root, folders[i], NULL);
      g_autofree char *file = g_build_filename (folder, "cpu.max", NULL);
      g_unlink (file);
      g_rmdir (folder);
    }
  return n;
}

static void
test_own_group (void)
{
  const char *const limits[] = { NULL, "max 100000\n", "300000 100000\n" };
  g_assert_cmpuint (read_groups (limits, "/a/b"), ==, 3);
}

static void
test_least_group (void)
{
  const char *const limits[] = { "800000 100000\n", "200000 100000\n", "300000 100000\n" };
  g_assert_cmpuint (read_groups (limits, "/a/b"), ==, 2);
}

static void
test_root_group (void)
{
  const char *const limits[] = { "100000 100000\n", "200000 100000\n", NULL };
  g_assert_cmpuint (read_groups (limits, "/a/b"), ==, 1);
  g_assert_cmpuint (read_groups (limits, "/"), ==, 1);
}

static void
test_group_below (void)
{
  const char *const limits[] = { NULL, "200000 100000\n", "100000 100000\n" };
  g_assert_cmpuint (read_groups (limits, "/a"), ==, 2);
}

static void
test_no_group (void)
{
  const char *const limits[] = { NULL, "max 100000\n", NULL };
  g_assert_cmpuint (read_groups (limits, "/a/b"), ==, 0);
  g_assert_cmpuint (read_groups (limits, "/elsewhere"), ==, 0);
}

/* Returns: the first @n processors of the mask @whole */
static cpu_set_t
shrink (const cpu_set_t *whole, guint n)
{
  cpu_set_t mask;
  CPU_ZERO (&mask);
  for (guint i = 0; i < CPU_SETSIZE && n > 0; i++)
    if (CPU_ISSET (i, whole))
      {
        CPU_SET (i, &mask);
        n--;
      }
  return mask;
}

static void
test_affinity (void)
{
  cpu_set_t whole;
  g_assert_cmpint (sched_getaffinity (0, sizeof whole, &whole), ==, 0);
  guint n_whole = satin_count_processors ();
  for (guint n = 1; n <= (guint)CPU_COUNT (&whole); n++)
    {
      cpu_set_t mask = shrink (&whole, n);
      g_assert_cmpint (sched_setaffinity (0, sizeof mask, &mask), ==, 0);
      g_assert_cmpuint (satin_count_processors (), ==, MIN (n, n_whole));
    }
  g_assert_cmpint (sched_setaffinity (0, sizeof whole, &whole), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/processors/" claim, func)
  ADD ("quota-rounds-up", test_quota_rounds_up);
  ADD ("quota-is-at-least-one", test_quota_is_at_least_one);
  ADD ("quota-may-be-absent-or-malformed", test_no_quota);
  ADD ("quota-may-be-huge", test_quota_of_any_size);
  ADD ("own-group-limits", test_own_group);
  ADD ("least-of-own-and-upper-groups-limits", test_least_group);
  ADD ("root-group-limits", test_root_group);
  ADD ("group-below-does-not-limit", test_group_below);
  ADD ("no-group-limits-nothing", test_no_group);
  ADD ("affinity-mask-limits", test_affinity);
  return g_test_run ();
}
