/* test-network.c - tests when bytes that are sent over a simulated network arrive
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network-world.h"

#include <string.h>

static Net *net;
static Side *a, *b, *c, *d;

/* The bandwidth of slow links. A byte takes a microsecond, which makes expected times easy to
 * read. */
#define SLOW ((guint64)1000000)

static void
set_up (const SatinSimOptions *options, const char *clusters)
{
  net = net_new (options, clusters);
}

static void
tear_down (void)
{
  net_free (net);
}

/* Makes a link between two hosts. Each digit in @clusters is the cluster of one host. */
static void
set_up_link (const SatinSimOptions *options, const char *clusters)
{
  set_up (options, clusters);
  net_link (net, 0, 1, &a, &b);
}

/* Returns: when @side received its last bytes, counted from @since_us */
static gint64
after_us (const Side *side, gint64 since_us)
{
  g_assert_cmpuint (side->received->len, >, 0);
  return side->last_us - since_us;
}

/* Returns: how long 8 bytes take over a plain link */
static gint64
travel_us (const char *clusters)
{
  set_up_link (&net_plain, clusters);
  gint64 since_us = net_now_us (net);
  side_send (a, 8);
  net_run (net);
  gint64 took_us = after_us (b, since_us);
  tear_down ();
  return took_us;
}

static void
test_latency_in_cluster (void)
{
  g_assert_cmpint (travel_us ("00"), ==, 10);
}

static void
test_latency_between_clusters (void)
{
  g_assert_cmpint (travel_us ("01"), ==, 100);
}

static void
test_connecting_takes_a_round_trip (void)
{
  set_up (&net_plain, "01");
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  net_run (net);
  assert_trace (net, "b:accepted@100 a:up@200 ");
  tear_down ();
}

static void
test_own_host_is_near (void)
{
  set_up (&net_plain, "01");
  net_listen (net, 0, "sim:5");
  net_connect (net, 0, "sim:5");
  net_run (net);
  assert_trace (net, "b:accepted@10 a:up@20 ");
  tear_down ();
}

/* Sends a hundred numbers, one per microsecond. Returns: when the first was sent */
static gint64
send_hundred (void)
{
  gint64 since_us = net_now_us (net);
  for (guint i = 0; i < 100; i++)
    {
      side_send_number (a, (guint8)i);
      /* A world's clock advances only to the next event, so this adds one. */
      satin_loop_timer_add (satin_sim_host_get_loop (net->hosts[0]), 1, g_free, NULL);
      net_run_until (net, since_us + i + 1);
    }
  net_run (net);
  return since_us;
}

static const SatinSimOptions with_jitter = {
  .seed = 3, .lan_us = 10, .wan_us = 100, .jitter = 0.9
};

static void
test_jitter_keeps_order (void)
{
  guint8 expected[800];
  set_up_link (&with_jitter, "01");
  send_hundred ();
  for (guint i = 0; i < sizeof expected; i++)
    expected[i] = (guint8)(i / 8);
  g_assert_cmpmem (b->received->data, b->received->len, expected, sizeof expected);
  tear_down ();
}

static void
test_jitter_has_bounds (void)
{
  set_up_link (&with_jitter, "01");
  for (guint i = 0; i < 100; i++)
    {
      gint64 since_us = net_now_us (net);
      side_send (a, 8);
      net_run (net);
      g_assert_cmpint (after_us (b, since_us), >=, 100);
      g_assert_cmpint (after_us (b, since_us), <=, 190);
    }
  tear_down ();
}

static void
test_jitter_varies (void)
{
  gint64 took_us[8];
  guint n_different = 0;
  set_up_link (&with_jitter, "01");
  for (guint i = 0; i < G_N_ELEMENTS (took_us); i++)
    {
      gint64 since_us = net_now_us (net);
      side_send (a, 8);
      net_run (net);
      took_us[i] = after_us (b, since_us);
      n_different += i > 0 && took_us[i] != took_us[0];
    }
  g_assert_cmpuint (n_different, >, 0);
  tear_down ();
}

static void
test_nothing_comes_without_time (void)
{
  set_up_link (&net_plain, "00");
  side_send (a, 8);
  g_assert_cmpuint (b->received->len, ==, 0);
  tear_down ();
}

static const SatinSimOptions slow_lan = {
  .seed = 1, .lan_us = 10, .wan_us = 100, .lan_bandwidth = SLOW
};
static const SatinSimOptions slow_wan = {
  .seed = 1, .lan_us = 10, .wan_us = 100, .wan_bandwidth = SLOW
};

static void
test_bandwidth (void)
{
  set_up_link (&slow_lan, "00");
  gint64 since_us = net_now_us (net);
  side_send (a, 5000);
  net_run (net);
  g_assert_cmpint (after_us (b, since_us), ==, 5010);
  tear_down ();
}

static void
test_small_waits_for_large (void)
{
  set_up_link (&slow_lan, "00");
  gint64 since_us = net_now_us (net);
  side_send (a, 5000);
  side_send (a, 7);
  net_run (net);
  g_assert_cmpint (after_us (b, since_us), ==, 5017);
  tear_down ();
}

/* Two links send at once, from hosts @from to hosts @to: the first a large message, the second a
 * small one. Returns: how long the small message took */
static gint64
beside_large_us (const SatinSimOptions *options, const char *clusters, const guint from[2],
                 const guint to[2])
{
  set_up (options, clusters);
  net_link (net, from[0], to[0], &a, &b);
  net_link (net, from[1], to[1], &c, &d);
  gint64 since_us = net_now_us (net);
  side_send (a, 5000);
  side_send (c, 7);
  net_run (net);
  gint64 took_us = after_us (d, since_us);
  tear_down ();
  return took_us;
}

static void
test_links_of_a_host_share (void)
{
  gint64 took_us = beside_large_us (&slow_lan, "000", (guint[]){ 0, 0 }, (guint[]){ 1, 2 });
  g_assert_cmpint (took_us, ==, 5017);
}

static void
test_hosts_have_own_links (void)
{
  gint64 took_us = beside_large_us (&slow_lan, "0000", (guint[]){ 0, 1 }, (guint[]){ 2, 3 });
  g_assert_cmpint (took_us, ==, 17);
}

static void
test_wan_bandwidth_is_not_for_clusters (void)
{
  gint64 took_us = beside_large_us (&slow_wan, "0000", (guint[]){ 0, 1 }, (guint[]){ 2, 3 });
  g_assert_cmpint (took_us, ==, 10);
}

/* A message goes through the uplink of its own cluster, and then through that of the other
 * cluster. */
static void
test_uplinks_of_both_are_passed (void)
{
  set_up_link (&slow_wan, "01");
  gint64 since_us = net_now_us (net);
  side_send (a, 5000);
  net_run (net);
  g_assert_cmpint (after_us (b, since_us), ==, 10100);
  tear_down ();
}

static void
test_cluster_shares_uplink_out (void)
{
  gint64 took_us = beside_large_us (&slow_wan, "0012", (guint[]){ 0, 1 }, (guint[]){ 2, 3 });
  g_assert_cmpint (took_us, ==, 5000 + 7 + 7 + 100);
}

static void
test_cluster_shares_uplink_in (void)
{
  gint64 took_us = beside_large_us (&slow_wan, "0122", (guint[]){ 0, 1 }, (guint[]){ 2, 3 });
  g_assert_cmpint (took_us, ==, 10000 + 7 + 100);
}

static void
test_other_clusters_have_own_uplinks (void)
{
  gint64 took_us = beside_large_us (&slow_wan, "0123", (guint[]){ 0, 2 }, (guint[]){ 1, 3 });
  g_assert_cmpint (took_us, ==, 7 + 7 + 100);
}

static void
test_ways_of_an_uplink_are_apart (void)
{
  gint64 took_us = beside_large_us (&slow_wan, "0011", (guint[]){ 0, 3 }, (guint[]){ 2, 1 });
  g_assert_cmpint (took_us, ==, 7 + 7 + 100);
}

static void
test_uplinks_change (void)
{
  set_up_link (&slow_wan, "01");
  satin_sim_set_uplink_bandwidth (net->sim, 1, 0);
  satin_sim_set_uplink_latency (net->sim, 0, 300);
  gint64 since_us = net_now_us (net);
  side_send (a, 5000);
  net_run (net);
  g_assert_cmpint (after_us (b, since_us), ==, 5300);
  satin_sim_set_uplink_latency (net->sim, 0, 20);
  since_us = net_now_us (net);
  side_send (b, 5000);
  net_run (net);
  g_assert_cmpint (after_us (a, since_us), ==, 5100);
  tear_down ();
}

static void
test_bytes_are_counted (void)
{
  set_up (&net_plain, "001");
  net_link (net, 0, 1, &a, &b);
  net_link (net, 0, 2, &c, &d);
  side_send (a, 100);
  side_send (c, 30);
  net_run (net);
  g_assert_cmpuint (net_figures (net).lan_bytes, ==, 100);
  g_assert_cmpuint (net_figures (net).wan_bytes, ==, 30);
  tear_down ();
}

/* ---- pausing, queued bytes, drained ---- */

static void
test_paused_receives_nothing (void)
{
  set_up_link (&net_plain, "00");
  side_pause (b, TRUE);
  side_send (a, 8);
  net_run (net);
  assert_trace (net, "");
  tear_down ();
}

static void
test_unpaused_receives_in_order (void)
{
  set_up_link (&net_plain, "00");
  side_pause (b, TRUE);
  for (guint8 i = 1; i <= 3; i++)
    side_send_number (a, i);
  net_run (net);
  side_pause (b, FALSE);
  side_send_number (a, 4);
  net_run (net);
  const guint8 expected[] = { 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
                              3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4 };
  g_assert_cmpmem (b->received->data, b->received->len, expected, sizeof expected);
  tear_down ();
}

static void
test_unpause_comes_on_the_loop (void)
{
  set_up_link (&net_plain, "00");
  side_pause (b, TRUE);
  side_send (a, 8);
  net_run (net);
  side_pause (b, FALSE);
  assert_trace (net, "");
  tear_down ();
}

static void
test_paused_again_receives_nothing (void)
{
  set_up_link (&net_plain, "00");
  side_pause (b, TRUE);
  side_send (a, 8);
  net_run (net);
  side_pause (b, FALSE);
  side_pause (b, TRUE);
  net_run (net);
  assert_trace (net, "");
  tear_down ();
}

static void
test_paused_hears_down_after_all (void)
{
  set_up_link (&net_plain, "00");
  gint64 since_us = net_now_us (net);
  side_pause (b, TRUE);
  side_send (a, 8);
  side_shut (a);
  net_run (net);
  side_pause (b, FALSE);
  net_run (net);
  g_autofree char *expected = g_strdup_printf ("a:down@%" G_GINT64_FORMAT " b:8@%" G_GINT64_FORMAT
                                               " b:down@%" G_GINT64_FORMAT " ",
                                               since_us + 10, since_us + 10, since_us + 10);
  assert_trace (net, expected);
  tear_down ();
}

static void
test_queued_until_sent (void)
{
  set_up_link (&slow_lan, "00");
  gint64 since_us = net_now_us (net);
  side_send (a, 5000);
  side_send (a, 5000);
  g_assert_cmpuint (side_queued_bytes (a), ==, 10000);
  net_run_until (net, since_us + 5000);
  g_assert_cmpuint (side_queued_bytes (a), ==, 5000);
  net_run (net);
  g_assert_cmpuint (side_queued_bytes (a), ==, 0);
  tear_down ();
}

static void
test_drained_once_half_is_left (void)
{
  set_up_link (&slow_lan, "00");
  for (guint i = 0; i < 10; i++)
    side_send (a, 1 << 20);
  gint64 since_us = net_now_us (net);
  net_run_until (net, since_us + ((gint64)6 << 20));
  g_assert_cmpuint (a->n_drained, ==, 0);
  net_run_until (net, since_us + ((gint64)7 << 20));
  g_assert_cmpuint (a->n_drained, ==, 1);
  net_run (net);
  g_assert_cmpuint (a->n_drained, ==, 1);
  tear_down ();
}

static void
test_little_is_not_drained (void)
{
  set_up_link (&slow_lan, "00");
  side_send (a, (gsize)8 << 20);
  net_run (net);
  g_assert_cmpuint (a->n_drained, ==, 0);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/sim/network/" claim, func)
  ADD ("latency-in-a-cluster", test_latency_in_cluster);
  ADD ("latency-between-clusters", test_latency_between_clusters);
  ADD ("connecting-takes-a-round-trip", test_connecting_takes_a_round_trip);
  ADD ("own-host-is-near", test_own_host_is_near);
  ADD ("jitter-keeps-order", test_jitter_keeps_order);
  ADD ("jitter-has-bounds", test_jitter_has_bounds);
  ADD ("jitter-varies", test_jitter_varies);
  ADD ("nothing-comes-without-time", test_nothing_comes_without_time);
  ADD ("bandwidth-delays-large-messages", test_bandwidth);
  ADD ("small-message-waits-for-large-one", test_small_waits_for_large);
  ADD ("links-of-a-host-share-its-bandwidth", test_links_of_a_host_share);
  ADD ("hosts-have-links-of-their-own", test_hosts_have_own_links);
  ADD ("uplinks-get-other-bandwidth-and-latency", test_uplinks_change);
  ADD ("uplink-is-not-used-in-a-cluster", test_wan_bandwidth_is_not_for_clusters);
  ADD ("uplinks-of-both-clusters-are-passed", test_uplinks_of_both_are_passed);
  ADD ("cluster-shares-its-uplink-out", test_cluster_shares_uplink_out);
  ADD ("cluster-shares-its-uplink-in", test_cluster_shares_uplink_in);
  ADD ("clusters-have-uplinks-of-their-own", test_other_clusters_have_own_uplinks);
  ADD ("two-ways-of-an-uplink-do-not-meet", test_ways_of_an_uplink_are_apart);
  ADD ("bytes-are-counted", test_bytes_are_counted);
  ADD ("paused-side-receives-nothing", test_paused_receives_nothing);
  ADD ("unpaused-side-receives-in-order", test_unpaused_receives_in_order);
  ADD ("unpaused-side-receives-on-the-loop", test_unpause_comes_on_the_loop);
  ADD ("side-paused-again-receives-nothing", test_paused_again_receives_nothing);
  ADD ("paused-side-hears-down-after-all", test_paused_hears_down_after_all);
  ADD ("bytes-are-queued-until-sent", test_queued_until_sent);
  ADD ("drained-comes-once-when-half-is-left", test_drained_once_half_is_left);
  ADD ("little-is-not-drained", test_little_is_not_drained);
  return g_test_run ();
}
