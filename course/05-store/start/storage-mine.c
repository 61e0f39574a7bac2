/* storage-mine.c - a storage of mine: files in a folder
 *
 * As it is, it opens a folder that exists, and can append to files and read them, as long as
 * nothing goes wrong.
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

/* A handle. All that a storage remembers is in this structure, or on the disk. */
typedef struct
{
  char *path; /* (owned): of the folder */
} Store;

/* Sets @error from errno. Returns: %FALSE */
static gboolean
fail (const Store *self, const char *what, const char *name, GError **error)
{
  int failed_errno = errno;
  SatinErrorCode code = failed_errno == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_IO;
  g_set_error (error, SATIN_ERROR, code, "cannot %s %s/%s: %s", what, self->path, name,
               g_strerror (failed_errno));
  return FALSE;
}

static gpointer
store_open (const char *uri, const SatinParams *given, GError **error)
{
  if (!g_str_has_prefix (uri, SCHEME "/"))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" is no folder: write " SCHEME "/path", uri);
      return NULL;
    }
  Store *self = g_new0 (Store, 1);
  self->path = g_strdup (uri + strlen (SCHEME));
  return self;
}

static void
store_close (gpointer storage)
{
  Store *self = storage;
  g_free (self->path);
  g_free (self);
}

static guint
store_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
store_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
              gsize n_bytes, GError **error)
{
  Store *self = storage;
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  int file = disk_open (path, O_WRONLY | O_CREAT);
  if (file < 0)
    return fail (self, "open", name, error);
  ssize_t n = disk_pwrite (file, bytes, n_bytes, (off_t)offset);
  disk_close (file);
  return n >= 0 || fail (self, "write", name, error);
}

static gboolean
store_sync (gpointer storage, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "sync is not written yet");
  return FALSE;
}

static gboolean
store_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
            gsize *ret_n_bytes, GError **error)
{
  Store *self = storage;
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  int file = disk_open (path, O_RDONLY);
  if (file < 0)
    return fail (self, "open", name, error);
  ssize_t n = disk_pread (file, buffer, n_bytes, (off_t)offset);
  disk_close (file);
  *ret_n_bytes = (gsize)MAX (n, 0);
  return n >= 0 || fail (self, "read", name, error);
}

static gboolean
store_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "list is not written yet");
  return FALSE;
}

static gboolean
store_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "replace is not written yet");
  return FALSE;
}

static gboolean
store_remove (gpointer storage, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "remove is not written yet");
  return FALSE;
}

static void
store_interrupt (gpointer storage)
{
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
