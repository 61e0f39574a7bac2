/* test-adapter-decide.c - tests the coordinator of an adaptation: its census, and its decisions
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adapter-world.h"

#define NEAR(a, b) (ABS ((a) - (b)) < 1e-3)

static AdapterWorld *
begin (const char *clusters)
{
  AdapterWorld *world = adapter_world_new (clusters, NULL);
  adapter_world_elect (world, 1, 1);
  return world;
}

static void
test_census (void)
{
  AdapterWorld *world = begin ("aab");
  WorldNode *node = adapter_world_node (world, 3);
  adapter_world_node (world, 2)->idle = 250;
  node->idle = 500;
  node->overdue_far = 300;
  adapter_world_pass (world, 3);
  const Scripted *scripted = adapter_world_get_scripted (world, 1);
  g_assert_cmpuint (scripted->census.n_nodes, ==, 3);
  g_assert_cmpuint (scripted->census.n_clusters, ==, 2);
  g_assert_cmpstr (scripted->names[1], ==, "b");
  const SatinCensusNode *seen = adapter_world_get_seen (world, 1, 3);
  g_assert_cmpuint (seen->cluster, ==, 1);
  g_assert_true (NEAR (seen->overhead, 0.5) && NEAR (seen->far_overhead, 0.3));
  g_assert_true (NEAR (adapter_world_get_seen (world, 1, 2)->overhead, 0.25));
  g_assert_cmpstr (adapter_world_node (world, 1)->decided, ==,
                   "3 nodes, efficiency 0.75, messages of b overdue for 30 % of the time");
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.efficiency-permille"), ==, 750);
  adapter_world_free (world);
}

/* Messages that are overdue while a node is busy cost it nothing. So at most the idle time
 * counts. */
static void
test_overdue_while_busy (void)
{
  AdapterWorld *world = begin ("ab");
  adapter_world_node (world, 2)->idle = 100;
  adapter_world_node (world, 2)->overdue_far = 900;
  adapter_world_pass (world, 3);
  g_assert_true (NEAR (adapter_world_get_seen (world, 1, 2)->far_overhead, 0.1));
  adapter_world_free (world);
}

static void
test_asks (void)
{
  AdapterWorld *world = begin ("aab");
  Scripted *scripted = adapter_world_get_scripted (world, 1);
  scripted->n_ask = 2;
  scripted->ask_cluster = 1;
  adapter_world_pass (world, 1);
  g_assert_cmpstr (adapter_world_node (world, 1)->decided, ==,
                   "3 nodes, efficiency 1.00; asks for 2 machines in b");
  g_assert_cmpstr (world->told->str, ==,
                   "3 2 0: 3 nodes, efficiency 1.00; asks for 2 machines in b");
  scripted->n_ask = 1;
  scripted->ask_cluster = SATIN_ANY_CLUSTER;
  adapter_world_pass (world, 1);
  scripted->n_ask = 0;
  adapter_world_pass (world, 3);
  g_assert_cmpstr (world->asked->str, ==, "1.1 2@b;1.2 1@;");
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.asked"), ==, 3);
  adapter_world_free (world);
}

static void
test_sends_away (void)
{
  AdapterWorld *world = begin ("aab");
  adapter_world_get_scripted (world, 1)->remove = 3;
  adapter_world_pass (world, 1);
  g_assert_cmpstr (world->left->str, ==, "3 20000000;");
  g_assert_true (g_str_has_prefix (world->told->str, "3 0 1: "));
  g_assert_cmpint (adapter_world_get_figure (world, 1, "adapt.removed"), ==, 1);
  g_assert_cmpstr (adapter_world_node (world, 1)->decided, ==,
                   "3 nodes, efficiency 1.00; node 3 leaves: slow or badly connected");
  adapter_world_get_scripted (world, 1)->remove = 0;
  fake_net_say_leaving (world->net, 3);
  adapter_world_pass (world, 1);
  g_assert_true (adapter_world_get_seen (world, 1, 3)->is_leaving);
  fake_net_remove (world->net, 3, SATIN_PEER_LEFT);
  adapter_world_pass (world, 1);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->census.n_nodes, ==, 2);
  g_assert_cmpstr (world->left->str, ==, "3 20000000;");
  adapter_world_free (world);
}

/* No fleet answers, so the plugin is not asked to decide. Nodes still report, and the coordinator
 * still sends a plan for each period. */
static void
test_no_fleet (void)
{
  AdapterWorld *world = begin ("aab");
  world->has_fleet = FALSE;
  adapter_world_get_scripted (world, 1)->remove = 3;
  adapter_world_pass (world, 4);
  g_assert_cmpuint (world->n_looks, ==, 4);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->n_decided, ==, 0);
  g_assert_cmpstr (world->left->str, ==, "");
  g_assert_cmpuint (adapter_world_node (world, 1)->n_decided, ==, 3); /* no fourth one yet */
  g_assert_cmpint (adapter_world_node (world, 3)->adapter->number, ==, 3);
  adapter_world_free (world);
}

/* A state is ignored if none is expected, if it has another term, if it has the number of a request
 * that was not made, or if it reaches a node that is not the coordinator. */
static void
test_late_state (void)
{
  AdapterWorld *world = begin ("aab");
  FleetState state = { .term = 1, .n_least = 1, .n_most = 10 };
  world->has_fleet = FALSE;
  adapter_world_say_state (world, 1, &state);
  adapter_world_pass (world, 1);
  state.term = 2;
  adapter_world_say_state (world, 1, &state);
  state.term = 1;
  state.number = 1; /* nothing was asked for yet */
  adapter_world_say_state (world, 1, &state);
  state.number = 0;
  adapter_world_say_state (world, 2, &state);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->n_decided, ==, 0);
  adapter_world_say_state (world, 1, &state);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->n_decided, ==, 1);
  adapter_world_say_state (world, 1, &state);
  g_assert_cmpuint (adapter_world_get_scripted (world, 1)->n_decided, ==, 1);
  adapter_world_free (world);
}

static void
test_offers (void)
{
  static const FleetOffer offers[] = { { "b", 5, 2000 }, { "c", 7, 1000 }, { "d", 0, 1000 } };
  AdapterWorld *world = begin ("aab");
  world->state = (FleetState){
    .n_awaited = 4, .n_least = 2, .n_most = 9, .offers = offers, .n_offers = G_N_ELEMENTS (offers)
  };
  adapter_world_pass (world, 1);
  const Scripted *scripted = adapter_world_get_scripted (world, 1);
  g_assert_cmpuint (scripted->census.n_awaited, ==, 4);
  g_assert_cmpuint (scripted->census.n_least, ==, 2);
  g_assert_cmpuint (scripted->census.n_most, ==, 9);
  g_assert_cmpuint (scripted->census.n_clusters, ==, 3);
  g_assert_cmpstr (scripted->names[2], ==, "c");
  g_assert_cmpuint (scripted->clusters[0].n_offered, ==, 0);
  g_assert_cmpuint (scripted->clusters[1].n_offered, ==, 5);
  g_assert_cmpuint (scripted->clusters[2].n_offered, ==, 7);
  g_assert_true (NEAR (scripted->clusters[2].offered_speed, 0)); /* no node's speed is known, so
                                                                    there is no unit */
  adapter_world_free (world);
}

/* Node @id has measured sample 77 in @sample_us. */
static void
tell_speed (AdapterWorld *world, SatinNodeId id, gint64 sample_us)
{
  SatinAdapter *adapter = adapter_world_node (world, id)->adapter;
  adapter->measured_id = 77;
  adapter->measured_cpu_us = sample_us;
}

static void
test_speeds (void)
{
  static const FleetOffer offers[] = { { "b", 5, 2000 }, { "c", 7, 1000 } };
  AdapterWorld *world = begin ("aabb");
  world->state.offers = offers;
  world->state.n_offers = G_N_ELEMENTS (offers);
  adapter_world_node (world, 1)->adapter->sample_id = 77;
  tell_speed (world, 1, 1000);
  tell_speed (world, 2, 2000);
  tell_speed (world, 3, 4000);
  adapter_world_node (world, 4)->adapter->measured_id = 76; /* it has measured another sample */
  adapter_world_node (world, 4)->adapter->measured_cpu_us = 1;
  adapter_world_pass (world, 3);
  g_assert_true (NEAR (adapter_world_get_seen (world, 1, 1)->speed, 1));
  g_assert_true (NEAR (adapter_world_get_seen (world, 1, 2)->speed, 0.5));
  g_assert_true (NEAR (adapter_world_get_seen (world, 1, 3)->speed, 0.25));
  g_assert_true (NEAR (adapter_world_get_seen (world, 1, 4)->speed, 0));
  const Scripted *scripted = adapter_world_get_scripted (world, 1);
  g_assert_true (NEAR (scripted->clusters[1].offered_speed, 0.25));
  g_assert_true (NEAR (scripted->clusters[2].offered_speed, 0.125));
  adapter_world_free (world);
}

/* Node 4 is a member, and the rest of its cluster reports, but node 4 does not. */
static void
test_silent_is_new (void)
{
  AdapterWorld *world = begin ("aabb");
  adapter_world_pass (world, 3);
  g_assert_false (adapter_world_get_seen (world, 1, 4)->is_new);
  satin_adapter_free (g_steal_pointer (&adapter_world_node (world, 4)->adapter));
  adapter_world_pass (world, 2);
  g_assert_false (adapter_world_get_seen (world, 1, 4)->is_new);
  adapter_world_pass (world, 2);
  g_assert_true (adapter_world_get_seen (world, 1, 4)->is_new);
  g_assert_false (adapter_world_get_seen (world, 1, 3)->is_new);
  adapter_world_free (world);
}

/* One cluster is silent, and others report. So the link to it must be bad. */
static void
test_silent_cluster_is_far (void)
{
  AdapterWorld *world = begin ("aabb");
  adapter_world_pass (world, 3);
  for (SatinNodeId id = 3; id <= 4; id++)
    satin_adapter_free (g_steal_pointer (&adapter_world_node (world, id)->adapter));
  adapter_world_pass (world, 4);
  for (SatinNodeId id = 3; id <= 4; id++)
    {
      const SatinCensusNode *seen = adapter_world_get_seen (world, 1, id);
      g_assert_false (seen->is_new || seen->is_kept);
      g_assert_true (NEAR (seen->overhead, 1) && NEAR (seen->far_overhead, 1));
    }
  g_assert_true (NEAR (adapter_world_get_seen (world, 1, 2)->far_overhead, 0));
  adapter_world_free (world);
}

/* If the coordinator hears of no other node, its own link may be the cause. */
static void
test_all_silent_are_new (void)
{
  AdapterWorld *world = begin ("abb");
  adapter_world_pass (world, 3);
  for (SatinNodeId id = 2; id <= 3; id++)
    satin_adapter_free (g_steal_pointer (&adapter_world_node (world, id)->adapter));
  adapter_world_pass (world, 4);
  g_assert_true (adapter_world_get_seen (world, 1, 2)->is_new);
  g_assert_true (adapter_world_get_seen (world, 1, 3)->is_new);
  adapter_world_free (world);
}

/* A node that has never reported may not be removed. */
static void
test_unknown_is_kept (void)
{
  AdapterWorld *world = adapter_world_new ("ab", NULL);
  satin_adapter_free (g_steal_pointer (&adapter_world_node (world, 2)->adapter));
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, 3);
  g_assert_true (adapter_world_get_seen (world, 1, 2)->is_kept);
  g_assert_true (adapter_world_get_seen (world, 1, 2)->is_new);
  adapter_world_free (world);
}

static void
test_kept (void)
{
  const SatinAdapterOptions kept = { .adaptation = "scripted",
                                     .period_us = WORLD_PERIOD_US,
                                     .is_kept = TRUE };
  AdapterWorld *world = adapter_world_new ("aab", NULL);
  adapter_world_start_node (world, 3, &kept, NULL);
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, 3);
  g_assert_true (adapter_world_get_seen (world, 1, 1)->is_kept);
  g_assert_false (adapter_world_get_seen (world, 1, 2)->is_kept);
  g_assert_true (adapter_world_get_seen (world, 1, 3)->is_kept);
  adapter_world_free (world);
}

static void
test_no_adaptation (void)
{
  const SatinAdapterOptions options = { .period_us = WORLD_PERIOD_US };
  AdapterWorld *world = adapter_world_new ("ab", &options);
  adapter_world_elect (world, 1, 1);
  adapter_world_pass (world, 3);
  g_assert_cmpstr (adapter_world_node (world, 1)->decided, ==, "2 nodes, efficiency 1.00");
  adapter_world_free (world);
}

static void
test_unknown_adaptation (void)
{
  const SatinAdapterOptions options = { .adaptation = "nonsense", .period_us = WORLD_PERIOD_US };
  const SatinAdapterHost host = { .struct_size = sizeof host };
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (1);
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_adapter_new (loop, NULL, &options, &host, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/decide/census-says-what-nodes-did", test_census);
  g_test_add_func ("/adapt/decide/overdue-while-busy-is-no-overhead", test_overdue_while_busy);
  g_test_add_func ("/adapt/decide/asks-have-rising-numbers", test_asks);
  g_test_add_func ("/adapt/decide/who-is-removed-is-told-to-leave", test_sends_away);
  g_test_add_func ("/adapt/decide/without-a-fleet-nothing-is-decided", test_no_fleet);
  g_test_add_func ("/adapt/decide/each-state-counts-once", test_late_state);
  g_test_add_func ("/adapt/decide/offers-are-clusters-too", test_offers);
  g_test_add_func ("/adapt/decide/speeds-are-of-the-same-sample", test_speeds);
  g_test_add_func ("/adapt/decide/who-is-silent-counts-as-new", test_silent_is_new);
  g_test_add_func ("/adapt/decide/silent-cluster-is-far", test_silent_cluster_is_far);
  g_test_add_func ("/adapt/decide/all-silent-are-new", test_all_silent_are_new);
  g_test_add_func ("/adapt/decide/who-never-told-is-kept", test_unknown_is_kept);
  g_test_add_func ("/adapt/decide/who-is-to-stay-stays", test_kept);
  g_test_add_func ("/adapt/decide/figures-without-an-adaptation", test_no_adaptation);
  g_test_add_func ("/adapt/decide/adaptation-that-is-not-there", test_unknown_adaptation);
  return g_test_run ();
}
