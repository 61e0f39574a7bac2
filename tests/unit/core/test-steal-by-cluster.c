/* test-steal-by-cluster.c - tests the counts of steals by the cluster of the victim
 *
 * Node 2 steals from nodes 1 and 3, which have the jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

#include <string.h>

#define SECOND_US ((gint64)1000000)

static StealWorld *world;
static WorldNode *thief;

static void
set_up (gpointer *fixture, gconstpointer user_data)
{
  world = steal_world_new (3);
  steal_world_advance (world, 1000);
  thief = steal_world_node (world, 2);
  thief->pause_us = SECOND_US;
  steal_world_node (world, 3)->n_workers = 0;
}

static void
tear_down (gpointer *fixture, gconstpointer user_data)
{
  steal_world_free (world);
}

static void
sum_up (const char *name, gint64 value, gpointer user_data)
{
  GHashTable *sums = user_data;
  g_hash_table_insert (sums, g_strdup (name), GSIZE_TO_POINTER (value));
}

/* Returns: the sum of the figures of the thief whose names match @pattern */
static gint64
get_sum (const char *pattern)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer name, value;
  gint64 sum = 0;
  steal_figures (thief->steal, sum_up, sums);
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (g_pattern_match_simple (pattern, name))
      sum += (gint64)GPOINTER_TO_SIZE (value);
  return sum;
}

static void
steal_from (SatinNodeId victim, guint n_jobs)
{
  steal_world_add_jobs (world, victim, n_jobs);
  thief->victim = victim;
  steal_hungry (thief->steal);
  steal_world_finish (world);
}

static void
test_each_cluster_has_its_own_counts (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_cluster (world->net, 3, "there");
  steal_from (1, 1);
  g_assert_cmpint (get_sum ("steals-from.here.won"), ==, 1);
  g_assert_cmpint (get_sum ("steals-from.there.*"), ==, 0);

  thief->is_asking_far = TRUE;
  steal_from (3, 1);
  g_assert_cmpint (get_sum ("steals-from.here.won"), ==, 1);
  g_assert_cmpint (get_sum ("steals-from.there.won"), ==, 1);
  g_assert_cmpint (get_sum ("steals-from.there.tried"), >=, 1);
  g_assert_cmpint (get_sum ("steals-from.there.bytes"), >, 0);
}

static void
test_sums_are_those_of_all_steals (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_cluster (world->net, 3, "there");
  steal_from (1, 20);
  thief->is_asking_far = TRUE;
  steal_from (3, 20);
  gint64 n_won = get_sum ("steals.remote");
  g_assert_cmpint (n_won, >, 1);
  g_assert_cmpint (get_sum ("steals-from.*.won"), ==, n_won);
  g_assert_cmpint (get_sum ("steals-from.*.within-*"), ==, n_won);
  g_assert_cmpint (get_sum ("steals-from.*.tried"), ==, get_sum ("steals.remote-tried"));
}

/* A request and its answer take twice the latency. */
static void
test_answers_count_by_their_time (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_latency (world->net, 10000);
  steal_from (1, 1);
  g_assert_cmpint (get_sum ("steals-from.here.within-32768"), ==, 1);
  g_assert_cmpint (get_sum ("steals-from.*.within-*"), ==, 1);
}

static void
test_long_answers_are_not_lost (gpointer *fixture, gconstpointer user_data)
{
  steal_count_won (thief->steal, 1, 20 * SECOND_US);
  steal_count_won (thief->steal, 1, 3600 * SECOND_US);
  steal_count_won (thief->steal, 1, G_MAXINT64);
  g_assert_cmpint (get_sum ("steals-from.here.within-16777216"), ==, 3);
}

static void
test_labels_and_their_number_have_limits (gpointer *fixture, gconstpointer user_data)
{
  g_autofree char *longest = g_strnfill (255, 'x');
  g_autofree char *cut = g_strdup_printf ("steals-from.%.32s.won", longest);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  fake_net_set_cluster (world->net, 1, longest);
  steal_count_won (thief->steal, 1, 100);
  g_assert_cmpint (get_sum (cut), ==, 1);
  for (guint i = 0; i < 20; i++)
    {
      char *label = g_strdup_printf ("c%u", i);
      g_ptr_array_add (labels, label);
      fake_net_set_cluster (world->net, 1, label);
      steal_count_won (thief->steal, 1, 100);
    }
  g_assert_cmpint (get_sum ("steals-from.c6.won"), ==, 1);
  g_assert_cmpint (get_sum ("steals-from.c7.won"), ==, 0);
  g_assert_cmpint (get_sum ("steals-from.*.won"), ==, 21);
  fake_net_set_cluster (world->net, 1, "here");
}

static void
test_victim_that_is_gone_is_not_counted (gpointer *fixture, gconstpointer user_data)
{
  steal_count_asked (thief->steal, 7);
  steal_count_won (thief->steal, 7, 100);
  steal_count_bytes (thief->steal, 7, 100);
  g_assert_cmpint (get_sum ("steals-from.*"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function)                                                                       \
  g_test_add ("/core/steal-by-cluster/" path, gpointer, NULL, set_up, function, tear_down)
  CASE ("each-cluster-has-its-own-counts", test_each_cluster_has_its_own_counts);
  CASE ("sums-are-those-of-all-steals", test_sums_are_those_of_all_steals);
  CASE ("answers-count-by-their-time", test_answers_count_by_their_time);
  CASE ("long-answers-are-not-lost", test_long_answers_are_not_lost);
  CASE ("labels-and-their-number-have-limits", test_labels_and_their_number_have_limits);
  CASE ("victim-that-is-gone-is-not-counted", test_victim_that_is_gone_is_not_counted);
  return g_test_run ();
}
