/* avro-output.c - writes results into Avro object container files: one file for each task
 *
 * The rows of a file all have one type, a record with the task's arguments and its result as
 * records. So each Avro library, and programs such as Spark, read the file as a table. A file with
 * all tasks would have a union of records as its type, which such programs refuse or spread over
 * columns.
 *
 * Arguments and results are stored in Avro's binary encoding. So they are checked and copied, and
 * not decoded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "avro-output.h"
#include "command.h"

#include <satin/base/bytes.h>
#include <avro.h>
#include <errno.h>
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The smallest size of a block. Avro C writes no row that is larger than a block. */
#define BLOCK_MIN_BYTES ((gsize)64 << 10)
/* The largest number of bytes of a row without its arguments, its result, its place and the task's
 * name. */
#define ROW_EXTRA_BYTES ((gsize)256)

/* clang-format off */
SATIN_RECORD (RowBegin, (string, task))
SATIN_RECORD (RowEnd, (int, node), (array_int, place), (string, key))
/* clang-format on */

struct _AvroOutput
{
  char *path;                   /* (owned) */
  char *part;                   /* (owned): the path until the file is complete */
  const char *task;             /* (borrowed) */
  const SatinRecord *arguments; /* (borrowed) */
  const SatinRecord *result;    /* (borrowed) */
  FILE *file;                   /* (owned) (nullable) */
  avro_file_writer_t avro;      /* (owned) (nullable) */
  GByteArray *row;              /* (owned) */
  gboolean is_finished;
};

/* ---- the schema of a row ---- */

/* Adds the schema of @record, with a namespace of its own: arguments and result may have records of
 * the same name. */
static void
add_record (JsonBuilder *builder, const SatinRecord *record, const char *task, const char *part)
{
  g_autofree char *text = satin_record_schema (record);
  g_autofree char *space = g_strconcat ("satin.", task, ".", part, NULL);
  g_autoptr (JsonNode) schema = json_from_string (text, NULL);
  json_object_set_string_member (json_node_get_object (schema), "namespace", space);
  json_builder_add_value (builder, g_steal_pointer (&schema));
}

static void
begin_field (JsonBuilder *builder, const char *name)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, name);
  json_builder_set_member_name (builder, "type");
}

static void
add_field (JsonBuilder *builder, const char *name, const char *type)
{
  begin_field (builder, name);
  json_builder_add_string_value (builder, type);
  json_builder_end_object (builder);
}

/* Begins a field whose value may be null, and is null if it is not known. */
static void
begin_optional_field (JsonBuilder *builder, const char *name)
{
  begin_field (builder, name);
  json_builder_begin_array (builder);
  json_builder_add_string_value (builder, "null");
}

static void
end_optional_field (JsonBuilder *builder)
{
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_fields (JsonBuilder *builder, const AvroOutput *self)
{
  add_field (builder, "task", "string");
  begin_optional_field (builder, "arguments");
  add_record (builder, self->arguments, self->task, "arguments");
  end_optional_field (builder);
  begin_field (builder, "result");
  add_record (builder, self->result, self->task, "result");
  json_builder_end_object (builder);
  begin_optional_field (builder, "time_us");
  json_builder_add_string_value (builder, "long");
  end_optional_field (builder);
  add_field (builder, "node", "int");
  begin_field (builder, "place");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "type");
  json_builder_add_string_value (builder, "array");
  json_builder_set_member_name (builder, "items");
  json_builder_add_string_value (builder, "int");
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  add_field (builder, "key", "string");
}

static char *
make_schema (const AvroOutput *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *space = g_strconcat ("satin.", self->task, NULL);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "type");
  json_builder_add_string_value (builder, "record");
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, "Job");
  json_builder_set_member_name (builder, "namespace");
  json_builder_add_string_value (builder, space);
  json_builder_set_member_name (builder, "fields");
  json_builder_begin_array (builder);
  add_fields (builder, self);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

/* ---- the file ---- */

static gboolean
refuse (const char *path, int number, GError **error)
{
  g_set_error (error, SATIN_ERROR, number == ENOSPC ? SATIN_ERROR_LIMIT : SATIN_ERROR_IO,
               "cannot write %s: %s", path, g_strerror (number != 0 ? number : EIO));
  return FALSE;
}

/* Begins the file. Returns: %FALSE with @error */
static gboolean
begin_file (AvroOutput *self, gsize block_bytes, GError **error)
{
  g_autofree char *text = make_schema (self);
  avro_schema_t schema = NULL;
  if (avro_schema_from_json_length (text, strlen (text), &schema) != 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "task %s has a type that Avro refuses: %s", self->task, avro_strerror ());
      return FALSE;
    }
  int fd = open (self->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  FILE *file = fd >= 0 ? fdopen (fd, "w") : NULL;
  int number = errno;
  if (file != NULL)
    {
      errno = 0;
      if (avro_file_writer_create_with_codec_fp (file, self->part, FALSE, schema, &self->avro,
                                                 "deflate", block_bytes)
          != 0)
        {
          number = errno;
          self->avro = NULL;
          fclose (file);
        }
      self->file = self->avro != NULL ? file : NULL;
    }
  else if (fd >= 0)
    close (fd);
  avro_schema_decref (schema);
  return self->avro != NULL || refuse (self->part, number, error);
}

AvroOutput *
avro_output_new (const char *folder, const char *task, const SatinRecord *arguments,
                 const SatinRecord *result, gsize row_max_bytes, GError **error)
{
  g_autoptr (AvroOutput) self = g_new0 (AvroOutput, 1);
  self->path = avro_output_path (folder, task);
  self->part = g_strconcat (self->path, COMMAND_PART_SUFFIX, NULL);
  self->task = task;
  self->arguments = arguments;
  self->result = result;
  self->row = g_byte_array_new ();
  gsize block_bytes = MAX (row_max_bytes + ROW_EXTRA_BYTES + strlen (task), BLOCK_MIN_BYTES);
  return begin_file (self, block_bytes, error) ? g_steal_pointer (&self) : NULL;
}

char *
avro_output_path (const char *folder, const char *task)
{
  g_autofree char *name = g_strconcat (task, ".avro", NULL);
  return g_build_filename (folder, name, NULL);
}

gboolean
avro_output_finish (AvroOutput *self, GError **error)
{
  errno = 0;
  /* Avro C writes through @file but ignores its errors, so they are checked here. */
  if (avro_file_writer_flush (self->avro) != 0 || fflush (self->file) != 0 || ferror (self->file)
      || fsync (fileno (self->file)) < 0 || rename (self->part, self->path) < 0)
    return refuse (self->path, errno, error);
  self->is_finished = TRUE;
  return TRUE;
}

void
avro_output_free (AvroOutput *self)
{
  if (self == NULL)
    return;
  if (self->avro != NULL)
    avro_file_writer_close (self->avro);
  if (self->file != NULL)
    fclose (self->file);
  if (self->avro != NULL && !self->is_finished)
    unlink (self->part);
  g_byte_array_unref (self->row);
  g_free (self->path);
  g_free (self->part);
  g_free (self);
}

/* ---- rows ---- */

/* Appends a long, or the number of a union's branch: both have the same encoding. */
static void
append_long (GByteArray *row, gint64 value)
{
  guint8 bytes[SATIN_VARINT_MAX_BYTES];
  guint8 *end = satin_varint_write (bytes, ((guint64)value << 1) ^ (guint64)(value >> 63));
  g_byte_array_append (row, bytes, (guint)(end - bytes));
}

static void
append_end (GByteArray *row, const SatinCheckpointStored *stored, GBytes *place)
{
  char key[2 * SATIN_CHECKPOINT_ID_BYTES + 1];
  gsize n_path, at = 0;
  const guint8 *path = g_bytes_get_data (place, &n_path);
  g_autofree gint32 *numbers = g_new (gint32, n_path + 1);
  RowEnd end = { .node = stored->result.node, .place = numbers, .key = key };
  for (guint32 number; at < n_path && satin_path_next (path, n_path, &at, &number);)
    numbers[end.n_place++] = (gint32)number;
  satin_hex_write (stored->result.key, SATIN_CHECKPOINT_ID_BYTES, key);
  satin_record_encode (&RowEnd_record, &end, row);
}

static gboolean
has_arguments (const AvroOutput *self, const SatinCheckpointStored *stored)
{
  return satin_checkpoint_has_arguments (stored)
         && satin_record_check (self->arguments, stored->arguments, stored->n_arguments, NULL,
                                NULL);
}

gboolean
avro_output_add (AvroOutput *self, const SatinCheckpointStored *stored, GBytes *place,
                 GBytes *result, gboolean *ret_is_valid, GError **error)
{
  gsize n_result;
  const guint8 *bytes = g_bytes_get_data (result, &n_result);
  const RowBegin begin = { self->task };
  *ret_is_valid = satin_record_check (self->result, bytes, n_result, NULL, NULL);
  if (!*ret_is_valid)
    return TRUE;
  g_byte_array_set_size (self->row, 0);
  satin_record_encode (&RowBegin_record, &begin, self->row);
  gboolean is_known = has_arguments (self, stored);
  append_long (self->row, is_known ? 1 : 0);
  if (is_known)
    g_byte_array_append (self->row, stored->arguments, (guint)stored->n_arguments);
  g_byte_array_append (self->row, bytes, (guint)n_result);
  append_long (self->row, stored->stored_us != 0 ? 1 : 0);
  if (stored->stored_us != 0)
    append_long (self->row, stored->stored_us);
  append_end (self->row, stored, place);
  errno = 0;
  if (avro_file_writer_append_encoded (self->avro, self->row->data, self->row->len) == 0)
    return TRUE;
  return refuse (self->part, errno, error);
}
