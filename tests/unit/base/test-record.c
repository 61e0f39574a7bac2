/* test-record.c - tests schema, encoding and digest of records, with expectations made by hand
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/bytes.h>
#include <math.h>
#include <string.h>
#include "record-shapes.h"

/* Compares the encoding of @data with @expected, in hexadecimal digits with any spaces. */
static void
assert_encoding (const SatinRecord *record, gconstpointer data, const char *expected)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  satin_record_encode (record, data, out);
  g_autofree char *digits = satin_hex (out->data, out->len);
  g_auto (GStrv) words = g_strsplit (expected, " ", -1);
  g_autofree char *wanted = g_strjoinv ("", words);
  g_assert_cmpstr (digits, ==, wanted);
}

/* ---- structures ---- */

static void
test_macro_declares_members (void)
{
  gint32 tags[] = { 3, 4 };
  Sixteen data = {
    .a = -1, .c = G_MAXINT64, .e = "name", .h = tags, .n_h = 2, .i = { .length = 1.5 }
  };
  const SatinField *h = &Sixteen_record.fields[7];
  g_assert_cmpuint (Sixteen_record.n_fields, ==, 16);
  g_assert_cmpuint (Sixteen_record.size_bytes, ==, sizeof data);
  g_assert_cmpstr (h->name, ==, "h");
  g_assert_cmpuint (h->offset, ==, G_STRUCT_OFFSET (Sixteen, h));
  g_assert_cmpuint (h->n_offset, ==, G_STRUCT_OFFSET (Sixteen, n_h));
  g_assert_cmpint (data.h[1], ==, 4);
}

static void
test_copy_stands_alone (void)
{
  gint32 tags[] = { 3, 4 };
  const Sixteen data = { .a = -1, .e = "name", .h = tags, .n_h = 2 };
  Sixteen copy;
  satin_record_copy (&Sixteen_record, &data, &copy);
  tags[1] = 5;
  g_assert_cmpint (copy.a, ==, -1);
  g_assert_cmpstr (copy.e, ==, "name");
  g_assert_true (copy.e != data.e);
  g_assert_cmpint (copy.h[1], ==, 4);
  satin_record_clear (&Sixteen_record, &copy);
}

static void
test_no_fields_is_a_record (void)
{
  g_assert_cmpuint (Empty_record.n_fields, ==, 0);
  g_assert_cmpstr (Empty_record.name, ==, "Empty");
}

/* ---- schema ---- */

static void
test_schema_names_every_kind (void)
{
  g_autofree char *numbers = satin_record_schema (&Numbers_record);
  g_assert_cmpstr (numbers, ==,
                   "{\"type\":\"record\",\"name\":\"Numbers\",\"fields\":["
                   "{\"name\":\"count\",\"type\":\"int\"},{\"name\":\"size\",\"type\":\"long\"},"
                   "{\"name\":\"weight\",\"type\":\"float\"},"
                   "{\"name\":\"length\",\"type\":\"double\"},"
                   "{\"name\":\"is_open\",\"type\":\"boolean\"}]}");
  g_autofree char *texts = satin_record_schema (&Texts_record);
  g_assert_cmpstr (texts, ==,
                   "{\"type\":\"record\",\"name\":\"Texts\",\"fields\":["
                   "{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"body\",\"type\":\"bytes\"},"
                   "{\"name\":\"note\",\"type\":\"string\"}]}");
}

static void
test_schema_writes_a_record_out_once (void)
{
  g_autofree char *line = satin_record_schema (&Line_record);
  g_assert_cmpstr (
      line, ==,
      "{\"type\":\"record\",\"name\":\"Line\",\"fields\":["
      "{\"name\":\"from\",\"type\":{\"type\":\"record\",\"name\":\"Point\",\"fields\":["
      "{\"name\":\"x\",\"type\":\"double\"},{\"name\":\"y\",\"type\":\"double\"}]}},"
      "{\"name\":\"is_dashed\",\"type\":\"boolean\"},"
      "{\"name\":\"to\",\"type\":\"Point\"},"
      "{\"name\":\"between\",\"type\":{\"type\":\"array\",\"items\":\"Point\"}}]}");
}

static void
test_schema_of_no_fields (void)
{
  g_autofree char *schema = satin_record_schema (&Empty_record);
  g_assert_cmpstr (schema, ==, "{\"type\":\"record\",\"name\":\"Empty\",\"fields\":[]}");
}

/* ---- encoding ---- */

static void
test_numbers_are_zigzag_and_little_endian (void)
{
  Numbers data = { .count = -1, .size = 64, .weight = 1.0F, .length = -2.0, .is_open = TRUE };
  assert_encoding (&Numbers_record, &data, "01 8001 0000803f 00000000000000c0 01");
}

static void
test_extreme_numbers (void)
{
  Numbers low = { .count = G_MININT32, .size = G_MININT64, .weight = INFINITY, .length = -0.0 };
  assert_encoding (&Numbers_record, &low,
                   "ffffffff0f ffffffffffffffffff01 0000807f 0000000000000080 00");
  Numbers high = { .count = G_MAXINT32, .size = G_MAXINT64, .length = INFINITY };
  assert_encoding (&Numbers_record, &high,
                   "feffffff0f feffffffffffffffff01 00000000 000000000000f07f 00");
}

static void
test_any_true_is_one (void)
{
  Numbers data = { .is_open = 256 };
  assert_encoding (&Numbers_record, &data, "00 00 00000000 0000000000000000 01");
}

static void
test_null_string_is_empty (void)
{
  Texts data = { .name = NULL, .body = NULL, .note = "" };
  assert_encoding (&Texts_record, &data, "00 00 00");
}

static void
test_bytes_may_hold_anything (void)
{
  Texts data = { .name = "é", .body = (const guint8 *)"\0\xff", .n_body = 2, .note = "x" };
  assert_encoding (&Texts_record, &data, "04 c3a9 04 00ff 02 78");
}

static void
test_array_is_one_block (void)
{
  gint32 ints[] = { 0, 1, -1 };
  gboolean booleans[] = { FALSE, 7 };
  SatinString strings[] = { "a", NULL };
  Arrays data = { .ints = ints,
                  .n_ints = 3,
                  .booleans = booleans,
                  .n_booleans = 2,
                  .strings = strings,
                  .n_strings = 2 };
  assert_encoding (&Arrays_record, &data, "06 00 02 01 00  00 00 00  04 00 01 00  04 02 61 00 00");
}

static void
test_empty_arrays_are_zero (void)
{
  Arrays data = { 0 };
  assert_encoding (&Arrays_record, &data, "00 00 00 00 00 00");
}

static void
test_records_stand_in_place (void)
{
  Point between[] = { { 0, 1 } };
  Line data = { .from = { 1, 0 }, .is_dashed = TRUE, .between = between, .n_between = 1 };
  assert_encoding (&Line_record, &data,
                   "000000000000f03f 0000000000000000 01 0000000000000000 0000000000000000"
                   "02 0000000000000000 000000000000f03f 00");
}

static void
test_no_fields_no_bytes (void)
{
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&Empty_record, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 0);
}

static void
test_encode_appends (void)
{
  Texts data = { .note = "n" };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_byte_array_append (out, (const guint8 *)"head", 4);
  satin_record_encode (&Texts_record, &data, out);
  satin_record_encode (&Texts_record, &data, out);
  g_assert_cmpmem (out->data, out->len, "head\0\0\2n\0\0\2n", 12);
}

/* The array is longer than the room that the encoder reserves at once. */
static void
test_long_arrays_are_written_whole (void)
{
  enum
  {
    N = 100000
  };
  g_autofree gint64 *longs = g_new (gint64, N);
  for (gsize i = 0; i < N; i++)
    longs[i] = G_MININT64;
  Arrays data = { .longs = longs, .n_longs = N };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&Arrays_record, &data);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 1 + 3 + N * 10 + 1 + 4);
}

/* ---- digest ---- */

static void
test_digest_is_of_name_and_encoding (void)
{
  Texts data = { .name = "a" };
  guint8 digest[16];
  satin_record_digest (&Texts_record, "task", &data, digest);
  g_autofree char *sum =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guint8 *)"task\0\2a\0\0", 9);
  g_autofree char *digits = satin_hex (digest, sizeof digest);
  sum[32] = '\0';
  g_assert_cmpstr (digits, ==, sum);
}

static void
test_digest_of_equal_values_is_equal (void)
{
  g_autofree char *name = g_strdup ("same");
  Texts one = { .name = "same", .note = NULL };
  Texts two = { .name = name, .note = "" };
  guint8 digest_one[16], digest_two[16];
  satin_record_digest (&Texts_record, "task", &one, digest_one);
  satin_record_digest (&Texts_record, "task", &two, digest_two);
  g_assert_cmpmem (digest_one, 16, digest_two, 16);
}

static void
test_digest_tells_names_and_values_apart (void)
{
  Point one = { 1, 2 };
  Point two = { 2, 1 };
  guint8 digest[16], other_name[16], other_value[16];
  satin_record_digest (&Point_record, "task", &one, digest);
  satin_record_digest (&Point_record, "tasks", &one, other_name);
  satin_record_digest (&Point_record, "task", &two, other_value);
  g_assert_cmpint (memcmp (digest, other_name, 16), !=, 0);
  g_assert_cmpint (memcmp (digest, other_value, 16), !=, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/record/macro-declares-members", test_macro_declares_members);
  g_test_add_func ("/base/record/a-copy-stands-alone", test_copy_stands_alone);
  g_test_add_func ("/base/record/no-fields-is-a-record", test_no_fields_is_a_record);
  g_test_add_func ("/base/record/schema-names-every-kind", test_schema_names_every_kind);
  g_test_add_func ("/base/record/schema-writes-a-record-out-once",
                   test_schema_writes_a_record_out_once);
  g_test_add_func ("/base/record/schema-of-no-fields", test_schema_of_no_fields);
  g_test_add_func ("/base/record/numbers-are-zigzag-and-little-endian",
                   test_numbers_are_zigzag_and_little_endian);
  g_test_add_func ("/base/record/extreme-numbers-keep-their-bits", test_extreme_numbers);
  g_test_add_func ("/base/record/any-true-is-one", test_any_true_is_one);
  g_test_add_func ("/base/record/null-string-is-empty", test_null_string_is_empty);
  g_test_add_func ("/base/record/bytes-may-hold-anything", test_bytes_may_hold_anything);
  g_test_add_func ("/base/record/array-is-one-block", test_array_is_one_block);
  g_test_add_func ("/base/record/empty-arrays-are-zero", test_empty_arrays_are_zero);
  g_test_add_func ("/base/record/records-stand-in-place", test_records_stand_in_place);
  g_test_add_func ("/base/record/no-fields-no-bytes", test_no_fields_no_bytes);
  g_test_add_func ("/base/record/encode-appends", test_encode_appends);
  g_test_add_func ("/base/record/long-arrays-are-written-whole",
                   test_long_arrays_are_written_whole);
  g_test_add_func ("/base/record/digest-is-of-name-and-encoding",
                   test_digest_is_of_name_and_encoding);
  g_test_add_func ("/base/record/digest-of-equal-values-is-equal",
                   test_digest_of_equal_values_is_equal);
  g_test_add_func ("/base/record/digest-tells-names-and-values-apart",
                   test_digest_tells_names_and_values_apart);
  return g_test_run ();
}
