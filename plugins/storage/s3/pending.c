/* pending.c - bytes that were appended and are not synced yet
 *
 * An object can only be written as a whole. So appended bytes are gathered here, and sync makes an
 * object of them. If there are more bytes than one request should carry, they are sent in parts.
 *
 * Two writers of one file would write the same object. With a server that knows conditions, one of
 * them is refused. With another server, the length is checked once more just before the write.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

#include <string.h>

/* How many files may have bytes to be synced at a time. Each may hold a part of 16 MiB in
 * memory. */
#define MAX_PENDINGS 16

void
pending_free (gpointer pending)
{
  Pending *self = pending;
  upload_clear (&self->upload);
  g_byte_array_unref (self->bytes);
  g_free (self->name);
  g_free (self->key);
  g_free (self);
}

guint64
pending_get_length (const Pending *self)
{
  return self->begin + self->n_sent + self->bytes->len;
}

void
pending_drop (Folder *folder, const char *name)
{
  Pending *self = g_hash_table_lookup (folder->pendings, name);
  if (self == NULL)
    return;
  upload_abort (&self->upload, &folder->server);
  g_hash_table_remove (folder->pendings, name);
}

/* ---- appending ---- */

/* Begins to gather bytes for a file. Returns: (transfer none) (nullable): %NULL with @error */
static Pending *
begin (Folder *folder, const char *name, guint64 offset, GError **error)
{
  if (g_hash_table_size (folder->pendings) >= MAX_PENDINGS)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "%s: %d files have bytes that were not synced: sync them first",
                   folder->server.where, MAX_PENDINGS);
      return NULL;
    }
  const Layout *layout = layout_find (folder, name, error);
  if (layout == NULL
      || !storage_check_length (folder->server.where, name, layout->length, offset, error))
    return NULL;
  /* Objects that a crash has left must not become a part of the new file. */
  char *key = layout->is_there ? layout_get_segment_key (folder, name, layout, offset)
                               : layout_get_key (folder, name);
  if (!layout->is_there && !layout_remove_segments (folder, name, error))
    {
      g_free (key);
      return NULL;
    }
  Pending *self = g_new0 (Pending, 1);
  self->name = g_strdup (name);
  self->begin = offset;
  self->key = key;
  self->bytes = g_byte_array_new ();
  g_hash_table_insert (folder->pendings, self->name, self);
  return self;
}

/* Takes over @local, the error of a part or of the end of an upload. If the server has forgotten
 * the upload, its parts are lost. Returns: FALSE */
static gboolean
fail_upload (Pending *self, GError *local, GError **error)
{
  self->is_lost = g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_propagate_error (error, local);
  return FALSE;
}

/* Sends the gathered bytes as the next part. */
static gboolean
send_part (Pending *self, Folder *folder, GError **error)
{
  if (self->upload.id == NULL && !upload_begin (&self->upload, &folder->server, self->key, error))
    {
      upload_clear (&self->upload);
      return FALSE;
    }
  GError *local = NULL;
  if (!upload_send (&self->upload, &folder->server, self->bytes->data, self->bytes->len, &local))
    return fail_upload (self, local, error);
  self->n_sent += self->bytes->len;
  g_byte_array_set_size (self->bytes, 0);
  return TRUE;
}

/* Gives up bytes of which the server has forgotten a part. Returns: FALSE */
static gboolean
refuse_lost (Pending *self, Folder *folder, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED,
               "%s: the server has forgotten the bytes of %s from %" G_GUINT64_FORMAT
               " on, which were not synced: append them again",
               folder->server.where, self->name, self->begin);
  g_hash_table_remove (folder->pendings, self->name);
  return FALSE;
}

gboolean
pending_append (Folder *folder, const char *name, guint64 offset, const guint8 *bytes,
                gsize n_bytes, GError **error)
{
  Pending *self = g_hash_table_lookup (folder->pendings, name);
  if (self != NULL && self->is_lost)
    return refuse_lost (self, folder, error);
  if (self != NULL
      && !storage_check_length (folder->server.where, name, pending_get_length (self), offset,
                                error))
    return FALSE;
  /* An object has a limited number of parts. Further bytes go into the next object. */
  if (self != NULL && self->upload.etags != NULL && self->upload.etags->len >= UPLOAD_PARTS_MAX - 2)
    {
      if (!pending_sync (folder, name, error))
        return FALSE;
      self = NULL;
    }
  if (self == NULL && (self = begin (folder, name, offset, error)) == NULL)
    return FALSE;
  while (n_bytes > 0)
    {
      if (self->bytes->len == UPLOAD_PART_BYTES && !send_part (self, folder, error))
        return FALSE;
      gsize n = MIN (n_bytes, UPLOAD_PART_BYTES - self->bytes->len);
      g_byte_array_append (self->bytes, bytes, (guint)n);
      object_make_mark (self->mark);
      bytes += n;
      n_bytes -= n;
    }
  return TRUE;
}

/* ---- syncing ---- */

/* Checks that nobody has written the file since the first append. @ret_etag: (out): the ETag of the
 * object if an earlier sync has written it, though that sync failed; else untouched */
static gboolean
check_unchanged (Pending *self, Folder *folder, char **ret_etag, GError **error)
{
  g_auto (Object) there = { 0 };
  const char *mark = self->upload.id != NULL ? self->upload.mark : self->mark;
  const Layout *layout = layout_find (folder, self->name, error);
  if (layout == NULL)
    return FALSE;
  g_autofree char *key = layout->is_there
                             ? layout_get_segment_key (folder, self->name, layout, self->begin)
                             : layout_get_key (folder, self->name);
  if (layout->length == self->begin && strcmp (key, self->key) == 0)
    return TRUE;
  if (!object_look (&folder->server, self->key, &there, error))
    return FALSE;
  if (there.is_there && g_strcmp0 (there.writer, mark) == 0)
    {
      *ret_etag = g_strdup (there.etag != NULL ? there.etag : "");
      return TRUE;
    }
  pending_drop (folder, self->name);
  return folder_refuse_changed (folder, self->name, error);
}

/* Writes the object. @ret_etag: (out): as for object_put() */
static gboolean
write_object (Pending *self, Folder *folder, char **ret_etag, GError **error)
{
  ObjectCondition new = { .must_be_new = TRUE };
  const ObjectCondition *condition = folder->conditions == CONDITIONS_KNOWN ? &new : NULL;
  /* Not all servers that know conditions know them for uploads in parts. */
  if ((condition == NULL || self->upload.id != NULL)
      && !check_unchanged (self, folder, ret_etag, error))
    return FALSE;
  if (*ret_etag != NULL)
    return TRUE;
  if (self->upload.id == NULL)
    return object_put (&folder->server, self->key, self->bytes->data, self->bytes->len, self->mark,
                       condition, ret_etag, error);
  if (self->bytes->len > 0 && !send_part (self, folder, error))
    return FALSE;
  GError *local = NULL;
  return upload_complete (&self->upload, &folder->server, condition, ret_etag, &local)
         || fail_upload (self, local, error);
}

gboolean
pending_sync (Folder *folder, const char *name, GError **error)
{
  g_autofree char *etag = NULL;
  Pending *self = g_hash_table_lookup (folder->pendings, name);
  if (self == NULL)
    return TRUE;
  if (self->is_lost)
    return refuse_lost (self, folder, error);
  if (!folder_find_conditions (folder, error) || !write_object (self, folder, &etag, error))
    return FALSE;
  if (etag == NULL)
    {
      pending_drop (folder, name);
      return folder_refuse_changed (folder, name, error);
    }
  upload_clear (&self->upload);
  g_hash_table_remove (folder->pendings, name);
  return TRUE;
}
