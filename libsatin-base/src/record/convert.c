/* convert.c - carries data over to another description, as Avro does
 *
 * Fields are matched by their names. A field that is new gets 0, FALSE, an empty text or an empty
 * array. A field that is gone is left out. A number may become a wider one, if the new description
 * has that type: an int becomes a long, a float or a double; a long becomes a float or a double; a
 * float becomes a double.
 *
 * Source: Apache Avro 1.11 specification, "Schema Resolution". Differs: each field has a default,
 * the empty value; names of records do not count; a string cannot become bytes, or bytes a string.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

typedef struct
{
  GPtrArray *owned; /* (owned): arrays that were made for the new structure: those of records, and
                     * those whose type has changed. The new structure shares strings and all other
                     * arrays with the old structure */
  gsize n_bytes;    /* of these arrays; above SATIN_RECORD_MAX_BYTES the conversion fails */
} Converting;

/* ---- whether it is possible ---- */

static gboolean
can_promote (SatinFieldType before, SatinFieldType now)
{
  gboolean is_floating = now == SATIN_FIELD_FLOAT || now == SATIN_FIELD_DOUBLE;
  return before == now || (before == SATIN_FIELD_INT && (now == SATIN_FIELD_LONG || is_floating))
         || (before == SATIN_FIELD_LONG && is_floating)
         || (before == SATIN_FIELD_FLOAT && now == SATIN_FIELD_DOUBLE);
}

/* Whether the number in the field is the id of a shared object, or the number of a version. Such a
 * field must not become one for an ordinary number. A field for an ordinary number must not become
 * such a field either. */
static gboolean
has_meaning (const SatinField *field)
{
  return field->record == &satin_object_kind || field->record == &satin_version_kind;
}

static gboolean
can_convert_field (const char *path, const SatinField *before, const SatinField *now,
                   GError **error)
{
  gboolean is_alike =
      before->is_array == now->is_array && can_promote (before->type, now->type)
      && ((!has_meaning (before) && !has_meaning (now)) || before->record == now->record);
  if (is_alike && now->type == SATIN_FIELD_RECORD)
    {
      g_autofree char *inner = g_strconcat (path, now->name, ".", NULL);
      return satin_record_can_convert (inner, before->record, now->record, error);
    }
  if (is_alike)
    return TRUE;
  g_autofree char *text = record_describe_change (path, before, now);
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_PROGRAM, text);
  return FALSE;
}

gboolean
satin_record_can_convert (const char *path, const SatinRecord *before, const SatinRecord *now,
                          GError **error)
{
  g_return_val_if_fail (path != NULL && before != NULL && now != NULL, FALSE);
  for (guint i = 0; i < now->n_fields; i++)
    {
      const SatinField *old = record_find_field (before, now->fields[i].name, NULL);
      if (old != NULL && !can_convert_field (path, old, &now->fields[i], error))
        return FALSE;
    }
  return TRUE;
}

/* ---- converting ---- */

static void convert_record (Converting *self, const SatinRecord *before, const guint8 *from,
                            const SatinRecord *now, guint8 *to);

static double
load_number (SatinFieldType type, const guint8 *from, gsize i)
{
  return type == SATIN_FIELD_INT    ? ((const gint32 *)from)[i]
         : type == SATIN_FIELD_LONG ? (double)((const gint64 *)from)[i]
                                    : (double)((const float *)from)[i];
}

/* Converts @n numbers of an array, or one number. */
static void
promote (const SatinField *before, const guint8 *from, const SatinField *now, guint8 *to, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (now->type == SATIN_FIELD_LONG)
      ((gint64 *)to)[i] = ((const gint32 *)from)[i];
    else if (now->type == SATIN_FIELD_FLOAT)
      ((float *)to)[i] = (float)load_number (before->type, from, i);
    else
      ((double *)to)[i] = load_number (before->type, from, i);
}

static void
convert_values (Converting *self, const SatinField *before, const guint8 *from,
                const SatinField *now, guint8 *to, gsize n)
{
  if (before->type != now->type)
    promote (before, from, now, to, n);
  else if (now->type != SATIN_FIELD_RECORD)
    memcpy (to, from, n * now->size_bytes);
  else
    for (gsize i = 0; i < n; i++)
      convert_record (self, before->record, from + i * before->size_bytes, now->record,
                      to + i * now->size_bytes);
}

/* Makes an array of @n elements. Returns: (nullable): %NULL when it would be too large */
static guint8 *
make_array (Converting *self, const SatinField *field, gsize n)
{
  gsize element_bytes = field_element_bytes (field);
  if (n > (SATIN_RECORD_MAX_BYTES - MIN (self->n_bytes, SATIN_RECORD_MAX_BYTES)) / element_bytes)
    {
      self->n_bytes = SATIN_RECORD_MAX_BYTES + 1;
      return NULL;
    }
  self->n_bytes += n * element_bytes;
  guint8 *items = g_malloc0_n (MAX (n, 1), element_bytes);
  g_ptr_array_add (self->owned, items);
  return items;
}

static void
convert_span (Converting *self, const SatinField *before, const guint8 *from, const SatinField *now,
              guint8 *to)
{
  gsize n = load_size (from + before->n_offset);
  gconstpointer items = load_pointer (from + before->offset);
  if (before->type != now->type || now->type == SATIN_FIELD_RECORD)
    {
      guint8 *made = make_array (self, now, n);
      n = made != NULL ? n : 0;
      convert_values (self, before, items, now, made, n);
      items = made;
    }
  memcpy (to + now->offset, &items, sizeof items);
  memcpy (to + now->n_offset, &n, sizeof n);
}

static void
convert_record (Converting *self, const SatinRecord *before, const guint8 *from,
                const SatinRecord *now, guint8 *to)
{
  for (guint i = 0; i < now->n_fields; i++)
    {
      const SatinField *field = &now->fields[i];
      const SatinField *old = record_find_field (before, field->name, NULL);
      if (old != NULL && field_is_span (field))
        convert_span (self, old, from, field, to);
      else if (old != NULL)
        convert_values (self, old, from + old->offset, field, to + field->offset, 1);
    }
}

static GBytes *
convert (const SatinRecord *before, const guint8 *from, const SatinRecord *now, GError **error)
{
  Converting self = { .owned = g_ptr_array_new_with_free_func (g_free) };
  g_autofree guint8 *to = g_malloc0 (MAX (now->size_bytes, 1));
  GBytes *bytes = NULL;
  convert_record (&self, before, from, now, to);
  if (self.n_bytes <= SATIN_RECORD_MAX_BYTES)
    bytes = satin_record_to_checked_bytes (now, to, SATIN_RECORD_MAX_BYTES, error);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "a %s takes more than %d MiB", now->name,
                 (int)(SATIN_RECORD_MAX_BYTES >> 20));
  g_ptr_array_unref (self.owned);
  return bytes;
}

GBytes *
satin_record_convert (const SatinRecord *before, const guint8 *bytes, gsize n_bytes,
                      const SatinRecord *now, GError **error)
{
  g_return_val_if_fail (before != NULL && now != NULL, NULL);
  g_autofree guint8 *from = g_malloc0 (MAX (before->size_bytes, 1));
  if (!satin_record_can_convert ("", before, now, error)
      || !satin_record_decode (before, bytes, n_bytes, from, error))
    return NULL;
  GBytes *converted = convert (before, from, now, error);
  satin_record_clear (before, from);
  return converted;
}
