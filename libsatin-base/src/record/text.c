/* text.c - a record in a few words, for messages to people
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/record.h>

/* How many elements of an array, and how many bytes of a string, are written. */
#define MAX_ELEMENTS     8
#define MAX_STRING_BYTES 60

/* Cuts a text that is longer than @max_bytes between two characters, and appends "...". @max_bytes:
 * the largest size of the result, 3 or more */
static void
cut (GString *text, gsize max_bytes)
{
  static const char ellipsis[] = "...";
  if (text->len <= max_bytes)
    return;
  gsize n_bytes = max_bytes > sizeof ellipsis - 1 ? max_bytes - (sizeof ellipsis - 1) : 0;
  while (n_bytes > 0 && ((guint8)text->str[n_bytes] & 0xc0) == 0x80)
    n_bytes--;
  g_string_truncate (text, n_bytes);
  g_string_append (text, ellipsis);
}

static void
append_string (GString *out, SatinString string)
{
  g_autofree char *escaped = g_strescape (string != NULL ? string : "", "");
  g_autoptr (GString) text = g_string_new (escaped);
  cut (text, MAX_STRING_BYTES);
  g_string_append_printf (out, "\"%s\"", text->str);
}

static void append_record (GString *out, const SatinRecord *record, const guint8 *data);

static void
append_value (GString *out, const SatinField *field, const guint8 *value)
{
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      g_string_append_printf (out, "%d", *(const gint32 *)value);
      break;
    case SATIN_FIELD_LONG:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, *(const gint64 *)value);
      break;
    case SATIN_FIELD_FLOAT:
      g_string_append_printf (out, "%.6g", (double)*(const float *)value);
      break;
    case SATIN_FIELD_DOUBLE:
      g_string_append_printf (out, "%.6g", *(const double *)value);
      break;
    case SATIN_FIELD_BOOLEAN:
      g_string_append (out, *(const gboolean *)value ? "true" : "false");
      break;
    case SATIN_FIELD_STRING:
      append_string (out, *(const SatinString *)value);
      break;
    case SATIN_FIELD_RECORD:
      g_string_append_c (out, '{');
      append_record (out, field->record, value);
      g_string_append_c (out, '}');
      break;
    case SATIN_FIELD_BYTES: /* never a single value, see append_field () */
      g_assert_not_reached ();
    }
}

static void
append_array (GString *out, const SatinField *field, const guint8 *values, gsize n)
{
  gsize n_shown = MIN (n, MAX_ELEMENTS);
  g_string_append_c (out, '[');
  for (gsize i = 0; i < n_shown; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      append_value (out, field, values + i * field->size_bytes);
    }
  if (n > n_shown)
    g_string_append_printf (out, " and %" G_GSIZE_FORMAT " more", n - n_shown);
  g_string_append_c (out, ']');
}

static void
append_field (GString *out, const SatinField *field, const guint8 *data)
{
  const guint8 *value = data + field->offset;
  g_string_append_printf (out, "%s ", field->name);
  if (!field->is_array && field->type != SATIN_FIELD_BYTES)
    {
      append_value (out, field, value);
      return;
    }
  gsize n = *(const gsize *)(gconstpointer)(data + field->n_offset);
  if (field->is_array)
    append_array (out, field, *(const guint8 *const *)(gconstpointer)value, n);
  else
    g_string_append_printf (out, "of %" G_GSIZE_FORMAT " bytes", n);
}

static void
append_record (GString *out, const SatinRecord *record, const guint8 *data)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      append_field (out, &record->fields[i], data);
    }
}

char *
satin_record_to_text (const SatinRecord *record, gconstpointer data, gsize max_bytes)
{
  g_return_val_if_fail (record != NULL && data != NULL, NULL);
  GString *out = g_string_new (NULL);
  append_record (out, record, data);
  cut (out, max_bytes);
  return g_string_free (out, FALSE);
}
