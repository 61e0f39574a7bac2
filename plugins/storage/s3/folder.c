/* folder.c - opens and closes a folder in a bucket
 *
 * A bucket has no folders. An empty object whose key ends with a slash stands for one, as Amazon's
 * console and other tools make it. Satin also uses this object to find out whether the server knows
 * conditions: a server that does refuses to make the object a second time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

/* The key of the object that stands for the folder, if the folder is the bucket itself. No file of
 * a storage has this name. */
#define ROOT_MARKER "~satin"

/* How long the server may take to forget an upload when the folder is closed. */
#define CLOSE_TIMEOUT_US (2 * G_USEC_PER_SEC)

static void
note_object (const AnswerObject *object, gpointer user_data)
{
  *(gboolean *)user_data = TRUE;
}

static gboolean
make_marker (Folder *self, GError **error)
{
  g_autofree char *etag = NULL;
  char mark[OBJECT_MARK_CHARS + 1];
  object_make_mark (mark);
  return object_put (&self->server, self->marker, NULL, 0, mark, NULL, &etag, error);
}

/* Looks whether the folder is there. If not, makes it if @may_make. */
static gboolean
find (Folder *self, gboolean may_make, GError **error)
{
  gboolean is_there = FALSE;
  const char *prefix = self->server.address.prefix;
  if (!object_list (&self->server, prefix, NULL, TRUE, 1, note_object, &is_there, error))
    return FALSE;
  /* The bucket itself is there even if it is empty. */
  if (is_there || prefix[0] == '\0')
    return TRUE;
  if (may_make)
    return make_marker (self, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s: there is no such folder",
               self->server.where);
  return FALSE;
}

/* Like find(), but turns the errors %SATIN_ERROR_IO and %SATIN_ERROR_CLOSED into
 * %SATIN_ERROR_UNREACHABLE. */
static gboolean
begin (Folder *self, gboolean may_make, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (find (self, may_make, &local))
    return TRUE;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_IO)
      || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_CLOSED))
    local->code = SATIN_ERROR_UNREACHABLE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

Folder *
folder_open (const char *uri, const SatinParams *given, GError **error)
{
  Folder *self = g_new0 (Folder, 1);
  self->layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, layout_free);
  self->pendings = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, pending_free);
  self->capacity_bytes = satin_params_get_size_bytes (given, "capacity");
  if (server_open (&self->server, uri, given, error))
    {
      const char *prefix = self->server.address.prefix;
      self->marker = g_strdup (prefix[0] != '\0' ? prefix : ROOT_MARKER);
      if (begin (self, satin_params_get_boolean (given, "make"), error))
        return self;
    }
  folder_close (self);
  return NULL;
}

void
folder_close (Folder *self)
{
  GHashTableIter each;
  gpointer pending;
  /* A server that does not answer must not hold up the end. */
  self->server.retry_us = 0;
  self->server.line.timeout_us = MIN (self->server.line.timeout_us, CLOSE_TIMEOUT_US);
  g_hash_table_iter_init (&each, self->pendings);
  while (g_hash_table_iter_next (&each, NULL, &pending))
    upload_abort (&((Pending *)pending)->upload, &self->server);
  g_hash_table_unref (self->pendings);
  g_hash_table_unref (self->layouts);
  server_close (&self->server);
  g_free (self->marker);
  g_free (self);
}

/* Makes the marker on condition that it is not there. @ret_is_refused: (out): whether the server
 * knows the condition and has refused */
static gboolean
try_condition (Folder *self, gboolean *ret_is_refused, GError **error)
{
  ObjectCondition condition = { .must_be_new = TRUE };
  g_autofree char *etag = NULL;
  char mark[OBJECT_MARK_CHARS + 1];
  object_make_mark (mark);
  if (!object_put (&self->server, self->marker, NULL, 0, mark, &condition, &etag, error))
    return FALSE;
  *ret_is_refused = etag == NULL;
  return TRUE;
}

gboolean
folder_find_conditions (Folder *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  gboolean is_refused = FALSE;
  if (self->conditions != CONDITIONS_UNKNOWN)
    return TRUE;
  /* The first try makes the marker if it was not there. */
  gboolean is_tried = try_condition (self, &is_refused, &local)
                      && (is_refused || try_condition (self, &is_refused, &local));
  if (!is_tried && !g_error_matches (local, SATIN_ERROR, SATIN_ERROR_INVALID))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  self->conditions = is_tried && is_refused ? CONDITIONS_KNOWN : CONDITIONS_MISSING;
  g_info ("%s: the server %s conditions on PUT", self->server.where,
          self->conditions == CONDITIONS_KNOWN ? "knows" : "does not know");
  return TRUE;
}

gboolean
folder_refuse_missing (const Folder *self, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s: there is no file %s",
               self->server.where, name);
  return FALSE;
}

gboolean
folder_refuse_changed (const Folder *self, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s: %s has changed meanwhile; does another writer use it?", self->server.where,
               name);
  return FALSE;
}
