/* test-link-frame.c - tests that frames are read from bytes in pieces of any size
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link/frame.h"

#include <string.h>

/* Reads @bytes in pieces of @n_piece bytes. Returns: (transfer full): the frames as text, and the
 * error if there was one */
static char *
read_in_pieces (SatinFrameReader *reader, const guint8 *bytes, gsize n_bytes, gsize n_piece)
{
  GString *text = g_string_new (NULL);

  for (gsize at = 0; at < n_bytes;)
    {
      SatinFrame frame = { 0 };
      g_autoptr (GError) error = NULL;
      gsize n_used = 0;
      gsize n_given = MIN (n_piece, n_bytes - at);
      /* A copy of only this piece, so that a sanitizer sees a read past its end. */
      g_autofree guint8 *piece = g_memdup2 (bytes + at, n_given);
      SatinFrameReadResult result =
          satin_frame_reader_read (reader, piece, n_given, &n_used, &frame, &error);

      at += n_used;
      if (result == SATIN_FRAME_READ_FAILED)
        {
          g_string_append_printf (text, "error %d", error->code);
          break;
        }
      if (result == SATIN_FRAME_READ_FRAME)
        {
          g_string_append_printf (text, "%d/%u/%.*s ", frame.kind, frame.channel,
                                  (int)g_bytes_get_size (frame.payload),
                                  (const char *)g_bytes_get_data (frame.payload, NULL));
          g_bytes_unref (frame.payload);
        }
    }
  satin_frame_reader_clear (reader);
  return g_string_free (text, FALSE);
}

static void
append_frame (GByteArray *bytes, SatinFrameKind kind, guint channel, const char *text)
{
  g_autoptr (GBytes) payload = g_bytes_new (text, strlen (text));
  g_autoptr (GBytes) frame = satin_frame_join (kind, channel, payload);

  g_byte_array_append (bytes, g_bytes_get_data (frame, NULL), (guint)g_bytes_get_size (frame));
}

static void
test_any_cut_gives_the_same_frames (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  append_frame (bytes, SATIN_FRAME_MESSAGE, 1, "one");
  append_frame (bytes, SATIN_FRAME_HUB, 0, "");
  append_frame (bytes, SATIN_FRAME_MESSAGE, 255, "a longer one");
  for (gsize n_piece = 1; n_piece <= bytes->len; n_piece++)
    {
      SatinFrameReader reader = { 0 };
      g_autofree char *text = read_in_pieces (&reader, bytes->data, bytes->len, n_piece);

      g_assert_cmpstr (text, ==, "5/1/one 6/0/ 5/255/a longer one ");
    }
}

static void
test_joined_and_recorded_frames_are_alike (void)
{
  SatinGoodbye goodbye = { .code = 7, .message = "why" };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinGoodbye_record, &goodbye);
  g_autoptr (GBytes) joined = satin_frame_join (SATIN_FRAME_GOODBYE, 0, payload);
  g_autoptr (GBytes) recorded =
      satin_frame_from_record (SATIN_FRAME_GOODBYE, 0, &SatinGoodbye_record, &goodbye);

  g_assert_true (g_bytes_equal (joined, recorded));
}

static void
test_head_is_as_documented (void)
{
  guint8 head[SATIN_FRAME_HEAD_BYTES];
  const guint8 expected[] = { 0x03, 0x02, 0x01, 0x00, 5, 9 };

  satin_frame_write_head (head, SATIN_FRAME_MESSAGE, 9, 0x010203 - 2);
  g_assert_cmpmem (head, sizeof head, expected, sizeof expected);
}

static void
test_buffer_grows_with_the_bytes (void)
{
  SatinFrameReader reader = { 0 };
  SatinFrame frame = { 0 };
  gsize n_used = 0;
  guint8 bytes[SATIN_FRAME_HEAD_BYTES + 3] = { 0 };

  satin_frame_write_head (bytes, SATIN_FRAME_MESSAGE, 1, SATIN_FRAME_PAYLOAD_MAX_BYTES);
  g_assert_cmpint (satin_frame_reader_read (&reader, bytes, sizeof bytes, &n_used, &frame, NULL),
                   ==, SATIN_FRAME_READ_MORE);
  g_assert_cmpuint (reader.payload->len, ==, 3);
  g_assert_true (satin_frame_reader_is_inside (&reader));
  satin_frame_reader_clear (&reader);
}

static char *
read_head (gboolean is_greeting, guint32 length, guint8 kind, guint8 channel)
{
  SatinFrameReader reader = { .is_greeting = is_greeting };
  guint8 bytes[SATIN_FRAME_HEAD_BYTES];
  guint32 little = GUINT32_TO_LE (length);

  memcpy (bytes, &little, sizeof little);
  bytes[4] = kind;
  bytes[5] = channel;
  return read_in_pieces (&reader, bytes, sizeof bytes, sizeof bytes);
}

static void
check_head (gboolean is_greeting, guint32 length, guint8 kind, guint8 channel, int code)
{
  g_autofree char *text = read_head (is_greeting, length, kind, channel);
  g_autofree char *expected = code < 0 ? g_strdup ("") : g_strdup_printf ("error %d", code);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_impossible_heads_are_refused (void)
{
  check_head (FALSE, 0, SATIN_FRAME_HUB, 0, SATIN_ERROR_FORMAT);
  check_head (FALSE, 1, SATIN_FRAME_HUB, 0, SATIN_ERROR_FORMAT);
  check_head (FALSE, 10, 0, 0, SATIN_ERROR_FORMAT);
  check_head (FALSE, 10, SATIN_FRAME_EARLY + 1, 1, SATIN_ERROR_FORMAT);
  check_head (FALSE, 10, SATIN_FRAME_HUB, 1, SATIN_ERROR_FORMAT);
  check_head (FALSE, 10, SATIN_FRAME_MESSAGE, 0, SATIN_ERROR_FORMAT);
  check_head (FALSE, 10, SATIN_FRAME_MESSAGE, 1, -1);
  check_head (FALSE, 10, SATIN_FRAME_EARLY, 0, SATIN_ERROR_FORMAT);
  check_head (FALSE, 10, SATIN_FRAME_EARLY, 1, -1);
}

static void
test_frames_above_the_cap_are_refused (void)
{
  guint32 most = ((guint32)64 << 20) + 64;

  check_head (FALSE, most, SATIN_FRAME_MESSAGE, 1, -1);
  check_head (FALSE, most + 1, SATIN_FRAME_MESSAGE, 1, SATIN_ERROR_LIMIT);
  check_head (FALSE, G_MAXUINT32, SATIN_FRAME_MESSAGE, 1, SATIN_ERROR_LIMIT);
}

static void
test_greeting_takes_small_hellos_only (void)
{
  check_head (TRUE, 10, SATIN_FRAME_MESSAGE, 1, SATIN_ERROR_FORMAT);
  check_head (TRUE, 10, SATIN_FRAME_HELLO, 0, -1);
  check_head (TRUE, 10, SATIN_FRAME_GOODBYE, 0, -1);
  check_head (TRUE, SATIN_HANDSHAKE_MAX_BYTES, SATIN_FRAME_HELLO, 0, SATIN_ERROR_LIMIT);
  check_head (TRUE, G_MAXUINT32, SATIN_FRAME_HELLO, 0, SATIN_ERROR_LIMIT);
}

static void
test_any_bytes_do_no_harm (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      SatinFrameReader reader = { .is_greeting = round % 2 == 0 };
      guint8 bytes[64];
      g_autofree char *text = NULL;

      for (guint i = 0; i < sizeof bytes; i++)
        bytes[i] = (guint8)g_test_rand_int_range (0, g_test_rand_bit () ? 8 : 256);
      text = read_in_pieces (&reader, bytes, sizeof bytes,
                             (gsize)g_test_rand_int_range (1, sizeof bytes));
      g_assert_nonnull (text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/link-frame/any-cut-gives-the-same-frames",
                   test_any_cut_gives_the_same_frames);
  g_test_add_func ("/net/link-frame/joined-and-recorded-frames-are-alike",
                   test_joined_and_recorded_frames_are_alike);
  g_test_add_func ("/net/link-frame/head-is-as-documented", test_head_is_as_documented);
  g_test_add_func ("/net/link-frame/buffer-grows-with-the-bytes", test_buffer_grows_with_the_bytes);
  g_test_add_func ("/net/link-frame/impossible-heads-are-refused",
                   test_impossible_heads_are_refused);
  g_test_add_func ("/net/link-frame/frames-above-the-cap-are-refused",
                   test_frames_above_the_cap_are_refused);
  g_test_add_func ("/net/link-frame/greeting-takes-small-hellos-only",
                   test_greeting_takes_small_hellos_only);
  g_test_add_func ("/net/link-frame/any-bytes-do-no-harm", test_any_bytes_do_no_harm);
  return g_test_run ();
}
