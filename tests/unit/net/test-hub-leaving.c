/* test-hub-leaving.c - tests members that have announced that they will leave
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-world.h"

#define SECOND   WORLD_SECOND_US
#define DEADLINE (3 * SECOND)

static const SatinLeave soon = { DEADLINE };

/* Returns: a world with @n members, all with empty logs */
static World *
world_of (guint n, const SatinHubOptions *options, End **ret_nodes)
{
  World *world = world_new (options);

  for (guint i = 0; i < n; i++)
    ret_nodes[i] = world_add_node (world);
  for (guint i = 0; i < n; i++)
    end_heard (ret_nodes[i]);
  world_heard (world);
  return world;
}

static void
test_all_hear_it_and_it_stays (void)
{
  End *nodes[3];
  World *world = world_of (3, NULL, nodes);

  end_send (nodes[2], HUB_MESSAGE_SAY_LEAVING, &soon);
  for (guint i = 0; i < 3; i++)
    assert_heard (nodes[i], "leaving 4 id 3");
  assert_holder (world, "3 is leaving");
  g_assert_cmpuint (world->hub->members->len, ==, 3);
  world_free (world);
}

static void
test_newcomer_sees_it_in_its_view (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);
  End *late;

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  late = end_new (world, SATIN_ROLE_NODE);
  end_connect (late);
  end_join (late);
  assert_heard (late, "welcome 4 self 3 members 1 2 leaving complete");
  world_free (world);
}

static void
test_said_twice_counts_once (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_heard (nodes[0]);
  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  assert_heard (nodes[0], "");
  world_free (world);
}

static void
test_it_is_not_elected (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_heard (nodes[0]);
  end_send (nodes[1], HUB_MESSAGE_ELECT, NULL);
  assert_heard (nodes[0], "");
  end_send (nodes[0], HUB_MESSAGE_ELECT, NULL);
  assert_heard (nodes[0], "elected 4 id 1 term 1");
  world_free (world);
}

static void
test_master_leaves (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_ELECT, NULL);
  end_heard (nodes[0]);
  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  assert_heard (nodes[0], "leaving 4 id 2");
  end_send (nodes[0], HUB_MESSAGE_ELECT, NULL);
  assert_heard (nodes[0], "");
  world_free (world);
}

static void
test_then_it_leaves (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_send (nodes[1], HUB_MESSAGE_LEAVE, NULL);
  assert_heard (nodes[0], "leaving 3 id 2; left 4 id 2");
  world_free (world);
}

static void
test_late_one_is_dead (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_heard (nodes[0]);
  end_heard (nodes[1]);
  world_advance (world, DEADLINE + HUB_LEAVE_GRACE_US - SECOND / 2);
  assert_heard (nodes[0], "");
  world_advance (world, SECOND);
  assert_heard (nodes[0], "died 4 id 2");
  assert_heard (nodes[1], "down FENCED");
  g_assert_nonnull (g_strrstr (nodes[1]->why, "did not go in time"));
  world_free (world);
}

/* While only leaving nodes send, the hub must not declare the silent nodes dead: then no node would
 * be left in the end. A simulated run (seed 5099) ended like this. */
static void
test_one_that_leaves_is_no_witness (void)
{
  const SatinLeave later = { 60 * SECOND };
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &later);
  nodes[0]->is_beating = FALSE;
  world_advance (world, 20 * SECOND);
  end_send (nodes[0], HUB_MESSAGE_HEARTBEAT, NULL);
  nodes[0]->is_beating = TRUE;
  world_advance (world, 20 * SECOND);
  assert_heard (nodes[1], "leaving 3 id 2");
  world_free (world);
}

static void
test_one_that_stays_is_a_witness (void)
{
  const SatinLeave later = { 60 * SECOND };
  End *nodes[3];
  World *world = world_of (3, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &later);
  end_heard (nodes[2]);
  nodes[0]->is_beating = FALSE;
  world_advance (world, 20 * SECOND);
  assert_heard (nodes[2], "died 5 id 1");
  world_free (world);
}

static void
test_time_in_which_the_hub_stood_still_does_not_count (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_heard (nodes[0]);
  world_freeze (world, 60 * SECOND);
  world_advance (world, DEADLINE);
  assert_heard (nodes[0], "");
  world_free (world);
}

static void
test_status_says_so (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);
  HubAskStatus ask = { 0 };
  End *tool = end_new (world, SATIN_ROLE_TOOL);

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_connect (tool);
  end_send (tool, HUB_MESSAGE_ASK_STATUS, &ask);
  g_assert_cmpstr (tool->status->nodes[0].state, ==, "member");
  g_assert_cmpstr (tool->status->nodes[1].state, ==, "leaving");
  world_free (world);
}

static void
test_one_that_comes_back_hears_it_with_the_view (void)
{
  End *nodes[2];
  World *world = world_of (2, NULL, nodes);
  const gint64 others[] = { 1 };

  end_send (nodes[1], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_break (nodes[1]);
  end_connect (nodes[1]);
  end_return (nodes[1], 2, 2, 0, 0, others, 1);
  assert_heard (nodes[1], "welcome 3 self 2 members 1 complete and leaving");
  world_free (world);
}

/* ---- in a large run ---- */

static const SatinHubOptions views_of_four = { .view_max = 4 };

static void
test_only_its_view_hears (void)
{
  End *nodes[12];
  World *world = world_of (12, &views_of_four, nodes);
  const HubMember *leaver = hub_member_find (world->hub, 12);

  end_send (nodes[11], HUB_MESSAGE_SAY_LEAVING, &soon);
  for (guint i = 0; i < 11; i++)
    assert_heard (nodes[i], hub_view_has (leaver, i + 1) ? "leaving 13 id 12" : "");
  world_free (world);
}

static void
test_nobody_is_introduced_to_it (void)
{
  End *nodes[12];
  World *world = world_of (12, &views_of_four, nodes);
  HubMember *leaver = hub_member_find (world->hub, 12);
  guint n_known = leaver->view->len;

  end_send (nodes[11], HUB_MESSAGE_SAY_LEAVING, &soon);
  for (guint i = 0; i < 100; i++)
    world_add_node (world);
  g_assert_cmpuint (leaver->view->len, ==, n_known);
  world_free (world);
}

static void
test_who_asks_is_told_that_it_is_leaving (void)
{
  End *nodes[12];
  World *world = world_of (12, &views_of_four, nodes);
  const HubMember *leaver = hub_member_find (world->hub, 12);
  HubNumber number = { 12 };
  guint stranger = 0;

  while (hub_view_has (leaver, stranger + 1))
    stranger++;
  end_send (nodes[11], HUB_MESSAGE_SAY_LEAVING, &soon);
  end_heard (nodes[stranger]);
  end_send (nodes[stranger], HUB_MESSAGE_INTRODUCE, &number);
  assert_heard (nodes[stranger], "joined 13 id 12 leaving");
  world_free (world);
}

/* A node says that it leaves by a message of its own. What it says of itself when it joins does not
 * count. */
static void
test_nobody_joins_leaving (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = end_new (world, SATIN_ROLE_NODE);
  HubJoin join = { .member = { .cluster = second->cluster,
                               .address = second->address,
                               .host = second->host,
                               .pid = second->pid,
                               .is_leaving = TRUE } };

  end_heard (first);
  second->is_beating = TRUE;
  end_connect (second);
  end_send (second, HUB_MESSAGE_JOIN, &join);
  g_assert_null (strstr (end_heard (first), "leaving"));
  g_assert_null (strstr (end_heard (second), "leaving"));
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-leaving/one-that-leaves-is-no-witness",
                   test_one_that_leaves_is_no_witness);
  g_test_add_func ("/net/hub-leaving/one-that-stays-is-a-witness",
                   test_one_that_stays_is_a_witness);
  g_test_add_func ("/net/hub-leaving/all-hear-it-and-it-stays", test_all_hear_it_and_it_stays);
  g_test_add_func ("/net/hub-leaving/newcomer-sees-it-in-its-view",
                   test_newcomer_sees_it_in_its_view);
  g_test_add_func ("/net/hub-leaving/said-twice-counts-once", test_said_twice_counts_once);
  g_test_add_func ("/net/hub-leaving/it-is-not-elected", test_it_is_not_elected);
  g_test_add_func ("/net/hub-leaving/master-is-master-until-it-has-left", test_master_leaves);
  g_test_add_func ("/net/hub-leaving/then-it-leaves", test_then_it_leaves);
  g_test_add_func ("/net/hub-leaving/late-one-is-dead", test_late_one_is_dead);
  g_test_add_func ("/net/hub-leaving/time-in-which-the-hub-stood-still-does-not-count",
                   test_time_in_which_the_hub_stood_still_does_not_count);
  g_test_add_func ("/net/hub-leaving/status-says-so", test_status_says_so);
  g_test_add_func ("/net/hub-leaving/one-that-comes-back-hears-it-with-the-view",
                   test_one_that_comes_back_hears_it_with_the_view);
  g_test_add_func ("/net/hub-leaving/large/only-its-view-hears", test_only_its_view_hears);
  g_test_add_func ("/net/hub-leaving/large/nobody-is-introduced-to-it",
                   test_nobody_is_introduced_to_it);
  g_test_add_func ("/net/hub-leaving/large/who-asks-is-told-that-it-is-leaving",
                   test_who_asks_is_told_that_it_is_leaving);
  g_test_add_func ("/net/hub-leaving/nobody-joins-leaving", test_nobody_joins_leaving);
  return g_test_run ();
}
