/* record-shapes.c - records of many shapes, and random values for them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>
#include "record-shapes.h"

const SatinRecord *const record_shapes[] = { &Empty_record,   &Numbers_record, &Texts_record,
                                             &Arrays_record,  &Point_record,   &Line_record,
                                             &Drawing_record, &Shelf_record,   &Hollow_record,
                                             &Sky_record,     &Sixteen_record, NULL };

gpointer
record_alloc (const SatinRecord *record)
{
  return g_malloc0 (MAX (record->size_bytes, 1));
}

/* ---- random values ---- */

static guint64
random_bits (void)
{
  guint64 high = (guint32)g_test_rand_int ();
  guint64 low = (guint32)g_test_rand_int ();
  return high << 32 | low;
}

static guint
random_below (guint n)
{
  return (guint)g_test_rand_int_range (0, (gint32)n);
}

/* Draws the ends of the range often, and else numbers of any magnitude. */
static gint64
random_long (gint64 low, gint64 high)
{
  switch (random_below (8))
    {
    case 0:
      return low;
    case 1:
      return high;
    case 2:
      return -(gint64)random_below (3);
    default:
      {
        gint64 number = (gint64)random_bits () >> random_below (64);
        return CLAMP (number, low, high);
      }
    }
}

static double
random_double (void)
{
  static const double special[] = { 0.0, -0.0, 1.0, INFINITY, -INFINITY, NAN, G_MAXDOUBLE, 5e-324 };
  if (random_below (2) == 0)
    return special[random_below (G_N_ELEMENTS (special))];
  guint64 bits = random_bits ();
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static float
random_float (void)
{
  static const float special[] = {
    0.0F, -0.0F, 1.0F, INFINITY, -INFINITY, NAN, G_MAXFLOAT, 1e-45F
  };
  if (random_below (2) == 0)
    return special[random_below (G_N_ELEMENTS (special))];
  return (float)g_test_rand_double_range (-1e6, 1e6);
}

/* Returns: half of the time a number below 6, often 0, and at times a number below @many */
static gsize
random_count (guint many)
{
  switch (random_below (8))
    {
    case 0:
    case 1:
    case 2:
      return 0;
    case 3:
      return random_below (many);
    default:
      return random_below (6);
    }
}

static SatinString
random_string (void)
{
  static const char *const letters[] = {
    "a", "Z", " ", "\x01", "\x7f", "é", "√", "\xf0\x9f\x98\x80"
  };
  GString *text = g_string_new (NULL);
  for (gsize n = random_count (300); n > 0; n--)
    g_string_append (text, letters[random_below (G_N_ELEMENTS (letters))]);
  return g_string_free (text, FALSE);
}

static void
fill_value (const SatinField *field, gpointer value)
{
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      *(gint32 *)value = (gint32)random_long (G_MININT32, G_MAXINT32);
      break;
    case SATIN_FIELD_LONG:
      *(gint64 *)value = random_long (G_MININT64, G_MAXINT64);
      break;
    case SATIN_FIELD_FLOAT:
      *(float *)value = random_float ();
      break;
    case SATIN_FIELD_DOUBLE:
      *(double *)value = random_double ();
      break;
    case SATIN_FIELD_BOOLEAN:
      *(gboolean *)value = random_below (2) == 0;
      break;
    case SATIN_FIELD_STRING:
      *(SatinString *)value = random_string ();
      break;
    case SATIN_FIELD_BYTES:
      *(guint8 *)value = (guint8)random_below (256);
      break;
    case SATIN_FIELD_RECORD:
      record_fill (field->record, value);
      break;
    }
}

void
record_fill (const SatinRecord *record, gpointer data)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      guint8 *value = (guint8 *)data + field->offset;
      if (!field->is_array && field->type != SATIN_FIELD_BYTES)
        {
          fill_value (field, value);
          continue;
        }
      gsize n = random_count (field->type == SATIN_FIELD_RECORD ? 20 : 300);
      guint8 *items = n == 0 ? NULL : g_malloc0_n (n, MAX (field->size_bytes, 1));
      for (gsize j = 0; j < n; j++)
        fill_value (field, items + j * field->size_bytes);
      memcpy (value, &items, sizeof items);
      memcpy ((guint8 *)data + field->n_offset, &n, sizeof n);
    }
}

/* ---- memory ---- */

static gsize
values_memory (const SatinField *field, gconstpointer values, gsize n)
{
  gsize sum = 0;
  for (gsize i = 0; i < n; i++)
    {
      gconstpointer value = (const guint8 *)values + i * field->size_bytes;
      if (field->type == SATIN_FIELD_STRING)
        sum += strlen (*(const SatinString *)value) + 1;
      else if (field->type == SATIN_FIELD_RECORD)
        sum += record_memory (field->record, value);
    }
  return sum;
}

gsize
record_memory (const SatinRecord *record, gconstpointer data)
{
  gsize sum = 0;
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      const guint8 *value = (const guint8 *)data + field->offset;
      if (!field->is_array && field->type != SATIN_FIELD_BYTES)
        {
          sum += values_memory (field, value, 1);
          continue;
        }
      gconstpointer items;
      gsize n;
      memcpy (&items, value, sizeof items);
      memcpy (&n, (const guint8 *)data + field->n_offset, sizeof n);
      sum += n * MAX (field->size_bytes, 1) + values_memory (field, items, n);
    }
  return sum;
}

/* ---- another encoder ---- */

/* Writes up to 10 bytes; the last ones may be unnecessary. */
static void
put_long (GByteArray *out, gint64 value)
{
  guint64 rest = ((guint64)value << 1) ^ (guint64)(value >> 63);
  guint n_needless = random_below (10);
  for (guint n = 1;; n++, rest >>= 7)
    {
      gboolean goes_on = rest >= 0x80 || (n_needless > 0 && n < 10);
      guint8 byte = (guint8)((rest & 0x7f) | (goes_on ? 0x80 : 0));
      if (rest < 0x80 && n_needless > 0)
        n_needless--;
      g_byte_array_append (out, &byte, 1);
      if (!goes_on)
        return;
    }
}

static void
put_little_endian (GByteArray *out, guint64 bits, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++, bits >>= 8)
    {
      guint8 byte = (guint8)bits;
      g_byte_array_append (out, &byte, 1);
    }
}

static void
put_value (GByteArray *out, const SatinField *field, gconstpointer value)
{
  guint32 bits32;
  guint64 bits64;
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      put_long (out, *(const gint32 *)value);
      break;
    case SATIN_FIELD_LONG:
      put_long (out, *(const gint64 *)value);
      break;
    case SATIN_FIELD_FLOAT:
      memcpy (&bits32, value, sizeof bits32);
      put_little_endian (out, bits32, 4);
      break;
    case SATIN_FIELD_DOUBLE:
      memcpy (&bits64, value, sizeof bits64);
      put_little_endian (out, bits64, 8);
      break;
    case SATIN_FIELD_BOOLEAN:
      put_little_endian (out, *(const gboolean *)value ? 1 : 0, 1);
      break;
    case SATIN_FIELD_STRING:
      put_long (out, (gint64)strlen (*(const SatinString *)value));
      g_byte_array_append (out, *(const guint8 *const *)value,
                           (guint)strlen (*(const SatinString *)value));
      break;
    case SATIN_FIELD_BYTES:
      g_byte_array_append (out, value, 1);
      break;
    case SATIN_FIELD_RECORD:
      record_encode_loosely (field->record, value, out);
      break;
    }
}

static void
put_blocks (GByteArray *out, const SatinField *field, const guint8 *items, gsize n)
{
  for (gsize at = 0; at < n;)
    {
      gsize stop = at + 1 + random_below ((guint)(n - at));
      gint64 count = (gint64)(stop - at);
      g_autoptr (GByteArray) block = g_byte_array_new ();
      for (; at < stop; at++)
        put_value (block, field, items + at * field->size_bytes);
      gboolean is_sized = random_below (2) == 0;
      put_long (out, is_sized ? -count : count);
      if (is_sized)
        put_long (out, block->len);
      if (block->len > 0)
        g_byte_array_append (out, block->data, block->len);
    }
  put_long (out, 0);
}

void
record_encode_loosely (const SatinRecord *record, gconstpointer data, GByteArray *out)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      const guint8 *value = (const guint8 *)data + field->offset;
      if (!field->is_array && field->type != SATIN_FIELD_BYTES)
        {
          put_value (out, field, value);
          continue;
        }
      const guint8 *items;
      gsize n;
      memcpy (&items, value, sizeof items);
      memcpy (&n, (const guint8 *)data + field->n_offset, sizeof n);
      if (field->is_array)
        put_blocks (out, field, items, n);
      else
        {
          put_long (out, (gint64)n);
          for (gsize j = 0; j < n; j++)
            put_value (out, field, items + j);
        }
    }
}
