/* test-record-avro.c - tests our encoding against that of Avro C, in both directions
 *
 * "Ours" is Satin's encoding. Avro C learns each record only from the text of its schema.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <avro.h>
#include <string.h>
#include "record-shapes.h"

#define N_VALUES     300
#define BUFFER_BYTES (1 << 16) /* ASan maps each larger block anew */

typedef struct
{
  const SatinRecord *record;
  gpointer data; /* (owned): random values */
  GBytes *ours;  /* (owned): our encoding of @data */
  avro_value_t value;
} Case;

static void
case_init (Case *self, const SatinRecord *record, avro_value_iface_t *iface)
{
  self->record = record;
  self->data = record_alloc (record);
  record_fill (record, self->data);
  self->ours = satin_record_to_bytes (record, self->data);
  g_assert_cmpint (avro_generic_value_new (iface, &self->value), ==, 0);
}

static void
case_done (Case *self)
{
  avro_value_decref (&self->value);
  g_bytes_unref (self->ours);
  satin_record_clear (self->record, self->data);
  g_free (self->data);
}

/* ---- from a structure to a value of Avro C ---- */

static void set_record (avro_value_t *to, const SatinRecord *record, const guint8 *data);

static int
set_value (avro_value_t *to, const SatinField *field, gconstpointer from)
{
  switch (field->type)
    {
    case SATIN_FIELD_INT:
      return avro_value_set_int (to, *(const gint32 *)from);
    case SATIN_FIELD_LONG:
      return avro_value_set_long (to, *(const gint64 *)from);
    case SATIN_FIELD_FLOAT:
      return avro_value_set_float (to, *(const float *)from);
    case SATIN_FIELD_DOUBLE:
      return avro_value_set_double (to, *(const double *)from);
    case SATIN_FIELD_BOOLEAN:
      return avro_value_set_boolean (to, *(const gboolean *)from);
    case SATIN_FIELD_STRING:
      return avro_value_set_string (to, *(const SatinString *)from);
    case SATIN_FIELD_RECORD:
      set_record (to, field->record, from);
      return 0;
    case SATIN_FIELD_BYTES:
      break;
    }
  g_assert_not_reached ();
}

static void
set_span (avro_value_t *to, const SatinField *field, const guint8 *items, gsize n)
{
  if (!field->is_array)
    {
      g_assert_cmpint (avro_value_set_bytes (to, n == 0 ? (void *)"" : (void *)items, n), ==, 0);
      return;
    }
  for (gsize i = 0; i < n; i++)
    {
      avro_value_t element;
      g_assert_cmpint (avro_value_append (to, &element, NULL), ==, 0);
      g_assert_cmpint (set_value (&element, field, items + i * field->size_bytes), ==, 0);
    }
}

static void
set_record (avro_value_t *to, const SatinRecord *record, const guint8 *data)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      const guint8 *from = data + field->offset;
      avro_value_t member;
      g_assert_cmpint (avro_value_get_by_name (to, field->name, &member, NULL), ==, 0);
      if (field->is_array || field->type == SATIN_FIELD_BYTES)
        set_span (&member, field, *(const guint8 *const *)from,
                  *(const gsize *)(data + field->n_offset));
      else
        g_assert_cmpint (set_value (&member, field, from), ==, 0);
    }
}

/* Returns: (transfer full): Avro C's encoding of @value */
static GBytes *
avro_encoding (avro_value_t *value)
{
  char *buffer = g_malloc (BUFFER_BYTES);
  avro_writer_t writer = avro_writer_memory (buffer, BUFFER_BYTES);
  g_assert_cmpint (avro_value_write (writer, value), ==, 0);
  gsize n_bytes = (gsize)avro_writer_tell (writer);
  avro_writer_free (writer);
  return g_bytes_new_take (buffer, n_bytes);
}

static void
assert_same_bytes (GBytes *a, GBytes *b)
{
  gsize n_a, n_b;
  gconstpointer bytes_a = g_bytes_get_data (a, &n_a);
  gconstpointer bytes_b = g_bytes_get_data (b, &n_b);
  g_assert_cmpmem (bytes_a, n_a, bytes_b, n_b);
}

/* Lets Avro C read all of @bytes into the value of @self. */
static void
avro_decode (Case *self, gconstpointer bytes, gsize n_bytes)
{
  avro_reader_t reader = avro_reader_memory (n_bytes > 0 ? bytes : "", (gint64)n_bytes);
  g_assert_cmpint (avro_value_read (reader, &self->value), ==, 0);
  g_assert_cmpint (avro_skip (reader, 1), !=, 0); /* no byte is left */
  avro_reader_free (reader);
}

/* ---- cases, each for one shape ---- */

/* Calls @test with many values of the record. Avro C reads the schema once, which takes longer than
 * the rest. */
static void
for_many_values (const SatinRecord *record, void (*test) (Case *self))
{
  g_autofree char *text = satin_record_schema (record);
  avro_schema_t schema;
  g_assert_cmpint (avro_schema_from_json_length (text, strlen (text), &schema), ==, 0);
  avro_value_iface_t *iface = avro_generic_class_from_schema (schema);
  g_assert_nonnull (iface);
  for (guint i = 0; i < N_VALUES; i++)
    {
      Case self;
      case_init (&self, record, iface);
      test (&self);
      case_done (&self);
    }
  avro_value_iface_decref (iface);
  avro_schema_decref (schema);
}

static void
assert_writes_as_avro (Case *self)
{
  set_record (&self->value, self->record, self->data);
  g_autoptr (GBytes) theirs = avro_encoding (&self->value);
  assert_same_bytes (self->ours, theirs);
}

static void
test_writes_as_avro (gconstpointer record)
{
  for_many_values (record, assert_writes_as_avro);
}

/* Avro C writes the value that it has read. The case above shows that it writes values as we do. */
static void
assert_avro_reads (Case *self, gconstpointer bytes, gsize n_bytes)
{
  avro_decode (self, bytes, n_bytes);
  g_autoptr (GBytes) theirs = avro_encoding (&self->value);
  assert_same_bytes (self->ours, theirs);
}

static void
assert_we_read (Case *self, gconstpointer bytes, gsize n_bytes)
{
  g_autofree gpointer decoded = record_alloc (self->record);
  g_autoptr (GError) error = NULL;
  g_assert_true (satin_record_decode (self->record, bytes, n_bytes, decoded, &error));
  g_assert_no_error (error);
  g_autoptr (GBytes) again = satin_record_to_bytes (self->record, decoded);
  assert_same_bytes (again, self->ours);
  satin_record_clear (self->record, decoded);
}

static void
assert_avro_reads_ours (Case *self)
{
  gsize n_bytes;
  gconstpointer bytes = g_bytes_get_data (self->ours, &n_bytes);
  assert_avro_reads (self, bytes, n_bytes);
}

static void
test_avro_reads_ours (gconstpointer record)
{
  for_many_values (record, assert_avro_reads_ours);
}

static void
assert_reads_avros (Case *self)
{
  set_record (&self->value, self->record, self->data);
  g_autoptr (GBytes) theirs = avro_encoding (&self->value);
  gsize n_bytes;
  gconstpointer bytes = g_bytes_get_data (theirs, &n_bytes);
  assert_we_read (self, bytes, n_bytes);
}

static void
test_reads_avros (gconstpointer record)
{
  for_many_values (record, assert_reads_avros);
}

static void
assert_loose_reads_alike (Case *self)
{
  g_autoptr (GByteArray) loose = g_byte_array_new ();
  record_encode_loosely (self->record, self->data, loose);
  assert_avro_reads (self, loose->data, loose->len);
  assert_we_read (self, loose->data, loose->len);
}

static void
test_loose_reads_alike (gconstpointer record)
{
  for_many_values (record, assert_loose_reads_alike);
}

static void
add_cases (const char *claim, GTestDataFunc test)
{
  for (guint i = 0; record_shapes[i] != NULL; i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/base/record-avro/%s/%s", claim, record_shapes[i]->name);
      g_test_add_data_func (path, record_shapes[i], test);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_cases ("writes-as-avro-does", test_writes_as_avro);
  add_cases ("avro-reads-ours", test_avro_reads_ours);
  add_cases ("reads-what-avro-wrote", test_reads_avros);
  add_cases ("loose-encodings-read-as-avro-reads-them", test_loose_reads_alike);
  return g_test_run ();
}
