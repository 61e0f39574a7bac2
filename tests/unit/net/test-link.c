/* test-link.c - tests a link's life: opening, frames, pausing, closing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link/private.h"
#include "link-world.h"

#include <string.h>

#define MS ((gint64)1000)

static void
test_down_is_final (LinkWorld *world, gconstpointer unused)
{
  for (LinkState to = LINK_GREETING; to < LINK_N_STATES; to++)
    g_assert_false (satin_link_state_may (LINK_DOWN, to));
}

static void
test_no_state_goes_back (LinkWorld *world, gconstpointer unused)
{
  for (LinkState from = LINK_GREETING; from < LINK_N_STATES; from++)
    for (LinkState to = LINK_GREETING; to <= from; to++)
      g_assert_false (satin_link_state_may (from, to));
}

static void
test_both_sides_open_and_know_each_other (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  g_assert_true (satin_link_is_open (world->near.link));
  g_assert_true (satin_link_is_open (world->far.link));
  g_assert_cmpint (satin_link_get_hello (world->near.link)->node, ==, 2);
  g_assert_cmpint (satin_link_get_hello (world->far.link)->node, ==, 1);
  g_assert_cmpstr (satin_link_get_hello (world->far.link)->program, ==, "fib");
}

static void
test_a_dropped_hello_is_gone_and_the_link_stays (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  satin_link_drop_hello (world->far.link);
  g_assert_null (satin_link_get_hello (world->far.link));
  link_side_send (&world->near, "more");
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 more");
}

static void
test_first_frame_opens_the_acceptor (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  link_world_dial (world);
  link_world_run (world, 40 * MS);
  g_assert_cmpuint (world->near.n_open, ==, 1);
  g_assert_cmpuint (world->far.n_open, ==, 0);
  link_world_run (world, 10 * MS);
  g_assert_cmpuint (world->far.n_open, ==, 1);
}

static void
test_frames_sent_early_wait_for_open (LinkWorld *world, gconstpointer unused)
{
  link_world_dial (world);
  link_side_send (&world->near, "early");
  g_assert_cmpuint (satin_link_queued_bytes (world->near.link), ==, 11);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 early");
  g_assert_cmpuint (satin_link_queued_bytes (world->near.link), ==, 0);
}

static void
test_single_bytes_make_the_same_frames (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_chunk (world->network, 1);
  link_world_connect (world);
  link_side_send (&world->near, "one");
  link_side_send (&world->near, "");
  link_side_send (&world->near, "three");
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 one,5 1 ,5 1 three");
}

static void
test_many_frames_in_one_chunk_all_come (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_merge (world->network, TRUE);
  link_world_connect (world);
  for (guint i = 0; i < 1000; i++)
    link_side_send (&world->far, "x");
  link_world_run (world, 0);
  g_assert_cmpuint (world->near.frames->len, ==, 1000);
}

static void
test_large_payload_arrives_whole (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  link_side_send_size (&world->near, 1 << 20);
  g_assert_cmpuint (satin_link_queued_bytes (world->near.link), ==,
                    (1 << 20) + SATIN_FRAME_HEAD_BYTES);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "1048576");
}

static void
test_record_is_framed (LinkWorld *world, gconstpointer unused)
{
  SatinFigure figure = { .name = "abc", .value = 1 };

  link_world_connect (world);
  satin_link_send_record (world->near.link, SATIN_FRAME_HUB, 0, &SatinFigure_record, &figure);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "6 0 \006abc\002");
}

/* ---- early messages ---- */

static void
test_early_message_comes_with_the_hello (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 1000);
  world->near.early = "soon";
  link_world_dial (world);
  link_world_run (world, 3000); /* two delays to connect, one for the hello */
  assert_link_frames (&world->far, "7 1 1 soon");
  g_assert_cmpuint (world->far.n_open, ==, 0);
  link_world_run (world, 2000);
  g_assert_cmpuint (world->near.n_open, ==, 1);
  g_assert_cmpuint (world->far.n_open, ==, 1);
}

static void
test_early_message_comes_with_the_answer (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 1000);
  world->far.early = "back";
  link_world_dial (world);
  link_world_run (world, 4000);
  assert_link_frames (&world->near, "7 1 1 back");
  g_assert_cmpuint (world->far.n_open, ==, 0);
}

static void
test_early_message_waits_until_the_hello_is_judged (LinkWorld *world, gconstpointer unused)
{
  world->near.early = "soon";
  world->far.answer = 2;
  link_world_dial (world);
  link_world_run (world, 1000);
  assert_link_frames (&world->far, "");
  world->far.answer = 0;
  satin_link_pause (world->far.link, FALSE);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "7 1 1 soon");
}

static void
test_early_message_of_a_refused_link_is_nobodys (LinkWorld *world, gconstpointer unused)
{
  world->near.early = "soon";
  world->far.answer = 1;
  link_world_dial (world);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "");
  assert_link_down (&world->near, SATIN_ERROR_FENCED);
}

/* ---- inside callbacks ---- */

static void
drop_at_second (SatinLink *link, guint n_frames)
{
  if (n_frames == 2)
    satin_link_drop (link);
}

static void
test_drop_in_a_frame_stops_the_rest (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_merge (world->network, TRUE);
  link_world_connect (world);
  world->far.on_frame = drop_at_second;
  for (guint i = 0; i < 5; i++)
    link_side_send (&world->near, "x");
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 x,5 1 x");
  assert_link_down (&world->far, SATIN_ERROR_CANCELLED);
  assert_link_down (&world->near, SATIN_ERROR_CLOSED);
}

static void
close_at_second (SatinLink *link, guint n_frames)
{
  if (n_frames == 2)
    satin_link_close (link, NULL);
}

static void
test_close_in_a_frame_still_delivers_the_rest (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_merge (world->network, TRUE);
  link_world_connect (world);
  world->far.on_frame = close_at_second;
  for (guint i = 0; i < 5; i++)
    link_side_send (&world->near, "x");
  link_world_run (world, 0);
  g_assert_cmpuint (world->far.frames->len, ==, 5);
  assert_link_down_in_order (&world->far);
  assert_link_down_in_order (&world->near);
}

static void
pause_at_second (SatinLink *link, guint n_frames)
{
  if (n_frames == 2)
    satin_link_pause (link, TRUE);
}

static void
test_pause_holds_and_resumes_in_order (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_merge (world->network, TRUE);
  link_world_connect (world);
  world->far.on_frame = pause_at_second;
  for (const char *text = "abcde"; *text != '\0'; text++)
    link_side_send (&world->near, (const char[]){ *text, '\0' });
  link_world_run (world, 0);
  link_side_send (&world->near, "later");
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 a,5 1 b");
  satin_link_pause (world->far.link, FALSE);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 a,5 1 b,5 1 c,5 1 d,5 1 e,5 1 later");
}

static void
test_paused_reader_makes_the_sender_queue (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  satin_link_pause (world->far.link, TRUE);
  link_side_send_size (&world->near, 100000);
  link_world_run (world, 0);
  g_assert_cmpuint (satin_link_queued_bytes (world->near.link), >=, 100000);
}

static void
test_full_link_says_when_it_has_drained (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  satin_link_pause (world->far.link, TRUE);
  link_world_run (world, 0);
  for (guint i = 0; i < 4; i++)
    link_side_send_size (&world->near, 16 << 20);
  link_world_run (world, 0);
  g_assert_cmpuint (world->near.n_drained, ==, 0);
  satin_link_pause (world->far.link, FALSE);
  link_world_run (world, 0);
  g_assert_cmpuint (world->near.n_drained, ==, 1);
}

/* ---- pings ---- */

static void
test_every_link_measures_its_round_trip (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  link_world_connect (world);
  g_assert_cmpint (satin_link_get_round_trip_us (world->near.link), ==, 20 * MS);
  g_assert_cmpint (satin_link_get_round_trip_us (world->far.link), ==, 20 * MS);
}

static void
test_fastest_round_trip_is_kept (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  link_world_connect (world);
  pipe_network_set_delay (world->network, 50 * MS);
  satin_link_ping (world->near.link);
  link_world_run (world, 100 * MS);
  g_assert_cmpint (world->near.measured_us, ==, 100 * MS);
  g_assert_cmpint (satin_link_get_round_trip_us (world->near.link), ==, 20 * MS);
  pipe_network_set_delay (world->network, 1 * MS);
  satin_link_ping (world->near.link);
  link_world_run (world, 2 * MS);
  g_assert_cmpint (satin_link_get_round_trip_us (world->near.link), ==, 2 * MS);
}

/* The near side sends pings, but reads nothing. */
static void
test_pings_do_not_fill_the_queue (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  satin_link_pause (world->near.link, TRUE);
  for (guint i = 0; i < 100000; i++)
    {
      satin_link_ping (world->near.link);
      if (i % 1000 == 0)
        link_world_run (world, 0);
    }
  link_world_run (world, 0);
  g_assert_cmpuint (satin_link_queued_bytes (world->far.link), <,
                    SATIN_LINK_ANSWER_MAX_BYTES + 100);
  satin_link_pause (world->near.link, FALSE);
  link_world_run (world, 0);
  satin_link_ping (world->near.link);
  world->near.measured_us = 0;
  link_world_run (world, 0);
  g_assert_cmpint (world->near.measured_us, >, 0);
}

static void
test_last_heard_is_when_bytes_came (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  link_world_run (world, 7 * MS);
  link_side_send (&world->near, "x");
  link_world_run (world, 3 * MS);
  g_assert_cmpint (satin_link_get_last_heard_us (world->far.link), ==,
                   satin_loop_now_us (world->loop) - 3 * MS);
}

static void
test_bytes_are_counted_on_both_sides (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  link_side_send_size (&world->near, 100000);
  link_world_run (world, 0);
  g_assert_cmpuint (satin_link_get_bytes_sent (world->near.link), >, 100000);
  g_assert_cmpuint (satin_link_get_bytes_sent (world->near.link), ==,
                    satin_link_get_bytes_received (world->far.link));
}

/* ---- closing ---- */

static void
test_close_is_in_good_order_on_both_sides (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  link_side_send (&world->near, "last");
  satin_link_close (world->near.link, NULL);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 last");
  assert_link_down_in_order (&world->near);
  assert_link_down_in_order (&world->far);
}

static void
test_frames_that_cross_a_goodbye_arrive (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  link_world_connect (world);
  satin_link_close (world->near.link, NULL);
  for (guint i = 0; i < 3; i++)
    {
      link_side_send (&world->far, "crossing");
      link_world_run (world, 3 * MS);
    }
  link_world_run (world, 100 * MS);
  assert_link_frames (&world->near, "5 1 crossing,5 1 crossing,5 1 crossing");
  assert_link_down_in_order (&world->near);
  assert_link_down_in_order (&world->far);
}

static void
test_both_may_close_at_once (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 10 * MS);
  link_world_connect (world);
  link_side_send (&world->near, "a");
  link_side_send (&world->far, "b");
  satin_link_close (world->near.link, NULL);
  satin_link_close (world->far.link, NULL);
  link_world_run (world, 100 * MS);
  assert_link_frames (&world->far, "5 1 a");
  assert_link_frames (&world->near, "5 1 b");
  assert_link_down_in_order (&world->near);
  assert_link_down_in_order (&world->far);
}

static void
test_close_before_open_sends_what_waits (LinkWorld *world, gconstpointer unused)
{
  link_world_dial (world);
  link_side_send (&world->near, "waits");
  satin_link_close (world->near.link, NULL);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "5 1 waits");
  assert_link_down_in_order (&world->near);
}

static void
test_reason_reaches_both_sides (LinkWorld *world, gconstpointer unused)
{
  g_autoptr (GError) reason = g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT, "too much of it");

  link_world_connect (world);
  satin_link_close (world->near.link, reason);
  link_world_run (world, 0);
  assert_link_down (&world->near, SATIN_ERROR_LIMIT);
  assert_link_down (&world->far, SATIN_ERROR_LIMIT);
  g_assert_nonnull (strstr (world->far.error->message, "too much of it"));
}

static void
test_silent_other_side_does_not_hold_a_close (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  pipe_network_lose (world->network, "far", NULL, TRUE);
  satin_link_close (world->near.link, NULL);
  link_world_run (world, 2 * SATIN_LINK_CLOSE_TIMEOUT_US);
  assert_link_down (&world->near, SATIN_ERROR_TIMEOUT);
}

static void
pause_at_each (SatinLink *link, guint n_frames)
{
  satin_link_pause (link, TRUE);
}

static void
test_slow_close_goes_on_while_it_moves (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  world->far.on_frame = pause_at_each;
  for (guint i = 0; i < 4; i++)
    link_side_send_size (&world->near, 1 << 20);
  satin_link_close (world->near.link, NULL);
  for (guint i = 0; i < 4; i++)
    {
      link_world_run (world, SATIN_LINK_CLOSE_TIMEOUT_US * 9 / 10);
      satin_link_pause (world->far.link, FALSE);
    }
  link_world_run (world, 0);
  assert_link_frames (&world->far, "1048576,1048576,1048576,1048576");
  assert_link_down_in_order (&world->near);
}

static void
test_send_after_close_is_swallowed (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  satin_link_close (world->near.link, NULL);
  link_side_send (&world->near, "too late");
  link_world_run (world, 0);
  assert_link_frames (&world->far, "");
}

static void
test_broken_link_is_down_on_both_sides (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  pipe_network_break (world->network, NULL, "far");
  link_world_run (world, 0);
  assert_link_down (&world->near, SATIN_ERROR_CLOSED);
  assert_link_down (&world->far, SATIN_ERROR_CLOSED);
}

static void
test_nobody_there_is_unreachable (LinkWorld *world, gconstpointer unused)
{
  pipe_network_refuse (world->network, "far", TRUE);
  link_world_dial (world);
  link_world_run (world, 0);
  assert_link_down (&world->near, SATIN_ERROR_UNREACHABLE);
}

static void
test_closing_the_transport_takes_links_down (LinkWorld *world, gconstpointer unused)
{
  link_world_connect (world);
  /* The fixture closes both transports, and checks that both sides are down. */
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (LinkWorld *, gconstpointer);
  } cases[] = {
    { "down-is-final", test_down_is_final },
    { "no-state-goes-back", test_no_state_goes_back },
    { "both-sides-open-and-know-each-other", test_both_sides_open_and_know_each_other },
    { "a-dropped-hello-is-gone-and-the-link-stays",
      test_a_dropped_hello_is_gone_and_the_link_stays },
    { "first-frame-opens-the-acceptor", test_first_frame_opens_the_acceptor },
    { "frames-sent-early-wait-for-open", test_frames_sent_early_wait_for_open },
    { "single-bytes-make-the-same-frames", test_single_bytes_make_the_same_frames },
    { "many-frames-in-one-chunk-all-come", test_many_frames_in_one_chunk_all_come },
    { "large-payload-arrives-whole", test_large_payload_arrives_whole },
    { "record-is-framed", test_record_is_framed },
    { "early-message-comes-with-the-hello", test_early_message_comes_with_the_hello },
    { "early-message-comes-with-the-answer", test_early_message_comes_with_the_answer },
    { "early-message-waits-until-the-hello-is-judged",
      test_early_message_waits_until_the_hello_is_judged },
    { "early-message-of-a-refused-link-is-nobodys",
      test_early_message_of_a_refused_link_is_nobodys },
    { "drop-in-a-frame-stops-the-rest", test_drop_in_a_frame_stops_the_rest },
    { "close-in-a-frame-still-delivers-the-rest", test_close_in_a_frame_still_delivers_the_rest },
    { "pause-holds-and-resumes-in-order", test_pause_holds_and_resumes_in_order },
    { "paused-reader-makes-the-sender-queue", test_paused_reader_makes_the_sender_queue },
    { "full-link-says-when-it-has-drained", test_full_link_says_when_it_has_drained },
    { "every-link-measures-its-round-trip", test_every_link_measures_its_round_trip },
    { "fastest-round-trip-is-kept", test_fastest_round_trip_is_kept },
    { "pings-do-not-fill-the-queue", test_pings_do_not_fill_the_queue },
    { "last-heard-is-when-bytes-came", test_last_heard_is_when_bytes_came },
    { "bytes-are-counted-on-both-sides", test_bytes_are_counted_on_both_sides },
    { "close-is-in-good-order-on-both-sides", test_close_is_in_good_order_on_both_sides },
    { "frames-that-cross-a-goodbye-arrive", test_frames_that_cross_a_goodbye_arrive },
    { "both-may-close-at-once", test_both_may_close_at_once },
    { "close-before-open-sends-what-waits", test_close_before_open_sends_what_waits },
    { "reason-reaches-both-sides", test_reason_reaches_both_sides },
    { "silent-other-side-does-not-hold-a-close", test_silent_other_side_does_not_hold_a_close },
    { "slow-close-goes-on-while-it-moves", test_slow_close_goes_on_while_it_moves },
    { "send-after-close-is-swallowed", test_send_after_close_is_swallowed },
    { "broken-link-is-down-on-both-sides", test_broken_link_is_down_on_both_sides },
    { "nobody-there-is-unreachable", test_nobody_there_is_unreachable },
    { "closing-the-transport-takes-links-down", test_closing_the_transport_takes_links_down },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/link/", cases[i].name, NULL);

      g_test_add (path, LinkWorld, NULL, link_world_open, cases[i].func, link_world_close);
    }
  return g_test_run ();
}
