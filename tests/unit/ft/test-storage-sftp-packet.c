/* test-storage-sftp-packet.c - messages of SFTP as bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "packet.h"

#include <string.h>

static void
test_numbers_have_the_highest_byte_first (void)
{
  static const guint8 right[] = { 0, 0, 0, 13, PACKET_READ, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8 };
  g_autoptr (GByteArray) packet = packet_begin (PACKET_READ);
  packet_add_u32 (packet, 0x01020304);
  packet_add_u64 (packet, G_GUINT64_CONSTANT (0x0102030405060708));
  packet_end (packet);
  g_assert_cmpmem (packet->data, packet->len, right, sizeof right);
}

static void
test_what_is_written_is_read (void)
{
  g_autoptr (GByteArray) packet = packet_begin (PACKET_OPEN);
  packet_add_u32 (packet, 7);
  packet_add_u64 (packet, G_GUINT64_CONSTANT (1) << 40);
  packet_add_text (packet, "name");
  packet_end (packet);
  PacketReader reader = { .at = packet->data, .n_left = packet->len };
  g_assert_cmpuint (packet_read_u32 (&reader), ==, packet->len - 4);
  g_assert_cmpuint (packet_read_u8 (&reader), ==, PACKET_OPEN);
  g_assert_cmpuint (packet_read_u32 (&reader), ==, 7);
  g_assert_cmpuint (packet_read_u64 (&reader), ==, G_GUINT64_CONSTANT (1) << 40);
  g_autofree char *text = packet_read_text (&reader);
  g_assert_cmpstr (text, ==, "name");
  g_assert_cmpuint (reader.n_left, ==, 0);
  g_assert_false (reader.is_bad);
}

static void
test_end_makes_the_reader_bad_for_ever (void)
{
  static const guint8 bytes[] = { 1, 2, 3, 4, 5 };
  PacketReader reader = { .at = bytes, .n_left = sizeof bytes };
  g_assert_cmpuint (packet_read_u64 (&reader), ==, G_GUINT64_CONSTANT (0x0102030400000000));
  g_assert_true (reader.is_bad);
  g_assert_cmpuint (packet_read_u8 (&reader), ==, 0);
}

static void
test_length_that_lies_reads_nothing (void)
{
  static const guint8 bytes[] = { 0xff, 0xff, 0xff, 0xff, 'a' };
  PacketReader reader = { .at = bytes, .n_left = sizeof bytes };
  gsize n_bytes = 1;
  g_assert_null (packet_read_bytes (&reader, &n_bytes));
  g_assert_cmpuint (n_bytes, ==, 0);
  g_assert_true (reader.is_bad);
}

static void
test_text_with_a_zero_in_it_is_none (void)
{
  static const guint8 bytes[] = { 0, 0, 0, 3, 'a', 0, 'b' };
  PacketReader reader = { .at = bytes, .n_left = sizeof bytes };
  g_autofree char *text = packet_read_text (&reader);
  g_assert_cmpstr (text, ==, "");
}

static void
test_attributes_that_are_not_wanted_are_skipped (void)
{
  g_autoptr (GByteArray) packet = packet_begin (PACKET_ATTRS);
  packet_add_u32 (packet, PACKET_ATTR_SIZE | PACKET_ATTR_OWNER | PACKET_ATTR_PERMISSIONS
                              | PACKET_ATTR_TIMES | PACKET_ATTR_EXTENDED);
  packet_add_u64 (packet, 1234);
  packet_add_u64 (packet, 0);
  packet_add_u32 (packet, 0100600);
  packet_add_u64 (packet, 0);
  packet_add_u32 (packet, 1);
  packet_add_text (packet, "type");
  packet_add_text (packet, "value");
  PacketReader reader = { .at = packet->data + 5, .n_left = packet->len - 5 };
  PacketAttrs attrs = packet_read_attrs (&reader);
  g_assert_cmpuint (attrs.size_bytes, ==, 1234);
  g_assert_cmpuint (attrs.mode, ==, 0100600);
  g_assert_cmpuint (reader.n_left, ==, 0);
  g_assert_false (reader.is_bad);
}

static void
test_count_of_attributes_that_lies_ends (void)
{
  g_autoptr (GByteArray) packet = packet_begin (PACKET_ATTRS);
  packet_add_u32 (packet, PACKET_ATTR_EXTENDED);
  packet_add_u32 (packet, G_MAXUINT32);
  PacketReader reader = { .at = packet->data + 5, .n_left = packet->len - 5 };
  packet_read_attrs (&reader);
  g_assert_true (reader.is_bad);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/storage-sftp/packet/" path, func)
  CLAIM ("numbers-have-the-highest-byte-first", test_numbers_have_the_highest_byte_first);
  CLAIM ("what-is-written-is-read", test_what_is_written_is_read);
  CLAIM ("end-makes-the-reader-bad-for-ever", test_end_makes_the_reader_bad_for_ever);
  CLAIM ("length-that-lies-reads-nothing", test_length_that_lies_reads_nothing);
  CLAIM ("text-with-a-zero-in-it-is-none", test_text_with_a_zero_in_it_is_none);
  CLAIM ("attributes-that-are-not-wanted-are-skipped",
         test_attributes_that_are_not_wanted_are_skipped);
  CLAIM ("count-of-attributes-that-lies-ends", test_count_of_attributes_that_lies_ends);
  return g_test_run ();
}
