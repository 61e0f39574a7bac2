/* storage-file.c - the storage plugin "file": files in a folder of this machine
 *
 * Each file of the storage is a file of the folder. A file is safe when both its bytes and its name
 * are on the disk, so sync calls fsync for the file and for the folder.
 *
 * Threads: one at a time for a handle; interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-file.h"

#include <fcntl.h>
#include <unistd.h>

static const SatinParam params[] = {
  { "make", SATIN_PARAM_BOOLEAN, "yes", "make the folder when it is not there" },
  STORAGE_CAPACITY_PARAM,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static gpointer
file_open (const char *uri, const SatinParams *given, GError **error)
{
  return folder_open (uri, given, error);
}

static void
file_close (gpointer storage)
{
  folder_close (storage);
}

static guint
file_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
file_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  return folder_list (storage, func, user_data, error);
}

/* The lock is held while the length is checked and the bytes are written, so two writers cannot
 * both append at the same end. */
static gboolean
append_locked (Folder *self, int file, const char *name, guint64 offset, const guint8 *bytes,
               gsize n_bytes, GError **error)
{
  guint64 length;
  return folder_lock (self, file, name, error)
         && folder_get_length (self, file, name, &length, error)
         && storage_check_length (self->path, name, length, offset, error)
         && storage_check_room (self, file_list, self->path, self->capacity_bytes, n_bytes, error)
         && folder_write (self, file, name, offset, bytes, n_bytes, error);
}

static gboolean
file_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
             GError **error)
{
  Folder *self = storage;
  g_autoptr (GError) local = NULL;
  if (!storage_check_name (name, error))
    return FALSE;
  int file = folder_open_file (self, name, O_WRONLY | (offset == 0 ? O_CREAT : 0), &local);
  if (file < 0)
    {
      /* With offset 0, the call should have made the file. Otherwise a missing file counts as 0
       * bytes long. */
      if (offset == 0 || !g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
        g_propagate_error (error, g_steal_pointer (&local));
      else
        storage_check_length (self->path, name, 0, offset, error);
      return FALSE;
    }
  gboolean is_done = append_locked (self, file, name, offset, bytes, n_bytes, error);
  close (file);
  return is_done;
}

/* Puts the bytes of the file, and then its name, on the disk. */
static gboolean
sync_all (Folder *self, const char *name, GError **error)
{
  int file = folder_open_file (self, name, O_RDONLY, error);
  if (file < 0)
    return FALSE;
  gboolean is_done = folder_sync_file (self, file, name, error) && folder_sync_names (self, error);
  close (file);
  return is_done;
}

static gboolean
file_sync (gpointer storage, const char *name, GError **error)
{
  return storage_check_name (name, error) && sync_all (storage, name, error);
}

static gboolean
file_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
           gsize *ret_n_bytes, GError **error)
{
  Folder *self = storage;
  if (!storage_check_name (name, error))
    return FALSE;
  int file = folder_open_file (self, name, O_RDONLY, error);
  if (file < 0)
    return FALSE;
  gboolean is_done = folder_read (self, file, name, offset, buffer, n_bytes, ret_n_bytes, error);
  close (file);
  return is_done;
}

/* Puts the new file on the disk first. Then rename(2) replaces the old file in one step. */
static gboolean
file_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Folder *self = storage;
  return storage_check_name (from, error) && storage_check_name (to, error)
         && sync_all (self, from, error) && folder_rename (self, from, to, error)
         && folder_sync_names (self, error);
}

static gboolean
file_remove (gpointer storage, const char *name, GError **error)
{
  return storage_check_name (name, error) && folder_unlink (storage, name, error);
}

static void
file_interrupt (gpointer storage)
{
  Folder *self = storage;
  storage_interrupt_raise (self->interrupt);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = file_open,
  .close = file_close,
  .can = file_can,
  .append = file_append,
  .sync = file_sync,
  .read = file_read,
  .list = file_list,
  .replace = file_replace,
  .remove = file_remove,
  .interrupt = file_interrupt,
};

static const char *const schemes[] = { "file", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "file",
  .version = "0.1.0",
  .summary = "files in a folder of this machine",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
