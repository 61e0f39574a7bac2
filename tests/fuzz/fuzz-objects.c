/* fuzz-objects.c - fuzzes states and calls of shared objects
 *
 * The first byte of an input chooses the type, the second byte the method. The third byte is the
 * length of the state that follows; the rest are the arguments of a call. An accepted state must
 * stay the same when it is packed and installed again. It can be merged with itself, and called.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include <satin/so.h>

#define ID 17
/* Larger objects are valid, but take long. */
#define MAX_SIZE 4096

static SatinObjectType *const types[] = {
  &satin_array_type, &satin_cache_type,   &satin_counter_type,
  &satin_set_type,   &satin_minimum_type, &satin_maximum_type,
};

/* Returns: whether the sizes in the first fields, which determine the memory, are small */
static gboolean
is_small (const SatinObjectType *type, const guint8 *bytes, gsize n_bytes)
{
  union
  {
    satin_array_packed array;
    satin_cache_packed cache;
  } record;
  if ((type != &satin_array_type && type != &satin_cache_type)
      || !satin_record_decode (type->record, bytes, n_bytes, &record, NULL))
    return TRUE;
  gboolean is_right = type == &satin_array_type
                          ? record.array.n_items < MAX_SIZE && record.array.width < MAX_SIZE
                          : record.cache.n_entries < MAX_SIZE;
  satin_record_clear (type->record, &record);
  return is_right;
}

/* Checks that another node can install the object, and then has the same state. States of types
 * that change in place are not compared. */
static void
assert_stable (SatinObjects *objects, const SatinObjectType *type)
{
  g_autoptr (SatinObjects) other = satin_objects_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) packed = satin_objects_pack (objects, ID, NULL, NULL);
  g_assert_true (satin_objects_install (other, ID, type->name, packed, &error));
  g_assert_no_error (error);
  g_autoptr (GBytes) again = satin_objects_pack (other, ID, NULL, NULL);
  g_assert_true (type->is_in_place || g_bytes_equal (packed, again));
}

static void
call (SatinObjects *objects, const SatinObjectType *type, guint number, const guint8 *bytes,
      gsize n_bytes)
{
  const SatinMethod *method = type->methods;
  for (guint i = 0; i < number && method->next != NULL; i++)
    method = method->next;
  g_autoptr (GBytes) args = g_bytes_new (bytes, n_bytes);
  g_autoptr (GError) error = NULL;
  gboolean is_called = satin_objects_apply (objects, ID, method->name, args, &error);
  g_assert_true (is_called == (error == NULL));
  g_assert_cmpint (satin_objects_get_version (objects, ID), >=, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes < 3)
    return 0;
  const SatinObjectType *type = types[bytes[0] % G_N_ELEMENTS (types)];
  guint method = bytes[1];
  gsize n_packed = MIN (bytes[2], n_bytes - 3);
  if (!is_small (type, bytes + 3, n_packed))
    return 0;
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (GBytes) packed = g_bytes_new (bytes + 3, n_packed);
  g_autoptr (GError) error = NULL;
  gboolean is_here = satin_objects_install (objects, ID, type->name, packed, &error);
  g_assert_true (is_here == (error == NULL));
  if (!is_here)
    return 0;
  assert_stable (objects, type);
  g_assert_true (satin_objects_install (objects, ID, type->name, packed, NULL));
  call (objects, type, method, bytes + 3 + n_packed, n_bytes - 3 - n_packed);
  assert_stable (objects, type);
  return 0;
}

/* ---- examples ---- */

static void
append_record (GByteArray *out, guint type, const SatinRecord *args_record, gconstpointer packed,
               gconstpointer args)
{
  guint8 head[] = { (guint8)type, 0, 0 };
  guint begin = out->len;
  g_byte_array_append (out, head, sizeof head);
  satin_record_encode (types[type]->record, packed, out);
  out->data[begin + 2] = (guint8)(out->len - begin - sizeof head);
  satin_record_encode (args_record, args, out);
}

static void
append_array (GByteArray *out)
{
  const double values[] = { 1, 2, 3, 4 };
  const guint8 written[] = { 2 };
  SatinArrayPart part = {
    .generation = 6, .written = written, .n_written = 1, .values = values, .n_values = 2
  };
  satin_array_packed packed = { 2, 2, values, 4, 5, &part, 1 };
  satin_array_write_args args = { 6, 0, values, 2 };
  append_record (out, 0, &satin_array_write_args_record, &packed, &args);
}

static void
append_cache (GByteArray *out)
{
  const gint64 keys[] = { 5, 6 }, data[] = { 0x105, 0x206 };
  satin_cache_packed packed = { 4, 2, keys, 2, data, 2 };
  satin_cache_put_args args = { keys, 2, data, 2 };
  append_record (out, 1, &satin_cache_put_args_record, &packed, &args);
}

static void
append_counter (GByteArray *out)
{
  const SatinTotal totals[] = { { 1, 5 }, { 3, 6 } };
  satin_counter_packed packed = { totals, 2 };
  satin_counter_add_args args = { .origin = 2, .total = 7 };
  append_record (out, 2, &satin_counter_add_args_record, &packed, &args);
}

static void
append_set (GByteArray *out)
{
  const SatinSetItem items[] = { { (const guint8 *)"ab", 2 }, { (const guint8 *)"c", 1 } };
  satin_set_packed packed = { items, 2 };
  satin_set_add_args args = { items + 1, 1 };
  append_record (out, 3, &satin_set_add_args_record, &packed, &args);
}

static void
append_bound (GByteArray *out)
{
  SatinBound packed = { 5, (const guint8 *)"ab", 2 }, args = { 5, (const guint8 *)"a", 1 };
  append_record (out, (guint)g_test_rand_int_range (4, 6), &SatinBound_record, &packed, &args);
}

void
fuzz_example (GByteArray *out)
{
  static void (*const append[]) (GByteArray * out) = { append_array, append_cache, append_counter,
                                                       append_set, append_bound };
  append[g_test_rand_int_range (0, G_N_ELEMENTS (append))](out);
}
