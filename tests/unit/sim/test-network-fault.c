/* test-network-fault.c - tests faults: cut connections, reset links, readers that take nothing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network-world.h"

#include <string.h>

#define MINUTE_US ((gint64)60000000)
#define MUCH      ((gsize)4 << 20)

static Net *net;
static Side *a, *b;

/* Hosts 0 and 1 with a link. The latency is 10 us. */
static void
set_up (void)
{
  net = net_new (&net_plain, "00");
  net_link (net, 0, 1, &a, &b);
}

static void
tear_down (void)
{
  net_free (net);
}

static void
cut_both (gint64 duration_us)
{
  satin_sim_cut (net->hosts[0], net->hosts[1], duration_us);
  satin_sim_cut (net->hosts[1], net->hosts[0], duration_us);
}

static void
nothing (gpointer unused)
{
}

static void
wait (gint64 duration_us)
{
  satin_loop_timer_add (satin_sim_host_get_loop (net->hosts[0]), duration_us, nothing, NULL);
  net_run_until (net, net_now_us (net) + duration_us);
}

/* ---- cuts ---- */

static void
test_cut_comes_late (void)
{
  cut_both (5000);
  side_send (a, 5);
  side_send (b, 6);
  net_run (net);
  assert_trace (net, "b:5@5020 a:6@5020 ");
}

static void
test_cut_has_one_way (void)
{
  satin_sim_cut (net->hosts[0], net->hosts[1], 5000);
  side_send (a, 5);
  side_send (b, 6);
  net_run (net);
  assert_trace (net, "a:6@30 b:5@5020 ");
}

static void
test_long_cut_breaks (void)
{
  cut_both (2 * MINUTE_US);
  side_send (a, 5);
  net_run (net);
  assert_trace (net, "a:timeout@60000020 b:closed@120000020 ");
}

static void
test_long_cut_spares_who_is_silent (void)
{
  cut_both (2 * MINUTE_US);
  wait (2 * MINUTE_US);
  side_send (a, 5);
  net_run (net);
  assert_trace (net, "b:5@120000030 ");
}

static void
test_long_cut_back_breaks (void)
{
  satin_sim_cut (net->hosts[1], net->hosts[0], 2 * MINUTE_US);
  side_send (a, 5);
  net_run (net);
  assert_trace (net, "b:5@30 a:timeout@60000020 b:closed@60000030 ");
}

static void
test_cut_holds_calls (void)
{
  const char *uri = net_listen (net, 1, "sim:0");
  cut_both (5000);
  net_connect (net, 0, uri);
  net_run (net);
  assert_trace (net, "d:accepted@5020 c:up@5030 ");
}

static void
test_cut_back_holds_calls (void)
{
  const char *uri = net_listen (net, 1, "sim:0");
  satin_sim_cut (net->hosts[1], net->hosts[0], 5000);
  net_connect (net, 0, uri);
  net_run (net);
  assert_trace (net, "d:accepted@5020 c:up@5030 ");
}

static void
test_cut_call_is_taken_back (void)
{
  const char *uri = net_listen (net, 1, "sim:0");
  cut_both (5000);
  Side *c = net_connect (net, 0, uri);
  wait (1000);
  side_drop (c);
  net_run (net);
  g_assert_null (strstr (net->trace->str, "accepted"));
}

static void
test_clog_lets_calls_pass (void)
{
  const char *uri = net_listen (net, 1, "sim:0");
  satin_sim_clog (net->hosts[0], net->hosts[1], 5000);
  net_connect (net, 0, uri);
  net_run (net);
  assert_trace (net, "d:accepted@30 c:up@40 ");
}

static void
test_cut_delays_a_drop (void)
{
  cut_both (5000);
  side_drop (a);
  net_run (net);
  assert_trace (net, "a:cancelled@20 b:closed@5020 ");
}

/* ---- resets ---- */

static void
test_reset_delivers_what_was_sent (void)
{
  side_send (a, 5);
  satin_sim_reset_links (net->hosts[0], net->hosts[1]);
  net_run (net);
  assert_trace (net, "a:closed@20 b:5@30 b:closed@30 ");
}

static void
test_reset_loses_what_comes (void)
{
  side_send (b, 5);
  satin_sim_reset_links (net->hosts[0], net->hosts[1]);
  net_run (net);
  assert_trace (net, "a:closed@20 b:closed@30 ");
}

static void
test_reset_behind_a_clog (void)
{
  satin_sim_clog (net->hosts[0], net->hosts[1], 5000);
  side_send (a, 5);
  satin_sim_reset_links (net->hosts[0], net->hosts[1]);
  net_connect (net, 0, net_listen (net, 1, "sim:0"));
  net_run (net);
  assert_trace (net, "a:closed@20 d:accepted@30 c:up@40 b:5@5020 b:closed@5020 ");
}

/* ---- links that one side has forgotten ---- */

static void
test_forgotten_by_one (void)
{
  satin_sim_forget_links (net->hosts[0], net->hosts[1], TRUE);
  net_run (net);
  assert_trace (net, "a:closed@20 ");
}

static void
test_forgotten_delivers_what_was_sent (void)
{
  side_send (a, 5);
  satin_sim_forget_links (net->hosts[0], net->hosts[1], TRUE);
  net_run (net);
  assert_trace (net, "a:closed@20 b:5@30 ");
}

static void
test_forgotten_answers (void)
{
  satin_sim_forget_links (net->hosts[0], net->hosts[1], TRUE);
  side_send (b, 5);
  side_send (b, 6);
  net_run (net);
  assert_trace (net, "a:closed@20 b:closed@40 ");
}

static void
test_forgotten_is_silent (void)
{
  satin_sim_forget_links (net->hosts[0], net->hosts[1], FALSE);
  side_send (b, 5);
  net_run (net);
  assert_trace (net, "a:closed@20 b:timeout@60000020 ");
}

static void
test_forgotten_may_be_shut (void)
{
  satin_sim_forget_links (net->hosts[0], net->hosts[1], TRUE);
  side_shut (b);
  net_run (net);
  assert_trace (net, "a:closed@20 b:cancelled@20 ");
}

static void
test_forgotten_may_break (void)
{
  satin_sim_forget_links (net->hosts[0], net->hosts[1], FALSE);
  satin_sim_break_links (net->hosts[0], net->hosts[1]);
  net_run (net);
  assert_trace (net, "a:closed@20 b:closed@20 ");
}

/* ---- shut while the reader takes nothing ---- */

static void
test_shut_gives_up (void)
{
  side_pause (b, TRUE);
  side_send (a, MUCH);
  side_shut (a);
  net_run (net);
  g_assert_true (g_str_has_prefix (net->trace->str, "a:timeout@5000030 b:closed@"));
}

static void
test_shut_waits_while_more_is_taken (void)
{
  side_pause (b, TRUE);
  for (guint i = 0; i < 8; i++)
    side_send (a, MUCH);
  side_shut (a);
  wait (4000000);
  side_pause (b, FALSE);
  net_run (net);
  g_assert_cmpuint (b->received->len, ==, 8 * MUCH);
  g_assert_nonnull (strstr (net->trace->str, "a:down@"));
}

static void
test_shut_in_a_cut_gives_up (void)
{
  cut_both (20000000);
  side_send (a, 5);
  side_shut (a);
  net_run (net);
  assert_trace (net, "a:timeout@5000020 b:closed@20000020 ");
}

static void
test_shut_little_is_soon_over (void)
{
  side_pause (b, TRUE);
  side_send (a, 5);
  side_shut (a);
  net_run (net);
  assert_trace (net, "a:down@30 ");
}

static void
test_linked (gconstpointer func)
{
  set_up ();
  ((void (*) (void))func) ();
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_data_func ("/sim/network-fault/" claim, func, test_linked)
  ADD ("what-is-sent-in-a-cut-comes-late", test_cut_comes_late);
  ADD ("cut-has-one-way", test_cut_has_one_way);
  ADD ("cut-of-more-than-a-minute-breaks-who-sent", test_long_cut_breaks);
  ADD ("cut-of-more-than-a-minute-spares-who-is-silent", test_long_cut_spares_who_is_silent);
  ADD ("cut-of-the-way-back-breaks-who-hears-nothing", test_long_cut_back_breaks);
  ADD ("calls-wait-for-the-end-of-a-cut", test_cut_holds_calls);
  ADD ("calls-wait-for-the-way-back-too", test_cut_back_holds_calls);
  ADD ("call-that-was-dropped-in-a-cut-is-not-accepted", test_cut_call_is_taken_back);
  ADD ("calls-pass-a-clog", test_clog_lets_calls_pass);
  ADD ("drop-in-a-cut-is-heard-late", test_cut_delays_a_drop);
  ADD ("link-that-one-side-forgets-stays-on-the-other", test_forgotten_by_one);
  ADD ("forgotten-link-delivers-what-was-on-its-way", test_forgotten_delivers_what_was_sent);
  ADD ("what-is-sent-on-a-forgotten-link-breaks-it", test_forgotten_answers);
  ADD ("forgotten-link-that-nobody-answers-breaks-after-a-minute", test_forgotten_is_silent);
  ADD ("forgotten-link-may-be-shut", test_forgotten_may_be_shut);
  ADD ("forgotten-link-may-break", test_forgotten_may_break);
  ADD ("reset-delivers-what-was-on-its-way-from-that-side", test_reset_delivers_what_was_sent);
  ADD ("reset-loses-what-was-on-its-way-to-that-side", test_reset_loses_what_comes);
  ADD ("next-link-may-be-faster-than-what-a-reset-left", test_reset_behind_a_clog);
  ADD ("shut-gives-up-when-the-reader-stays-paused", test_shut_gives_up);
  ADD ("shut-waits-while-the-reader-goes-on", test_shut_waits_while_more_is_taken);
  ADD ("shut-gives-up-in-a-cut", test_shut_in_a_cut_gives_up);
  ADD ("shut-of-little-does-not-wait-for-the-reader", test_shut_little_is_soon_over);
  return g_test_run ();
}
