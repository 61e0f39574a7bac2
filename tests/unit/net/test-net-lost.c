/* test-net-lost.c - tests how long a node continues without a registry
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net/private.h"
#include "net-world.h"

#define SECOND  G_USEC_PER_SEC
#define TIMEOUT ((gint64)600 * SECOND)
/* The end may come this much earlier or later than TIMEOUT: before it, the node waits for signs of
 * life from the other members. */
#define MARGIN (40 * SECOND)

/* Starts three nodes with a master, and then loses the registry. */
static void
lose_registry (NetWorld *world)
{
  net_world_join (world, 3);
  satin_net_elect (world->nodes[1].net);
  net_world_run (world, 0);
  fake_registry_lose (world->registry, TRUE);
  net_world_run (world, SECOND);
}

static void
assert_given_up (const NetNode *node)
{
  g_assert_cmpuint (node->n_over, ==, 1);
  g_assert_error (node->error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
}

static void
test_the_run_goes_on_while_all_are_reached (NetWorld *world, gconstpointer unused)
{
  lose_registry (world);
  net_world_run (world, 10 * TIMEOUT);
  for (guint i = 1; i <= 3; i++)
    g_assert_cmpuint (world->nodes[i].n_over, ==, 0);
}

static void
test_the_others_hear_nothing_of_it (NetWorld *world, gconstpointer unused)
{
  lose_registry (world);
  net_world_run (world, TIMEOUT + MARGIN);
  for (guint i = 1; i <= 3; i++)
    g_assert_cmpstr (world->nodes[i].got->str, ==, "");
}

/* Each node has links to two members, and dials the third one when it asks for signs of life. The
 * limit then closes a link to a member that was heard. */
static void
test_the_run_goes_on_with_more_members_than_links (NetWorld *world, gconstpointer unused)
{
  world->max_links = 2;
  net_world_join (world, 4);
  satin_net_elect (world->nodes[1].net);
  net_world_run (world, 0);
  for (guint i = 1; i <= 4; i++)
    net_world_send (world, i, i % 4 + 1, "a");
  net_world_run (world, SECOND);
  g_assert_cmpuint (pipe_network_n_links (world->network), ==, 4);
  guint n_dialed = pipe_network_n_dialed (world->network);
  fake_registry_lose (world->registry, TRUE);
  net_world_run (world, TIMEOUT + MARGIN);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), >, n_dialed);
  g_assert_cmpuint (pipe_network_n_links (world->network), <=, 4);
  net_world_run (world, 10 * TIMEOUT);
  for (guint i = 1; i <= 4; i++)
    g_assert_no_error (world->nodes[i].error);
}

static void
test_a_member_that_is_lost_ends_it (NetWorld *world, gconstpointer unused)
{
  lose_registry (world);
  net_world_free_node (world, 3);
  net_world_run (world, TIMEOUT - MARGIN);
  g_assert_cmpuint (world->nodes[1].n_over, ==, 0);
  net_world_run (world, 2 * MARGIN);
  assert_given_up (&world->nodes[1]);
  assert_given_up (&world->nodes[2]);
}

static void
test_a_node_that_is_cut_off_ends (NetWorld *world, gconstpointer unused)
{
  lose_registry (world);
  fake_registry_lose (world->registry, FALSE);
  net_world_run (world, 0);
  for (guint i = 1; i <= 2; i++)
    {
      g_autofree char *other = g_strdup_printf ("n%u", i);
      pipe_network_lose (world->network, "n3", other, TRUE);
      pipe_network_lose (world->network, other, "n3", TRUE);
    }
  fake_registry_lose (world->registry, TRUE);
  net_world_run (world, TIMEOUT + MARGIN);
  assert_given_up (&world->nodes[3]);
}

static void
test_without_a_master_it_ends (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  fake_registry_lose (world->registry, TRUE);
  net_world_run (world, TIMEOUT + MARGIN);
  assert_given_up (&world->nodes[1]);
  assert_given_up (&world->nodes[2]);
}

static void
test_a_registry_that_is_back_in_time_ends_nothing (NetWorld *world, gconstpointer unused)
{
  lose_registry (world);
  net_world_free_node (world, 3);
  net_world_run (world, TIMEOUT - MARGIN);
  fake_registry_lose (world->registry, FALSE);
  net_world_run (world, 10 * TIMEOUT);
  g_assert_cmpuint (world->nodes[1].n_over, ==, 0);
}

#define WORLD_CASE(path, func)                                                                     \
  g_test_add ("/net/net-lost/" path, NetWorld, NULL, net_world_open, func, net_world_close)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  WORLD_CASE ("the-run-goes-on-while-all-are-reached", test_the_run_goes_on_while_all_are_reached);
  WORLD_CASE ("the-run-goes-on-with-more-members-than-links",
              test_the_run_goes_on_with_more_members_than_links);
  WORLD_CASE ("the-others-hear-nothing-of-it", test_the_others_hear_nothing_of_it);
  WORLD_CASE ("a-member-that-is-lost-ends-it", test_a_member_that_is_lost_ends_it);
  WORLD_CASE ("a-node-that-is-cut-off-ends", test_a_node_that_is_cut_off_ends);
  WORLD_CASE ("without-a-master-it-ends", test_without_a_master_it_ends);
  WORLD_CASE ("a-registry-that-is-back-in-time-ends-nothing",
              test_a_registry_that_is_back_in_time_ends_nothing);
  return g_test_run ();
}
