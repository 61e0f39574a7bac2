/* test-hub-closed.c - tests a closed run, which waits for all its members and accepts no more
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "hub-world.h"

static void
test_complete_when_all_have_joined (void)
{
  SatinHubOptions options = { .n_nodes = 2 };
  World *world = world_new (&options);
  End *first = end_new (world, SATIN_ROLE_NODE);
  End *second = end_new (world, SATIN_ROLE_NODE);

  end_connect (first);
  end_join (first);
  assert_heard (first, "welcome 1 self 1 members");
  end_connect (second);
  end_join (second);
  assert_heard (first, "joined 2 id 2; complete");
  assert_heard (second, "welcome 2 self 2 members 1 complete");
  world_free (world);
}

static void
test_process_that_joins_again_has_one_place (void)
{
  SatinHubOptions options = { .n_nodes = 2 };
  World *world = world_new (&options);
  End *first = world_add_node (world);
  End *second = end_new (world, SATIN_ROLE_NODE);

  end_break (first);
  end_heard (first);
  end_connect (first);
  end_join (first);
  assert_heard (first, "welcome 2 self 2 members 1; died 3 id 1");
  end_connect (second);
  end_join (second);
  assert_heard (second, "welcome 4 self 3 members 2 complete");
  world_free (world);
}

static void
test_last_of_a_closed_run_may_join_again (void)
{
  SatinHubOptions options = { .n_nodes = 1 };
  World *world = world_new (&options);
  End *node = world_add_node (world);

  end_break (node);
  end_heard (node);
  end_connect (node);
  end_join (node);
  assert_heard (node, "welcome 2 self 2 members 1 complete; died 3 id 1");
  world_free (world);
}

static void
test_closed_run_refuses_more (void)
{
  SatinHubOptions options = { .n_nodes = 1 };
  World *world = world_new (&options);
  End *more = end_new (world, SATIN_ROLE_NODE);
  End *first = world_add_node (world);

  end_connect (more);
  end_join (more);
  assert_heard (more, "down LIMIT");
  g_assert_nonnull (strstr (more->why, "all 1 nodes have joined"));
  assert_heard (first, "");
  world_free (world);
}

static void
test_closed_run_takes_as_many_more_as_are_expected (void)
{
  SatinHubOptions options = { .n_nodes = 1 };
  World *world = world_new (&options);
  End *more = end_new (world, SATIN_ROLE_NODE);
  End *too_many = end_new (world, SATIN_ROLE_NODE);

  world_add_node (world);
  satin_hub_expect_more (world->hub, 1);
  end_connect (more);
  end_join (more);
  assert_heard (more, "welcome 2 self 2 members 1 complete");
  end_connect (too_many);
  end_join (too_many);
  assert_heard (too_many, "down LIMIT");
  world_free (world);
}

static void
test_join_timeout_ends_the_run (void)
{
  SatinHubOptions options = { .n_nodes = 3, .join_timeout_us = 2 * WORLD_SECOND_US };
  World *world = world_new (&options);
  const char *heard;

  world_add_node (world);
  world_advance (world, 2 * WORLD_SECOND_US - 1);
  assert_holder (world, "1 joined");
  world_advance (world, 2 * HUB_END_PATIENCE_US);
  heard = world_heard (world);
  g_assert_true (g_str_has_prefix (heard, "over 21 1 of 3 nodes joined within 2 s"));
  world_free (world);
}

static void
test_complete_run_does_not_time_out (void)
{
  SatinHubOptions options = { .n_nodes = 1, .join_timeout_us = WORLD_SECOND_US };
  World *world = world_new (&options);

  world_add_node (world);
  world_advance (world, 3 * WORLD_SECOND_US);
  assert_holder (world, "1 joined");
  world_free (world);
}

static void
test_deserted_closed_run_ends (void)
{
  SatinHubOptions options = { .n_nodes = 1 };
  World *world = world_new (&options);
  End *node = world_add_node (world);

  satin_hub_process_ended (world->hub, node->host, node->pid, "killed");
  world_settle (world);
  assert_holder (world, "1 joined; 1 died; over 24 no node is left, and the run is not over");
  world_free (world);
}

/* Returns: the only node of a closed run, which has come back to a new hub */
static End *
come_back_to_new_hub (World *world)
{
  End *node = world_add_node (world);

  world_lose_hub (world);
  world_start_hub (world, FALSE);
  world_heard (world);
  end_connect (node);
  end_return (node, 1, 1, 0, 0, NULL, 0);
  return node;
}

static void
test_run_that_is_deserted_during_the_grace_ends (void)
{
  SatinHubOptions options = { .n_nodes = 1 };
  World *world = world_new (&options);
  End *node = come_back_to_new_hub (world);

  end_send (node, HUB_MESSAGE_LEAVE, NULL);
  assert_holder (world, "1 left");
  world_advance (world, 60 * WORLD_SECOND_US);
  assert_holder (world, "over 24 no node is left, and the run is not over");
  world_free (world);
}

static void
test_run_that_is_deserted_during_the_grace_takes_nobody (void)
{
  SatinHubOptions options = { .n_nodes = 1 };
  World *world = world_new (&options);
  End *node = come_back_to_new_hub (world);
  End *more = end_new (world, SATIN_ROLE_NODE);

  end_connect (more);
  end_join (more);
  satin_hub_process_ended (world->hub, node->host, node->pid, "killed");
  world_advance (world, 60 * WORLD_SECOND_US);
  assert_heard (more, "down LIMIT");
  assert_holder (world, "1 died; over 24 no node is left, and the run is not over");
  world_free (world);
}

static void
test_deserted_open_run_goes_on (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);

  satin_hub_process_ended (world->hub, node->host, node->pid, "killed");
  world_advance (world, 60 * WORLD_SECOND_US);
  assert_holder (world, "1 joined; 1 died");
  g_assert_cmpint (world_add_node (world)->id, ==, 2);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-closed/complete-when-all-have-joined",
                   test_complete_when_all_have_joined);
  g_test_add_func ("/net/hub-closed/process-that-joins-again-has-one-place",
                   test_process_that_joins_again_has_one_place);
  g_test_add_func ("/net/hub-closed/last-one-may-join-again",
                   test_last_of_a_closed_run_may_join_again);
  g_test_add_func ("/net/hub-closed/refuses-more", test_closed_run_refuses_more);
  g_test_add_func ("/net/hub-closed/takes-as-many-more-as-are-expected",
                   test_closed_run_takes_as_many_more_as_are_expected);
  g_test_add_func ("/net/hub-closed/join-timeout-ends-the-run", test_join_timeout_ends_the_run);
  g_test_add_func ("/net/hub-closed/complete-run-does-not-time-out",
                   test_complete_run_does_not_time_out);
  g_test_add_func ("/net/hub-closed/deserted-run-ends", test_deserted_closed_run_ends);
  g_test_add_func ("/net/hub-closed/run-that-is-deserted-during-the-grace-ends",
                   test_run_that_is_deserted_during_the_grace_ends);
  g_test_add_func ("/net/hub-closed/run-that-is-deserted-during-the-grace-takes-nobody",
                   test_run_that_is_deserted_during_the_grace_takes_nobody);
  g_test_add_func ("/net/hub-closed/open/deserted-run-goes-on", test_deserted_open_run_goes_on);
  return g_test_run ();
}
