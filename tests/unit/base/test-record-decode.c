/* test-record-decode.c - tests decoding bytes into structures, and clearing these
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "record-shapes.h"

SATIN_RECORD (Ints, (array_int, values))
SATIN_RECORD (Names, (array_string, values))

#define BYTES(text) ((const guint8 *)(text)), (sizeof (text) - 1)

static void
test_random_values_come_back (gconstpointer user_data)
{
  const SatinRecord *record = user_data;
  for (guint i = 0; i < 300; i++)
    {
      g_autofree gpointer data = record_alloc (record);
      record_fill (record, data);
      g_autoptr (GByteArray) loose = g_byte_array_new ();
      record_encode_loosely (record, data, loose);
      g_autofree gpointer decoded = record_alloc (record);
      g_assert_true (satin_record_decode (record, loose->data, loose->len, decoded, NULL));

      g_autoptr (GBytes) before = satin_record_to_bytes (record, data);
      g_autoptr (GBytes) after = satin_record_to_bytes (record, decoded);
      g_assert_true (g_bytes_equal (before, after));
      satin_record_clear (record, data);
      satin_record_clear (record, decoded);
    }
}

static void
test_values_reach_their_members (void)
{
  Texts data;
  g_assert_true (
      satin_record_decode (&Texts_record, BYTES ("\x04hi\x04\x00\xff\x00"), &data, NULL));
  g_assert_cmpstr (data.name, ==, "hi");
  g_assert_cmpmem (data.body, data.n_body, "\x00\xff", 2);
  g_assert_cmpstr (data.note, ==, "");
  satin_record_clear (&Texts_record, &data);
}

static void
test_blocks_become_one_array (void)
{
  gint32 wanted[] = { 1, 2, 3, 4 };
  Ints data;
  g_assert_true (satin_record_decode (&Ints_record, BYTES ("\x02\x02\x03\x04\x04\x06\x02\x08\x00"),
                                      &data, NULL));
  g_assert_cmpmem (data.values, data.n_values * sizeof (gint32), wanted, sizeof wanted);
  satin_record_clear (&Ints_record, &data);
}

/* 30,000 blocks of one string each: the decoder doubles its room several times. */
static void
test_many_blocks_become_one_array (void)
{
  enum
  {
    N = 30000
  };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (guint i = 0; i < N; i++)
    g_byte_array_append (bytes, (const guint8 *)"\x02\x02x", 3);
  g_byte_array_append (bytes, (const guint8 *)"", 1);
  Names data;
  g_assert_true (satin_record_decode (&Names_record, bytes->data, bytes->len, &data, NULL));
  g_assert_cmpuint (data.n_values, ==, N);
  g_assert_cmpstr (data.values[N - 1], ==, "x");
  satin_record_clear (&Names_record, &data);
}

static void
test_nothing_is_null_with_count_zero (void)
{
  Ints data = { .values = (gint32 *)1, .n_values = 1 };
  g_assert_true (satin_record_decode (&Ints_record, BYTES ("\x00"), &data, NULL));
  g_assert_null (data.values);
  g_assert_cmpuint (data.n_values, ==, 0);
}

static void
test_elements_without_members_are_counted (void)
{
  Hollow data;
  g_assert_true (satin_record_decode (&Hollow_record, BYTES ("\x02\x0a\x00\x01"), &data, NULL));
  g_assert_cmpuint (data.n_many, ==, 5);
  g_assert_nonnull (data.many);
  g_assert_true (data.after);
  satin_record_clear (&Hollow_record, &data);
}

static void
test_failure_leaves_data_untouched (void)
{
  g_autoptr (GError) error = NULL;
  Texts data, before;
  memset (&data, 0x55, sizeof data);
  memset (&before, 0x55, sizeof before);
  g_assert_false (satin_record_decode (&Texts_record, BYTES ("\x04hi\x04\x00"), &data, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED);
  g_assert_cmpmem (&data, sizeof data, &before, sizeof before);
}

static void
test_no_fields_needs_no_data (void)
{
  g_assert_true (satin_record_decode (&Empty_record, NULL, 0, NULL, NULL));
}

/* A leak checker sees whether this leaks. */
static void
test_clear_zeroes (void)
{
  g_autofree Drawing *data = record_alloc (&Drawing_record);
  g_autofree Drawing *zero = record_alloc (&Drawing_record);
  record_fill (&Drawing_record, data);
  satin_record_clear (&Drawing_record, data);
  g_assert_cmpmem (data, sizeof *data, zero, sizeof *zero);
}

static void
test_clear_may_repeat (void)
{
  Texts data;
  g_assert_true (satin_record_decode (&Texts_record, BYTES ("\x02x\x00\x00"), &data, NULL));
  satin_record_clear (&Texts_record, &data);
  satin_record_clear (&Texts_record, &data);
  g_assert_null (data.name);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(name, test) g_test_add_func ("/base/record-decode/" name, test)
  for (guint i = 0; record_shapes[i] != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/base/record-decode/random-values-come-back/%s",
                                               record_shapes[i]->name);
      g_test_add_data_func (path, record_shapes[i], test_random_values_come_back);
    }
  CASE ("values-reach-their-members", test_values_reach_their_members);
  CASE ("blocks-become-one-array", test_blocks_become_one_array);
  CASE ("many-blocks-become-one-array", test_many_blocks_become_one_array);
  CASE ("nothing-is-null-with-count-zero", test_nothing_is_null_with_count_zero);
  CASE ("elements-without-members-are-counted", test_elements_without_members_are_counted);
  CASE ("failure-leaves-data-untouched", test_failure_leaves_data_untouched);
  CASE ("no-fields-needs-no-data", test_no_fields_needs_no_data);
  CASE ("clear-zeroes", test_clear_zeroes);
  CASE ("clear-may-repeat", test_clear_may_repeat);
  return g_test_run ();
}
