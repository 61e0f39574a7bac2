/* private.h - numbers and fields, for all sources about records
 *
 * An Avro int or long is a varint (satin/base/bytes.h) of its zigzag form, (v << 1) ^ (v >> 63).
 * Floats are IEEE 754, little endian.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <string.h>
#include <satin/base/record.h>
#include <satin/base/bytes.h>

static inline guint64
zigzag_from_long (gint64 value)
{
  return ((guint64)value << 1) ^ (guint64)(value >> 63);
}

static inline gint64
zigzag_to_long (guint64 zigzag)
{
  return (gint64)((zigzag >> 1) ^ (0 - (zigzag & 1)));
}

/* Pointers in records have many types. memcpy() reads them all the same way. */
static inline gconstpointer
load_pointer (const guint8 *from)
{
  gconstpointer pointer;
  memcpy (&pointer, from, sizeof pointer);
  return pointer;
}

static inline gsize
load_size (const guint8 *from)
{
  gsize size;
  memcpy (&size, from, sizeof size);
  return size;
}

/* Whether the field is a pointer with a count. */
static inline gboolean
field_is_span (const SatinField *field)
{
  return field->is_array || field->type == SATIN_FIELD_BYTES;
}

/* Bytes of memory for one element of an array. An element without members takes 1 byte too, so that
 * no count can grow without bound. */
static inline gsize
field_element_bytes (const SatinField *field)
{
  return MAX (field->size_bytes, 1);
}

/* Copies @n values of @size_bytes each, from this machine's byte order to little endian or back. */
static inline void
copy_little_endian (guint8 *to, const guint8 *from, gsize n, gsize size_bytes)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    {
      memcpy (to, from, n * size_bytes);
      return;
    }
  for (gsize i = 0; i < n * size_bytes; i += size_bytes)
    for (gsize byte = 0; byte < size_bytes; byte++)
      to[i + byte] = from[i + size_bytes - 1 - byte];
}

/* ---- measure.c ---- */

/* Returns: if an element of the field's array has nothing in it but floats, or nothing but doubles,
 * the size of one of them. Then the elements' encodings are their memory, in little endian. 0: it
 * has something else in it */
gsize record_float_bytes (const SatinField *field);

/* ---- compare.c ---- */

/* Returns: the kind of a field, as in SATIN_RECORD, without "array_" */
const char *record_field_kind (const SatinField *field);
/* Finds the field with that name. @ret_index: (out) (optional). Returns: (nullable) */
const SatinField *record_find_field (const SatinRecord *record, const char *name, guint *ret_index);
/* Returns: (transfer full): the text that a field is of another kind than before */
char *record_describe_change (const char *path, const SatinField *before, const SatinField *now);
