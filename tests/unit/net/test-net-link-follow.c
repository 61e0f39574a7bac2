/* test-net-link-follow.c - tests links that follow a link that broke or was closed above the limit
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net/private.h"
#include "net-world.h"

#include <string.h>

#define MS     ((gint64)1000)
#define SECOND G_USEC_PER_SEC

/* ---- the limit of links ---- */

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

/* Checks that the numbers in a node's messages to another node always rise. Some may be missing. */
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
  /* Dialing fails in both directions, because node 2 is asked to dial, too. */
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

/* Ends the link of nodes 1 and 2 at node @i only; the other node does not notice. */
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

/* The old link is mute in both directions, so a ping on it gets no answer. */
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

/* Random breaks lose messages, but the rest stays in order. */
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

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (NetWorld *, gconstpointer);
  } cases[] = {
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
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/net-link-follow/", cases[i].name, NULL);

      g_test_add (path, NetWorld, NULL, net_world_open, cases[i].func, net_world_close);
    }
  return g_test_run ();
}
