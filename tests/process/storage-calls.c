/* storage-calls.c - the storage "file" with system calls that fail, or in which the process dies
 *
 * The plugin is built from the sources of the storage file, and their system calls are replaced by
 * the functions below. Parameters choose one of a handle's system calls by its number. "fail-call"
 * lets it fail. "crash-call" lets the process die: before the call if "seed" is even, after it if
 * "seed" is odd. All further calls of a dead process fail and do nothing. satin conformance sets
 * these parameters, and sees which files an unfinished operation leaves. The filter fault cannot
 * show that, because it sees whole operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define STORAGE_CALLS_OWN
#include "storage-calls.h"

#include <errno.h>
#include <satin/ft/storage.h>

/* The descriptor of the plugin file. meson.build renames that function. */
const SatinPluginDesc *file_plugin_desc (void);

static const SatinParam params[] = {
  { "make", SATIN_PARAM_BOOLEAN, "yes", "as of file" },
  { "capacity", SATIN_PARAM_SIZE, "0", "as of file" },
  { "fail-call", SATIN_PARAM_INT, "0", "which system call fails, once" },
  { "crash-call", SATIN_PARAM_INT, "0", "in which system call the process dies" },
  { "seed", SATIN_PARAM_INT, "1", "before it when it is even, after it when it is odd" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  gpointer file; /* (owned) */
  gint64 fail_call;
  gint64 crash_call;
  gboolean is_late;
  gint64 n_calls;
} Storage;

/* The handle whose operation this thread runs. */
static _Thread_local Storage *current;

/* ---- system calls ---- */

static gboolean
may_begin (void)
{
  if (current == NULL)
    return TRUE;
  gint64 n = ++current->n_calls;
  errno = EIO;
  return n != current->fail_call
         && (current->crash_call == 0 || n < current->crash_call
             || (n == current->crash_call && current->is_late));
}

static gboolean
is_dead (void)
{
  return current != NULL && current->crash_call != 0 && current->n_calls >= current->crash_call;
}

/* The body of the replacement of a system call. @call: the real call. It returns the result of type
 * @type, or -1 if the call must fail or the process is dead. */
#define CALL(type, call)                                                                           \
  type value = may_begin () ? (call) : -1;                                                         \
  if (!is_dead ())                                                                                 \
    return value;                                                                                  \
  errno = EIO;                                                                                     \
  return -1

int
calls_openat (int folder, const char *name, int flags, mode_t mode)
{
  int fd = may_begin () ? openat (folder, name, flags, mode) : -1;
  if (fd < 0 || !is_dead ())
    return fd;
  close (fd);
  errno = EIO;
  return -1;
}

int
calls_fstat (int fd, struct stat *status)
{
  CALL (int, fstat (fd, status));
}

int
calls_flock (int fd, int operation)
{
  CALL (int, flock (fd, operation));
}

ssize_t
calls_pread (int fd, void *buffer, size_t n_bytes, off_t offset)
{
  CALL (ssize_t, pread (fd, buffer, n_bytes, offset));
}

ssize_t
calls_pwrite (int fd, const void *bytes, size_t n_bytes, off_t offset)
{
  CALL (ssize_t, pwrite (fd, bytes, n_bytes, offset));
}

int
calls_fsync (int fd)
{
  CALL (int, fsync (fd));
}

int
calls_renameat (int from_folder, const char *from, int to_folder, const char *to)
{
  CALL (int, renameat (from_folder, from, to_folder, to));
}

int
calls_unlinkat (int folder, const char *name, int flags)
{
  CALL (int, unlinkat (folder, name, flags));
}

/* ---- operations ---- */

static const SatinStorageOps *
file (void)
{
  return file_plugin_desc ()->ops;
}

static gpointer
calls_open (const char *uri, const SatinParams *given, GError **error)
{
  gpointer handle = file ()->open (uri, given, error);
  if (handle == NULL)
    return NULL;
  Storage *self = g_new0 (Storage, 1);
  self->file = handle;
  self->fail_call = satin_params_get_int (given, "fail-call");
  self->crash_call = satin_params_get_int (given, "crash-call");
  self->is_late = satin_params_get_int (given, "seed") % 2 != 0;
  return self;
}

static void
calls_close (gpointer storage)
{
  Storage *self = storage;
  file ()->close (self->file);
  g_free (self);
}

static guint
calls_can (gpointer storage)
{
  return file ()->can (((Storage *)storage)->file);
}

static Storage *
enter (gpointer storage)
{
  current = storage;
  return current;
}

static gboolean
leave (gboolean is_done)
{
  current = NULL;
  return is_done;
}

static gboolean
calls_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
              gsize n_bytes, GError **error)
{
  return leave (file ()->append (enter (storage)->file, name, offset, bytes, n_bytes, error));
}

static gboolean
calls_sync (gpointer storage, const char *name, GError **error)
{
  return leave (file ()->sync (enter (storage)->file, name, error));
}

static gboolean
calls_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
            gsize *ret_n_bytes, GError **error)
{
  return leave (
      file ()->read (enter (storage)->file, name, offset, buffer, n_bytes, ret_n_bytes, error));
}

static gboolean
calls_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  return leave (file ()->list (enter (storage)->file, func, user_data, error));
}

static gboolean
calls_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  return leave (file ()->replace (enter (storage)->file, from, to, error));
}

static gboolean
calls_remove (gpointer storage, const char *name, GError **error)
{
  return leave (file ()->remove (enter (storage)->file, name, error));
}

static void
calls_interrupt (gpointer storage)
{
  file ()->interrupt (((Storage *)storage)->file);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = calls_open,
  .close = calls_close,
  .can = calls_can,
  .append = calls_append,
  .sync = calls_sync,
  .read = calls_read,
  .list = calls_list,
  .replace = calls_replace,
  .remove = calls_remove,
  .interrupt = calls_interrupt,
};

static const char *const schemes[] = { "file", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "calls",
  .version = "0",
  .summary = "files in a folder, and system calls that fail",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
