/* compare.c - how two descriptions of a record differ, field by field
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static const char *const kinds[] = {
  [SATIN_FIELD_INT] = "int",         [SATIN_FIELD_LONG] = "long",
  [SATIN_FIELD_FLOAT] = "float",     [SATIN_FIELD_DOUBLE] = "double",
  [SATIN_FIELD_BOOLEAN] = "boolean", [SATIN_FIELD_STRING] = "string",
  [SATIN_FIELD_BYTES] = "bytes",     [SATIN_FIELD_RECORD] = "record",
};

const char *
record_field_kind (const SatinField *field)
{
  return field->record == &satin_object_kind || field->record == &satin_version_kind
             ? field->record->name
             : kinds[field->type];
}

const SatinField *
record_find_field (const SatinRecord *record, const char *name, guint *ret_index)
{
  for (guint i = 0; i < record->n_fields; i++)
    if (g_str_equal (record->fields[i].name, name))
      {
        if (ret_index != NULL)
          *ret_index = i;
        return &record->fields[i];
      }
  return NULL;
}

char *
record_describe_change (const char *path, const SatinField *before, const SatinField *now)
{
  return g_strdup_printf ("%s%s is %s%s and was %s%s", path, now->name,
                          now->is_array ? "array_" : "", record_field_kind (now),
                          before->is_array ? "array_" : "", record_field_kind (before));
}

static void
compare_fields (const char *path, const SatinField *before, const SatinField *now,
                GPtrArray *differences)
{
  if (before->is_array != now->is_array
      || !g_str_equal (record_field_kind (before), record_field_kind (now)))
    g_ptr_array_add (differences, record_describe_change (path, before, now));
  else if (now->type == SATIN_FIELD_RECORD)
    {
      g_autofree char *inner = g_strconcat (path, now->name, ".", NULL);
      satin_record_compare (inner, before->record, now->record, differences);
    }
}

void
satin_record_compare (const char *path, const SatinRecord *before, const SatinRecord *now,
                      GPtrArray *differences)
{
  g_return_if_fail (path != NULL && before != NULL && now != NULL && differences != NULL);
  guint index = 0, n_before = differences->len;
  gboolean is_moved = FALSE;
  for (guint i = 0; i < before->n_fields; i++)
    if (record_find_field (now, before->fields[i].name, &index) == NULL)
      g_ptr_array_add (differences, g_strdup_printf ("%s%s is gone", path, before->fields[i].name));
  for (guint i = 0; i < now->n_fields; i++)
    {
      const SatinField *field = &now->fields[i];
      const SatinField *old = record_find_field (before, field->name, &index);
      if (old == NULL)
        g_ptr_array_add (differences, g_strdup_printf ("%s%s is new", path, field->name));
      else
        compare_fields (path, old, field, differences);
      is_moved = is_moved || (old != NULL && index != i);
    }
  if (is_moved && differences->len == n_before)
    g_ptr_array_add (differences, g_strdup_printf ("%s%s and others have another order", path,
                                                   now->fields[0].name));
}
