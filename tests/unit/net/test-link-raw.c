/* test-link-raw.c - tests a link whose other side may send any bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link/private.h"
#include "link-world.h"

#include <string.h>

#define SECOND G_USEC_PER_SEC

#define assert_says(error, part) g_assert_nonnull (strstr ((error)->message, part))

static void
open_raw (LinkWorld *world, RawSide *raw)
{
  raw_side_open (raw, world);
  raw_side_dial (raw, "pipe:far");
  link_world_run (world, 0);
}

/* Checks that the last frame that the raw side received is a goodbye with @code. */
static void
assert_raw_was_told (RawSide *raw, int code)
{
  SatinGoodbye goodbye = { 0 };
  SatinFrameReader reader = { 0 };
  SatinFrame frame = { 0 };
  gsize n_used = 0;

  for (gsize at = 0; at < raw->received->len; at += n_used)
    {
      g_clear_pointer (&frame.payload, g_bytes_unref);
      g_assert_cmpint (satin_frame_reader_read (&reader, raw->received->data + at,
                                                raw->received->len - at, &n_used, &frame, NULL),
                       ==, SATIN_FRAME_READ_FRAME);
    }
  g_assert_cmpint (frame.kind, ==, SATIN_FRAME_GOODBYE);
  g_assert_true (satin_record_decode (&SatinGoodbye_record, g_bytes_get_data (frame.payload, NULL),
                                      g_bytes_get_size (frame.payload), &goodbye, NULL));
  g_assert_cmpint (goodbye.code, ==, code);
  satin_record_clear (&SatinGoodbye_record, &goodbye);
  g_bytes_unref (frame.payload);
}

static void
finish_raw (LinkWorld *world, RawSide *raw, int code)
{
  link_world_run (world, 0);
  assert_raw_was_told (raw, code);
  link_world_run (world, 2 * SATIN_LINK_CLOSE_TIMEOUT_US);
  assert_link_down (&world->far, code);
  g_assert_cmpuint (raw->n_down, ==, 1);
  raw_side_close (raw, world);
}

static void
test_other_version_is_refused_naming_both (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send_hello (&raw, &world->near_identity, 77);
  finish_raw (world, &raw, SATIN_ERROR_PROTOCOL);
  assert_says (world->far.error, "version 77");
  assert_says (world->far.error, "version 4");
}

static void
test_web_browser_is_not_a_satin_peer (LinkWorld *world, gconstpointer unused)
{
  const char text[] = "GET / HTTP/1.1\r\nHost: far\r\n\r\n";
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send (&raw, text, strlen (text));
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
  assert_says (world->far.error, "not a Satin peer");
}

static void
test_hello_without_magic_is_not_a_satin_peer (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_HELLO, 0, "SATX\001\000", 6);
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
  assert_says (world->far.error, "not a Satin peer");
}

static void
test_hello_that_ends_early_is_refused (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_HELLO, 0, "SATN\004\000\002", 7);
  finish_raw (world, &raw, SATIN_ERROR_TRUNCATED);
}

static void
test_impossible_role_is_refused (LinkWorld *world, gconstpointer unused)
{
  SatinIdentity identity = { .role = (SatinRole)4 };
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send_hello (&raw, &identity, 0);
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
}

static void
test_silence_is_a_timeout (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  link_world_run (world, SATIN_HANDSHAKE_TIMEOUT_US - 1);
  g_assert_nonnull (world->far.link);
  link_world_run (world, 1);
  finish_raw (world, &raw, SATIN_ERROR_TIMEOUT);
}

static void
test_one_byte_a_second_is_a_timeout (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  for (guint i = 0; i < 5; i++)
    {
      raw_side_send (&raw, "\001", 1);
      link_world_run (world, SECOND);
    }
  g_assert_false (world->far.link != NULL && satin_link_is_open (world->far.link));
  finish_raw (world, &raw, SATIN_ERROR_TIMEOUT);
}

static void
test_message_before_the_hello_is_refused (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_MESSAGE, 1, "x", 1);
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
  g_assert_cmpuint (world->far.frames->len, ==, 0);
}

static void
test_second_hello_is_refused (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send_hello (&raw, &world->near_identity, 0);
  raw_side_send_hello (&raw, &world->near_identity, 0);
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
}

static void
test_message_before_the_answer_is_refused (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  world->far.answer = 2;
  open_raw (world, &raw);
  raw_side_send_hello (&raw, &world->near_identity, 0);
  raw_side_send_frame (&raw, SATIN_FRAME_MESSAGE, 1, "x", 1);
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
}

static void
test_more_than_64_kib_before_the_answer_are_refused (LinkWorld *world, gconstpointer unused)
{
  static const guint8 zeros[16 << 10];
  RawSide raw;

  world->far.answer = 2;
  open_raw (world, &raw);
  raw_side_send_hello (&raw, &world->near_identity, 0);
  for (guint i = 0; i < 4; i++)
    raw_side_send_frame (&raw, SATIN_FRAME_EARLY, 1, zeros, sizeof zeros);
  finish_raw (world, &raw, SATIN_ERROR_LIMIT);
}

/* When the link takes the first message from the buffer of early messages, only half of the second
 * has arrived. */
static void
test_early_message_may_be_cut_at_the_judgement (LinkWorld *world, gconstpointer unused)
{
  static const guint8 second[] = { 11, 0, 0, 0, SATIN_FRAME_EARLY, 1, 2, 0, 0, 0, 0, 0, 0, 0, 'b' };
  RawSide raw;

  world->far.answer = 2;
  open_raw (world, &raw);
  raw_side_send_hello (&raw, &world->near_identity, 0);
  raw_side_send_frame (&raw, SATIN_FRAME_EARLY, 1, "\1\0\0\0\0\0\0\0a", 9);
  raw_side_send (&raw, second, 8);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "");
  world->far.answer = 0;
  satin_link_pause (world->far.link, FALSE);
  link_world_run (world, 0);
  raw_side_send (&raw, second + 8, sizeof second - 8);
  link_world_run (world, 0);
  assert_link_frames (&world->far, "7 1 1 a,7 1 2 b");
  satin_link_drop (world->far.link);
  link_world_run (world, 0);
  raw_side_close (&raw, world);
}

static void
test_early_message_before_the_hello_is_refused (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  open_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_EARLY, 1, "12345678x", 9);
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
}

static void
greet_raw (LinkWorld *world, RawSide *raw)
{
  open_raw (world, raw);
  raw_side_send_hello (raw, &world->near_identity, 0);
  link_world_run (world, 0);
  g_assert_cmpuint (world->far.n_open, ==, 0);
  raw_side_send_frame (raw, SATIN_FRAME_PING, 0, "", 0);
  link_world_run (world, 0);
  g_assert_cmpuint (world->far.n_open, ==, 1);
  g_byte_array_set_size (raw->received, 0);
}

static void
test_frame_above_the_cap_takes_the_link_down (LinkWorld *world, gconstpointer unused)
{
  guint8 head[SATIN_FRAME_HEAD_BYTES];
  RawSide raw;

  greet_raw (world, &raw);
  satin_frame_write_head (head, SATIN_FRAME_MESSAGE, 1, SATIN_FRAME_PAYLOAD_MAX_BYTES + 1);
  raw_side_send (&raw, head, sizeof head);
  finish_raw (world, &raw, SATIN_ERROR_LIMIT);
}

static void
test_garbage_after_the_hello_takes_the_link_down (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_send (&raw, "\020\000\000\000\377\377\001\002\003", 9);
  for (guint i = 0; i < 100; i++)
    raw_side_send (&raw, "\005\000\000\000\005\001abc", 9);
  finish_raw (world, &raw, SATIN_ERROR_FORMAT);
  g_assert_cmpuint (world->far.frames->len, ==, 0);
}

static void
test_end_inside_a_frame_is_truncated (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_send (&raw, "\020\000\000\000\005\001abc", 9);
  raw_side_shut (&raw);
  link_world_run (world, 0);
  assert_link_down (&world->far, SATIN_ERROR_TRUNCATED);
  raw_side_close (&raw, world);
}

static void
test_end_without_a_goodbye_is_no_good_order (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_shut (&raw);
  link_world_run (world, 0);
  assert_link_down (&world->far, SATIN_ERROR_CLOSED);
  raw_side_close (&raw, world);
}

static void
test_ping_is_answered_at_once_with_its_bytes (LinkWorld *world, gconstpointer unused)
{
  const guint8 expected[] = { 18,  0,   0,   0,   SATIN_FRAME_PONG,
                              0,   '0', '1', '2', '3',
                              '4', '5', '6', '7', '8',
                              '9', 'a', 'b', 'c', 'd',
                              'e', 'f' };
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_PING, 0, "0123456789abcdef", 16);
  link_world_run (world, 0);
  g_assert_cmpmem (raw.received->data, raw.received->len, expected, sizeof expected);
  raw_side_close (&raw, world);
}

/* The link sent its first ping when it opened. */
static void
test_pings_are_counted_in_little_endian (LinkWorld *world, gconstpointer unused)
{
  const guint8 expected[] = { 10, 0, 0, 0, SATIN_FRAME_PING, 0, 2, 0, 0, 0, 0, 0, 0, 0,
                              10, 0, 0, 0, SATIN_FRAME_PING, 0, 3, 0, 0, 0, 0, 0, 0, 0 };
  RawSide raw;

  greet_raw (world, &raw);
  satin_link_ping (world->far.link);
  satin_link_ping (world->far.link);
  link_world_run (world, 0);
  g_assert_cmpmem (raw.received->data, raw.received->len, expected, sizeof expected);
  raw_side_close (&raw, world);
}

static void
test_long_ping_takes_the_link_down (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_PING, 0, "0123456789abcdefg", 17);
  finish_raw (world, &raw, SATIN_ERROR_LIMIT);
}

static void
test_pong_that_nobody_asked_for_is_ignored (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_PONG, 0, "\0\0\0\0\0\0\0\0", 8);
  raw_side_send_frame (&raw, SATIN_FRAME_PONG, 0, "", 0);
  link_world_run (world, SECOND);
  g_assert_true (satin_link_is_open (world->far.link));
  g_assert_cmpint (satin_link_get_round_trip_us (world->far.link), ==, 0);
  raw_side_close (&raw, world);
}

/* The raw side says goodbye with @code; the other side's link is down with @expected. */
static void
say_goodbye (LinkWorld *world, gint32 code, int expected)
{
  SatinGoodbye goodbye = { .code = code, .message = "from the future" };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinGoodbye_record, &goodbye);
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_GOODBYE, 0, g_bytes_get_data (payload, NULL),
                       g_bytes_get_size (payload));
  link_world_run (world, 0);
  assert_link_down (&world->far, expected);
  assert_says (world->far.error, "from the future");
  raw_side_close (&raw, world);
}

static void
test_unknown_reason_counts_as_closed (LinkWorld *world, gconstpointer unused)
{
  say_goodbye (world, 1000, SATIN_ERROR_CLOSED);
}

static void
test_last_reason_is_known (LinkWorld *world, gconstpointer unused)
{
  say_goodbye (world, SATIN_ERROR_ABORTED, SATIN_ERROR_ABORTED);
}

static void
test_goodbye_that_cannot_be_read_is_an_error (LinkWorld *world, gconstpointer unused)
{
  RawSide raw;

  greet_raw (world, &raw);
  raw_side_send_frame (&raw, SATIN_FRAME_GOODBYE, 0, "\002", 1);
  link_world_run (world, 0);
  assert_link_down (&world->far, SATIN_ERROR_TRUNCATED);
  raw_side_close (&raw, world);
}

static void
test_server_of_another_kind_is_not_a_satin_peer (LinkWorld *world, gconstpointer unused)
{
  const char text[] = "SSH-2.0-OpenSSH_9.2\r\n";
  LinkSide *near = &world->near;
  RawSide raw;

  raw_side_open (&raw, world);
  satin_listener_stop (world->listener);
  raw_side_listen (&raw, "pipe:far");
  link_world_dial (world);
  link_world_run (world, 0);
  raw_side_send (&raw, text, strlen (text));
  link_world_run (world, 2 * SATIN_LINK_CLOSE_TIMEOUT_US);
  assert_link_down (near, SATIN_ERROR_FORMAT);
  assert_says (near->error, "not a Satin peer");
  raw_side_close (&raw, world);
}

static void
test_too_many_that_say_nothing_are_dropped (LinkWorld *world, gconstpointer unused)
{
  static RawSide raws[SATIN_HANDSHAKE_MAX_PENDING + 1];
  guint n_down = 0;

  g_test_expect_message ("satin-net", G_LOG_LEVEL_WARNING, "*more than 256 links*");
  world->has_crowd = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (raws); i++)
    open_raw (world, &raws[i]);
  for (guint i = 0; i < G_N_ELEMENTS (raws); i++)
    n_down += raws[i].n_down;
  g_assert_cmpuint (n_down, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (raws); i++)
    raw_side_close (&raws[i], world);
  g_test_assert_expected_messages ();
}

static void
test_dropped_links_are_told_of_once_a_minute (LinkWorld *world, gconstpointer unused)
{
  static RawSide raws[SATIN_HANDSHAKE_MAX_PENDING + 4];

  g_test_expect_message ("satin-net", G_LOG_LEVEL_WARNING, "*more than 256 links*one was dropped");
  g_test_expect_message ("satin-net", G_LOG_LEVEL_WARNING, "*256 links*3 more were dropped");
  world->has_crowd = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (raws); i++)
    open_raw (world, &raws[i]);
  link_world_run (world, (gint64)200 * G_USEC_PER_SEC);
  g_test_assert_expected_messages ();
  for (guint i = 0; i < G_N_ELEMENTS (raws); i++)
    raw_side_close (&raws[i], world);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (LinkWorld *, gconstpointer);
  } cases[] = {
    { "other-version-is-refused-naming-both", test_other_version_is_refused_naming_both },
    { "web-browser-is-not-a-satin-peer", test_web_browser_is_not_a_satin_peer },
    { "hello-without-magic-is-not-a-satin-peer", test_hello_without_magic_is_not_a_satin_peer },
    { "hello-that-ends-early-is-refused", test_hello_that_ends_early_is_refused },
    { "impossible-role-is-refused", test_impossible_role_is_refused },
    { "silence-is-a-timeout", test_silence_is_a_timeout },
    { "one-byte-a-second-is-a-timeout", test_one_byte_a_second_is_a_timeout },
    { "message-before-the-hello-is-refused", test_message_before_the_hello_is_refused },
    { "second-hello-is-refused", test_second_hello_is_refused },
    { "more-than-64-kib-before-the-answer-are-refused",
      test_more_than_64_kib_before_the_answer_are_refused },
    { "early-message-may-be-cut-at-the-judgement", test_early_message_may_be_cut_at_the_judgement },
    { "early-message-before-the-hello-is-refused", test_early_message_before_the_hello_is_refused },
    { "message-before-the-answer-is-refused", test_message_before_the_answer_is_refused },
    { "frame-above-the-cap-takes-the-link-down", test_frame_above_the_cap_takes_the_link_down },
    { "garbage-after-the-hello-takes-the-link-down",
      test_garbage_after_the_hello_takes_the_link_down },
    { "end-inside-a-frame-is-truncated", test_end_inside_a_frame_is_truncated },
    { "end-without-a-goodbye-is-no-good-order", test_end_without_a_goodbye_is_no_good_order },
    { "ping-is-answered-at-once-with-its-bytes", test_ping_is_answered_at_once_with_its_bytes },
    { "pings-are-counted-in-little-endian", test_pings_are_counted_in_little_endian },
    { "long-ping-takes-the-link-down", test_long_ping_takes_the_link_down },
    { "pong-that-nobody-asked-for-is-ignored", test_pong_that_nobody_asked_for_is_ignored },
    { "unknown-reason-counts-as-closed", test_unknown_reason_counts_as_closed },
    { "last-reason-is-known", test_last_reason_is_known },
    { "goodbye-that-cannot-be-read-is-an-error", test_goodbye_that_cannot_be_read_is_an_error },
    { "server-of-another-kind-is-not-a-satin-peer",
      test_server_of_another_kind_is_not_a_satin_peer },
    { "too-many-that-say-nothing-are-dropped", test_too_many_that_say_nothing_are_dropped },
    { "dropped-links-are-told-of-once-a-minute", test_dropped_links_are_told_of_once_a_minute },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/link-raw/", cases[i].name, NULL);

      g_test_add (path, LinkWorld, NULL, link_world_open, cases[i].func, link_world_close);
    }
  return g_test_run ();
}
