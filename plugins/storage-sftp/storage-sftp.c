/* storage-sftp.c - the storage plugin "sftp": files in a folder on a machine that runs sshd
 *
 * Each operation begins by making a connection, if there is none that works, and gives it up when
 * it failed in the middle of something.
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
  STORAGE_CALL_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static gpointer
storage_open (const char *uri, const SatinParams *given, GError **error)
{
  return remote_open (uri, given, error);
}

static void
storage_close (gpointer storage)
{
  remote_close (storage);
}

static guint
storage_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
storage_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Remote *self = storage;
  return sftp_connect (&self->sftp, error) && remote_list (self, func, user_data, error);
}

/* A file that is not there is 0 bytes long. */
static gboolean
open_to_append (Remote *self, const char *name, guint64 offset, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint64 length = 0;
  gulong flags = LIBSSH2_FXF_WRITE | (offset == 0 ? LIBSSH2_FXF_CREAT : 0);
  gboolean is_open = remote_open_file (self, name, flags, &length, &local);
  if (!is_open && (offset == 0 || !g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND)))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (storage_check_length (self->server.address->uri, name, length, offset, error))
    return TRUE;
  if (is_open)
    sftp_close (&self->sftp, name, NULL);
  return FALSE;
}

static gboolean
storage_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                gsize n_bytes, GError **error)
{
  Remote *self = storage;
  if (!storage_check_name (name, error) || !sftp_connect (&self->sftp, error)
      || !storage_check_room (self, storage_list, self->server.address->uri, self->capacity_bytes,
                              n_bytes, error)
      || !open_to_append (self, name, offset, error))
    return FALSE;
  if (sftp_write (&self->sftp, self->path, name, offset, bytes, n_bytes, error))
    return sftp_close (&self->sftp, name, error);
  sftp_close (&self->sftp, name, NULL);
  return FALSE;
}

static gboolean
storage_sync (gpointer storage, const char *name, GError **error)
{
  Remote *self = storage;
  return storage_check_name (name, error) && sftp_connect (&self->sftp, error)
         && remote_sync (self, name, error);
}

static gboolean
storage_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
              gsize *ret_n_bytes, GError **error)
{
  Remote *self = storage;
  guint64 length;
  gsize n_read = 0;
  if (!storage_check_name (name, error) || !sftp_connect (&self->sftp, error)
      || !remote_open_file (self, name, LIBSSH2_FXF_READ, &length, error))
    return FALSE;
  gsize n_wanted = offset < length ? (gsize)MIN (n_bytes, length - offset) : 0;
  if (!sftp_read (&self->sftp, name, offset, buffer, n_wanted, &n_read, error))
    {
      sftp_close (&self->sftp, name, NULL);
      return FALSE;
    }
  if (!sftp_close (&self->sftp, name, error))
    return FALSE;
  *ret_n_bytes = n_read;
  return TRUE;
}

static gboolean
storage_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Remote *self = storage;
  return storage_check_name (from, error) && storage_check_name (to, error)
         && sftp_connect (&self->sftp, error) && remote_replace (self, from, to, error);
}

static gboolean
storage_remove (gpointer storage, const char *name, GError **error)
{
  Remote *self = storage;
  return storage_check_name (name, error) && sftp_connect (&self->sftp, error)
         && versions_remove (self, name, error);
}

static void
storage_interrupt (gpointer storage)
{
  Remote *self = storage;
  storage_calls_interrupt (self->calls);
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
