/* test-launcher-share.c - tests how the ranks of a host divide its processors, and which cluster
 * they are in
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "share.h"
#include "slurm-step.h"

#define MAX_RANKS 8

/* Makes the set of the processors from @first to @last. */
static cpu_set_t
make_mask (int first, int last)
{
  cpu_set_t mask;
  CPU_ZERO (&mask);
  for (int i = first; i <= last; i++)
    CPU_SET (i, &mask);
  return mask;
}

static guint
sum (const cpu_set_t *masks, guint n)
{
  guint total = 0;
  for (guint i = 0; i < n; i++)
    total += share_count (masks, n, i);
  return total;
}

static void
test_bound_ranks_keep_theirs (void)
{
  const cpu_set_t masks[] = { make_mask (0, 3), make_mask (4, 5) };
  g_assert_cmpuint (share_count (masks, 2, 0), ==, 4);
  g_assert_cmpuint (share_count (masks, 2, 1), ==, 2);
}

static void
test_shared_processors_are_divided (void)
{
  const cpu_set_t masks[] = { make_mask (0, 7), make_mask (0, 7), make_mask (0, 7) };
  g_assert_cmpuint (share_count (masks, 3, 0), ==, 3);
  g_assert_cmpuint (share_count (masks, 3, 1), ==, 3);
  g_assert_cmpuint (share_count (masks, 3, 2), ==, 2);
}

static void
test_two_sockets_are_divided_apart (void)
{
  const cpu_set_t masks[] = { make_mask (0, 3), make_mask (4, 7), make_mask (0, 3),
                              make_mask (4, 7) };
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (share_count (masks, 4, i), ==, 2);
}

static void
test_no_processor_counts_twice (void)
{
  for (guint round = 0; round < 100; round++)
    {
      cpu_set_t masks[MAX_RANKS], all;
      guint n = (guint)g_test_rand_int_range (1, MAX_RANKS + 1);
      CPU_ZERO (&all);
      for (guint i = 0; i < n; i++)
        {
          int first = g_test_rand_int_range (0, 60);
          masks[i] = make_mask (first, g_test_rand_int_range (first, 64));
          CPU_OR (&all, &all, &masks[i]);
          g_assert_cmpuint (share_count (masks, i + 1, i), <=, (guint)CPU_COUNT (&masks[i]));
        }
      g_assert_cmpuint (sum (masks, n), ==, (guint)CPU_COUNT (&all));
    }
}

static void
test_slurm_gives_the_limit (void)
{
  g_setenv ("SLURM_CPUS_ON_NODE", "7", TRUE);
  g_unsetenv ("SLURM_CPUS_PER_TASK");
  g_assert_cmpuint (step_count_processors (TRUE, 0, 3), ==, 3);
  g_assert_cmpuint (step_count_processors (TRUE, 1, 3), ==, 2);
  g_assert_cmpuint (step_count_processors (TRUE, 7, 8), ==, 1);
  g_setenv ("SLURM_CPUS_PER_TASK", "2", TRUE);
  g_assert_cmpuint (step_count_processors (TRUE, 0, 3), ==, 2);
  g_assert_cmpuint (step_count_processors (FALSE, 0, 3), ==, 3);
  g_unsetenv ("SLURM_CPUS_PER_TASK");
  g_unsetenv ("SLURM_CPUS_ON_NODE");
  g_assert_cmpuint (step_count_processors (TRUE, 0, 3), ==, 0);
}

static void
assert_cluster (const char *address, const char *pattern, const char *expected)
{
  g_setenv ("SLURM_TOPOLOGY_ADDR", address, TRUE);
  g_setenv ("SLURM_TOPOLOGY_ADDR_PATTERN", pattern, TRUE);
  g_autofree char *cluster = step_find_cluster ();
  g_assert_cmpstr (cluster, ==, expected);
}

static void
test_the_cluster_is_the_switch (void)
{
  assert_cluster ("top.s2.c4", "switch.switch.node", "s2");
  assert_cluster ("s2.c4.example.org", "switch.node", "s2");
  assert_cluster ("c4.example.org", "node", "c4.example.org");
  assert_cluster ("c4", "switch.node", g_get_host_name ());
  g_unsetenv ("SLURM_TOPOLOGY_ADDR");
  g_autofree char *alone = step_find_cluster ();
  g_assert_cmpstr (alone, ==, g_get_host_name ());
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/launcher-share/bound-ranks-keep-theirs", test_bound_ranks_keep_theirs);
  g_test_add_func ("/net/launcher-share/shared-processors-are-divided",
                   test_shared_processors_are_divided);
  g_test_add_func ("/net/launcher-share/two-sockets-are-divided-apart",
                   test_two_sockets_are_divided_apart);
  g_test_add_func ("/net/launcher-share/no-processor-counts-twice", test_no_processor_counts_twice);
  g_test_add_func ("/net/launcher-share/slurm-gives-the-limit", test_slurm_gives_the_limit);
  g_test_add_func ("/net/launcher-share/the-cluster-is-the-switch", test_the_cluster_is_the_switch);
  return g_test_run ();
}
