/* schema.c - the Avro schema of a journal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* Here "values" is a map, but in SatinJournalEvent it is an array of names and values. Avro encodes
 * both in the same way. */
static const char schema_json[] =
    "{\"type\":\"record\",\"name\":\"Event\",\"namespace\":\"satin.journal1\",\"fields\":["
    "{\"name\":\"time_us\",\"type\":\"long\"},"
    "{\"name\":\"node\",\"type\":\"int\"},"
    "{\"name\":\"kind\",\"type\":\"string\"},"
    "{\"name\":\"text\",\"type\":\"string\"},"
    "{\"name\":\"values\",\"type\":{\"type\":\"map\",\"values\":\"long\"}}]}";

avro_schema_t
journal_schema_new (void)
{
  avro_schema_t schema = NULL;
  if (avro_schema_from_json_length (schema_json, sizeof schema_json - 1, &schema) != 0)
    g_error ("the schema of the journal: %s", avro_strerror ());
  return schema;
}

char *
journal_schema_text (void)
{
  char text[4096];
  avro_schema_t schema = journal_schema_new ();
  avro_writer_t writer = avro_writer_memory (text, sizeof text);
  if (avro_schema_to_json (schema, writer) != 0)
    g_error ("the schema of the journal: %s", avro_strerror ());
  char *copy = g_strndup (text, (gsize)avro_writer_tell (writer));
  avro_writer_free (writer);
  avro_schema_decref (schema);
  return copy;
}

gint64
satin_journal_event_get (const SatinJournalEvent *event, const char *name, gint64 missing)
{
  g_return_val_if_fail (event != NULL && name != NULL, missing);
  for (gsize i = 0; i < event->n_values; i++)
    if (g_str_equal (event->values[i].name, name))
      return event->values[i].value;
  return missing;
}
