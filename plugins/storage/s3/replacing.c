/* replacing.c - replaces and removes files that are made of objects
 *
 * A reader takes the file from its first object. So a file is replaced when the server replaces
 * that object, in one step. The further objects of the old file must not count for the new one.
 * Their tag would fit if both first objects had the same ETag. So an old file with further objects
 * is first made one object.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

#include <string.h>

/* A larger object is copied in parts of this size, so that no request takes long. Amazon's servers
 * copy at most 5 GiB in one request. */
#define COPY_BYTES ((guint64)256 << 20)

/* ---- making one object of a file ---- */

/* Sends the file's bytes in parts. */
static gboolean
send_all (Folder *folder, const char *name, const Layout *layout, Upload *upload, GError **error)
{
  guint64 length = layout->length;
  g_autofree guint8 *buffer = g_malloc (UPLOAD_PART_BYTES);
  for (guint64 done = 0; done < length;)
    {
      gsize n = 0;
      if (!reading_read (folder, name, done, buffer, UPLOAD_PART_BYTES, &n, error))
        return FALSE;
      if (n == 0)
        return folder_refuse_changed (folder, name, error);
      if (!upload_send (upload, &folder->server, buffer, n, error))
        return FALSE;
      done += n;
    }
  return TRUE;
}

/* Lets the server copy the file's only object in parts. */
static gboolean
copy_all (Folder *folder, const char *name, const Layout *layout, Upload *upload, GError **error)
{
  g_autofree char *key = layout_get_key (folder, name);
  for (guint64 done = 0; done < layout->length; done += COPY_BYTES)
    if (!upload_copy (upload, &folder->server, key, layout->etag, done,
                      MIN (COPY_BYTES, layout->length - done), error))
      return FALSE;
  return TRUE;
}

/* Makes the object @key of all bytes of the file. */
static gboolean
join (Folder *folder, const char *name, const char *key, const ObjectCondition *condition,
      GError **error)
{
  Upload upload = { 0 };
  g_autofree char *etag = NULL;
  const Layout *layout = layout_find (folder, name, error);
  if (layout == NULL || !upload_begin (&upload, &folder->server, key, error))
    {
      upload_clear (&upload);
      return FALSE;
    }
  gboolean is_done = (layout->segments->len > 0 ? send_all (folder, name, layout, &upload, error)
                                                : copy_all (folder, name, layout, &upload, error))
                     && upload_complete (&upload, &folder->server, condition, &etag, error);
  if (!is_done || etag == NULL)
    upload_abort (&upload, &folder->server);
  upload_clear (&upload);
  return is_done && (etag != NULL || folder_refuse_changed (folder, name, error));
}

/* Makes the file one object, in its place. */
static gboolean
make_one (Folder *folder, const char *name, const Layout *layout, GError **error)
{
  g_autofree char *key = layout_get_key (folder, name);
  g_autofree char *etag = g_strdup (layout->etag);
  ObjectCondition same = { .etag = etag };
  return join (folder, name, key, folder->conditions == CONDITIONS_KNOWN ? &same : NULL, error);
}

/* ---- the operations ---- */

/* Makes sure that a new first object of the file will have no further objects. */
static gboolean
prepare_target (Folder *folder, const char *name, GError **error)
{
  const Layout *layout = layout_find (folder, name, error);
  if (layout == NULL)
    return FALSE;
  return (layout->segments->len == 0 || make_one (folder, name, layout, error))
         && layout_remove_segments (folder, name, error);
}

/* Checks that the new file is there, before the old name is removed. */
static gboolean
check_copy (Folder *folder, const char *key, guint64 length, GError **error)
{
  g_auto (Object) object = { 0 };
  if (!object_look (&folder->server, key, &object, error))
    return FALSE;
  if (object.is_there && object.size_bytes == length)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s: the server was to copy %" G_GUINT64_FORMAT
               " bytes and has copied %" G_GUINT64_FORMAT,
               folder->server.where, length, object.size_bytes);
  return FALSE;
}

static gboolean
copy (Folder *folder, const char *from, const char *to, GError **error)
{
  g_autofree char *from_key = layout_get_key (folder, from);
  g_autofree char *to_key = layout_get_key (folder, to);
  const Layout *layout = layout_find (folder, from, error);
  if (layout == NULL || (!layout->is_there && !folder_refuse_missing (folder, from, error)))
    return FALSE;
  guint64 length = layout->length;
  gboolean is_small = layout->segments->len == 0 && length <= COPY_BYTES;
  return (is_small ? object_copy (&folder->server, from_key, layout->etag, to_key, error)
                   : join (folder, from, to_key, NULL, error))
         && check_copy (folder, to_key, length, error);
}

gboolean
replacing_replace (Folder *folder, const char *from, const char *to, GError **error)
{
  if (!pending_sync (folder, from, error))
    return FALSE;
  const Layout *layout = layout_find (folder, from, error);
  if (layout == NULL)
    return FALSE;
  if (!layout->is_there)
    return folder_refuse_missing (folder, from, error);
  if (strcmp (from, to) == 0)
    return TRUE;
  pending_drop (folder, to);
  gboolean is_done = folder_find_conditions (folder, error) && prepare_target (folder, to, error)
                     && copy (folder, from, to, error) && replacing_remove (folder, from, error);
  layout_forget (folder, to);
  return is_done;
}

gboolean
replacing_remove (Folder *folder, const char *name, GError **error)
{
  g_autofree char *key = layout_get_key (folder, name);
  pending_drop (folder, name);
  layout_forget (folder, name);
  /* Without its first object the file is gone. */
  return object_remove (&folder->server, key, error)
         && layout_remove_segments (folder, name, error);
}
