/* forms.c - descriptions of records as data
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/record.h>
#include <string.h>

/* The most fields of a record, as in SATIN_RECORD. */
#define FIELDS_MAX 16
/* The largest structure. A record may contain one record many times, so without this bound a few
 * forms could describe a record that takes for ever to walk over. */
#define SIZE_MAX_BYTES ((gsize)1 << 20)

struct _SatinRecordSet
{
  SatinRecord *records; /* (owned) of @n: names and fields are owned too */
  guint *depths;        /* (owned) of @n: how deep each record nests */
  gsize n;
};

/* ---- from records to forms ---- */

static void
form_clear (gpointer data)
{
  satin_record_clear (&SatinRecordForm_record, data);
}

GArray *
satin_record_forms_new (void)
{
  GArray *forms = g_array_new (FALSE, FALSE, sizeof (SatinRecordForm));
  g_array_set_clear_func (forms, form_clear);
  return forms;
}

static gint32
form_of_field (GArray *forms, const SatinField *field)
{
  if (field->type == SATIN_FIELD_RECORD)
    return satin_record_forms_add (forms, field->record);
  if (field->record == &satin_object_kind)
    return SATIN_FORM_OBJECT;
  return field->record == &satin_version_kind ? SATIN_FORM_VERSION : SATIN_FORM_PLAIN;
}

static gboolean
is_equal (const SatinRecordForm *left, const SatinRecordForm *right)
{
  g_autoptr (GBytes) a = satin_record_to_bytes (&SatinRecordForm_record, left);
  g_autoptr (GBytes) b = satin_record_to_bytes (&SatinRecordForm_record, right);
  return g_bytes_equal (a, b);
}

gint32
satin_record_forms_add (GArray *forms, const SatinRecord *record)
{
  g_return_val_if_fail (forms != NULL && record != NULL, -1);
  g_autofree SatinFieldForm *fields = g_new0 (SatinFieldForm, record->n_fields + 1);
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      fields[i] = (SatinFieldForm){ .name = field->name,
                                    .type = (gint32)field->type,
                                    .is_array = field->is_array,
                                    .record = form_of_field (forms, field) };
    }
  const SatinRecordForm form = { .name = record->name,
                                 .fields = fields,
                                 .n_fields = record->n_fields };
  for (guint i = 0; i < forms->len; i++)
    if (is_equal (&g_array_index (forms, SatinRecordForm, i), &form))
      return (gint32)i;
  SatinRecordForm copy;
  satin_record_copy (&SatinRecordForm_record, &form, &copy);
  g_array_append_val (forms, copy);
  return (gint32)forms->len - 1;
}

/* ---- from forms to records ---- */

static gboolean
refuse (const char *name, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "the description of record %s: %s", name,
               why);
  return FALSE;
}

static gboolean
is_name (const char *name)
{
  if (!g_ascii_isalpha (name[0]) && name[0] != '_')
    return FALSE;
  while (g_ascii_isalnum (*name) || *name == '_')
    name++;
  return *name == '\0';
}

/* The size of one value in memory, which is also its alignment unless the value is a record. */
static gsize
measure (const SatinRecordSet *self, const SatinFieldForm *form)
{
  switch ((SatinFieldType)form->type)
    {
    case SATIN_FIELD_INT:
    case SATIN_FIELD_FLOAT:
    case SATIN_FIELD_BOOLEAN:
      return 4;
    case SATIN_FIELD_LONG:
    case SATIN_FIELD_DOUBLE:
      return 8;
    case SATIN_FIELD_STRING:
      return sizeof (SatinString);
    case SATIN_FIELD_BYTES:
      return 1;
    case SATIN_FIELD_RECORD:
      return self->records[form->record].size_bytes;
    }
  g_assert_not_reached ();
}

/* @index: of the form that has the field */
static gboolean
is_valid (const SatinFieldForm *form, gsize index)
{
  if (form->type < SATIN_FIELD_INT || form->type > SATIN_FIELD_RECORD || !is_name (form->name))
    return FALSE;
  if (form->type == SATIN_FIELD_BYTES && form->is_array)
    return FALSE;
  if (form->type == SATIN_FIELD_RECORD)
    return form->record >= 0 && (gsize)form->record < index;
  return form->record == SATIN_FORM_PLAIN
         || (form->type == SATIN_FIELD_LONG && !form->is_array && form->record < 0
             && form->record >= SATIN_FORM_VERSION);
}

static const SatinRecord *
record_of (const SatinRecordSet *self, const SatinFieldForm *form)
{
  if (form->type == SATIN_FIELD_RECORD)
    return &self->records[form->record];
  if (form->record == SATIN_FORM_OBJECT)
    return &satin_object_kind;
  return form->record == SATIN_FORM_VERSION ? &satin_version_kind : NULL;
}

/* Places a field behind the fields before it. @size_bytes: (inout): the size of the structure so
 * far. All members begin at multiples of 8, which suits each type. */
static SatinField
make_field (const SatinRecordSet *self, const SatinFieldForm *form, gsize *size_bytes)
{
  gboolean is_span = form->is_array || form->type == SATIN_FIELD_BYTES;
  SatinField field = { .name = g_strdup (form->name),
                       .type = (SatinFieldType)form->type,
                       .is_array = form->is_array,
                       .size_bytes = measure (self, form),
                       .offset = *size_bytes,
                       .n_offset = is_span ? *size_bytes + sizeof (gpointer) : 0,
                       .record = record_of (self, form) };
  gsize n_bytes = is_span ? sizeof (gpointer) + sizeof (gsize) : MAX (field.size_bytes, 1);
  *size_bytes += (n_bytes + 7) & ~(gsize)7;
  return field;
}

static gboolean
has_twice (const SatinRecordForm *form, gsize at)
{
  for (gsize i = 0; i < at; i++)
    if (g_str_equal (form->fields[i].name, form->fields[at].name))
      return TRUE;
  return FALSE;
}

static gboolean
add_record (SatinRecordSet *self, const SatinRecordForm *form, GError **error)
{
  gsize index = self->n, size_bytes = 0;
  guint depth = 0;
  if (!is_name (form->name))
    return refuse ("without a name", "its name is no name of C", error);
  if (form->n_fields > FIELDS_MAX)
    return refuse (form->name, "it has more than 16 fields", error);
  for (gsize i = 0; i < form->n_fields; i++)
    {
      if (!is_valid (&form->fields[i], index) || has_twice (form, i))
        return refuse (form->name, "one of its fields is not valid", error);
      if (form->fields[i].type == SATIN_FIELD_RECORD)
        depth = MAX (depth, self->depths[form->fields[i].record] + 1);
    }
  SatinField *fields = g_new0 (SatinField, form->n_fields + 1);
  for (gsize i = 0; i < form->n_fields; i++)
    fields[i] = make_field (self, &form->fields[i], &size_bytes);
  self->records[index] = (SatinRecord){ .name = g_strdup (form->name),
                                        .size_bytes = size_bytes,
                                        .n_fields = (guint)form->n_fields,
                                        .fields = fields };
  self->depths[index] = depth;
  self->n++;
  if (depth <= SATIN_FORMS_MAX_DEPTH && size_bytes <= SIZE_MAX_BYTES)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "the description of record %s: its records nest too deeply, or have too many fields",
               form->name);
  return FALSE;
}

SatinRecordSet *
satin_record_set_new (const SatinRecordForm *forms, gsize n_forms, GError **error)
{
  g_return_val_if_fail (forms != NULL || n_forms == 0, NULL);
  if (n_forms > SATIN_FORMS_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "%" G_GSIZE_FORMAT " descriptions of records are too many", n_forms);
      return NULL;
    }
  g_autoptr (SatinRecordSet) self = g_new0 (SatinRecordSet, 1);
  self->records = g_new0 (SatinRecord, n_forms + 1);
  self->depths = g_new0 (guint, n_forms + 1);
  for (gsize i = 0; i < n_forms; i++)
    if (!add_record (self, &forms[i], error))
      return NULL;
  return g_steal_pointer (&self);
}

void
satin_record_set_free (SatinRecordSet *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i < self->n; i++)
    {
      for (guint field = 0; field < self->records[i].n_fields; field++)
        g_free ((char *)self->records[i].fields[field].name);
      g_free ((char *)self->records[i].name);
      g_free ((SatinField *)self->records[i].fields);
    }
  g_free (self->records);
  g_free (self->depths);
  g_free (self);
}

const SatinRecord *
satin_record_set_get (const SatinRecordSet *self, gint32 index)
{
  g_return_val_if_fail (self != NULL, NULL);
  return index >= 0 && (gsize)index < self->n ? &self->records[index] : NULL;
}
