/* test-net-link.c - messages between members: on demand, in order, through breaks and crossings
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net/private.h"
#include "net-world.h"

#include <string.h>

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

/* Node 1 says something every second. */
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
  g_assert_cmpint (latency_at_1 (world), ==, 10 * MS); /* it might have been a queue */
  talk (world, 2 * NET_LATENCY_HALF_US);
  g_assert_cmpint (latency_at_1 (world), ==, 70 * MS);
  pipe_network_set_delay (world->network, 10 * MS);
  talk (world, NET_LATENCY_PING_US);
  g_assert_cmpint (latency_at_1 (world), ==, 10 * MS);
}

/* Nobody speaks: nobody wants to know. */
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

/* Two ways to connect, one for the message. */
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

/* Its sender cannot know whether it came. */
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

/* Another node has the address of one that was lost, and its sender does not know yet. */
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

/* Only so much is sent early; it all comes in order. */
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

/* Nothing is sent before there is a link, so all waits. */
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

/* ---- two towards each other ---- */

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
  /* Node 1 has not connected when the hello of node 2 comes. */
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

/* Any timing of two that send to each other: nothing is lost, doubled or reordered, one link stays.
 */
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
          /* Once in a while all is quiet, and the link is closed in good order by chance. */
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

/* ---- few links ---- */

static void
test_least_used_link_is_closed_above_the_limit (NetWorld *world, gconstpointer unused)
{
  world->max_links = 2;
  net_world_join (world, 4);
  for (SatinNodeId to = 2; to <= 4; to++)
    {
      net_world_send (world, 1, to, "x");
      net_world_run (world, MS);
    }
  g_assert_cmpuint (pipe_network_n_links (world->network), ==, 2);
  g_assert_null (net_link_last (net_view_find (world->nodes[1].net, 2)));
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "");
}

static guint
count_commas (const char *text)
{
  guint n_commas = 0;

  for (; *text != '\0'; text++)
    n_commas += *text == ',';
  return n_commas;
}

/* Each node's messages from each other node are 0, 1, 2 ... in this order. */
static void
assert_in_order (NetWorld *world, guint n_nodes)
{
  for (guint i = 1; i <= n_nodes; i++)
    {
      guint next[NET_WORLD_MAX_NODES + 1] = { 0 };
      g_auto (GStrv) messages = g_strsplit (world->nodes[i].got->str, ",", -1);

      for (char **message = messages; **message != '\0'; message++)
        {
          guint from = (guint)g_ascii_strtoull (*message, NULL, 10);
          guint serial = (guint)g_ascii_strtoull (strchr (*message, ':') + 1, NULL, 10);

          g_assert_cmpuint (serial, >=, next[from]);
          next[from] = serial + 1;
        }
    }
}

static guint
send_at_random (NetWorld *world, guint n_nodes, guint n_messages, gint64 pause_us)
{
  guint serials[NET_WORLD_MAX_NODES + 1][NET_WORLD_MAX_NODES + 1] = { 0 };
  guint n_sent = 0;

  while (n_sent < n_messages)
    {
      guint from = (guint)g_test_rand_int_range (1, (int)n_nodes + 1);
      guint to = (guint)g_test_rand_int_range (1, (int)n_nodes + 1);
      g_autofree char *text = g_strdup_printf ("%u", serials[from][to]);

      if (from == to)
        continue;
      pipe_network_set_delay (world->network, g_test_rand_int_range (0, 20) * MS);
      serials[from][to]++;
      n_sent++;
      g_assert_true (net_world_send (world, from, to, text));
      net_world_run (world, g_test_rand_int_range (0, (int)pause_us));
    }
  return n_sent;
}

static void
test_one_link_each_still_loses_nothing (NetWorld *world, gconstpointer unused)
{
  guint n_sent;
  guint n_got = 0;

  world->max_links = 1;
  pipe_network_set_delay (world->network, 5 * MS);
  pipe_network_set_merge (world->network, TRUE);
  pipe_network_set_hasty (world->network, TRUE);
  net_world_join (world, 5);
  n_sent = send_at_random (world, 5, 400, 10 * MS);
  net_world_run (world, 60 * SECOND);
  for (guint i = 1; i <= 5; i++)
    {
      n_got += count_commas (world->nodes[i].got->str);
      g_assert_cmpstr (world->nodes[i].changes->str, ==, "");
    }
  g_assert_cmpuint (n_got, ==, n_sent);
  assert_in_order (world, 5);
}

static void
test_new_link_waits_for_messages_of_the_old (NetWorld *world, gconstpointer unused)
{
  pipe_network_set_hasty (world->network, TRUE);
  net_world_join (world, 2);
  net_world_send (world, 2, 1, "a");
  net_world_run (world, 0);
  pipe_network_set_delay (world->network, 50 * MS);
  net_world_send (world, 2, 1, "slow");
  pipe_network_set_delay (world->network, 0);
  satin_link_close (net_link_last (net_view_find (world->nodes[1].net, 2))->link, NULL);
  net_world_run (world, 0);
  net_world_send (world, 2, 1, "fast");
  net_world_run (world, 40 * MS);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 2);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:a,");
  net_world_run (world, 10 * MS);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:a,2:slow,2:fast,");
}

/* ---- breaks ---- */

static void
test_break_is_told_on_both_sides_and_hinted (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "x");
  net_world_run (world, 0);
  pipe_network_break (world->network, NULL, NULL);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "broken 2,");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "broken 1,");
  g_assert_nonnull (strstr (fake_registry_get_suspects (world->registry), "1 suspects 2,"));
  g_assert_nonnull (strstr (fake_registry_get_suspects (world->registry), "2 suspects 1,"));
}

static void
test_messages_go_on_after_a_break (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 0);
  pipe_network_break (world->network, NULL, NULL);
  net_world_run (world, 0);
  net_world_send (world, 1, 2, "b");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:a,1:b,");
}

static void
test_what_waits_survives_links_that_do_not_open (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 5 * SECOND);
  net_world_send (world, 1, 2, "b");
  pipe_network_refuse (world->network, "n2", FALSE);
  net_world_run (world, NET_RETRY_MAX_US);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:a,1:b,");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "");
}

static void
test_retries_become_rare (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  /* Both ways: node 2 is asked to dial, too. */
  pipe_network_refuse (world->network, "n1", TRUE);
  pipe_network_refuse (world->network, "n2", TRUE);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 60 * SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), >, 25);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), <, 160);
}

static void
test_no_retries_when_nothing_waits (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 0);
  pipe_network_break (world->network, NULL, NULL);
  net_world_run (world, 60 * SECOND);
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 1);
}

/* The link of nodes 1 and 2 is gone for node @i, and the other does not know. */
static void
lose_link_on_one_side (NetWorld *world, guint i)
{
  guint other = i == 1 ? 2 : 1;
  g_autofree char *name = g_strdup_printf ("n%u", i);
  g_autofree char *other_name = g_strdup_printf ("n%u", other);

  pipe_network_lose (world->network, name, other_name, TRUE);
  satin_link_drop (net_link_last (net_view_find (world->nodes[i].net, other))->link);
  net_world_run (world, 0);
  pipe_network_lose (world->network, name, other_name, FALSE);
  g_assert_cmpstr (world->nodes[other].changes->str, ==, "");
}

static void
test_link_dead_for_the_higher_is_replaced (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 0);
  lose_link_on_one_side (world, 2);
  net_world_send (world, 2, 1, "b");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:b,");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "broken 2,");
}

static void
test_link_dead_for_the_lower_is_replaced (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 2, 1, "a");
  net_world_run (world, 0);
  lose_link_on_one_side (world, 1);
  net_world_send (world, 1, 2, "b");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[2].got->str, ==, "1:b,");
  g_assert_cmpstr (world->nodes[2].changes->str, ==, "broken 1,");
}

/* Not even the ping comes back. */
static void
test_silent_link_is_blamed_and_replaced (NetWorld *world, gconstpointer unused)
{
  net_world_join (world, 2);
  net_world_send (world, 1, 2, "a");
  net_world_run (world, 0);
  pipe_network_lose (world->network, "n1", "n2", TRUE);
  net_world_send (world, 1, 2, "lost");
  pipe_network_lose (world->network, "n1", "n2", FALSE);
  lose_link_on_one_side (world, 2);
  net_world_send (world, 2, 1, "b");
  net_world_run (world, 20 * SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:b,");
  g_assert_cmpstr (world->nodes[1].changes->str, ==, "broken 2,");
}

/* Breaks at random lose messages, but never their order. */
static void
test_any_breaks_keep_the_order (NetWorld *world, gconstpointer unused)
{
  world->max_links = 2;
  pipe_network_set_delay (world->network, 5 * MS);
  net_world_join (world, 4);
  for (guint round = 0; round < 20; round++)
    {
      g_autofree char *from = g_strdup_printf ("n%d", g_test_rand_int_range (1, 5));

      for (guint i = 0; i < 20; i++)
        {
          guint a = (guint)g_test_rand_int_range (1, 5);
          guint b = (guint)g_test_rand_int_range (1, 5);
          g_autofree char *text = g_strdup_printf ("%u", round * 20 + i);

          if (a != b)
            net_world_send (world, a, b, text);
          net_world_run (world, g_test_rand_int_range (0, 10) * MS);
        }
      pipe_network_break (world->network, from, NULL);
    }
  net_world_run (world, 60 * SECOND);
  assert_in_order (world, 4);
  g_assert_cmpuint (count_commas (world->nodes[1].got->str), >, 20);
}

/* ---- the dead and the not yet born ---- */

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
    { "least-used-link-is-closed-above-the-limit", test_least_used_link_is_closed_above_the_limit },
    { "one-link-each-still-loses-nothing", test_one_link_each_still_loses_nothing },
    { "new-link-waits-for-messages-of-the-old", test_new_link_waits_for_messages_of_the_old },
    { "break-is-told-on-both-sides-and-hinted", test_break_is_told_on_both_sides_and_hinted },
    { "messages-go-on-after-a-break", test_messages_go_on_after_a_break },
    { "what-waits-survives-links-that-do-not-open",
      test_what_waits_survives_links_that_do_not_open },
    { "retries-become-rare", test_retries_become_rare },
    { "no-retries-when-nothing-waits", test_no_retries_when_nothing_waits },
    { "link-dead-for-the-higher-is-replaced", test_link_dead_for_the_higher_is_replaced },
    { "link-dead-for-the-lower-is-replaced", test_link_dead_for_the_lower_is_replaced },
    { "silent-link-is-blamed-and-replaced", test_silent_link_is_blamed_and_replaced },
    { "any-breaks-keep-the-order", test_any_breaks_keep_the_order },
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
