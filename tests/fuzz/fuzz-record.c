/* fuzz-record.c - fuzzes the decoder of records
 *
 * The first byte of an input chooses the shape, and the rest is one encoding. An accepted encoding
 * must take the memory that satin_record_check() has computed, in proportion to its bytes. After
 * encoding and decoding it again it must be the same, and our encoding may not be longer than the
 * input. If the record can be carried over to another shape, this may only fail because the result
 * takes too much memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "record-shapes.h"

static guint
n_shapes (void)
{
  guint n = 0;
  while (record_shapes[n] != NULL)
    n++;
  return n;
}

static void
assert_refusal (const SatinRecord *record, const guint8 *bytes, gsize n_bytes)
{
  g_autofree gpointer data = record_alloc (record);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_record_decode (record, bytes, n_bytes, data, &error));
  g_assert_true (error->domain == SATIN_ERROR);
  g_assert_true (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED)
                 || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_FORMAT)
                 || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_LIMIT));
}

/* Decodes @encoding, encodes the result again, and compares. */
static void
assert_stable (const SatinRecord *record, GBytes *encoding)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (encoding, &n_bytes);
  g_autofree gpointer data = record_alloc (record);
  g_autoptr (GError) error = NULL;
  g_assert_true (satin_record_decode (record, bytes, n_bytes, data, &error));
  g_assert_no_error (error);
  g_autoptr (GBytes) again = satin_record_to_bytes (record, data);
  g_assert_true (g_bytes_equal (encoding, again));
  satin_record_clear (record, data);
}

/* Carries @encoding over to each shape to which it can be carried. */
static void
convert_to_all (const SatinRecord *record, GBytes *encoding)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (encoding, &n_bytes);
  for (guint i = 0; record_shapes[i] != NULL; i++)
    if (satin_record_can_convert ("", record, record_shapes[i], NULL))
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GBytes) other =
            satin_record_convert (record, bytes, n_bytes, record_shapes[i], &error);
        if (other == NULL)
          g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
        g_assert_true (record_shapes[i] != record || g_bytes_equal (encoding, other));
      }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes == 0)
    return 0;
  const SatinRecord *record = record_shapes[*bytes++ % n_shapes ()];
  n_bytes--;

  gsize memory_bytes;
  if (!satin_record_check (record, bytes, n_bytes, &memory_bytes, NULL))
    {
      assert_refusal (record, bytes, n_bytes);
      return 0;
    }
  g_autofree gpointer data = record_alloc (record);
  g_autoptr (GError) error = NULL;
  g_assert_true (satin_record_decode (record, bytes, n_bytes, data, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (record_memory (record, data), ==, memory_bytes);
  g_assert_cmpuint (memory_bytes, <=, 16 * n_bytes + SATIN_RECORD_MAX_EMPTY);

  g_autoptr (GBytes) encoding = satin_record_to_bytes (record, data);
  g_assert_cmpuint (g_bytes_get_size (encoding), <=, n_bytes);
  satin_record_clear (record, data);
  assert_stable (record, encoding);
  if (n_bytes % 8 == 0) /* it takes longer than all else */
    convert_to_all (record, encoding);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  guint8 shape = (guint8)g_test_rand_int_range (0, (gint32)n_shapes ());
  const SatinRecord *record = record_shapes[shape];
  g_autofree gpointer data = record_alloc (record);
  record_fill (record, data);
  g_byte_array_append (out, &shape, 1);
  record_encode_loosely (record, data, out);
  satin_record_clear (record, data);
}
