/* test-net-link.c - tests messages between members: links on demand, order, links that cross
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net/private.h"
#include "net-world.h"

#define MS     ((gint64)1000)
#define SECOND G_USEC_PER_SEC

static gboolean
is_dialer (NetWorld *world, guint i, SatinNodeId to)
{
  NetLink *last = net_link_last (net_view_find (world->nodes[i].net, to));

  g_assert_nonnull (last);
  return last->has_dialed;
}

/* ---- waits ---- */

static void
write_wait (const SatinWait *wait, gpointer user_data)
{
  g_assert_cmpuint (wait->deadline, !=, 0);
  g_string_append_printf (user_data, "%s %u,", wait->what, wait->node);
}

static void
assert_waits (NetWorld *world, guint i, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  satin_net_waits (world->nodes[i].net, write_wait, text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_nothing_to_do_is_no_wait (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  assert_waits (world, 1, "");
}

static void
test_a_link_that_opens_has_a_deadline (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "x");
  assert_waits (world, 1, "a link that opens 2,");
  net_world_run (world, SECOND);
  assert_waits (world, 1, "");
}

/* ---- plain messages ---- */

static void
test_no_link_without_a_message (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 3);
  net_world_run (world, SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 0);
}

static void
test_messages_come_in_order_on_one_link (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  g_assert_true (net_world_send (world, 1, 2, "a"));
  g_assert_true (net_world_send (world, 1, 2, "b"));
  net_world_run (world, 0);
  g_assert_true (net_world_send (world, 1, 2, "c"));
  g_assert_true (net_world_send (world, 2, 1, "back"));
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:a,1:b,1:c,");
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:back,");
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 1);
}

static void
test_strangers_and_self_cannot_be_sent_to (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  g_assert_false (net_world_send (world, 1, 2, "x"));
  g_assert_false (net_world_send (world, 1, 1, "x"));
  g_assert_false (net_world_send (world, 1, 0, "x"));
}

static void
test_channels_have_their_own_takers (NetWorld *world, gconstpointer unused)
{
  g_autoptr (GBytes) payload = g_bytes_new_static ("x", 1);

  net_world_join (world, 2);
  satin_peers_send (world->nodes[1].peers, 2, SATIN_CHANNEL_ADAPT, payload);
  satin_peers_send (world->nodes[1].peers, 2, SATIN_CHANNEL_OBJECTS, payload);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1/4:x,");
}

static void
test_channel_given_up_drops_its_messages (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  satin_peers_set_message_func (world->nodes[2].peers, SATIN_CHANNEL_STEAL, NULL, NULL);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "");
}

static void
test_latency_is_half_the_round_trip (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  g_assert_cmpint (satin_peers_get_view (world->nodes[1].peers)->peers[0].latency_us, ==, 0);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, SECOND);
  g_assert_cmpint (satin_peers_get_view (world->nodes[1].peers)->peers[0].latency_us, ==, 10 * MS);
  g_assert_cmpint (satin_peers_get_view (world->nodes[2].peers)->peers[0].latency_us, ==, 10 * MS);
}

static gint64
latency_at_1 (NetWorld *world)
{
  return satin_peers_get_view (world->nodes[1].peers)->peers[0].latency_us;
}

/* Node 1 sends a message every second. */
static void
talk (NetWorld *world, gint64 duration_us)
{
  for (gint64 us = 0; us < duration_us; us += SECOND)
    {
      net_world_send (world, 1, 2, "x");
      net_world_run (world, SECOND);
    }
}

static void
test_way_that_becomes_longer_is_noticed (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  talk (world, 60 * SECOND);
  g_assert_cmpint (latency_at_1 (world), ==, 10 * MS);
  pipe_network_set_delay (world->network, 70 * MS);
  talk (world, NET_LATENCY_PING_US);
  g_assert_cmpint (latency_at_1 (world), ==, 10 * MS); /* the longer time may come from a queue */
  talk (world, 2 * NET_LATENCY_HALF_US);
  g_assert_cmpint (latency_at_1 (world), ==, 70 * MS);
  pipe_network_set_delay (world->network, 10 * MS);
  talk (world, NET_LATENCY_PING_US);
  g_assert_cmpint (latency_at_1 (world), ==, 10 * MS);
}

/* No node sends a message, so no node needs the latency. */
static void
test_link_at_rest_is_not_measured (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  talk (world, SECOND);
  pipe_network_set_delay (world->network, 70 * MS);
  net_world_run (world, 2 * NET_LATENCY_HALF_US);
  g_assert_cmpint (latency_at_1 (world), ==, 10 * MS);
  talk (world, SECOND);
  g_assert_cmpint (latency_at_1 (world), ==, 70 * MS);
}

/* Connecting takes two delays (2 * 10 ms), the message a third. */
static void
test_first_message_does_not_wait_for_an_answer (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 29 * MS);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "");
  net_world_run (world, MS);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:x,");
}

static void
test_answer_to_an_early_message_does_not_wait (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 30 * MS);
  net_world_send (world, 2, 1, "y");
  net_world_run (world, 10 * MS);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:y,");
}

/* The link breaks before the sender can know that the message has arrived. */
static void
test_early_message_of_a_broken_link_comes_once (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 35 * MS);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:a,");
  pipe_network_break (world->network, "n1", "n2");
  net_world_send (world, 1, 2, "b");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:a,1:b,");
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 2);
}

static void
test_early_message_that_was_lost_is_sent_again (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 25 * MS);
  pipe_network_break (world->network, "n1", "n2");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:a,");
}

/* A new node has the address of node 2, which is lost; the sender does not know that yet. */
static void
test_early_message_for_another_node_is_not_taken (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_free_node (world, 2);
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "");
}

/* The second message is too large to be sent early. */
static void
test_more_than_may_be_early_comes_in_order (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "first");
  net_world_send_size (world, 1, 2, SATIN_LINK_EARLY_MAX_BYTES);
  net_world_send (world, 1, 2, "last");
  net_world_run (world, 30 * MS);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:first,");
  net_world_run (world, SECOND);
  g_assert_true (g_str_has_prefix (world->nodes[2].got->str, "1:first,1:"));
  g_assert_true (g_str_has_suffix (world->nodes[2].got->str, ",1:last,"));
}

static void
test_64_mib_may_wait_and_no_more (NetWorld *world, gconstpointer unused)
{
  guint n_sent = 0;

  net_world_join (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  while (n_sent < 100 && net_world_send_size (world, 1, 2, 1 << 20))
    n_sent++;
  g_assert_cmpuint (n_sent, ==, 64);
  g_assert_cmpuint (satin_peers_queued_bytes (world->nodes[1].peers, 2), >=, 64 << 20);
}

/* Nothing is sent before there is a link, so both messages wait. */
static void
test_queue_may_be_smaller (NetWorld *world, gconstpointer unused)
{
  g_autoptr (GBytes) payload = g_bytes_new_static ("0123456789", 10);

  world->max_queue_bytes = 15;
  net_world_join (world, 2);
  SatinPeers *peers = world->nodes[1].peers;
  g_assert_true (satin_peers_send (peers, 2, SATIN_CHANNEL_STEAL, payload));
  g_assert_false (satin_peers_send (peers, 2, SATIN_CHANNEL_STEAL, payload));
  net_world_run (world, MS);
  g_assert_true (satin_peers_send (peers, 2, SATIN_CHANNEL_STEAL, payload));
}

/* ---- two nodes dial each other ---- */

static void
test_of_two_links_the_lower_numbers_stays (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  for (const char *text = "abc"; *text != '\0'; text++)
    {
      net_world_send (world, 1, 2, (const char[]){ *text, '\0' });
      net_world_send (world, 2, 1, (const char[]){ *text, '\0' });
    }
  net_world_run (world, SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 2);
  g_assert_cmpuint (pipe_network_n_links (world->network), ==, 1);
  g_assert_true (is_dialer (world, 1, 2));
  g_assert_false (is_dialer (world, 2, 1));
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:a,2:b,2:c,");
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:a,1:b,1:c,");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "");
}

static void
test_link_that_got_through_first_is_taken (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  net_world_send (world, 2, 1, "first");
  net_world_run (world, 25 * MS);
  /* Node 1 dials too late: the hello of node 2 arrives first. */
  net_world_send (world, 1, 2, "second");
  net_world_run (world, SECOND);
  g_assert_false (is_dialer (world, 1, 2));
  g_assert_cmpuint (pipe_network_n_links (world->network), ==, 1);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:first,");
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:second,");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "");
}

static void
test_lower_that_cannot_connect_is_connected_to (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "waits");
  net_world_run (world, 20 * MS);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "");
  net_world_send (world, 2, 1, "x");
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:x,");
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:waits,");
}

/* Two nodes send to each other with random timing: no message is lost, doubled or reordered, and no
 * break is reported. */
static void
test_any_crossing_loses_nothing (NetWorld *world, gconstpointer unused)
{
  g_autoptr (GString) to_one = g_string_new (NULL);
  g_autoptr (GString) to_two = g_string_new (NULL);

  pipe_network_set_merge (world->network, g_test_rand_bit ());
  pipe_network_set_hasty (world->network, g_test_rand_bit ());
  net_world_join (world, 2);
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);
      gboolean is_one = g_test_rand_bit ();

      pipe_network_set_delay (world->network, g_test_rand_int_range (0, 20) * MS);
      g_assert_true (net_world_send (world, is_one ? 1 : 2, is_one ? 2 : 1, text));
      g_string_append_printf (is_one ? to_two : to_one, "%u:%s,", is_one ? 1 : 2, text);
      net_world_run (world, g_test_rand_int_range (0, 12) * MS);
      if (i % 6 == 5)
        {
          /* From time to time, a coin decides whether node 1 closes the link in good order. */
          NetLink *last = net_link_last (net_view_find (world->nodes[1].net, 2));

          if (last != NULL && g_test_rand_bit ())
            satin_link_close (last->link, NULL);
        }
    }
  net_world_run (world, 10 * SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, to_one->str);
  g_assert_cmpstr (world->nodes[2].got->str, ==, to_two->str);
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "");
}

/* ---- members that are gone or not known yet ---- */

static void
test_message_of_one_not_yet_in_the_view_waits (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  fake_registry_hold (world->registry, 1, TRUE);
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  net_world_send (world, 2, 1, "early");
  net_world_run (world, 3 * SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "");
  fake_registry_hold (world->registry, 1, FALSE);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:early,");
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 1);
}

static void
test_message_to_one_that_does_not_know_it_joined_waits (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  fake_registry_hold_new (world->registry, TRUE);
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  net_world_send (world, 1, 2, "early");
  net_world_run (world, 3 * SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "");
  fake_registry_hold (world->registry, 2, FALSE);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:early,");
}

static void
test_waiting_to_be_known_is_tried_again (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 1);
  fake_registry_hold (world->registry, 1, TRUE);
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  net_world_send (world, 2, 1, "early");
  net_world_run (world, 30 * SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), >, 1);
  fake_registry_hold (world->registry, 1, FALSE);
  net_world_run (world, 5 * SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:early,");
}

static void
test_dead_that_speaks_is_fenced (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 2, 1, "a");
  net_world_run (world, 0);
  fake_registry_kill (world->registry, 2);
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[2].n_over, ==, 0);
  net_world_send (world, 2, 1, "from the grave");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:a,");
  g_assert_cmpuint (world->nodes[1].n_over, ==, 0);
  g_assert_cmpuint (world->nodes[2].n_over, ==, 1);
  g_assert_error (world->nodes[2].error, SATIN_ERROR, SATIN_ERROR_FENCED);
}

static void
test_nothing_of_the_dead_arrives (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  net_world_join (world, 2);
  net_world_send (world, 2, 1, "a");
  net_world_run (world, SECOND);
  net_world_send (world, 2, 1, "under way");
  fake_registry_kill (world->registry, 2);
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:a,");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "died 2,");
}

static void
test_number_that_was_skipped_is_fenced (NetWorld *world, gconstpointer unused)
{
  fake_registry_set_next_id (world->registry, 5);
  net_world_start (world, 1, NULL);
  net_world_run (world, 0);
  fake_registry_set_next_id (world->registry, 3);
  fake_registry_hold (world->registry, 5, TRUE);
  net_world_start (world, 2, NULL);
  net_world_run (world, 0);
  net_world_send (world, 2, 5, "x");
  net_world_run (world, SECOND);
  g_assert_error (world->nodes[2].error, SATIN_ERROR, SATIN_ERROR_FENCED);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (NetWorld *, gconstpointer);
  } cases[] = {
    { "nothing-to-do-is-no-wait", test_nothing_to_do_is_no_wait },
    { "a-link-that-opens-has-a-deadline", test_a_link_that_opens_has_a_deadline },
    { "no-link-without-a-message", test_no_link_without_a_message },
    { "messages-come-in-order-on-one-link", test_messages_come_in_order_on_one_link },
    { "strangers-and-self-cannot-be-sent-to", test_strangers_and_self_cannot_be_sent_to },
    { "channels-have-their-own-takers", test_channels_have_their_own_takers },
    { "channel-given-up-drops-its-messages", test_channel_given_up_drops_its_messages },
    { "latency-is-half-the-round-trip", test_latency_is_half_the_round_trip },
    { "way-that-becomes-longer-is-noticed", test_way_that_becomes_longer_is_noticed },
    { "link-at-rest-is-not-measured", test_link_at_rest_is_not_measured },
    { "64-mib-may-wait-and-no-more", test_64_mib_may_wait_and_no_more },
    { "queue-may-be-smaller", test_queue_may_be_smaller },
    { "first-message-does-not-wait-for-an-answer", test_first_message_does_not_wait_for_an_answer },
    { "answer-to-an-early-message-does-not-wait", test_answer_to_an_early_message_does_not_wait },
    { "early-message-of-a-broken-link-comes-once", test_early_message_of_a_broken_link_comes_once },
    { "early-message-that-was-lost-is-sent-again", test_early_message_that_was_lost_is_sent_again },
    { "early-message-for-another-node-is-not-taken",
      test_early_message_for_another_node_is_not_taken },
    { "more-than-may-be-early-comes-in-order", test_more_than_may_be_early_comes_in_order },
    { "of-two-links-the-lower-numbers-stays", test_of_two_links_the_lower_numbers_stays },
    { "link-that-got-through-first-is-taken", test_link_that_got_through_first_is_taken },
    { "lower-that-cannot-connect-is-connected-to", test_lower_that_cannot_connect_is_connected_to },
    { "any-crossing-loses-nothing", test_any_crossing_loses_nothing },
    { "message-of-one-not-yet-in-the-view-waits", test_message_of_one_not_yet_in_the_view_waits },
    { "message-to-one-that-does-not-know-it-joined-waits",
      test_message_to_one_that_does_not_know_it_joined_waits },
    { "waiting-to-be-known-is-tried-again", test_waiting_to_be_known_is_tried_again },
    { "dead-that-speaks-is-fenced", test_dead_that_speaks_is_fenced },
    { "nothing-of-the-dead-arrives", test_nothing_of_the_dead_arrives },
    { "number-that-was-skipped-is-fenced", test_number_that_was_skipped_is_fenced },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/net-link/", cases[i].name, NULL);

      g_test_add (path, NetWorld, NULL, net_world_open, cases[i].func, net_world_close);
    }
  return g_test_run ();
}
