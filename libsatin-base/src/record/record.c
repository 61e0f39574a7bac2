/* record.c - schema, encoder and digest of records
 *
 * The encoder makes one pass. It reserves room for the longest encoding of the next few values,
 * writes them through a plain pointer, and cuts the array to its size at the end. Avro allows many
 * encodings; this encoder writes only one: the shortest varints, and each array as one block
 * without a size in bytes.
 *
 * Source: Apache Avro 1.11 specification, "Binary Encoding".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#define DIGEST_BYTES 16

/* Fields of kinds object and version point to these records. Only addresses and names matter. */
const SatinRecord satin_object_kind = { .name = "object" };
const SatinRecord satin_version_kind = { .name = "version" };

/* How many ints or longs of an array are written before the encoder reserves room again. */
#define BATCH 64

/* ---- schema ---- */

static const char *const type_names[] = {
  [SATIN_FIELD_INT] = "int",         [SATIN_FIELD_LONG] = "long",
  [SATIN_FIELD_FLOAT] = "float",     [SATIN_FIELD_DOUBLE] = "double",
  [SATIN_FIELD_BOOLEAN] = "boolean", [SATIN_FIELD_STRING] = "string",
  [SATIN_FIELD_BYTES] = "bytes",
};

static void append_record_schema (GString *out, GHashTable *written, const SatinRecord *record);

static void
append_field_schema (GString *out, GHashTable *written, const SatinField *field)
{
  g_string_append_printf (out, "{\"name\":\"%s\",\"type\":", field->name);
  if (field->is_array)
    g_string_append (out, "{\"type\":\"array\",\"items\":");
  if (field->type == SATIN_FIELD_RECORD)
    append_record_schema (out, written, field->record);
  else
    g_string_append_printf (out, "\"%s\"", type_names[field->type]);
  g_string_append (out, field->is_array ? "}}" : "}");
}

/* @written: (element-type utf8): the names of the records that the schema has so far */
static void
append_record_schema (GString *out, GHashTable *written, const SatinRecord *record)
{
  if (!g_hash_table_add (written, (gpointer)record->name))
    {
      g_string_append_printf (out, "\"%s\"", record->name);
      return;
    }
  g_string_append_printf (out, "{\"type\":\"record\",\"name\":\"%s\",\"fields\":[", record->name);
  for (guint i = 0; i < record->n_fields; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      append_field_schema (out, written, &record->fields[i]);
    }
  g_string_append (out, "]}");
}

char *
satin_record_schema (const SatinRecord *record)
{
  g_return_val_if_fail (record != NULL, NULL);

  g_autoptr (GHashTable) written = g_hash_table_new (g_str_hash, g_str_equal);
  GString *out = g_string_new (NULL);
  append_record_schema (out, written, record);
  return g_string_free (out, FALSE);
}

/* ---- encoder ---- */

/* @out is longer than the bytes written so far; [at, end) is its free part. */
typedef struct
{
  GByteArray *out; /* (borrowed from the caller) */
  guint8 *at;
  guint8 *end;
} Writer;

/* Makes room for at least @n_bytes behind the first @used bytes of @out. */
static void
writer_resize (Writer *writer, gsize used, gsize n_bytes)
{
  g_assert (n_bytes <= G_MAXUINT - used); /* the largest size of a GByteArray */

  gsize size = MIN (used + MAX (n_bytes, used / 2), G_MAXUINT);
  g_byte_array_set_size (writer->out, (guint)size);
  writer->at = writer->out->data + used;
  writer->end = writer->out->data + size;
}

static inline void
writer_reserve (Writer *writer, gsize n_bytes)
{
  if (G_UNLIKELY ((gsize)(writer->end - writer->at) < n_bytes))
    writer_resize (writer, (gsize)(writer->at - writer->out->data), n_bytes);
}

/* Writes a number at @to, which must have room. Returns: the place behind the number */
static inline guint8 *
write_long (guint8 *to, gint64 value)
{
  return satin_varint_write (to, zigzag_from_long (value));
}

static void
encode_long (Writer *writer, gint64 value)
{
  writer_reserve (writer, SATIN_VARINT_MAX_BYTES);
  writer->at = write_long (writer->at, value);
}

static void
encode_bytes (Writer *writer, gconstpointer bytes, gsize n_bytes)
{
  encode_long (writer, (gint64)n_bytes);
  if (n_bytes == 0)
    return;
  writer_reserve (writer, n_bytes);
  memcpy (writer->at, bytes, n_bytes);
  writer->at += n_bytes;
}

static void
encode_string (Writer *writer, SatinString string)
{
  encode_bytes (writer, string, string == NULL ? 0 : strlen (string));
}

static void
encode_ints (Writer *writer, const gint32 *values, gsize n)
{
  for (gsize i = 0; i < n;)
    {
      gsize stop = i + MIN (n - i, BATCH);
      writer_reserve (writer, (stop - i) * SATIN_VARINT_MAX_BYTES);
      for (; i < stop; i++)
        writer->at = write_long (writer->at, values[i]);
    }
}

static void
encode_longs (Writer *writer, const gint64 *values, gsize n)
{
  for (gsize i = 0; i < n;)
    {
      gsize stop = i + MIN (n - i, BATCH);
      writer_reserve (writer, (stop - i) * SATIN_VARINT_MAX_BYTES);
      for (; i < stop; i++)
        writer->at = write_long (writer->at, values[i]);
    }
}

static void
encode_floats (Writer *writer, const guint8 *values, gsize n, gsize size_bytes)
{
  g_assert (n <= G_MAXUINT / size_bytes); /* so the product below does not overflow */
  writer_reserve (writer, n * size_bytes);
  copy_little_endian (writer->at, values, n, size_bytes);
  writer->at += n * size_bytes;
}

static void
encode_booleans (Writer *writer, const gboolean *values, gsize n)
{
  writer_reserve (writer, n);
  for (gsize i = 0; i < n; i++)
    *writer->at++ = values[i] != FALSE;
}

static void encode_record (Writer *writer, const SatinRecord *record, const guint8 *data);

/* Encodes @n values of the field's type, which lie one behind the other in memory. Not for
 * bytes. */
static void
encode_values (Writer *writer, const SatinField *field, const guint8 *values, gsize n)
{
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      encode_ints (writer, (const gint32 *)values, n);
      break;
    case SATIN_FIELD_LONG:
      encode_longs (writer, (const gint64 *)values, n);
      break;
    case SATIN_FIELD_FLOAT:
    case SATIN_FIELD_DOUBLE:
      encode_floats (writer, values, n, field->size_bytes);
      break;
    case SATIN_FIELD_BOOLEAN:
      encode_booleans (writer, (const gboolean *)values, n);
      break;
    case SATIN_FIELD_STRING:
      for (gsize i = 0; i < n; i++)
        encode_string (writer, ((const SatinString *)values)[i]);
      break;
    case SATIN_FIELD_RECORD:
      for (gsize i = 0; i < n; i++)
        encode_record (writer, field->record, values + i * field->size_bytes);
      break;
    case SATIN_FIELD_BYTES:
      g_assert_not_reached ();
    }
}

static void
encode_array (Writer *writer, const SatinField *field, const guint8 *items, gsize n)
{
  gsize float_bytes = n > 0 ? record_float_bytes (field) : 0;
  if (n > 0)
    encode_long (writer, (gint64)n);
  if (float_bytes > 0)
    encode_floats (writer, items, n * (field->size_bytes / float_bytes), float_bytes);
  else if (n > 0)
    encode_values (writer, field, items, n);
  encode_long (writer, 0);
}

static void
encode_record (Writer *writer, const SatinRecord *record, const guint8 *data)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      const guint8 *value = data + field->offset;
      if (!field_is_span (field))
        encode_values (writer, field, value, 1);
      else if (field->is_array)
        encode_array (writer, field, load_pointer (value), load_size (data + field->n_offset));
      else
        encode_bytes (writer, load_pointer (value), load_size (data + field->n_offset));
    }
}

void
satin_record_encode (const SatinRecord *record, gconstpointer data, GByteArray *out)
{
  g_return_if_fail (record != NULL);
  g_return_if_fail (out != NULL);
  if (record->n_fields == 0)
    return;
  g_return_if_fail (data != NULL);

  Writer writer = { .out = out };
  writer_resize (&writer, out->len, record->size_bytes + SATIN_VARINT_MAX_BYTES);
  encode_record (&writer, record, data);
  g_byte_array_set_size (out, (guint)(writer.at - out->data));
}

GBytes *
satin_record_to_bytes (const SatinRecord *record, gconstpointer data)
{
  g_return_val_if_fail (record != NULL, NULL);

  GByteArray *out = g_byte_array_new ();
  satin_record_encode (record, data, out);
  gsize n_bytes = out->len;
  guint8 *bytes = g_byte_array_free (out, FALSE);
  return g_bytes_new_take (g_realloc (bytes, n_bytes), n_bytes);
}

void
satin_record_copy (const SatinRecord *record, gconstpointer data, gpointer ret_copy)
{
  g_autoptr (GBytes) bytes = satin_record_to_bytes (record, data);
  gsize n_bytes;
  const guint8 *encoded = g_bytes_get_data (bytes, &n_bytes);
  gboolean is_decoded = satin_record_decode (record, encoded, n_bytes, ret_copy, NULL);
  g_assert (is_decoded);
}

/* ---- digest ---- */

void
satin_record_digest (const SatinRecord *record, const char *name, gconstpointer data,
                     guint8 *ret_digest)
{
  g_return_if_fail (record != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (ret_digest != NULL);

  g_autoptr (GBytes) encoded = satin_record_to_bytes (record, data);
  satin_record_digest_encoded (encoded, name, ret_digest);
}

void
satin_record_digest_encoded (GBytes *encoded, const char *name, guint8 *ret_digest)
{
  g_return_if_fail (encoded != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (ret_digest != NULL);

  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (encoded, &n_bytes);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (checksum, (const guchar *)name, (gssize)strlen (name) + 1);
  g_checksum_update (checksum, bytes, (gssize)n_bytes);

  guint8 sum[32];
  gsize n_sum = sizeof sum;
  g_checksum_get_digest (checksum, sum, &n_sum);
  memcpy (ret_digest, sum, DIGEST_BYTES);
}
