/* test-hub-unread.c - tests links whose other side does not read what the hub sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-world.h"

#include <string.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-unread/who-comes-back-in-that-turn-is-a-member",
                   test_who_comes_back_in_that_turn_is_a_member);
  return g_test_run ();
}
