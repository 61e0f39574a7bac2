/* test-hub-unread.c - tests how much the hub sends before the other side has read it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-world.h"

#include <string.h>

/* ---- nodes ---- */

/* Sends @id so much that its link is dropped. The link's "down" comes later, on the loop. */
static void
flood (World *world, SatinNodeId id)
{
  g_autoptr (GBytes) much =
      g_bytes_new_take (g_malloc0 (HUB_MAX_PAYLOAD_BYTES), HUB_MAX_PAYLOAD_BYTES);

  for (guint i = 0; i <= HUB_MAX_QUEUED_BYTES / HUB_MAX_PAYLOAD_BYTES; i++)
    satin_hub_signal (world->hub, id, "much", much);
}

/* Sends the join of a node that comes back, and lets no time pass. */
static void
send_join (const End *node)
{
  HubJoin join = { .member = { node->id, node->cluster, node->address, node->host, node->pid },
                   .hub = node->hub,
                   .run = node->run,
                   .n_run = HUB_RUN_BYTES,
                   .highest = 1,
                   .view_number = 1 };
  g_autoptr (GBytes) payload = hub_message_encode (HUB_MESSAGE_JOIN, &join);

  satin_link_send (node->link, SATIN_FRAME_HUB, 0, payload);
}

/* The node has given its link up, and joins on a new one. In the same turn of the loop, before the
 * old link is down, the hub drops it. */
static void
test_who_comes_back_in_that_turn_is_a_member (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);

  satin_link_pause (node->link, TRUE);
  end_connect (node);
  end_heard (node);
  send_join (node);
  flood (world, 1);
  world_settle (world);
  assert_heard (node, "welcome 1 self 1 members complete");
  g_assert_cmpint (hub_member_find (world->hub, 1)->state, ==, HUB_MEMBER_HEARD);
  g_assert_nonnull (hub_member_find (world->hub, 1)->connection);
  world_free (world);
}

/* ---- tools ---- */

/* Few nodes know each other, so many nodes cost little time. */
static const SatinHubOptions small_views = { .view_max = 8 };

/* Adds @n nodes that answer a tool's question for dumps with the largest ones. Returns: the tool */
static End *
ask_for_dumps (World *world, guint n)
{
  g_autofree guint8 *dump = g_malloc0 (SATIN_DUMP_MAX_BYTES);
  SatinReport report = { .dump = dump, .n_dump = SATIN_DUMP_MAX_BYTES };
  HubAskStatus ask = { WORLD_SECOND_US, TRUE };
  End *tool = end_new (world, SATIN_ROLE_TOOL);

  for (guint i = 0; i < n; i++)
    world_add_node (world);
  end_connect (tool);
  end_send (tool, HUB_MESSAGE_ASK_STATUS, &ask);
  for (guint i = 1; i <= n; i++)
    end_send (g_ptr_array_index (world->ends, i), HUB_MESSAGE_REPORT, &report);
  return tool;
}

static void
test_tool_gets_more_than_waits_for_a_node (void)
{
  World *world = world_new (&small_views);
  guint n = HUB_MAX_QUEUED_BYTES / SATIN_DUMP_MAX_BYTES + 8;
  End *tool = ask_for_dumps (world, n);

  assert_heard (tool, "status");
  g_assert_cmpuint (tool->status->n_nodes, ==, n);
  g_assert_cmpuint (tool->status->nodes[n - 1].n_dump, ==, SATIN_DUMP_MAX_BYTES);
  world_free (world);
}

/* Nodes may send larger dumps than the hub has asked for. */
static void
test_status_that_is_too_large_lacks_some_dumps (void)
{
  World *world = world_new (&small_views);
  guint n = HUB_MAX_STATUS_BYTES / SATIN_DUMP_MAX_BYTES + 1;
  End *tool = ask_for_dumps (world, n);

  assert_heard (tool, "status");
  g_assert_cmpuint (tool->status->n_nodes, ==, n);
  g_assert_cmpuint (tool->status->nodes[0].n_dump, ==, SATIN_DUMP_MAX_BYTES);
  g_assert_cmpuint (tool->status->nodes[n - 1].n_dump, ==, 0);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-unread/who-comes-back-in-that-turn-is-a-member",
                   test_who_comes_back_in_that_turn_is_a_member);
  g_test_add_func ("/net/hub-unread/tool-gets-more-than-waits-for-a-node",
                   test_tool_gets_more_than_waits_for_a_node);
  g_test_add_func ("/net/hub-unread/status-that-is-too-large-lacks-some-dumps",
                   test_status_that_is_too_large_lacks_some_dumps);
  return g_test_run ();
}
