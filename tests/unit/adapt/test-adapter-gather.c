/* test-adapter-gather.c - tests how figures reach the coordinator, and how plans come back
 *
 * In each cluster one node gathers the figures of all its nodes: the first one that is not the
 * master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adapter-world.h"

/* After so many periods, figures have reached the coordinator, and the next plan has reached all
 * nodes. */
#define SETTLE_PERIODS 3

/* How many messages each node sent to each other node. */
typedef struct
{
  guint n[WORLD_MAX_NODES + 1][WORLD_MAX_NODES + 1];
} Sent;

static FakeFate
note_sent (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  ((Sent *)user_data)->n[from][to]++;
  return FAKE_ARRIVES;
}

static AdapterWorld *
begin (const char *clusters)
{
  AdapterWorld *world = adapter_world_new (clusters, NULL);
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, SETTLE_PERIODS);
  return world;
}

/* Returns: the messages of one period */
static Sent
watch (AdapterWorld *world)
{
  Sent sent = { 0 };
  fake_net_set_fate_func (world->net, note_sent, &sent);
  adapter_world_pass (world, 1);
  fake_net_set_fate_func (world->net, NULL, NULL);
  return sent;
}

static guint
count_to (const Sent *self, SatinNodeId to)
{
  guint n = 0;
  for (guint i = 0; i <= WORLD_MAX_NODES; i++)
    n += self->n[i][to];
  return n;
}

static void
test_through_the_first (void)
{
  AdapterWorld *world = begin ("aaabbbccc");
  Sent sent = watch (world);
  g_assert_cmpuint (count_to (&sent, 1), ==, 3);
  g_assert_cmpuint (sent.n[2][1], ==, 1);
  g_assert_cmpuint (sent.n[4][1], ==, 1);
  g_assert_cmpuint (sent.n[7][1], ==, 1);
  g_assert_cmpuint (sent.n[9][7], ==, 1);
  for (SatinNodeId id = 1; id <= 9; id++)
    g_assert_false (adapter_world_get_seen (world, 1, id)->is_new);
  adapter_world_free (world);
}

/* In each period, each node but the coordinator sends one report and gets one plan. There are no
 * other messages between nodes. */
static void
test_messages (void)
{
  AdapterWorld *world = begin ("aaabbbccc");
  guint n_before = fake_net_count_sent (world->net);
  gint64 n_own_before = adapter_world_get_figure (world, 1, "adapt.messages");
  adapter_world_pass (world, 10);
  g_assert_cmpuint (fake_net_count_sent (world->net) - n_before, ==, 10 * 2 * 8);
  /* Node 1 has a report and a plan for each cluster, a question to the fleet, and its answer. */
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.messages") - n_own_before, ==,
                   10 * (3 * 2 + 2));
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.periods"), ==, 10 + SETTLE_PERIODS);
  adapter_world_free (world);
}

/* The master does not gather: node 2 gathers for cluster a. The master's own figures need no
 * message. */
static void
test_master_is_first (void)
{
  AdapterWorld *world = begin ("aab");
  Sent sent = watch (world);
  g_assert_cmpuint (sent.n[2][1], ==, 1);
  g_assert_cmpuint (sent.n[1][2], ==, 1);
  g_assert_false (adapter_world_get_seen (world, 1, 1)->is_new);
  g_assert_true (adapter_world_get_seen (world, 1, 1)->is_kept);
  adapter_world_free (world);
}

static void
test_master_in_the_middle (void)
{
  AdapterWorld *world = adapter_world_new ("aaabb", NULL);
  adapter_world_elect (world, 2, 1);
  adapter_world_pass (world, SETTLE_PERIODS);
  Sent sent = watch (world);
  g_assert_cmpuint (sent.n[1][2], ==, 1);
  g_assert_cmpuint (sent.n[3][1], ==, 1);
  g_assert_cmpuint (sent.n[3][2], ==, 0);
  g_assert_cmpuint (sent.n[5][4], ==, 1);
  adapter_world_free (world);
}

/* Node 4 does not know node 2, which gathers for the cluster. */
static void
test_chain (void)
{
  AdapterWorld *world = adapter_world_new ("aaaa", NULL);
  fake_net_hide (world->net, 4, 2);
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, SETTLE_PERIODS);
  Sent sent = watch (world);
  g_assert_cmpuint (sent.n[4][3], ==, 1);
  g_assert_cmpuint (sent.n[4][2], ==, 0);
  g_assert_cmpuint (sent.n[3][2], >=, 1);
  g_assert_cmpuint (sent.n[2][1], ==, 1);
  g_assert_false (adapter_world_get_seen (world, 1, 4)->is_new);
  adapter_world_free (world);
}

/* When a gathering node is lost, the next node of its cluster gathers. */
static void
test_first_is_lost (void)
{
  AdapterWorld *world = begin ("abbb");
  adapter_world_kill (world, 2);
  adapter_world_pass (world, SETTLE_PERIODS);
  Sent sent = watch (world);
  g_assert_cmpuint (sent.n[3][1], ==, 1);
  g_assert_cmpuint (sent.n[4][3], ==, 1);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->census.n_nodes, ==, 3);
  g_assert_false (adapter_world_get_seen (world, 1, 4)->is_new);
  adapter_world_free (world);
}

/* A gathering node that is leaving still reports, but another node gathers. */
static void
test_first_is_leaving (void)
{
  AdapterWorld *world = begin ("abbb");
  fake_net_say_leaving (world->net, 2);
  adapter_world_pass (world, SETTLE_PERIODS);
  Sent sent = watch (world);
  g_assert_cmpuint (sent.n[4][3], ==, 1);
  g_assert_cmpuint (sent.n[4][2], ==, 0);
  g_assert_true (adapter_world_get_seen (world, 1, 2)->is_leaving);
  adapter_world_free (world);
}

/* All nodes know when the coordinator's period ends, no matter when they began. So figures are
 * fresh. */
static void
test_periods_are_aligned (void)
{
  AdapterWorld *world = begin ("aabb");
  adapter_world_advance (world, WORLD_PERIOD_US / 3);
  adapter_world_start_node (world, 4, NULL, NULL);
  adapter_world_pass (world, SETTLE_PERIODS);
  const SatinAdapter *coordinator = adapter_world_node (world, 1)->adapter;
  for (SatinNodeId id = 2; id <= 4; id++)
    {
      gint64 ahead_us = coordinator->next_us - adapter_world_node (world, id)->adapter->next_us;
      g_assert_cmpint (ABS (ahead_us), <, WORLD_PERIOD_US / 100);
    }
  for (guint i = 0; i < 20; i++)
    {
      adapter_world_pass (world, 1);
      g_assert_false (adapter_world_get_seen (world, 1, 4)->is_new);
    }
  adapter_world_free (world);
}

/* A node that gets no plan keeps to its own period. */
static void
test_alone (void)
{
  AdapterWorld *world = adapter_world_new ("aa", NULL);
  adapter_world_pass (world, 5);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 5);
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.periods"), ==, 0);
  adapter_world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/gather/figures-come-through-the-first-of-each-cluster",
                   test_through_the_first);
  g_test_add_func ("/adapt/gather/two-messages-a-period-for-each-node", test_messages);
  g_test_add_func ("/adapt/gather/master-may-be-the-first", test_master_is_first);
  g_test_add_func ("/adapt/gather/master-may-be-in-the-middle", test_master_in_the_middle);
  g_test_add_func ("/adapt/gather/who-does-not-know-the-first-tells-another", test_chain);
  g_test_add_func ("/adapt/gather/first-that-is-lost-is-replaced", test_first_is_lost);
  g_test_add_func ("/adapt/gather/first-that-leaves-is-replaced", test_first_is_leaving);
  g_test_add_func ("/adapt/gather/periods-are-aligned", test_periods_are_aligned);
  g_test_add_func ("/adapt/gather/without-a-plan-the-period-is-as-ever", test_alone);
  return g_test_run ();
}
