/* reference.c - a solution of assignment 5 that gets all points
 *
 * Each file of the storage is a file of the folder. A file is safe when its bytes and its name are
 * on the disk: sync does an fsync of the file, and then one of the folder.
 *
 * Threads: one at a time; interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "disk.h"

#include <satin/base/atomic.h>
#include <satin/ft/storage.h>
#include <string.h>

#define SCHEME "mine:"

typedef struct
{
  char *path;         /* (owned) */
  int is_interrupted; /* atomic */
} Store;

/* ---- errors ---- */

/* Sets @error from errno. Returns: %FALSE */
static gboolean
fail (const Store *self, const char *what, const char *name, GError **error)
{
  int failed_errno = errno;
  SatinErrorCode code = failed_errno == ENOENT   ? SATIN_ERROR_NOT_FOUND
                        : failed_errno == ENOSPC ? SATIN_ERROR_LIMIT
                                                 : SATIN_ERROR_IO;
  g_set_error (error, SATIN_ERROR, code, "cannot %s %s/%s: %s", what, self->path, name,
               g_strerror (failed_errno));
  return FALSE;
}

static gboolean
check_name (const char *name, GError **error)
{
  if (satin_storage_name_is_valid (name))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" cannot name a file", name);
  return FALSE;
}

static gboolean
check_interrupt (Store *self, GError **error)
{
  if (!SATIN_EXCHANGE (&self->is_interrupted, FALSE))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s: interrupted", self->path);
  return FALSE;
}

/* ---- the disk ---- */

/* @name: "" for the folder itself. Returns: a descriptor, or -1 with @error */
static int
open_file (Store *self, const char *name, int flags, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  int file = -1;
  while (check_interrupt (self, error))
    if ((file = disk_open (path, flags)) >= 0 || errno != EINTR)
      {
        if (file < 0)
          fail (self, "open", name, error);
        return file;
      }
  return -1;
}

static gboolean
sync_file (Store *self, const char *name, int flags, GError **error)
{
  int file = open_file (self, name, flags, error);
  if (file < 0)
    return FALSE;
  int status = -1;
  errno = EINTR;
  gboolean may_go_on = TRUE;
  while (status < 0 && errno == EINTR && (may_go_on = check_interrupt (self, error)))
    status = disk_fsync (file);
  if (status < 0 && may_go_on)
    fail (self, "sync", name, error);
  disk_close (file);
  return status == 0;
}

static gboolean
write_all (Store *self, int file, const char *name, guint64 offset, const guint8 *bytes,
           gsize n_bytes, GError **error)
{
  for (gsize done = 0; done < n_bytes;)
    {
      if (!check_interrupt (self, error))
        return FALSE;
      ssize_t n = disk_pwrite (file, bytes + done, n_bytes - done, (off_t)(offset + done));
      if (n < 0 && errno != EINTR)
        return fail (self, "write", name, error);
      done += (gsize)MAX (n, 0);
    }
  return TRUE;
}

/* ---- operations ---- */

static gpointer
store_open (const char *uri, const SatinParams *given, GError **error)
{
  const char *path = g_str_has_prefix (uri, SCHEME) ? uri + strlen (SCHEME) : "";
  if (path[0] != '/')
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" is no folder: write " SCHEME "/path", uri);
      return NULL;
    }
  Store *self = g_new0 (Store, 1);
  self->path = g_strdup (path);
  g_autofree char *parent = g_path_get_dirname (path);
  Store above = { .path = parent };
  gboolean is_there = disk_mkdir (path) == 0 || errno == EEXIST;
  if (!is_there)
    fail (self, "make", "", error);
  if (is_there && sync_file (&above, "", O_RDONLY | O_DIRECTORY, error))
    return self;
  g_free (self->path);
  g_free (self);
  return NULL;
}

static void
store_close (gpointer storage)
{
  g_free (((Store *)storage)->path);
  g_free (storage);
}

static guint
store_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
append_open (Store *self, int file, const char *name, guint64 offset, const guint8 *bytes,
             gsize n_bytes, GError **error)
{
  off_t length = disk_length (file);
  if (length < 0)
    return fail (self, "look at", name, error);
  if ((guint64)length == offset)
    return write_all (self, file, name, offset, bytes, n_bytes, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is %lld bytes long", name,
               (long long)length);
  return FALSE;
}

static gboolean
store_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
              gsize n_bytes, GError **error)
{
  Store *self = storage;
  g_autoptr (GError) local = NULL;
  if (!check_name (name, error))
    return FALSE;
  int file = open_file (self, name, O_WRONLY | (offset == 0 ? O_CREAT : 0), &local);
  if (file < 0 && offset > 0 && g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    local->code = SATIN_ERROR_INVALID;
  if (file < 0)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  gboolean is_done = append_open (self, file, name, offset, bytes, n_bytes, error);
  disk_close (file);
  return is_done;
}

static gboolean
store_sync (gpointer storage, const char *name, GError **error)
{
  return check_name (name, error) && sync_file (storage, name, O_RDONLY, error)
         && sync_file (storage, "", O_RDONLY | O_DIRECTORY, error);
}

static gboolean
store_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
            gsize *ret_n_bytes, GError **error)
{
  Store *self = storage;
  gsize done = 0;
  gboolean is_right = TRUE;
  if (!check_name (name, error))
    return FALSE;
  int file = open_file (self, name, O_RDONLY, error);
  if (file < 0)
    return FALSE;
  for (ssize_t n = 1; is_right && done < n_bytes && n != 0;)
    {
      is_right = check_interrupt (self, error);
      n = is_right ? disk_pread (file, buffer + done, n_bytes - done, (off_t)(offset + done)) : 0;
      if (n < 0 && errno != EINTR)
        is_right = fail (self, "read", name, error);
      done += (gsize)MAX (n, 0);
    }
  disk_close (file);
  *ret_n_bytes = done;
  return is_right;
}

/* The function that wants the entries of a list. */
typedef struct
{
  SatinStorageEntryFunc func;
  gpointer user_data;
} Listener;

static void
tell (const char *name, int is_folder, off_t length, void *user_data)
{
  const Listener *listener = user_data;
  if (!is_folder && satin_storage_name_is_valid (name))
    listener->func (name, (guint64)length, listener->user_data);
}

static gboolean
store_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Store *self = storage;
  Listener listener = { func, user_data };
  return check_interrupt (self, error)
         && (disk_list (self->path, tell, &listener) == 0 || fail (self, "list", "", error));
}

static gboolean
store_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Store *self = storage;
  g_autofree char *old_path = g_build_filename (self->path, from, NULL);
  g_autofree char *new_path = g_build_filename (self->path, to, NULL);
  if (!check_name (from, error) || !check_name (to, error)
      || !sync_file (self, from, O_RDONLY, error) || !check_interrupt (self, error))
    return FALSE;
  if (disk_rename (old_path, new_path) < 0)
    return fail (self, "rename", from, error);
  return sync_file (self, "", O_RDONLY | O_DIRECTORY, error);
}

static gboolean
store_remove (gpointer storage, const char *name, GError **error)
{
  Store *self = storage;
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  return check_name (name, error) && check_interrupt (self, error)
         && (disk_unlink (path) == 0 || errno == ENOENT || fail (self, "remove", name, error));
}

static void
store_interrupt (gpointer storage)
{
  SATIN_STORE (&((Store *)storage)->is_interrupted, TRUE);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = store_open,
  .close = store_close,
  .can = store_can,
  .append = store_append,
  .sync = store_sync,
  .read = store_read,
  .list = store_list,
  .replace = store_replace,
  .remove = store_remove,
  .interrupt = store_interrupt,
};

static const char *const schemes[] = { "mine", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "mine",
  .version = "1",
  .summary = "a storage of mine",
  .schemes = schemes,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
