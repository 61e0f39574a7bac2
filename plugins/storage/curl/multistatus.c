/* multistatus.c - parses the list of files that a WebDAV server sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "multistatus.h"

#include <string.h>

/* The state of the parser, and the <response> that it is in. */
typedef struct
{
  SatinStorageEntryFunc func;
  gpointer user_data;
  gboolean is_multistatus;
  gboolean is_collection;
  GString *text; /* (owned): text of the innermost element so far */
  char *href;    /* (owned) (nullable) */
  char *length;  /* (owned) (nullable) */
} Response;

/* Returns: the name without the prefix of its namespace. The prefix does not matter: in the answer
 * to a PROPFIND, only the namespace DAV: has the names that this parser knows */
static const char *
local_name (const char *name)
{
  const char *colon = strchr (name, ':');
  return colon != NULL ? colon + 1 : name;
}

static void
clear (Response *self)
{
  g_clear_pointer (&self->href, g_free);
  g_clear_pointer (&self->length, g_free);
  self->is_collection = FALSE;
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **names,
          const char **values, gpointer data, GError **error)
{
  Response *self = data;
  const char *name = local_name (element);
  g_string_truncate (self->text, 0);
  if (strcmp (name, "multistatus") == 0)
    self->is_multistatus = TRUE;
  else if (strcmp (name, "response") == 0)
    clear (self);
  else if (strcmp (name, "collection") == 0)
    self->is_collection = TRUE;
}

/* Takes the last part of a path in a URL, decoded. Returns: (transfer full) (nullable) */
static char *
take_name (const char *href)
{
  const char *slash = strrchr (href, '/');
  return g_uri_unescape_string (slash != NULL ? slash + 1 : href, NULL);
}

static void
tell (Response *self)
{
  guint64 size_bytes;
  if (self->is_collection || self->href == NULL || self->length == NULL
      || !g_ascii_string_to_unsigned (self->length, 10, 0, G_MAXINT64, &size_bytes, NULL))
    return;
  g_autofree char *name = take_name (self->href);
  if (name != NULL && satin_storage_name_is_valid (name))
    self->func (name, size_bytes, self->user_data);
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Response *self = data;
  const char *name = local_name (element);
  char **field = NULL;
  if (strcmp (name, "href") == 0)
    field = &self->href;
  else if (strcmp (name, "getcontentlength") == 0)
    field = &self->length;
  else if (strcmp (name, "response") == 0)
    tell (self);
  if (field != NULL && *field == NULL)
    *field = g_strstrip (g_strdup (self->text->str));
  g_string_truncate (self->text, 0);
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize n_bytes, gpointer data,
         GError **error)
{
  Response *self = data;
  g_string_append_len (self->text, text, (gssize)n_bytes);
}

gboolean
multistatus_parse (const char *text, gsize n_bytes, SatinStorageEntryFunc func, gpointer user_data,
                   GError **error)
{
  static const GMarkupParser parser = { .start_element = on_start,
                                        .end_element = on_end,
                                        .text = on_text };
  Response response = { .func = func, .user_data = user_data, .text = g_string_new (NULL) };
  g_autoptr (GError) local = NULL;
  GMarkupParseContext *context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &response, NULL);
  gboolean is_read = g_markup_parse_context_parse (context, text, (gssize)n_bytes, &local)
                     && g_markup_parse_context_end_parse (context, &local)
                     && response.is_multistatus;
  g_markup_parse_context_free (context);
  clear (&response);
  g_string_free (response.text, TRUE);
  if (!is_read)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                 "the server's list of files is none of WebDAV: %s",
                 local != NULL ? local->message : "it has no multistatus");
  return is_read;
}
