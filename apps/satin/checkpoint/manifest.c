/* manifest.c - reads and writes MANIFEST.json, which describes an archive of a checkpoint
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "manifest.h"

#include <satin/base/bytes.h>
#include <string.h>

#define FORMAT  "satin-checkpoint"
#define VERSION 1
/* The deepest nesting: the manifest, an array in it, an object in the array. */
#define DEPTH_MAX 3
/* A text with more than one JSON value for each VALUE_MIN_BYTES bytes is refused. No valid manifest
 * has so many. */
#define VALUE_MIN_BYTES 8

static void
log_clear (gpointer data)
{
  g_free (((CheckpointManifestLog *)data)->name);
}

static CheckpointManifest *
manifest_new (void)
{
  CheckpointManifest *self = g_new0 (CheckpointManifest, 1);
  self->logs = g_array_new (FALSE, FALSE, sizeof (CheckpointManifestLog));
  g_array_set_clear_func (self->logs, log_clear);
  self->inputs = g_ptr_array_new_with_free_func (g_free);
  return self;
}

CheckpointManifest *
checkpoint_manifest_new (const SatinCheckpointHead *head, guint64 n_results)
{
  CheckpointManifest *self = manifest_new ();
  self->program = g_strdup (head->name);
  self->arguments = g_strdup (head->arguments);
  memcpy (self->program_digest, head->program, sizeof self->program_digest);
  memcpy (self->root_digest, head->root, sizeof self->root_digest);
  self->n_results = n_results;
  self->build = g_strdup (head->build);
  for (gsize i = 0; i < head->n_inputs; i++)
    {
      g_ptr_array_add (self->inputs, g_strdup (head->inputs[i].name));
      g_ptr_array_add (self->inputs, checkpoint_digest_to_hex (&head->inputs[i]));
    }
  return self;
}

void
checkpoint_manifest_free (CheckpointManifest *self)
{
  if (self == NULL)
    return;
  g_free (self->program);
  g_free (self->arguments);
  g_array_unref (self->logs);
  g_ptr_array_unref (self->inputs);
  g_free (self->build);
  g_free (self);
}

void
checkpoint_manifest_add (CheckpointManifest *self, const char *name, guint64 size_bytes,
                         const char *sha256)
{
  CheckpointManifestLog log = { .name = g_strdup (name), .size_bytes = size_bytes };
  g_strlcpy (log.sha256, sha256, sizeof log.sha256);
  g_array_append_val (self->logs, log);
}

const CheckpointManifestLog *
checkpoint_manifest_get (const CheckpointManifest *self, guint i)
{
  return &g_array_index (self->logs, CheckpointManifestLog, i);
}

guint64
checkpoint_manifest_get_bytes (const CheckpointManifest *self)
{
  guint64 n_bytes = 0;
  for (guint i = 0; i < self->logs->len; i++)
    n_bytes += checkpoint_manifest_get (self, i)->size_bytes;
  return n_bytes;
}

void
checkpoint_manifest_fill_head (const CheckpointManifest *self, SatinCheckpointHead *ret_head)
{
  static const guint8 no_run[SATIN_CHECKPOINT_ID_BYTES];
  *ret_head = (SatinCheckpointHead){
    .version = SATIN_CHECKPOINT_VERSION,
    .run = no_run,
    .n_run = sizeof no_run,
    .program = self->program_digest,
    .n_program = sizeof self->program_digest,
    .root = self->root_digest,
    .n_root = sizeof self->root_digest,
    .name = self->program,
    .arguments = self->arguments,
  };
}

/* ---- writing ---- */

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_int (JsonBuilder *builder, const char *name, guint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64)value);
}

static void
add_id (JsonBuilder *builder, const char *name, const guint8 *id)
{
  g_autofree char *hex = satin_hex (id, SATIN_CHECKPOINT_ID_BYTES);
  add_string (builder, name, hex);
}

static void
add_inputs (JsonBuilder *builder, const GPtrArray *inputs)
{
  json_builder_set_member_name (builder, "inputs");
  json_builder_begin_array (builder);
  for (guint i = 0; i + 1 < inputs->len; i += 2)
    {
      json_builder_begin_object (builder);
      add_string (builder, "name", g_ptr_array_index (inputs, i));
      add_string (builder, "sha256", g_ptr_array_index (inputs, i + 1));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

char *
checkpoint_manifest_to_text (const CheckpointManifest *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  add_string (builder, "format", FORMAT);
  add_int (builder, "version", VERSION);
  add_string (builder, "program", self->program);
  add_id (builder, "program-digest", self->program_digest);
  add_string (builder, "arguments", self->arguments);
  add_id (builder, "root-digest", self->root_digest);
  add_string (builder, "build", self->build != NULL ? self->build : "");
  add_inputs (builder, self->inputs);
  add_int (builder, "results", self->n_results);
  json_builder_set_member_name (builder, "logs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->logs->len; i++)
    {
      const CheckpointManifestLog *log = checkpoint_manifest_get (self, i);
      json_builder_begin_object (builder);
      add_string (builder, "name", log->name);
      add_int (builder, "size", log->size_bytes);
      add_string (builder, "sha256", log->sha256);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

/* ---- reading ---- */

static gboolean
refuse (GError **error, const char *what)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "%s is damaged: %s",
               CHECKPOINT_MANIFEST_NAME, what);
  return FALSE;
}

/* Returns: (nullable): %NULL with @error */
static const char *
get_string (JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);
  if (node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
      && g_utf8_validate (json_node_get_string (node), -1, NULL))
    return json_node_get_string (node);
  refuse (error, name);
  return NULL;
}

static gboolean
get_int (JsonObject *object, const char *name, guint64 *ret_value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);
  if (node == NULL || json_node_get_value_type (node) != G_TYPE_INT64
      || json_node_get_int (node) < 0)
    return refuse (error, name);
  *ret_value = (guint64)json_node_get_int (node);
  return TRUE;
}

static gboolean
is_hex (const char *text, gsize n_digits)
{
  return strlen (text) == n_digits && strspn (text, "0123456789abcdef") == n_digits;
}

static gboolean
get_id (JsonObject *object, const char *name, guint8 *ret_id, GError **error)
{
  const char *hex = get_string (object, name, error);
  if (hex == NULL)
    return FALSE;
  if (!is_hex (hex, 2 * SATIN_CHECKPOINT_ID_BYTES))
    return refuse (error, name);
  for (guint i = 0; i < SATIN_CHECKPOINT_ID_BYTES; i++)
    ret_id[i] =
        (guint8)(g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]));
  return TRUE;
}

static gboolean
parse_log (CheckpointManifest *self, JsonNode *node, GError **error)
{
  guint64 size_bytes = 0;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse (error, "logs");
  JsonObject *object = json_node_get_object (node);
  const char *name = get_string (object, "name", error);
  const char *sha256 = name != NULL ? get_string (object, "sha256", error) : NULL;
  if (sha256 == NULL || !get_int (object, "size", &size_bytes, error))
    return FALSE;
  const char *last =
      self->logs->len > 0 ? checkpoint_manifest_get (self, self->logs->len - 1)->name : "";
  if (!satin_checkpoint_log_name_is_valid (name) || strcmp (last, name) >= 0)
    return refuse (error, "names of logs");
  if (size_bytes == 0 || !is_hex (sha256, CHECKPOINT_SHA256_HEX_BYTES - 1))
    return refuse (error, name);
  checkpoint_manifest_add (self, name, size_bytes, sha256);
  return TRUE;
}

static gboolean
parse_logs (CheckpointManifest *self, JsonObject *object, GError **error)
{
  JsonNode *node = json_object_get_member (object, "logs");
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return refuse (error, "logs");
  JsonArray *logs = json_node_get_array (node);
  guint n_logs = json_array_get_length (logs);
  if (n_logs == 0 || n_logs > CHECKPOINT_MANIFEST_MAX_LOGS)
    return refuse (error, "number of logs");
  for (guint i = 0; i < n_logs; i++)
    if (!parse_log (self, json_array_get_element (logs, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
check_format (JsonObject *object, GError **error)
{
  guint64 version;
  const char *format = get_string (object, "format", error);
  if (format == NULL || !get_int (object, "version", &version, error))
    return FALSE;
  if (!g_str_equal (format, FORMAT))
    return refuse (error, "format");
  if (version == VERSION)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
               "the archive is of version %" G_GUINT64_FORMAT
               " and this Satin reads %d: use the one that wrote it",
               version, VERSION);
  return FALSE;
}

static gboolean
parse_object (CheckpointManifest *self, JsonObject *object, GError **error)
{
  if (!check_format (object, error))
    return FALSE;
  self->program = g_strdup (get_string (object, "program", error));
  if (self->program == NULL)
    return FALSE;
  self->arguments = g_strdup (get_string (object, "arguments", error));
  return self->arguments != NULL && get_id (object, "program-digest", self->program_digest, error)
         && get_id (object, "root-digest", self->root_digest, error)
         && get_int (object, "results", &self->n_results, error)
         && parse_logs (self, object, error);
}

CheckpointManifest *
checkpoint_manifest_parse (const char *text, gsize n_text, GError **error)
{
  g_autoptr (CheckpointManifest) self = manifest_new ();
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) local = NULL;
  if (n_text > CHECKPOINT_MANIFEST_MAX_BYTES
      || !satin_json_is_bounded (text, n_text, DEPTH_MAX, n_text / VALUE_MIN_BYTES))
    refuse (error, "too much");
  else if (n_text == 0)
    refuse (error, "nothing");
  else if (!json_parser_load_from_data (parser, text, (gssize)n_text, &local))
    refuse (error, local->message);
  else if (json_parser_get_root (parser) == NULL
           || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    refuse (error, "no object");
  else if (parse_object (self, json_node_get_object (json_parser_get_root (parser)), error))
    return g_steal_pointer (&self);
  return NULL;
}
