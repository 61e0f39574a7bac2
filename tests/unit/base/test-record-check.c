/* test-record-check.c - tests what satin_record_check() accepts and what it refuses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "record-shapes.h"

SATIN_RECORD (OneInt, (int, value))
SATIN_RECORD (OneLong, (long, value))
SATIN_RECORD (OneBoolean, (boolean, value))
SATIN_RECORD (OneString, (string, value))
SATIN_RECORD (OneBytes, (bytes, value))
SATIN_RECORD (Ints, (array_int, values))
SATIN_RECORD (Longs, (array_long, values))
SATIN_RECORD (Doubles, (array_double, values))
SATIN_RECORD (Booleans, (array_boolean, values))
SATIN_RECORD (Strings, (array_string, values))
SATIN_RECORD (Points, (array_record, values, Point))
SATIN_RECORD (Empties, (array_record, values, Empty))

#define BYTES(text) ((const guint8 *)(text)), (sizeof (text) - 1)

/* The largest and the smallest long, encoded. */
#define COUNT_MAX "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"
#define COUNT_MIN "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"

static void
assert_accepts (const SatinRecord *record, const guint8 *bytes, gsize n_bytes, gsize memory_bytes)
{
  g_autoptr (GError) error = NULL;
  gsize memory = G_MAXSIZE;
  g_assert_true (satin_record_check (record, bytes, n_bytes, &memory, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (memory, ==, memory_bytes);
}

static void
assert_refuses (const SatinRecord *record, const guint8 *bytes, gsize n_bytes, int code)
{
  g_autoptr (GError) error = NULL;
  gsize memory = 12345;
  g_assert_false (satin_record_check (record, bytes, n_bytes, &memory, &error));
  g_assert_error (error, SATIN_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, record->name));
  g_assert_cmpuint (memory, ==, 12345);
}

/* ---- accepted ---- */

static void
test_memory_is_what_decode_takes (void)
{
  for (guint i = 0; record_shapes[i] != NULL; i++)
    for (guint j = 0; j < 200; j++)
      {
        const SatinRecord *record = record_shapes[i];
        g_autofree gpointer data = record_alloc (record);
        record_fill (record, data);
        g_autoptr (GByteArray) loose = g_byte_array_new ();
        record_encode_loosely (record, data, loose);
        assert_accepts (record, loose->data, loose->len, record_memory (record, data));
        satin_record_clear (record, data);
      }
}

static void
test_accepts_no_bytes_for_no_fields (void)
{
  assert_accepts (&Empty_record, NULL, 0, 0);
}

static void
test_accepts_long_varints (void)
{
  assert_accepts (&OneInt_record, BYTES ("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00"), 0);
  assert_accepts (&OneInt_record, BYTES ("\xff\xff\xff\xff\x0f"), 0);
  assert_accepts (&OneLong_record, BYTES (COUNT_MAX), 0);
  assert_accepts (&OneLong_record, BYTES (COUNT_MIN), 0);
}

static void
test_accepts_many_blocks (void)
{
  assert_accepts (&Ints_record, BYTES ("\x02\x05\x04\x05\x06\x00"), 12);
}

static void
test_accepts_sized_blocks (void)
{
  assert_accepts (&Ints_record, BYTES ("\x03\x06\x05\x80\x01\x02\x07\x00"), 12);
  assert_accepts (&Empties_record, BYTES ("\x05\x00\x00"), 3);
}

static void
test_accepts_all_of_unicode (void)
{
  /* Space, U+7F, U+80, U+221A, U+10FFFF. */
  assert_accepts (&OneString_record, BYTES ("\x16 \x7f\xc2\x80\xe2\x88\x9a\xf4\x8f\xbf\xbf"), 12);
}

/* ---- cut short ---- */

static void
test_every_cut_is_truncated (void)
{
  for (guint i = 0; record_shapes[i] != NULL; i++)
    {
      const SatinRecord *record = record_shapes[i];
      g_autofree gpointer data = record_alloc (record);
      record_fill (record, data);
      g_autoptr (GByteArray) loose = g_byte_array_new ();
      record_encode_loosely (record, data, loose);
      satin_record_clear (record, data);
      for (guint n = 0; n < MIN (loose->len, 2000); n++)
        {
          g_autofree guint8 *cut = g_memdup2 (loose->data, n);
          assert_refuses (record, cut, n, SATIN_ERROR_TRUNCATED);
        }
    }
}

static void
test_length_without_bytes_is_truncated (void)
{
  assert_refuses (&OneString_record, BYTES ("\x04x"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&OneString_record, BYTES (COUNT_MAX "x"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&OneBytes_record, BYTES (COUNT_MAX "x"), SATIN_ERROR_TRUNCATED);
}

static void
test_count_without_elements_is_truncated (void)
{
  assert_refuses (&Ints_record, BYTES (COUNT_MAX "x"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&Ints_record, BYTES (COUNT_MIN "\x02x"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&Longs_record, BYTES (COUNT_MAX "x"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&Doubles_record, BYTES (COUNT_MAX "12345678"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&Doubles_record, BYTES ("\x04\x31\x32\x33\x34\x35\x36\x37\x38"),
                  SATIN_ERROR_TRUNCATED);
  assert_refuses (&Booleans_record, BYTES (COUNT_MAX "\x01"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&Strings_record, BYTES (COUNT_MAX "\x00"), SATIN_ERROR_TRUNCATED);
  assert_refuses (&Points_record, BYTES (COUNT_MAX "1234567812345678"), SATIN_ERROR_TRUNCATED);
}

static void
test_array_without_end_is_truncated (void)
{
  assert_refuses (&Ints_record, BYTES ("\x02\x05"), SATIN_ERROR_TRUNCATED);
}

static void
test_block_size_beyond_the_end_is_truncated (void)
{
  assert_refuses (&Ints_record, BYTES ("\x01\x08\x05\x00"), SATIN_ERROR_TRUNCATED);
}

/* ---- wrong ---- */

static void
test_refuses_bytes_left_over (void)
{
  assert_refuses (&OneInt_record, BYTES ("\x02\x00"), SATIN_ERROR_FORMAT);
  assert_refuses (&Empty_record, BYTES ("\x00"), SATIN_ERROR_FORMAT);
}

static void
test_refuses_more_than_64_bits (void)
{
  assert_refuses (&OneLong_record, BYTES ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
                  SATIN_ERROR_FORMAT);
  assert_refuses (&OneLong_record, BYTES ("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"),
                  SATIN_ERROR_FORMAT);
}

static void
test_refuses_int_over_32_bits (void)
{
  assert_refuses (&OneInt_record, BYTES ("\x80\x80\x80\x80\x10"), SATIN_ERROR_FORMAT);
  assert_refuses (&OneInt_record, BYTES ("\x81\x80\x80\x80\x10"), SATIN_ERROR_FORMAT);
  assert_refuses (&Ints_record, BYTES ("\x02" COUNT_MIN "\x00"), SATIN_ERROR_FORMAT);
}

static void
test_refuses_negative_length (void)
{
  assert_refuses (&OneString_record, BYTES ("\x01"), SATIN_ERROR_FORMAT);
  assert_refuses (&OneBytes_record, BYTES (COUNT_MIN), SATIN_ERROR_FORMAT);
  assert_refuses (&Ints_record, BYTES ("\x01\x01\x00\x00"), SATIN_ERROR_FORMAT);
}

static void
test_refuses_wrong_block_size (void)
{
  assert_refuses (&Ints_record, BYTES ("\x01\x04\x05\x00"), SATIN_ERROR_FORMAT);
  assert_refuses (&Ints_record, BYTES ("\x01\x00\x05\x00"), SATIN_ERROR_FORMAT);
  assert_refuses (&Empties_record, BYTES ("\x01\x02\x00"), SATIN_ERROR_FORMAT);
}

static void
test_refuses_other_booleans (void)
{
  assert_refuses (&OneBoolean_record, BYTES ("\x02"), SATIN_ERROR_FORMAT);
  assert_refuses (&Booleans_record, BYTES ("\x04\x01\xff\x00"), SATIN_ERROR_FORMAT);
}

static void
test_refuses_what_is_not_utf8 (void)
{
  assert_refuses (&OneString_record, BYTES ("\x02\xff"), SATIN_ERROR_FORMAT);
  assert_refuses (&OneString_record, BYTES ("\x04\xc0\x80"), SATIN_ERROR_FORMAT);
  assert_refuses (&OneString_record, BYTES ("\x06\xed\xa0\x80"), SATIN_ERROR_FORMAT);
  assert_refuses (&OneString_record, BYTES ("\x04\xe2\x88"), SATIN_ERROR_FORMAT);
}

static void
test_refuses_nul_in_string (void)
{
  assert_refuses (&OneString_record, BYTES ("\x04x\x00"), SATIN_ERROR_FORMAT);
  assert_refuses (&Strings_record, BYTES ("\x02\x02\x00\x00"), SATIN_ERROR_FORMAT);
}

static void
test_error_names_the_place (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_record_check (&Points_record,
                                      BYTES ("\x02"
                                             "1234567812"),
                                      NULL, &error));
  g_assert_cmpstr (error->message, ==,
                   "Points.values: Point.y: byte 9: the record goes on behind the last byte");
}

/* ---- too large ---- */

static void
test_elements_without_bytes_are_bounded (void)
{
  /* 65,536 elements, then one more. */
  assert_accepts (&Empties_record, BYTES ("\x80\x80\x08\x00"), 65536);
  assert_refuses (&Empties_record, BYTES ("\x82\x80\x08\x00"), SATIN_ERROR_LIMIT);
  assert_refuses (&Empties_record, BYTES (COUNT_MAX "\x00"), SATIN_ERROR_LIMIT);
  assert_refuses (&Empties_record, BYTES (COUNT_MIN "\x00\x00"), SATIN_ERROR_LIMIT);
}

static void
test_small_blocks_add_up_to_the_bound (void)
{
  /* 32,768 + 32,768 elements, then one more. */
  assert_accepts (&Empties_record, BYTES ("\x80\x80\x04\x80\x80\x04\x00"), 65536);
  assert_refuses (&Empties_record, BYTES ("\x80\x80\x04\x80\x80\x04\x02\x00"), SATIN_ERROR_LIMIT);
}

/* Returns: (transfer full): @n longs of one byte each; decoded, each takes 8 bytes of memory */
static GByteArray *
many_longs (gint64 n)
{
  Longs none = { 0 };
  GByteArray *out = g_byte_array_new ();
  guint64 zigzag = (guint64)n << 1;
  for (; zigzag >= 0x80; zigzag >>= 7)
    g_byte_array_append (out, &(guint8){ (guint8)(zigzag | 0x80) }, 1);
  g_byte_array_append (out, &(guint8){ (guint8)zigzag }, 1);
  guint start = out->len;
  g_byte_array_set_size (out, start + (guint)n);
  memset (out->data + start, 0, (gsize)n);
  satin_record_encode (&Longs_record, &none, out); /* the count 0, which ends the array */
  return out;
}

static void
test_memory_is_bounded (void)
{
  gint64 n_max = SATIN_RECORD_MAX_BYTES / sizeof (gint64);
  g_autoptr (GByteArray) most = many_longs (n_max);
  assert_accepts (&Longs_record, most->data, most->len, SATIN_RECORD_MAX_BYTES);
  g_autoptr (GByteArray) more = many_longs (n_max + 1);
  assert_refuses (&Longs_record, more->data, more->len, SATIN_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(name, test) g_test_add_func ("/base/record-check/" name, test)
  CASE ("memory-is-what-decode-takes", test_memory_is_what_decode_takes);
  CASE ("accepts-no-bytes-for-no-fields", test_accepts_no_bytes_for_no_fields);
  CASE ("accepts-long-varints", test_accepts_long_varints);
  CASE ("accepts-many-blocks", test_accepts_many_blocks);
  CASE ("accepts-sized-blocks", test_accepts_sized_blocks);
  CASE ("accepts-all-of-unicode", test_accepts_all_of_unicode);
  CASE ("every-cut-is-truncated", test_every_cut_is_truncated);
  CASE ("length-without-bytes-is-truncated", test_length_without_bytes_is_truncated);
  CASE ("count-without-elements-is-truncated", test_count_without_elements_is_truncated);
  CASE ("array-without-end-is-truncated", test_array_without_end_is_truncated);
  CASE ("block-size-beyond-the-end-is-truncated", test_block_size_beyond_the_end_is_truncated);
  CASE ("refuses-bytes-left-over", test_refuses_bytes_left_over);
  CASE ("refuses-more-than-64-bits", test_refuses_more_than_64_bits);
  CASE ("refuses-int-over-32-bits", test_refuses_int_over_32_bits);
  CASE ("refuses-negative-length", test_refuses_negative_length);
  CASE ("refuses-wrong-block-size", test_refuses_wrong_block_size);
  CASE ("refuses-other-booleans", test_refuses_other_booleans);
  CASE ("refuses-what-is-not-utf8", test_refuses_what_is_not_utf8);
  CASE ("refuses-nul-in-string", test_refuses_nul_in_string);
  CASE ("error-names-the-place", test_error_names_the_place);
  CASE ("elements-without-bytes-are-bounded", test_elements_without_bytes_are_bounded);
  CASE ("small-blocks-add-up-to-the-bound", test_small_blocks_add_up_to_the_bound);
  CASE ("memory-is-bounded", test_memory_is_bounded);
  return g_test_run ();
}
