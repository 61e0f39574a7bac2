/* test-hub-process.c - tests that a member is dead at once when its process has ended
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-world.h"

#define SECOND WORLD_SECOND_US

static const SatinHubOptions two_seconds = { .heartbeat_us = SECOND / 2, .death_us = 2 * SECOND };

static void
test_ended_process_is_dead_at_once (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *other = world_add_node (world);

  satin_hub_process_ended (world->hub, node->host, node->pid, "killed by signal 9");
  world_settle (world);
  assert_heard (other, "died 3 id 1");
  g_assert_cmpstr (satin_hub_get_death (world->hub, 1), ==, "killed by signal 9");
  g_assert_null (satin_hub_get_death (world->hub, 2));
  world_free (world);
}

static void
test_ended_process_that_had_left_is_not_dead (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);

  end_send (node, HUB_MESSAGE_LEAVE, NULL);
  satin_hub_process_ended (world->hub, node->host, node->pid, "exit status 0");
  assert_holder (world, "1 joined; 1 left");
  g_assert_null (satin_hub_get_death (world->hub, 1));
  world_free (world);
}

/* Returns: a member on @host with the same process number as @node */
static End *
add_twin (World *world, const End *node, const char *host)
{
  End *twin = end_new (world, SATIN_ROLE_NODE);

  twin->pid = node->pid;
  twin->host = host;
  twin->address = "pipe:y";
  twin->is_beating = TRUE;
  end_connect (twin);
  end_join (twin);
  end_heard (twin);
  return twin;
}

/* Two machines may have the same name, so the hub cannot know which of the two members died. */
static void
test_ended_process_of_two_makes_both_show_life (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *twin = add_twin (world, node, node->host);

  world_advance (world, SECOND);
  node->is_beating = FALSE;
  satin_link_pause (node->link, TRUE);
  satin_hub_process_ended (world->hub, node->host, node->pid, "exit status 1");
  world_settle (world);
  assert_heard (twin, "");
  world_advance (world, HUB_SHORT_GRACE_US + SECOND / 2);
  assert_heard (twin, "died 3 id 1");
  world_free (world);
}

static void
test_ended_process_is_that_of_its_host (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *twin = add_twin (world, node, "elsewhere");

  satin_hub_process_ended (world->hub, "elsewhere", node->pid, "killed by signal 9");
  world_settle (world);
  assert_heard (node, "joined 2 id 2; died 3 id 2");
  g_assert_null (twin->link);
  world_free (world);
}

/* The ended process had already left; the member on the other host is another process. */
static void
test_ended_process_does_not_kill_its_twin_elsewhere (void)
{
  World *world = world_new (&two_seconds);
  End *node = world_add_node (world);
  End *twin = add_twin (world, node, "elsewhere");

  end_send (node, HUB_MESSAGE_LEAVE, NULL);
  end_heard (twin);
  satin_hub_process_ended (world->hub, node->host, node->pid, "exit status 0");
  world_advance (world, 5 * SECOND);
  assert_heard (twin, "");
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-process/ended-is-dead-at-once", test_ended_process_is_dead_at_once);
  g_test_add_func ("/net/hub-process/that-had-left-is-not-dead",
                   test_ended_process_that_had_left_is_not_dead);
  g_test_add_func ("/net/hub-process/of-two-makes-both-show-life",
                   test_ended_process_of_two_makes_both_show_life);
  g_test_add_func ("/net/hub-process/is-that-of-its-host", test_ended_process_is_that_of_its_host);
  g_test_add_func ("/net/hub-process/does-not-kill-its-twin-elsewhere",
                   test_ended_process_does_not_kill_its_twin_elsewhere);
  return g_test_run ();
}
