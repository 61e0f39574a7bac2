/* test-adapter-term.c - tests that a new coordinator takes over its predecessor's memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adapter-world.h"

static AdapterWorld *
begin (const char *clusters, const SatinAdapterOptions *options)
{
  AdapterWorld *world = adapter_world_new (clusters, options);
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, 5);
  adapter_world_advance (world, WORLD_PERIOD_US / 10); /* the last plan has reached all nodes */
  return world;
}

static void
test_successor_remembers (void)
{
  AdapterWorld *world = begin ("aabb", NULL);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->n_decided, ==, 5);
  adapter_world_kill (world, 1);
  adapter_world_pass (world, 1);
  adapter_world_elect (world, 2, 2);
  g_assert_cmpuint (adapter_world_get_scripted (world, 2)->n_decided, ==, 5);
  adapter_world_pass (world, 2);
  g_assert_cmpuint (adapter_world_get_scripted (world, 2)->n_decided, ==, 7);
  adapter_world_free (world);
}

/* Node 4 does not gather for its cluster, so it gets the memory with the reports of the first
 * period. */
static void
test_successor_is_told (void)
{
  AdapterWorld *world = begin ("aabb", NULL);
  adapter_world_kill (world, 1);
  adapter_world_elect (world, 4, 2);
  g_assert_cmpuint (adapter_world_get_scripted (world, 4)->n_decided, ==, 0);
  adapter_world_pass (world, 1);
  g_assert_cmpuint (adapter_world_get_scripted (world, 4)->n_decided, ==, 5 + 1);
  adapter_world_free (world);
}

/* An old memory is used only until a newer one comes. */
static void
test_newest_memory_counts (void)
{
  AdapterWorld *world = begin ("aabbc", NULL);
  adapter_world_kill (world, 1);
  adapter_world_elect (world, 5, 2);
  adapter_world_pass (world, 4);
  adapter_world_advance (world, WORLD_PERIOD_US / 10);
  adapter_world_kill (world, 5);
  const AdaptReport old = { .term = 1, .number = 3, .memory = (const guint8 *)"\3", .n_memory = 1 };
  adapter_world_elect (world, 4, 3);
  adapter_world_inject (world, 3, 4, ADAPT_FIGURES, &old);
  g_assert_cmpuint (adapter_world_get_scripted (world, 4)->n_decided, ==, 3);
  adapter_world_pass (world, 1);
  g_assert_cmpuint (adapter_world_get_scripted (world, 4)->n_decided, ==, 5 + 4 + 1);
  adapter_world_inject (world, 3, 4, ADAPT_FIGURES, &old);
  g_assert_cmpuint (adapter_world_get_scripted (world, 4)->n_decided, ==, 5 + 4 + 1);
  adapter_world_free (world);
}

static void
test_memory_is_optional (void)
{
  const SatinAdapterOptions options = { .adaptation = "forgetful", .period_us = WORLD_PERIOD_US };
  AdapterWorld *world = begin ("aabb", &options);
  adapter_world_kill (world, 1);
  adapter_world_elect (world, 2, 2);
  adapter_world_pass (world, 2);
  g_assert_cmpuint (adapter_world_get_scripted (world, 2)->n_decided, ==, 2);
  adapter_world_free (world);
}

/* The old coordinator lives, but another node is the master now. */
static void
test_deposed_stops (void)
{
  AdapterWorld *world = begin ("aabb", NULL);
  adapter_world_get_scripted (world, 1)->n_ask = 1;
  adapter_world_pass (world, 1);
  g_assert_cmpstr (world->asked->str, ==, "1.1 1@a;");
  adapter_world_elect (world, 3, 2);
  g_assert_false (adapter_is_coordinator (adapter_world_node (world, 1)->adapter));
  adapter_world_pass (world, 3);
  g_assert_cmpstr (world->asked->str, ==, "1.1 1@a;");
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.periods"), ==, 6);
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.efficiency-permille"), ==, 0);
  g_assert_false (adapter_world_get_seen (world, 3, 1)->is_new);
  g_assert_cmpuint (adapter_world_get_scripted (world, 3)->n_decided, ==, 6 + 3);
  adapter_world_free (world);
}

/* When a master is elected again, the numbers of its requests begin anew in the new term. */
static void
test_same_master_again (void)
{
  AdapterWorld *world = begin ("aabb", NULL);
  adapter_world_get_scripted (world, 1)->n_ask = 2;
  adapter_world_pass (world, 2);
  adapter_world_elect (world, 1, 2);
  adapter_world_get_scripted (world, 1)->n_ask = 3;
  adapter_world_pass (world, 1);
  g_assert_cmpstr (world->asked->str, ==, "1.1 2@a;1.2 2@a;2.1 3@a;");
  adapter_world_free (world);
}

static void
test_old_plan_is_refused (void)
{
  AdapterWorld *world = begin ("aab", NULL);
  adapter_world_elect (world, 2, 2);
  adapter_world_pass (world, 2);
  const SatinAdapter *adapter = adapter_world_node (world, 3)->adapter;
  gint64 next_us = adapter->next_us;
  const AdaptPlan plan = { .term = 1, .number = 100, .next_us = 1, .wants_sample = TRUE };
  adapter_world_inject (world, 1, 3, ADAPT_PLAN, &plan);
  g_assert_cmpint (adapter->next_us, ==, next_us);
  g_assert_cmpint (adapter->term, ==, 2);
  g_assert_false (adapter->is_sample_wanted);
  adapter_world_free (world);
}

/* There is no master for a while. */
static void
test_without_master (void)
{
  AdapterWorld *world = begin ("aabb", NULL);
  adapter_world_kill (world, 1);
  guint n_looks = world->n_looks;
  adapter_world_pass (world, 10);
  g_assert_cmpuint (world->n_looks, ==, n_looks);
  adapter_world_elect (world, 3, 2);
  adapter_world_pass (world, 2);
  g_assert_cmpuint (world->n_looks, ==, n_looks + 2);
  g_assert_false (adapter_world_get_seen (world, 3, 2)->is_new);
  adapter_world_free (world);
}

/* An adapter is freed while it waits for the fleet's state. */
static void
test_freed_meanwhile (void)
{
  AdapterWorld *world = begin ("aabb", NULL);
  world->has_fleet = FALSE;
  while (adapter_world_node (world, 1)->adapter->state_timer == 0)
    adapter_world_advance (world, 10000);
  satin_adapter_free (g_steal_pointer (&adapter_world_node (world, 1)->adapter));
  adapter_world_pass (world, 2);
  adapter_world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/term/successor-remembers", test_successor_remembers);
  g_test_add_func ("/adapt/term/successor-is-told-the-memory", test_successor_is_told);
  g_test_add_func ("/adapt/term/newest-memory-counts", test_newest_memory_counts);
  g_test_add_func ("/adapt/term/memory-is-optional", test_memory_is_optional);
  g_test_add_func ("/adapt/term/deposed-coordinator-stops", test_deposed_stops);
  g_test_add_func ("/adapt/term/numbers-begin-anew-in-a-new-term", test_same_master_again);
  g_test_add_func ("/adapt/term/plan-of-an-old-term-is-refused", test_old_plan_is_refused);
  g_test_add_func ("/adapt/term/without-a-master-nothing-is-decided", test_without_master);
  g_test_add_func ("/adapt/term/freed-while-the-fleet-is-asked", test_freed_meanwhile);
  return g_test_run ();
}
