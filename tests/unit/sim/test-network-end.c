/* test-network-end.c - tests how links and transports end, and when each side hears of it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network-world.h"

static const SatinTransportOps *const ops = &satin_sim_transport_ops;

static Net *net;
static Side *a, *b;
static gint64 since_us;

/* Hosts 0 and 1 are in one cluster, host 2 is in another. */
static void
set_up (void)
{
  net = net_new (&net_plain, "001");
  since_us = 0;
}

/* Like set_up(), with a link from host 0 to host 1. */
static void
set_up_link (void)
{
  set_up ();
  net_link (net, 0, 1, &a, &b);
  since_us = net_now_us (net);
}

static void
tear_down (void)
{
  net_free (net);
}

/* Compares the trace, with times counted from @since_us. */
#define assert_trace_since(expected)                                                               \
  do                                                                                               \
    {                                                                                              \
      g_autofree char *shifted_ = shift_trace ();                                                  \
      g_assert_cmpstr (shifted_, ==, expected);                                                    \
    }                                                                                              \
  while (0)

static char *
shift_trace (void)
{
  g_auto (GStrv) words = g_strsplit (net->trace->str, " ", -1);
  GString *text = g_string_new (NULL);
  for (char **word = words; **word != '\0'; word++)
    {
      g_auto (GStrv) both = g_strsplit (*word, "@", 2);
      g_string_append_printf (text, "%s@%" G_GINT64_FORMAT " ", both[0],
                              g_ascii_strtoll (both[1], NULL, 10) - since_us);
    }
  return g_string_free (text, FALSE);
}

/* ---- shut and drop ---- */

static void
test_shut_delivers_all (void)
{
  side_send (a, 5);
  side_send (a, 6);
  side_shut (a);
  net_run (net);
  assert_trace_since ("b:5@10 b:6@10 b:down@10 a:down@10 ");
}

static void
test_shut_receives_nothing_more (void)
{
  side_shut (a);
  side_send (b, 5);
  net_run (net);
  g_assert_cmpuint (a->received->len, ==, 0);
}

static void
test_shut_sends_nothing_more (void)
{
  side_shut (a);
  side_send (a, 5);
  net_run (net);
  g_assert_cmpuint (b->received->len, ==, 0);
}

static void
test_shut_on_both_sides (void)
{
  side_send (a, 5);
  side_send (b, 6);
  side_shut (a);
  side_shut (b);
  net_run (net);
  assert_trace_since ("b:down@10 a:down@10 ");
}

static void
test_shut_comes_on_the_loop (void)
{
  side_shut (a);
  assert_trace (net, "");
  net_run (net);
}

static void
test_drop (void)
{
  side_drop (a);
  net_run (net);
  assert_trace_since ("a:cancelled@0 b:closed@10 ");
}

static void
test_drop_after_shut (void)
{
  side_shut (a);
  side_drop (a);
  net_run (net);
  assert_trace_since ("a:cancelled@0 b:down@10 ");
}

static void
test_drop_twice (void)
{
  side_drop (a);
  side_drop (a);
  net_run (net);
  assert_trace_since ("a:cancelled@0 b:closed@10 ");
}

static void
test_drop_on_both_sides (void)
{
  side_drop (a);
  side_drop (b);
  net_run (net);
  assert_trace_since ("a:cancelled@0 b:cancelled@0 ");
}

static void
test_sending_to_a_lost_side (void)
{
  side_drop (b);
  net_run_until (net, since_us);
  side_send (a, 5);
  net_run (net);
  assert_trace_since ("b:cancelled@0 a:closed@10 ");
}

/* ---- connecting ---- */

static void
test_nobody_there (void)
{
  net_connect (net, 0, "sim:99");
  net_run (net);
  assert_trace (net, "a:unreachable@10 ");
}

static void
test_drop_before_the_call (void)
{
  net_listen (net, 1, "sim:5");
  side_drop (net_connect (net, 0, "sim:5"));
  net_run (net);
  assert_trace (net, "a:cancelled@0 ");
}

static void
test_drop_before_up (void)
{
  net_listen (net, 1, "sim:5");
  Side *side = net_connect (net, 0, "sim:5");
  net_run_until (net, 10);
  side_drop (side);
  net_run (net);
  assert_trace (net, "b:accepted@10 a:cancelled@10 b:closed@20 ");
}

static void
test_shut_before_up (void)
{
  net_listen (net, 1, "sim:5");
  Side *side = net_connect (net, 0, "sim:5");
  net_run_until (net, 10);
  side_shut (side);
  net_run (net);
  assert_trace (net, "b:accepted@10 a:cancelled@10 b:closed@20 ");
}

static void
test_accepted_side_sends_at_once (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  net_run_until (net, 10);
  side_send (g_ptr_array_index (net->sides, 1), 5);
  net_run (net);
  assert_trace (net, "b:accepted@10 a:up@20 a:5@20 ");
}

static void
test_accepted_side_drops_at_once (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  net_run_until (net, 10);
  side_drop (g_ptr_array_index (net->sides, 1));
  net_run (net);
  assert_trace (net, "b:accepted@10 b:cancelled@10 a:up@20 a:closed@20 ");
}

static void
test_unlistened_under_way (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  ops->unlisten (net->listener);
  net_run (net);
  assert_trace (net, "a:unreachable@20 ");
}

static void
test_links_outlive_their_listener (void)
{
  ops->unlisten (net->listener);
  side_send (a, 5);
  net_run (net);
  assert_trace_since ("b:5@10 ");
}

/* ---- addresses ---- */

static void
assert_listen_fails (guint host, const char *uri, gint code, const char *part)
{
  g_autoptr (GError) error = NULL;
  char *real_uri = NULL;
  static const SatinListenEvents events = { .struct_size = sizeof (SatinListenEvents) };
  g_assert_null (ops->listen (net->transports[host], uri, &events, NULL, &real_uri, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_assert_nonnull (g_strstr_len (error->message, -1, part));
}

static void
test_address_in_use (void)
{
  net_listen (net, 1, "sim:5");
  assert_listen_fails (0, "sim:5", SATIN_ERROR_ADDRESS_IN_USE, "sim:5");
}

static void
test_address_is_free_again (void)
{
  net_listen (net, 1, "sim:5");
  ops->unlisten (net->listener);
  g_assert_cmpstr (net_listen (net, 0, "sim:5"), ==, "sim:5");
}

static void
test_free_address_is_picked (void)
{
  net_listen (net, 1, "sim:1");
  const char *second = net_listen (net, 1, "sim:0");
  g_assert_cmpstr (second, !=, "sim:1");
  g_assert_cmpstr (net_listen (net, 2, "sim:0"), !=, second);
}

static void
test_wrong_address_to_listen (void)
{
  assert_listen_fails (0, "sim:x", SATIN_ERROR_INVALID, "sim:x");
}

static void
test_wrong_address_to_connect (void)
{
  g_autoptr (GError) error = NULL;
  static const SatinLinkEvents events = { .struct_size = sizeof (SatinLinkEvents) };
  g_assert_null (ops->connect (net->transports[0], "tcp://here:1", &events, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_real_loop_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (1);
  SatinTransportContext context = { .struct_size = sizeof context, .loop = loop };
  g_assert_null (ops->open (&context, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

/* ---- crashes ---- */

static void
test_crash_breaks_links (void)
{
  satin_sim_host_crash (net->hosts[1]);
  net_run (net);
  assert_trace_since ("a:closed@10 ");
}

static void
test_crash_of_the_other_end (void)
{
  satin_sim_host_crash (net->hosts[0]);
  net_run (net);
  assert_trace_since ("b:closed@10 ");
}

static void
test_crash_is_heard_far_later (void)
{
  Side *far, *near;
  net_link (net, 2, 0, &far, &near);
  since_us = net_now_us (net);
  satin_sim_host_crash (net->hosts[0]);
  net_run (net);
  assert_trace_since ("b:closed@10 c:closed@100 ");
}

static void
test_sent_before_crash_arrives (void)
{
  side_send (b, 5);
  satin_sim_host_crash (net->hosts[1]);
  net_run (net);
  assert_trace_since ("a:5@10 a:closed@10 ");
}

static void
test_sending_to_a_crashed_host (void)
{
  satin_sim_host_crash (net->hosts[1]);
  side_send (a, 5);
  side_shut (a);
  net_run (net);
  assert_trace_since ("a:closed@10 ");
}

static void
test_crash_frees_address (void)
{
  net_listen (net, 1, "sim:5");
  satin_sim_host_crash (net->hosts[1]);
  g_assert_cmpstr (net_listen (net, 0, "sim:5"), ==, "sim:5");
}

static void
test_crash_before_the_call (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  satin_sim_host_crash (net->hosts[1]);
  net_run (net);
  assert_trace (net, "a:unreachable@10 ");
}

static void
test_crash_of_the_caller (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  satin_sim_host_crash (net->hosts[0]);
  net_run (net);
  assert_trace (net, "");
}

static void
test_crash_of_the_caller_before_up (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  net_run_until (net, 10);
  satin_sim_host_crash (net->hosts[0]);
  net_run (net);
  assert_trace (net, "b:accepted@10 b:closed@20 ");
}

static void
test_crash_before_up (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  net_run_until (net, 10);
  satin_sim_host_crash (net->hosts[1]);
  net_run (net);
  assert_trace (net, "b:accepted@10 a:up@20 a:closed@20 ");
}

/* ---- other faults ---- */

static void
test_broken_links (void)
{
  satin_sim_break_links (net->hosts[0], net->hosts[1]);
  net_run (net);
  assert_trace_since ("a:closed@0 b:closed@0 ");
}

static void
test_broken_link_loses_bytes (void)
{
  side_send (a, 5);
  satin_sim_break_links (net->hosts[0], net->hosts[1]);
  net_run (net);
  g_assert_cmpuint (b->received->len, ==, 0);
}

static void
test_broken_before_up (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  net_run_until (net, 10);
  satin_sim_break_links (net->hosts[0], net->hosts[1]);
  net_run (net);
  assert_trace (net, "b:accepted@10 a:closed@10 b:closed@10 ");
}

static void
test_other_links_hold (void)
{
  satin_sim_break_links (net->hosts[0], net->hosts[2]);
  side_send (a, 5);
  net_run (net);
  assert_trace_since ("b:5@10 ");
}

static void
test_clogged_comes_late (void)
{
  satin_sim_clog (net->hosts[0], net->hosts[1], 500);
  side_send (a, 5);
  side_send (a, 6);
  net_run (net);
  assert_trace_since ("b:5@500 b:6@500 ");
}

static void
test_clog_has_one_way (void)
{
  satin_sim_clog (net->hosts[0], net->hosts[1], 500);
  side_send (b, 5);
  net_run (net);
  assert_trace_since ("a:5@10 ");
}

static void
test_paused_host_hears_late (void)
{
  satin_sim_host_pause (net->hosts[1], 500);
  side_send (a, 5);
  net_run (net);
  assert_trace_since ("b:5@500 ");
}

/* ---- close ---- */

static void
test_close_drops_all (void)
{
  Side *far, *near;
  net_link (net, 2, 0, &far, &near);
  since_us = net_now_us (net);
  net_close (net, 0);
  net_run (net);
  assert_trace_since ("a:cancelled@0 d:cancelled@0 closed@0 b:closed@10 c:closed@100 ");
}

static void
test_close_without_links (void)
{
  net_close (net, 2);
  net_run (net);
  assert_trace_since ("closed@0 ");
}

static void
test_close_comes_on_the_loop (void)
{
  net_close (net, 2);
  assert_trace (net, "");
  net_run (net);
}

static void
test_close_ends_listening (void)
{
  net_listen (net, 1, "sim:5");
  net_close (net, 1);
  net_run (net);
  net_connect (net, 0, "sim:5");
  net_run (net);
  assert_trace (net, "closed@0 a:unreachable@10 ");
}

static void
test_close_ends_dialing (void)
{
  net_listen (net, 1, "sim:5");
  net_connect (net, 0, "sim:5");
  net_close (net, 0);
  net_run (net);
  assert_trace (net, "a:cancelled@0 closed@0 ");
}

static void
test_bare (gconstpointer func)
{
  set_up ();
  ((void (*) (void))func) ();
  tear_down ();
}

static void
test_linked (gconstpointer func)
{
  set_up_link ();
  ((void (*) (void))func) ();
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define LINKED(claim, func) g_test_add_data_func ("/sim/network-end/" claim, func, test_linked)
#define BARE(claim, func)   g_test_add_data_func ("/sim/network-end/" claim, func, test_bare)
  LINKED ("shut-delivers-all-then-down", test_shut_delivers_all);
  LINKED ("shut-side-receives-nothing-more", test_shut_receives_nothing_more);
  LINKED ("shut-side-sends-nothing-more", test_shut_sends_nothing_more);
  LINKED ("shut-on-both-sides-is-in-good-order", test_shut_on_both_sides);
  LINKED ("shut-is-heard-on-the-loop", test_shut_comes_on_the_loop);
  LINKED ("drop-is-cancelled-here-and-closed-there", test_drop);
  LINKED ("drop-after-shut-is-cancelled", test_drop_after_shut);
  LINKED ("drop-twice-is-one-down", test_drop_twice);
  LINKED ("drop-on-both-sides-is-one-down-each", test_drop_on_both_sides);
  LINKED ("what-is-sent-to-a-lost-side-is-lost", test_sending_to_a_lost_side);
  BARE ("nobody-there-is-unreachable", test_nobody_there);
  BARE ("drop-before-the-call-is-not-accepted", test_drop_before_the_call);
  BARE ("drop-before-up-is-heard-by-the-accepted-side", test_drop_before_up);
  BARE ("shut-before-up-is-like-drop", test_shut_before_up);
  BARE ("accepted-side-sends-at-once", test_accepted_side_sends_at_once);
  BARE ("accepted-side-drops-at-once", test_accepted_side_drops_at_once);
  BARE ("listener-that-stopped-is-unreachable", test_unlistened_under_way);
  LINKED ("links-outlive-their-listener", test_links_outlive_their_listener);
  BARE ("address-in-use-is-refused", test_address_in_use);
  BARE ("address-is-free-after-unlisten", test_address_is_free_again);
  BARE ("free-address-is-picked", test_free_address_is_picked);
  BARE ("wrong-address-is-refused-by-listen", test_wrong_address_to_listen);
  BARE ("wrong-address-is-refused-by-connect", test_wrong_address_to_connect);
  BARE ("loop-of-no-world-is-refused", test_real_loop_is_refused);
  LINKED ("crash-is-heard-a-latency-later", test_crash_breaks_links);
  LINKED ("crash-of-who-called-is-heard-too", test_crash_of_the_other_end);
  LINKED ("crash-is-heard-later-far-away", test_crash_is_heard_far_later);
  LINKED ("what-was-sent-before-a-crash-arrives", test_sent_before_crash_arrives);
  LINKED ("what-is-sent-to-a-crashed-host-is-lost", test_sending_to_a_crashed_host);
  BARE ("crash-frees-addresses", test_crash_frees_address);
  BARE ("crash-before-the-call-is-unreachable", test_crash_before_the_call);
  BARE ("crash-of-the-caller-leaves-nothing", test_crash_of_the_caller);
  BARE ("crash-of-the-caller-is-heard-by-the-accepted-side", test_crash_of_the_caller_before_up);
  BARE ("crash-before-up-is-heard", test_crash_before_up);
  LINKED ("broken-links-are-closed-on-both-sides", test_broken_links);
  LINKED ("broken-link-loses-what-was-under-way", test_broken_link_loses_bytes);
  BARE ("link-broken-before-up-is-closed-on-both-sides", test_broken_before_up);
  LINKED ("links-to-others-hold", test_other_links_hold);
  LINKED ("what-a-clogged-way-carries-comes-late", test_clogged_comes_late);
  LINKED ("clogged-way-is-open-back", test_clog_has_one_way);
  LINKED ("paused-host-hears-late", test_paused_host_hears_late);
  LINKED ("close-is-heard-by-all-links-and-then-done", test_close_drops_all);
  BARE ("close-without-links-is-done", test_close_without_links);
  BARE ("close-is-done-on-the-loop", test_close_comes_on_the_loop);
  BARE ("close-ends-listening", test_close_ends_listening);
  BARE ("close-ends-dialing", test_close_ends_dialing);
  return g_test_run ();
}
