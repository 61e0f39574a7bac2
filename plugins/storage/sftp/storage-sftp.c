/* storage-sftp.c - the storage plugin "sftp": files in a folder on a machine that runs sshd
 *
 * Each operation first connects, if there is no working connection. An operation that fails while
 * answers are still on their way closes the connection.
 *
 * Threads: one at a time for a handle; interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

static const SatinParam params[] = {
  SSH_PARAMS,
  { "without-fsync", SATIN_PARAM_BOOLEAN, "no",
    "use a server that cannot be told to write to its disk" },
  { "make", SATIN_PARAM_BOOLEAN, "yes", "make the folder when it is not there" },
  STORAGE_CAPACITY_PARAM,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static void
storage_close (gpointer storage)
{
  remote_close (storage);
}

static gpointer
storage_open (const char *uri, const SatinParams *given, GError **error)
{
  return remote_open (uri, given, error);
}

static guint
storage_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
storage_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Remote *remote = storage;
  return sftp_connect (&remote->sftp, error) && remote_list (remote, func, user_data, error);
}

/* Opens a file and checks its length. A missing file counts as 0 bytes long. */
static gboolean
open_to_append (Remote *remote, const char *name, guint64 offset, GError **error)
{
  GError *local = NULL;
  guint64 size_bytes = 0;
  gulong flags = LIBSSH2_FXF_WRITE | (offset == 0 ? LIBSSH2_FXF_CREAT : 0);
  gboolean is_open = remote_open_file (remote, name, flags, &size_bytes, &local);
  if (!is_open && (offset == 0 || !g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND)))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_clear_error (&local);
  if (storage_check_length (remote->server.address->uri, name, size_bytes, offset, error))
    return TRUE;
  if (is_open)
    sftp_close (&remote->sftp, name, NULL);
  return FALSE;
}

static gboolean
storage_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                gsize n_bytes, GError **error)
{
  Remote *remote = storage;
  Sftp *sftp = &remote->sftp;
  if (!storage_check_name (name, error) || !sftp_connect (sftp, error)
      || !storage_check_room (remote, storage_list, remote->server.address->uri,
                              remote->capacity_bytes, n_bytes, error)
      || !open_to_append (remote, name, offset, error))
    return FALSE;
  gboolean is_done = sftp_write (sftp, remote->path, name, offset, bytes, n_bytes, error);
  return sftp_close (sftp, name, is_done ? error : NULL) && is_done;
}

static gboolean
storage_sync (gpointer storage, const char *name, GError **error)
{
  Remote *remote = storage;
  return storage_check_name (name, error) && sftp_connect (&remote->sftp, error)
         && remote_sync (remote, name, error);
}

static gboolean
storage_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
              gsize *ret_n_bytes, GError **error)
{
  Remote *remote = storage;
  Sftp *sftp = &remote->sftp;
  guint64 size_bytes;
  gsize n_read;
  if (!storage_check_name (name, error) || !sftp_connect (sftp, error)
      || !remote_open_file (remote, name, LIBSSH2_FXF_READ, &size_bytes, error))
    return FALSE;
  gsize n_there = (gsize)MIN (n_bytes, size_bytes - MIN (size_bytes, offset));
  gboolean is_done = sftp_read (sftp, name, offset, buffer, n_there, &n_read, error);
  if (!sftp_close (sftp, name, is_done ? error : NULL) || !is_done)
    return FALSE;
  *ret_n_bytes = n_read;
  return TRUE;
}

static gboolean
storage_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Remote *remote = storage;
  return storage_check_name (from, error) && storage_check_name (to, error)
         && sftp_connect (&remote->sftp, error) && remote_replace (remote, from, to, error);
}

static gboolean
storage_remove (gpointer storage, const char *name, GError **error)
{
  Remote *remote = storage;
  return storage_check_name (name, error) && sftp_connect (&remote->sftp, error)
         && versions_remove (remote, name, error);
}

static void
storage_interrupt (gpointer storage)
{
  storage_interrupt_raise (((Remote *)storage)->interrupt);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = storage_open,
  .close = storage_close,
  .can = storage_can,
  .append = storage_append,
  .sync = storage_sync,
  .read = storage_read,
  .list = storage_list,
  .replace = storage_replace,
  .remove = storage_remove,
  .interrupt = storage_interrupt,
};

static const char *const schemes[] = { "sftp", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "sftp",
  .version = "0.1.0",
  .summary = "files in a folder on a machine that is reached by ssh",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
