/* test-net-route.c - tests which way to a peer is tried first: direct, or through its gateway
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net/private.h"
#include "net-world.h"

#define SECOND G_USEC_PER_SEC

/* ---- the list of gateways ---- */

static void
test_gateways_are_understood (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) routes =
      net_routes_parse ("b=ssh://ann@gate:2022/,key=id,linger=1s  c=ssh://[::1]", &error);
  const NetRoute *b, *c;

  g_assert_no_error (error);
  b = net_routes_find (routes, "b");
  c = net_routes_find (routes, "c");
  g_assert_cmpstr (b->gateway, ==, "ssh://ann@gate:2022");
  g_assert_cmpstr (b->params, ==, "key=id,linger=1s");
  g_assert_cmpstr (c->gateway, ==, "ssh://[::1]");
  g_assert_cmpstr (c->params, ==, "");
  g_assert_null (net_routes_find (routes, "d"));
}

static void
test_no_gateways_are_none (void)
{
  g_autoptr (GPtrArray) routes = net_routes_parse (NULL, NULL);

  g_assert_cmpuint (routes->len, ==, 0);
}

static void
test_others_are_refused (void)
{
  static const char *const wrong[] = {
    "b", "=ssh://x", "b=", "b=x", "b,k=ssh:x", "b=ssh://x b=ssh://y", "b=///", "b=,key=id"
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (net_routes_parse (wrong[i], &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

static void
test_a_uri_through_a_gateway_is_its_own (void)
{
  g_autoptr (GPtrArray) routes = net_routes_parse ("b=ssh://gate c=ssh://gate2", NULL);

  g_assert_cmpstr (net_routes_find_through (routes, "ssh://gate2/h:1")->cluster, ==, "c");
  g_assert_null (net_routes_find_through (routes, "ssh://gate:22/h:1"));
}

static void
test_only_hosts_are_joined (void)
{
  g_autoptr (GPtrArray) routes = net_routes_parse ("b=ssh://gate", NULL);
  const struct
  {
    const char *address;
    const char *joined;
  } cases[] = { { "tcp://10.0.0.1:7", "ssh://gate/10.0.0.1:7" },
                { "tcp://[::1]:7", "ssh://gate/[::1]:7" },
                { "unix:/run/x", "unix:/run/x" },
                { "nocolon", "nocolon" },
                { "", "" },
                { "tcp://", "tcp://" },
                { ":", ":" },
                { "ssh://other/h:7", "ssh://other/h:7" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      NetWay way = NET_WAY_GATEWAY;
      g_autofree char *joined =
          net_route_join (g_ptr_array_index (routes, 0), &way, cases[i].address);

      g_assert_cmpstr (joined, ==, cases[i].joined);
      g_assert_cmpint (way, ==, i < 2 ? NET_WAY_GATEWAY : NET_WAY_DIRECT);
    }
}

/* ---- the order of ways, without nodes ---- */

static void
test_each_round_tries_both (void)
{
  NetRoute route = { .first = NET_WAY_DIRECT };
  NetTry attempt = { 0 };

  for (guint round = 0; round < 3; round++)
    {
      g_assert_cmpint (net_route_begin (&route, &attempt), ==, NET_WAY_DIRECT);
      g_assert_true (net_route_failed (&route, &attempt, NET_WAY_DIRECT));
      g_assert_cmpint (net_route_begin (&route, &attempt), ==, NET_WAY_GATEWAY);
      g_assert_false (net_route_failed (&route, &attempt, NET_WAY_GATEWAY));
    }
}

static void
test_what_opened_is_first_for_all (void)
{
  NetRoute route = { .first = NET_WAY_DIRECT };
  NetTry one = { 0 }, two = { 0 };

  net_route_begin (&route, &one);
  net_route_failed (&route, &one, NET_WAY_DIRECT);
  net_route_opened (&route, &one, NET_WAY_GATEWAY);
  g_assert_cmpint (net_route_begin (&route, &two), ==, NET_WAY_GATEWAY);
  g_assert_true (net_route_failed (&route, &two, NET_WAY_GATEWAY));
  g_assert_cmpint (net_route_begin (&route, &two), ==, NET_WAY_DIRECT);
  net_route_opened (&route, &two, NET_WAY_DIRECT);
  g_assert_cmpint (net_route_begin (&route, &one), ==, NET_WAY_DIRECT);
}

/* ---- nodes ---- */

/* Node 1 is in cluster a, the other nodes are in cluster b. */
static void
start (NetWorld *world, guint n)
{
  world->gateways = "b=pipe:gate";
  net_world_start (world, 1, "a");
  for (guint i = 2; i <= n; i++)
    net_world_start (world, i, "b");
  net_world_run (world, 0);
}

static void
test_who_can_be_connected_to_is (NetWorld *world, gconstpointer unused)
{
  start (world, 2);
  pipe_network_refuse (world->network, "gate/n2", TRUE);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:x,");
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 1);
}

static void
test_who_cannot_is_reached_through_the_gateway (NetWorld *world, gconstpointer unused)
{
  start (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:x,");
  g_assert_cmpstr (fake_registry_get_suspects (world->registry), ==, "");
}

static void
test_what_worked_is_remembered_for_the_cluster (NetWorld *world, gconstpointer unused)
{
  start (world, 3);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 2);
  net_world_send (world, 1, 3, "y");
  net_world_run (world, SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 3);
  g_assert_cmpint (net_view_find (world->nodes[1].net, 3)->route->first, ==, NET_WAY_GATEWAY);
}

static void
test_a_gateway_that_fails_is_gone_around (NetWorld *world, gconstpointer unused)
{
  start (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, SECOND);
  pipe_network_refuse (world->network, "n2", FALSE);
  pipe_network_refuse (world->network, "gate/n2", TRUE);
  pipe_network_break (world->network, "n1", "gate/n2");
  net_world_run (world, SECOND);
  net_world_send (world, 1, 2, "y");
  net_world_run (world, 5 * SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:x,1:y,");
}

static void
test_who_is_reached_no_way_is_suspected (NetWorld *world, gconstpointer unused)
{
  start (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  pipe_network_refuse (world->network, "gate/n2", TRUE);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 0);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 2);
  g_assert_cmpstr (fake_registry_get_suspects (world->registry), ==, "1 suspects 2,");
  pipe_network_refuse (world->network, "gate/n2", FALSE);
  net_world_run (world, 5 * SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:x,");
}

/* ---- addresses that nobody may dial ---- */

static void
expect_warning (const char *text)
{
  g_test_expect_message ("satin-net", G_LOG_LEVEL_WARNING, text);
}

/* Expects the message with which a newcomer says that it has joined. */
static void
expect_newcomer (void)
{
  g_test_expect_message ("satin-net", G_LOG_LEVEL_INFO, "node *: joined a run*");
}

/* Each of these addresses once ended the node that sent a message to it. */
static void
test_a_member_without_an_address_is_no_peer (NetWorld *world, gconstpointer unused)
{
  static const char *const wrong[] = { "nocolon", "", ":", "tcp://", "7:x", "pipe:a\nb" };

  net_world_join (world, 1);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      expect_newcomer ();
      expect_warning ("*is ignored: *is not an address*");
      fake_registry_set_address (world->registry, wrong[i]);
      net_world_start (world, i + 2, NULL);
      net_world_run (world, 0);
      g_assert_false (net_world_send (world, 1, i + 2, "x"));
      g_test_assert_expected_messages ();
      fake_registry_kill (world->registry, i + 2); /* the next newcomer must not hear of it */
      net_world_run (world, 0);
    }
  net_world_run (world, SECOND);
  g_assert_cmpuint (world->nodes[1].n_over, ==, 0);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 0);
}

static void
test_a_member_without_an_address_is_refused (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  expect_newcomer ();
  expect_warning ("node 2 is ignored: *");
  fake_registry_set_address (world->registry, "nocolon");
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  g_test_assert_expected_messages ();
  net_world_send (world, 2, 1, "x");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "");
  g_assert_error (world->nodes[2].error, SATIN_ERROR, SATIN_ERROR_FENCED);
}

static void
test_another_way_than_the_users_is_not_dialed (NetWorld *world, gconstpointer unused)
{
  static const char *const other[] = { "unix:/run/secret", "ssh://gate/h:1", "pipe://h/h:1" };

  net_world_join (world, 1);
  for (guint i = 0; i < G_N_ELEMENTS (other); i++)
    {
      fake_registry_set_address (world->registry, other[i]);
      net_world_start (world, i + 2, NULL);
      net_world_run (world, 0);
      expect_warning ("node * cannot be dialed at *--gateway*");
      net_world_send (world, 1, i + 2, "x");
      net_world_run (world, 10 * SECOND); /* one warning, not one for each attempt */
      g_test_assert_expected_messages ();
    }
  /* These members are asked to dial node 1 instead, which is allowed. */
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, G_N_ELEMENTS (other));
  for (guint i = 0; i < G_N_ELEMENTS (other); i++)
    g_assert_cmpstr (world->nodes[i + 2].got->str, ==, "1:x,");
}

#define WORLD_CASE(path, func)                                                                     \
  g_test_add ("/net/net-route/" path, NetWorld, NULL, net_world_open, func, net_world_close)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/net-route/gateways-are-understood", test_gateways_are_understood);
  g_test_add_func ("/net/net-route/no-gateways-are-none", test_no_gateways_are_none);
  g_test_add_func ("/net/net-route/others-are-refused", test_others_are_refused);
  g_test_add_func ("/net/net-route/a-uri-through-a-gateway-is-its-own",
                   test_a_uri_through_a_gateway_is_its_own);
  g_test_add_func ("/net/net-route/only-hosts-are-joined", test_only_hosts_are_joined);
  g_test_add_func ("/net/net-route/each-round-tries-both", test_each_round_tries_both);
  g_test_add_func ("/net/net-route/what-opened-is-first-for-all",
                   test_what_opened_is_first_for_all);
  WORLD_CASE ("who-can-be-connected-to-is", test_who_can_be_connected_to_is);
  WORLD_CASE ("who-cannot-is-reached-through-the-gateway",
              test_who_cannot_is_reached_through_the_gateway);
  WORLD_CASE ("what-worked-is-remembered-for-the-cluster",
              test_what_worked_is_remembered_for_the_cluster);
  WORLD_CASE ("a-gateway-that-fails-is-gone-around", test_a_gateway_that_fails_is_gone_around);
  WORLD_CASE ("who-is-reached-no-way-is-suspected", test_who_is_reached_no_way_is_suspected);
  WORLD_CASE ("a-member-without-an-address-is-no-peer",
              test_a_member_without_an_address_is_no_peer);
  WORLD_CASE ("a-member-without-an-address-is-refused",
              test_a_member_without_an_address_is_refused);
  WORLD_CASE ("another-way-than-the-users-is-not-dialed",
              test_another_way_than_the_users_is_not_dialed);
  return g_test_run ();
}
