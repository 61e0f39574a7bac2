/* test-hub-told.c - tests signals between the members and the hub's holder, and where members run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-world.h"

#include <string.h>

static void
say (End *node, gint64 to, const char *word, const void *payload, gsize n_payload)
{
  const HubSignal signal = { .to = to, .word = word, .payload = payload, .n_payload = n_payload };
  end_send (node, HUB_MESSAGE_SIGNAL, &signal);
}

static void
test_member_tells_the_holder (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  end_heard (first);
  end_heard (second);
  world_heard (world);
  say (second, SATIN_RUN_HOLDER, "look", "here", 4);
  say (first, SATIN_RUN_HOLDER, "ask", NULL, 0);
  assert_holder (world, "2 says look here; 1 says ask ");
  assert_heard (first, "");
  assert_heard (second, "");
  world_free (world);
}

static void
test_stranger_tells_nothing (void)
{
  World *world = world_new (NULL);
  End *stranger = end_new (world, SATIN_ROLE_NODE);

  end_connect (stranger);
  say (stranger, SATIN_RUN_HOLDER, "look", NULL, 0);
  assert_holder (world, "");
  assert_heard (stranger, "down FORMAT");
  world_free (world);
}

static void
test_holder_tells_members (void)
{
  World *world = world_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);
  g_autoptr (GBytes) payload = g_bytes_new_static ("soon", 4);

  end_heard (first);
  end_heard (second);
  satin_hub_signal (world->hub, 2, "leave", payload);
  satin_hub_signal (world->hub, 0, "stop", NULL);
  world_settle (world);
  assert_heard (first, "signal stop ");
  assert_heard (second, "signal leave soon; signal stop ");
  satin_hub_signal (world->hub, 7, "leave", payload); /* there was never a node 7 */
  world_settle (world);
  assert_heard (first, "");
  world_free (world);
}

static void
test_largest_payload (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);
  gpointer text = g_malloc (HUB_MAX_PAYLOAD_BYTES);
  g_autoptr (GBytes) payload =
      g_bytes_new_take (memset (text, 'x', HUB_MAX_PAYLOAD_BYTES), HUB_MAX_PAYLOAD_BYTES);

  end_heard (node);
  satin_hub_signal (world->hub, 1, "state", payload);
  world_advance (world, WORLD_SECOND_US);
  g_assert_cmpuint (strlen (end_heard (node)), ==,
                    strlen ("signal state ") + HUB_MAX_PAYLOAD_BYTES);
  world_free (world);
}

static void
join_on (World *world, const char *host)
{
  End *node = end_new (world, SATIN_ROLE_NODE);

  node->host = host;
  g_autofree char *address = g_strconcat ("pipe:", host, NULL);
  node->address = g_intern_string (address);
  end_connect (node);
  end_join (node);
  node->is_beating = TRUE;
}

static void
test_hosts (void)
{
  World *world = world_new (NULL);

  join_on (world, "c1");
  join_on (world, "c2");
  g_assert_cmpstr (satin_hub_get_host (world->hub, 1), ==, "c1");
  g_assert_cmpstr (satin_hub_get_host (world->hub, 2), ==, "c2");
  g_assert_null (satin_hub_get_host (world->hub, 3));
  g_assert_null (satin_hub_get_host (world->hub, 0));
  g_assert_cmpuint (satin_hub_find_on (world->hub, "c2"), ==, 2);
  g_assert_cmpuint (satin_hub_find_on (world->hub, "c"), ==, 0);
  g_assert_cmpuint (satin_hub_find_on (world->hub, ""), ==, 0);
  world_free (world);
}

static void
test_gone_member_is_nowhere (void)
{
  World *world = world_new (NULL);
  End *first = end_new (world, SATIN_ROLE_NODE);

  first->host = "c1";
  end_connect (first);
  end_join (first);
  end_send (first, HUB_MESSAGE_LEAVE, NULL);
  g_assert_cmpuint (satin_hub_find_on (world->hub, "c1"), ==, 0);
  g_assert_null (satin_hub_get_host (world->hub, 1));
  world_free (world);
}

static void
test_machine_is_gone (void)
{
  World *world = world_new (NULL);

  join_on (world, "c1");
  join_on (world, "c2");
  join_on (world, "c1");
  world_heard (world);
  satin_hub_host_ended (world->hub, "c1", "it was switched off");
  satin_hub_host_ended (world->hub, "c3", "it never was");
  assert_holder (world, "1 died; 3 died");
  g_assert_cmpuint (satin_hub_find_on (world->hub, "c2"), ==, 2);
  world_free (world);
}

static void
test_last_machine_is_gone (void)
{
  World *world = world_new (NULL);

  join_on (world, "c1");
  world_heard (world);
  satin_hub_host_ended (world->hub, "c1", "it was switched off");
  world_settle (world);
  g_assert_cmpuint (satin_hub_find_on (world->hub, "c1"), ==, 0);
  world_free (world);
}

/* All members may have left before the holder hears that the run is over. */
static void
test_end_is_known_before_it_is_over (void)
{
  World *world = world_new (NULL);

  join_on (world, "c1");
  world_heard (world);
  g_assert_false (satin_hub_is_ending (world->hub));
  satin_hub_end (world->hub, 0, NULL);
  g_assert_true (satin_hub_is_ending (world->hub));
  assert_holder (world, "");
  world_advance (world, 60 * WORLD_SECOND_US);
  g_assert_true (satin_hub_is_ending (world->hub));
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-told/member-tells-the-holder", test_member_tells_the_holder);
  g_test_add_func ("/net/hub-told/stranger-tells-nothing", test_stranger_tells_nothing);
  g_test_add_func ("/net/hub-told/holder-tells-members", test_holder_tells_members);
  g_test_add_func ("/net/hub-told/payload-may-be-large", test_largest_payload);
  g_test_add_func ("/net/hub-told/where-members-run", test_hosts);
  g_test_add_func ("/net/hub-told/gone-member-runs-nowhere", test_gone_member_is_nowhere);
  g_test_add_func ("/net/hub-told/machine-is-gone-with-its-nodes", test_machine_is_gone);
  g_test_add_func ("/net/hub-told/last-machine-is-gone", test_last_machine_is_gone);
  g_test_add_func ("/net/hub-told/end-is-known-before-it-is-over",
                   test_end_is_known_before_it_is_over);
  return g_test_run ();
}
