/* checkpoint.c - the options of a run's checkpoint, which become parameters of the part ft
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "command.h"
#include "node-environment.h"

#include <satin/ft/storage.h>
#include <string.h>

#define PART        "ft"
#define PART_PREFIX "ft:"
#define FILE_SCHEME "file:"

/* Returns: the rest of @uri, from the storage's own scheme on, without filters */
static const char *
skip_filters (const char *uri)
{
  gsize n_scheme = strcspn (uri, ":");
  const char *plus = g_strrstr_len (uri, (gssize)n_scheme, "+");
  return plus != NULL ? plus + 1 : uri;
}

char *
checkpoint_uri_complete (const char *uri)
{
  const char *own = skip_filters (uri);
  const char *path = g_str_has_prefix (own, FILE_SCHEME) ? own + strlen (FILE_SCHEME) : "/";
  g_autofree char *plain =
      *path != '/' && *path != '\0' ? g_uri_unescape_string (path, NULL) : NULL;
  if (plain == NULL)
    return g_strdup (uri);
  g_autofree char *absolute = g_canonicalize_filename (plain, NULL);
  g_autofree char *escaped = g_uri_escape_string (absolute, "/", FALSE);
  g_autofree char *filters = g_strndup (uri, (gsize)(own - uri));
  return g_strconcat (filters, FILE_SCHEME, escaped, NULL);
}

static gboolean
check_words (const CheckpointOptions *self, const char *command, GError **error)
{
  gint64 every_us = 0;
  guint64 size_bytes;
  if (self->every != NULL && !satin_parse_duration (self->every, &every_us, error))
    {
      g_prefix_error (error, "--checkpoint-every: ");
      return FALSE;
    }
  if (self->every != NULL && every_us == 0)
    return command_refuse (error, command, "--checkpoint-every wants a time above 0, as in 60s");
  if (self->size != NULL && !satin_parse_size (self->size, &size_bytes, error))
    {
      g_prefix_error (error, "--checkpoint-size: ");
      return FALSE;
    }
  return TRUE;
}

static void
add (GString *text, const char *key, const char *value)
{
  if (value != NULL)
    satin_params_append (text, key, value);
}

/* Returns: (transfer full): the part ft with all its parameters, "ft:KEY=VALUE,..." */
static char *
make_part (const CheckpointOptions *self, char **given)
{
  GString *text = g_string_new (PART_PREFIX);
  g_autofree char *uri = self->uri != NULL ? checkpoint_uri_complete (self->uri) : NULL;
  for (char **part = given; part != NULL && *part != NULL; part++)
    if (g_str_has_prefix (*part, PART_PREFIX))
      g_string_append_printf (text, "%s%s", text->len > strlen (PART_PREFIX) ? "," : "",
                              *part + strlen (PART_PREFIX));
  add (text, "checkpoint", uri);
  add (text, "every", self->every);
  add (text, "size", self->size);
  add (text, "storage", self->storage);
  add (text, "anyway", self->is_anyway ? "yes" : NULL);
  add (text, "convert", self->is_converting ? "yes" : NULL);
  return g_string_free (text, FALSE);
}

/* Checks the parameters as the part ft will check them in each node. */
static gboolean
check_part (const char *text, gboolean *ret_has_checkpoint, GError **error)
{
  g_autoptr (SatinParams) params = NULL;
  if (satin_plugin_load_spec (SATIN_PLUGIN_PART, text, &params, error) == NULL)
    return FALSE;
  const char *uri = satin_params_get_string (params, "checkpoint");
  *ret_has_checkpoint = *uri != '\0';
  return *uri == '\0'
         || satin_storage_check (uri, satin_params_get_string (params, "storage"), error);
}

static gboolean
is_recovery (const char *part)
{
  return g_str_equal (part, PART) || g_str_has_prefix (part, PART_PREFIX);
}

gboolean
checkpoint_options_apply (const CheckpointOptions *self, const char *command, char **given,
                          gboolean has_no_recovery, char ***ret_parts, gboolean *ret_has_checkpoint,
                          GError **error)
{
  gboolean has_checkpoint = FALSE;
  g_autofree char *text = make_part (self, given);
  gboolean has_params = strlen (text) > strlen (PART_PREFIX);
  if (self->uri != NULL && has_no_recovery)
    return command_refuse (error, command, "choose one of --no-recovery and --checkpoint");
  if (!check_words (self, command, error)
      || (has_params && !check_part (text, &has_checkpoint, error)))
    return FALSE;
  if (!has_checkpoint
      && (self->every != NULL || self->size != NULL || self->storage != NULL || self->is_anyway
          || self->is_converting))
    return command_refuse (error, command, "where is the checkpoint? Give --checkpoint URI too");
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  for (char **part = given; part != NULL && *part != NULL; part++)
    if (!is_recovery (*part))
      g_strv_builder_add (parts, *part);
  if (has_params)
    g_strv_builder_add (parts, text);
  *ret_parts = g_strv_builder_end (parts);
  *ret_has_checkpoint = has_checkpoint;
  return TRUE;
}

void
checkpoint_options_clear (CheckpointOptions *self)
{
  g_free (self->uri);
  g_free (self->every);
  g_free (self->size);
  g_free (self->storage);
}
