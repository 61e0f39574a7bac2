/* test-registry-hub-leaving.c - tests nodes that announce to a hub that they will leave
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "registry-host.h"

#define SECOND   WORLD_SECOND_US
#define DEADLINE (10 * SECOND)

static const SatinHubOptions two_seconds = { .heartbeat_us = SECOND / 2, .death_us = 2 * SECOND };

static World *
world_of (guint n, Host **ret_hosts)
{
  World *world = world_new (&two_seconds);

  for (guint i = 0; i < n; i++)
    ret_hosts[i] = host_join (world);
  for (guint i = 0; i < n; i++)
    host_heard (ret_hosts[i]);
  return world;
}

static void
world_close (World *world, guint n, Host **hosts)
{
  for (guint i = 0; i < n; i++)
    host_free (hosts[i]);
  world_free (world);
}

static void
say_leaving (Host *host)
{
  host->notes.ops->leaving (host->notes.registry, DEADLINE);
}

static void
test_all_hear_it_once (void)
{
  Host *hosts[2];
  World *world = world_of (2, hosts);

  say_leaving (hosts[1]);
  say_leaving (hosts[1]);
  assert_told (hosts[0], "leaving 3 id 2");
  assert_told (hosts[1], "leaving 3 id 2");
  world_close (world, 2, hosts);
}

static void
test_said_without_a_hub_it_is_told_when_there_is_one (void)
{
  Host *hosts[2];
  World *world = world_of (2, hosts);

  world_advance (world, 2 * SECOND);
  world_lose_hub (world);
  say_leaving (hosts[1]);
  world_advance (world, SECOND);
  host_heard (hosts[0]);
  world_start_hub (world, FALSE);
  world_advance (world, 5 * SECOND);
  g_assert_nonnull (strstr (host_heard (hosts[0]), "leaving"));
  g_assert_nonnull (strstr (host_heard (hosts[1]), "leaving"));
  world_close (world, 2, hosts);
}

/* The leaving node itself tells the new hub, which tells no node again. */
static void
test_restarted_hub_knows_it_and_nobody_hears_it_twice (void)
{
  Host *hosts[2];
  World *world = world_of (2, hosts);

  say_leaving (hosts[1]);
  world_settle (world);
  host_heard (hosts[0]);
  host_heard (hosts[1]);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  world_advance (world, 5 * SECOND);
  g_assert_true (hub_member_find (world->hub, 2)->is_leaving);
  g_assert_false (hub_member_find (world->hub, 1)->is_leaving);
  assert_told (hosts[0], "");
  assert_told (hosts[1], "");
  world_close (world, 2, hosts);
}

static void
test_deadline_goes_on_under_a_new_hub (void)
{
  Host *hosts[2];
  World *world = world_of (2, hosts);

  world_advance (world, 2 * SECOND);
  say_leaving (hosts[1]);
  world_advance (world, DEADLINE);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  host_heard (hosts[0]);
  world_advance (world, HUB_LEAVE_GRACE_US - SECOND / 2);
  assert_told (hosts[0], "");
  world_advance (world, 2 * SECOND);
  g_assert_nonnull (strstr (host_heard (hosts[0]), "died"));
  world_close (world, 2, hosts);
}

static void
test_missed_while_the_link_was_broken_it_is_told_later (void)
{
  World *world = world_new (&two_seconds);
  Host *host = host_join (world);
  End *leaver = world_add_node (world);
  const SatinLeave leave = { DEADLINE };

  world_advance (world, 2 * SECOND);
  host_heard (host);
  pipe_network_refuse (world->network, "hub", TRUE);
  pipe_network_break (world->network, NULL, "hub");
  assert_told (host, "unsure");
  pipe_network_refuse (world->network, "hub", FALSE);
  end_connect (leaver);
  end_return (leaver, 2, 2, 0, 0, (const gint64[]){ 1 }, 1);
  end_send (leaver, HUB_MESSAGE_SAY_LEAVING, &leave);
  world_advance (world, SECOND / 2);
  assert_told (host, "leaving 3 id 2");
  host_free (host);
  world_free (world);
}

static void
test_first_view_has_it (void)
{
  Host *hosts[2];
  World *world = world_of (2, hosts);
  Host *late;
  const Client *client;

  say_leaving (hosts[1]);
  late = host_join (world);
  client = late->notes.registry;
  g_assert_false (g_array_index (client->members, ClientMember, 0).is_leaving);
  g_assert_true (g_array_index (client->members, ClientMember, 1).is_leaving);
  host_free (late);
  world_close (world, 2, hosts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/registry-hub-leaving/all-hear-it-once", test_all_hear_it_once);
  g_test_add_func ("/net/registry-hub-leaving/said-without-a-hub-it-is-told-when-there-is-one",
                   test_said_without_a_hub_it_is_told_when_there_is_one);
  g_test_add_func ("/net/registry-hub-leaving/restarted-hub-knows-it-and-nobody-hears-it-twice",
                   test_restarted_hub_knows_it_and_nobody_hears_it_twice);
  g_test_add_func ("/net/registry-hub-leaving/deadline-goes-on-under-a-new-hub",
                   test_deadline_goes_on_under_a_new_hub);
  g_test_add_func ("/net/registry-hub-leaving/missed-while-the-link-was-broken-it-is-told-later",
                   test_missed_while_the_link_was_broken_it_is_told_later);
  g_test_add_func ("/net/registry-hub-leaving/first-view-has-it", test_first_view_has_it);
  return g_test_run ();
}
