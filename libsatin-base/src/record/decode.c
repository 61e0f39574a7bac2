/* decode.c - decodes bytes to structures, and frees these
 *
 * It runs only on bytes that satin_record_check() has accepted. So nothing here can fail, and no
 * bound is checked twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* Reads the varint at *@at and moves *@at behind it. */
static inline gint64
take_long (const guint8 **at)
{
  const guint8 *from = *at;
  guint64 zigzag = *from & 0x7f;
  for (guint shift = 7; *from++ >= 0x80; shift += 7)
    zigzag |= (guint64)(*from & 0x7f) << shift;
  *at = from;
  return zigzag_to_long (zigzag);
}

static SatinString
take_string (const guint8 **at)
{
  gsize length = (gsize)take_long (at);
  char *string = g_malloc (length + 1);
  memcpy (string, *at, length);
  string[length] = '\0';
  *at += length;
  return string;
}

static void
decode_bytes (const guint8 **at, const SatinField *field, guint8 *data)
{
  gsize n = (gsize)take_long (at);
  gpointer bytes = n > 0 ? g_memdup2 (*at, n) : NULL;
  *at += n;
  memcpy (data + field->offset, &bytes, sizeof bytes);
  memcpy (data + field->n_offset, &n, sizeof n);
}

static void
decode_floats (const guint8 **at, guint8 *values, gsize n, gsize size_bytes)
{
  copy_little_endian (values, *at, n, size_bytes);
  *at += n * size_bytes;
}

static void decode_record (const guint8 **at, const SatinRecord *record, guint8 *data);

/* Decodes @n values of the field's type, and stores them one behind the other in memory. Not for
 * bytes. */
static void
decode_values (const guint8 **at, const SatinField *field, guint8 *values, gsize n)
{
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      for (gsize i = 0; i < n; i++)
        ((gint32 *)values)[i] = (gint32)take_long (at);
      break;
    case SATIN_FIELD_LONG:
      for (gsize i = 0; i < n; i++)
        ((gint64 *)values)[i] = take_long (at);
      break;
    case SATIN_FIELD_FLOAT:
    case SATIN_FIELD_DOUBLE:
      decode_floats (at, values, n, field->size_bytes);
      break;
    case SATIN_FIELD_BOOLEAN:
      for (gsize i = 0; i < n; i++)
        ((gboolean *)values)[i] = *(*at)++;
      break;
    case SATIN_FIELD_STRING:
      for (gsize i = 0; i < n; i++)
        ((SatinString *)values)[i] = take_string (at);
      break;
    case SATIN_FIELD_RECORD:
      for (gsize i = 0; i < n; i++)
        decode_record (at, field->record, values + i * field->size_bytes);
      break;
    case SATIN_FIELD_BYTES:
      g_assert_not_reached ();
    }
}

/* An array of one block, the normal case, gets its memory at once. With more blocks the memory
 * doubles, so that many small blocks do not take quadratic time, and is cut to size at the end. */
static void
decode_array (const guint8 **at, const SatinField *field, guint8 *data)
{
  gsize element_bytes = field_element_bytes (field), float_bytes = record_float_bytes (field);
  guint8 *items = NULL;
  gsize n = 0;
  gsize capacity = 0;

  for (gint64 count = take_long (at); count != 0; count = take_long (at))
    {
      if (count < 0)
        {
          count = -count;
          take_long (at); /* the block's size in bytes */
        }
      gsize needed = n + (gsize)count;
      if (needed > capacity)
        {
          capacity = MAX (needed, 2 * capacity);
          items = g_realloc_n (items, capacity, element_bytes);
        }
      guint8 *block = items + n * element_bytes;
      if (float_bytes > 0)
        decode_floats (at, block, (gsize)count * (element_bytes / float_bytes), float_bytes);
      else
        decode_values (at, field, block, (gsize)count);
      n = needed;
    }
  if (capacity > n)
    items = g_realloc_n (items, n, element_bytes);
  memcpy (data + field->offset, &items, sizeof items);
  memcpy (data + field->n_offset, &n, sizeof n);
}

static void
decode_record (const guint8 **at, const SatinRecord *record, guint8 *data)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      if (field->is_array)
        decode_array (at, field, data);
      else if (field->type == SATIN_FIELD_BYTES)
        decode_bytes (at, field, data);
      else
        decode_values (at, field, data + field->offset, 1);
    }
}

gboolean
satin_record_decode (const SatinRecord *record, const guint8 *bytes, gsize n_bytes,
                     gpointer ret_data, GError **error)
{
  g_return_val_if_fail (record != NULL, FALSE);
  g_return_val_if_fail (ret_data != NULL || record->n_fields == 0, FALSE);

  if (!satin_record_check (record, bytes, n_bytes, NULL, error))
    return FALSE;
  decode_record (&bytes, record, ret_data);
  return TRUE;
}

/* ---- freeing ---- */

/* Whether a structure of that record owns memory. */
static gboolean
record_has_pointers (const SatinRecord *record)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      if (field_is_span (field) || field->type == SATIN_FIELD_STRING
          || (field->type == SATIN_FIELD_RECORD && record_has_pointers (field->record)))
        return TRUE;
    }
  return FALSE;
}

static void free_pointers (const SatinRecord *record, const guint8 *data);

/* Frees the memory to which @n values of the field's type point. */
static void
free_values (const SatinField *field, const guint8 *values, gsize n)
{
  if (field->type == SATIN_FIELD_STRING)
    for (gsize i = 0; i < n; i++)
      g_free ((gpointer)((const SatinString *)values)[i]);
  else if (field->type == SATIN_FIELD_RECORD && record_has_pointers (field->record))
    for (gsize i = 0; i < n; i++)
      free_pointers (field->record, values + i * field->size_bytes);
}

static void
free_pointers (const SatinRecord *record, const guint8 *data)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      const guint8 *value = data + field->offset;
      if (!field_is_span (field))
        free_values (field, value, 1);
      else
        {
          gpointer items = (gpointer)load_pointer (value);
          free_values (field, items, load_size (data + field->n_offset));
          g_free (items);
        }
    }
}

void
satin_record_clear (const SatinRecord *record, gpointer data)
{
  g_return_if_fail (record != NULL);
  if (record->n_fields == 0)
    return;
  g_return_if_fail (data != NULL);

  free_pointers (record, data);
  memset (data, 0, record->size_bytes);
}
