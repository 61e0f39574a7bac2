/* measure.c - computes how long a record's encoding will be
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* The largest elements that are searched for floats: so the search is short. */
#define FLOATS_MAX_BYTES 1024

typedef struct
{
  gsize n_bytes;
  gsize max_bytes;
} Count;

gsize
record_float_bytes (const SatinField *field)
{
  if (field->type == SATIN_FIELD_FLOAT || field->type == SATIN_FIELD_DOUBLE)
    return field->size_bytes;
  if (field->type != SATIN_FIELD_RECORD || field->size_bytes > FLOATS_MAX_BYTES)
    return 0;
  const SatinRecord *record = field->record;
  gsize each_bytes = 0, end = 0;
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *part = &record->fields[i];
      gsize bytes = part->is_array ? 0 : record_float_bytes (part);
      if (bytes == 0 || (i > 0 && bytes != each_bytes) || part->offset != end)
        return 0;
      each_bytes = bytes;
      end += part->size_bytes;
    }
  return end == field->size_bytes ? each_bytes : 0;
}

/* Returns: %FALSE when the sum is above the limit */
static inline gboolean
add (Count *count, gsize n_bytes)
{
  if (n_bytes > count->max_bytes - count->n_bytes)
    return FALSE;
  count->n_bytes += n_bytes;
  return TRUE;
}

static inline gsize
long_bytes (gint64 value)
{
  gsize n_bytes = 1;
  for (guint64 rest = zigzag_from_long (value); rest >= 0x80; rest >>= 7)
    n_bytes++;
  return n_bytes;
}

static gboolean
measure_text (Count *count, gsize n_bytes)
{
  return n_bytes <= count->max_bytes && add (count, long_bytes ((gint64)n_bytes))
         && add (count, n_bytes);
}

static gboolean measure_record (Count *count, const SatinRecord *record, const guint8 *data,
                                GError **error);

/* Measures a value of a type whose encoding has no fixed length. */
static gboolean
measure_value (Count *count, const SatinField *field, const guint8 *value)
{
  SatinString string;
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      return add (count, long_bytes (*(const gint32 *)value));
    case SATIN_FIELD_LONG:
      return add (count, long_bytes (*(const gint64 *)value));
    case SATIN_FIELD_STRING:
      string = *(const SatinString *)value;
      return measure_text (count, string != NULL ? strlen (string) : 0);
    case SATIN_FIELD_RECORD:
      return measure_record (count, field->record, value, NULL);
    case SATIN_FIELD_FLOAT:
    case SATIN_FIELD_DOUBLE:
    case SATIN_FIELD_BOOLEAN:
    case SATIN_FIELD_BYTES:
      break;
    }
  g_assert_not_reached ();
}

/* Measures @n values that lie one behind the other in memory. Not for bytes. */
static gboolean
measure_values (Count *count, const SatinField *field, const guint8 *values, gsize n)
{
  gsize fixed_bytes = 0;
  if (field->type == SATIN_FIELD_BOOLEAN)
    fixed_bytes = 1;
  else if (record_float_bytes (field) > 0)
    fixed_bytes = field->size_bytes;
  if (fixed_bytes > 0)
    return n <= count->max_bytes / fixed_bytes && add (count, n * fixed_bytes);
  for (gsize i = 0; i < n; i++)
    if (!measure_value (count, field, values + i * field->size_bytes))
      return FALSE;
  return TRUE;
}

static gboolean
measure_field (Count *count, const SatinField *field, const guint8 *data)
{
  const guint8 *value = data + field->offset;
  if (!field_is_span (field))
    return measure_values (count, field, value, 1);
  gsize n = load_size (data + field->n_offset);
  if (!field->is_array)
    return measure_text (count, n);
  if (n > 0
      && (!add (count, long_bytes ((gint64)n))
          || !measure_values (count, field, load_pointer (value), n)))
    return FALSE;
  return add (count, 1);
}

static gboolean
measure_record (Count *count, const SatinRecord *record, const guint8 *data, GError **error)
{
  for (guint i = 0; i < record->n_fields; i++)
    if (!measure_field (count, &record->fields[i], data))
      {
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                     "%s.%s: the encoding would be longer than %" G_GSIZE_FORMAT " bytes",
                     record->name, record->fields[i].name, count->max_bytes);
        return FALSE;
      }
  return TRUE;
}

gboolean
satin_record_measure (const SatinRecord *record, gconstpointer data, gsize max_bytes,
                      gsize *ret_bytes, GError **error)
{
  g_return_val_if_fail (record != NULL, FALSE);
  g_return_val_if_fail (data != NULL || record->n_fields == 0, FALSE);
  Count count = { .max_bytes = max_bytes };
  if (!measure_record (&count, record, data, error))
    return FALSE;
  if (ret_bytes != NULL)
    *ret_bytes = count.n_bytes;
  return TRUE;
}

GBytes *
satin_record_to_checked_bytes (const SatinRecord *record, gconstpointer data, gsize max_bytes,
                               GError **error)
{
  gsize n_bytes;
  if (!satin_record_measure (record, data, max_bytes, NULL, error))
    return NULL;
  g_autoptr (GBytes) bytes = satin_record_to_bytes (record, data);
  const guint8 *encoded = g_bytes_get_data (bytes, &n_bytes);
  if (!satin_record_check (record, encoded, n_bytes, NULL, error))
    return NULL;
  return g_steal_pointer (&bytes);
}
