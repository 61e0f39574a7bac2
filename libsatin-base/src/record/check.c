/* check.c - checks the bytes of a record that may be hostile
 *
 * The check needs no memory, and recurses only as deep as the description nests. It accepts a count
 * only if the bytes for it are there. A field takes at most 16 bytes of memory for each encoded
 * byte, so few bytes cannot demand much memory. Records without fields are an exception: they have
 * no encoded bytes. As elements of arrays they have a bound of their own. In records that were made
 * of forms they take memory, up to the size of the largest structure (forms.c). Whether a value is
 * accepted does not depend on which of its encodings arrives.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

typedef struct
{
  const guint8 *start;
  const guint8 *at;
  const guint8 *end;
  gsize memory_bytes;
  gsize n_empty;  /* elements without bytes, so far */
  GError **error; /* (borrowed from the caller) (nullable) */
} Walk;

static gboolean
fail (Walk *walk, SatinErrorCode code, const char *what)
{
  g_set_error (walk->error, SATIN_ERROR, code, "byte %" G_GSIZE_FORMAT ": %s",
               (gsize)(walk->at - walk->start), what);
  return FALSE;
}

static gboolean
fail_truncated (Walk *walk)
{
  return fail (walk, SATIN_ERROR_TRUNCATED, "the record goes on behind the last byte");
}

static inline gsize
walk_left (const Walk *walk)
{
  return (gsize)(walk->end - walk->at);
}

/* Counts the memory of @n values of @size_bytes each, which must be above 0. */
static inline gboolean
walk_charge (Walk *walk, gsize n, gsize size_bytes)
{
  if (G_UNLIKELY (n > (SATIN_RECORD_MAX_BYTES - walk->memory_bytes) / size_bytes))
    return fail (walk, SATIN_ERROR_LIMIT, "the record would take too much memory");
  walk->memory_bytes += n * size_bytes;
  return TRUE;
}

static gboolean
walk_varint (Walk *walk, guint64 *ret_value)
{
  gsize at = 0;
  if (!satin_varint_read (walk->at, walk_left (walk), &at, ret_value))
    return walk_left (walk) < SATIN_VARINT_MAX_BYTES
               ? fail_truncated (walk)
               : fail (walk, SATIN_ERROR_FORMAT, "a number has more than 64 bits");
  walk->at += at;
  return TRUE;
}

static inline gboolean
walk_long (Walk *walk, gint64 *ret_value)
{
  guint64 zigzag;
  if (G_LIKELY (walk->at < walk->end && *walk->at < 0x80))
    zigzag = *walk->at++;
  else if (!walk_varint (walk, &zigzag))
    return FALSE;
  *ret_value = zigzag_to_long (zigzag);
  return TRUE;
}

/* Reads a length, and checks that so many bytes follow. Does not walk over these bytes. */
static gboolean
walk_length (Walk *walk, gsize *ret_length)
{
  gint64 length;
  if (!walk_long (walk, &length))
    return FALSE;
  if (length < 0)
    return fail (walk, SATIN_ERROR_FORMAT, "a length is negative");
  if ((guint64)length > walk_left (walk))
    return fail_truncated (walk);
  *ret_length = (gsize)length;
  return TRUE;
}

static gboolean
check_ints (Walk *walk, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      gint64 value;
      if (!walk_long (walk, &value))
        return FALSE;
      if (value != (gint32)value)
        return fail (walk, SATIN_ERROR_FORMAT, "an int has more than 32 bits");
    }
  return TRUE;
}

static gboolean
check_longs (Walk *walk, gsize n)
{
  gint64 value;
  for (gsize i = 0; i < n; i++)
    if (!walk_long (walk, &value))
      return FALSE;
  return TRUE;
}

static gboolean
check_floats (Walk *walk, gsize n, gsize size_bytes)
{
  if (n > walk_left (walk) / size_bytes)
    return fail_truncated (walk);
  walk->at += n * size_bytes;
  return TRUE;
}

static gboolean
check_booleans (Walk *walk, gsize n)
{
  if (n > walk_left (walk))
    return fail_truncated (walk);
  for (gsize i = 0; i < n; i++, walk->at++)
    if (*walk->at > 1)
      return fail (walk, SATIN_ERROR_FORMAT, "a boolean is neither 0 nor 1");
  return TRUE;
}

static gboolean
check_string (Walk *walk)
{
  gsize length;
  if (!walk_length (walk, &length) || !walk_charge (walk, length + 1, 1))
    return FALSE;
  /* This also refuses a NUL. */
  if (!g_utf8_validate_len ((const char *)walk->at, length, NULL))
    return fail (walk, SATIN_ERROR_FORMAT, "a string is not UTF-8 or holds a NUL");
  walk->at += length;
  return TRUE;
}

static gboolean
check_bytes (Walk *walk)
{
  gsize length;
  if (!walk_length (walk, &length) || !walk_charge (walk, length, 1))
    return FALSE;
  walk->at += length;
  return TRUE;
}

static gboolean check_record (Walk *walk, const SatinRecord *record);

/* Checks @n values, or 1 record; not for bytes. Counts the memory to which the values point. The
 * caller counts the memory of the values themselves. */
static gboolean
check_values (Walk *walk, const SatinField *field, gsize n)
{
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      return check_ints (walk, n);
    case SATIN_FIELD_LONG:
      return check_longs (walk, n);
    case SATIN_FIELD_FLOAT:
    case SATIN_FIELD_DOUBLE:
      return check_floats (walk, n, field->size_bytes);
    case SATIN_FIELD_BOOLEAN:
      return check_booleans (walk, n);
    case SATIN_FIELD_STRING:
      for (gsize i = 0; i < n; i++)
        if (!check_string (walk))
          return FALSE;
      return TRUE;
    case SATIN_FIELD_RECORD:
      return check_record (walk, field->record);
    case SATIN_FIELD_BYTES:
      break;
    }
  g_assert_not_reached ();
}

/* Checks the elements of one block of an array, and counts their memory. */
static gboolean
check_elements (Walk *walk, const SatinField *field, guint64 n)
{
  gsize element_bytes = field_element_bytes (field);
  /* If bytes are missing, the elements are walked over one by one: the error names the place. */
  if (record_float_bytes (field) > 0 && n <= walk_left (walk) / element_bytes)
    {
      walk->at += n * element_bytes;
      return walk_charge (walk, (gsize)n, element_bytes);
    }
  if (field->type != SATIN_FIELD_RECORD)
    {
      /* Each element takes at least one byte. */
      if (n > walk_left (walk))
        return fail_truncated (walk);
      return walk_charge (walk, (gsize)n, element_bytes) && check_values (walk, field, (gsize)n);
    }
  for (guint64 i = 0; i < n; i++)
    {
      const guint8 *element = walk->at;
      if (!walk_charge (walk, 1, element_bytes) || !check_record (walk, field->record))
        return FALSE;
      if (walk->at == element && ++walk->n_empty > SATIN_RECORD_MAX_EMPTY)
        return fail (walk, SATIN_ERROR_LIMIT, "the record has too many elements without fields");
    }
  return TRUE;
}

/* An array is a sequence of blocks, each a count and its elements, up to a count of 0. After a
 * negative count comes the block's size in bytes. */
static gboolean
check_array (Walk *walk, const SatinField *field)
{
  for (;;)
    {
      gint64 count;
      if (!walk_long (walk, &count))
        return FALSE;
      if (count == 0)
        return TRUE;

      gboolean is_sized = count < 0;
      guint64 n = is_sized ? 0 - (guint64)count : (guint64)count;
      gsize block_bytes = 0;
      if (is_sized && !walk_length (walk, &block_bytes))
        return FALSE;
      const guint8 *block = walk->at;
      if (!check_elements (walk, field, n))
        return FALSE;
      if (is_sized && (gsize)(walk->at - block) != block_bytes)
        return fail (walk, SATIN_ERROR_FORMAT, "an array block has another size than it says");
    }
}

static gboolean
check_record (Walk *walk, const SatinRecord *record)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      gboolean is_valid;
      if (field->is_array)
        is_valid = check_array (walk, field);
      else if (field->type == SATIN_FIELD_BYTES)
        is_valid = check_bytes (walk);
      else
        is_valid = check_values (walk, field, 1);
      if (G_UNLIKELY (!is_valid))
        {
          g_prefix_error (walk->error, "%s.%s: ", record->name, field->name);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
satin_record_check (const SatinRecord *record, const guint8 *bytes, gsize n_bytes,
                    gsize *ret_memory_bytes, GError **error)
{
  g_return_val_if_fail (record != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL || n_bytes == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  const guint8 *start = n_bytes > 0 ? bytes : (const guint8 *)"";
  Walk walk = {
    .start = start,
    .at = start,
    .end = start + n_bytes,
    .error = error,
  };
  if (!check_record (&walk, record))
    return FALSE;
  if (walk.at != walk.end)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "%s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                   " bytes are left over behind the record",
                   record->name, walk_left (&walk), n_bytes);
      return FALSE;
    }
  if (ret_memory_bytes != NULL)
    *ret_memory_bytes = walk.memory_bytes;
  return TRUE;
}
