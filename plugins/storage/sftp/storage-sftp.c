/* storage-sftp.c - the storage plugin "sftp": files in a folder on a machine that runs sshd
 *
 * Each operation begins by making a connection, if there is none that works, and gives it up when
 * it failed in the middle of something.
 *
 * Threads: one at a time for a handle; interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "helper.h"

static const SatinParam params[] = {
  SSH_PARAMS,
  { "without-fsync", SATIN_PARAM_BOOLEAN, "no",
    "use a server that cannot be told to write to its disk" },
  { "make", SATIN_PARAM_BOOLEAN, "yes", "make the folder when it is not there" },
  { "helped-from", SATIN_PARAM_SIZE, "4M",
    "what a second login does a part of: reads, and appends to new files, of so many bytes; 0 for "
    "nothing" },
  STORAGE_CAPACITY_PARAM,
  STORAGE_CALL_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  Remote *remote; /* (owned) */
  Helper *helper; /* (owned) */
} Storage;

static void
storage_close (gpointer storage)
{
  Storage *self = storage;
  helper_free (self->helper);
  remote_close (self->remote);
  g_free (self);
}

static gpointer
storage_open (const char *uri, const SatinParams *given, GError **error)
{
  Remote *remote = remote_open (uri, given, error);
  if (remote == NULL)
    return NULL;
  Storage *self = g_new0 (Storage, 1);
  self->remote = remote;
  self->helper = helper_new (remote, given, error);
  if (self->helper != NULL)
    return self;
  storage_close (self);
  return NULL;
}

static guint
storage_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
storage_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Storage *self = storage;
  return sftp_connect (&self->remote->sftp, error)
         && remote_list (self->remote, func, user_data, error);
}

/* A file that is not there is 0 bytes long. */
static gboolean
open_to_append (Storage *self, const char *name, guint64 offset, gboolean is_large,
                LIBSSH2_SFTP_ATTRIBUTES *ret_attrs, GError **error)
{
  Remote *remote = self->remote;
  GError *local = NULL;
  gulong flags = LIBSSH2_FXF_WRITE | (offset == 0 && !is_large ? LIBSSH2_FXF_CREAT : 0);
  gboolean is_open = remote_open_file (remote, name, flags, ret_attrs, &local);
  if (!is_open && offset == 0 && is_large
      && g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    {
      g_clear_error (&local);
      *ret_attrs = (LIBSSH2_SFTP_ATTRIBUTES){ 0 };
      is_open = making_begin (remote, name, &local);
    }
  if (!is_open && (offset == 0 || !g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND)))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_clear_error (&local);
  if (storage_check_length (remote->server.address->uri, name, is_open ? ret_attrs->filesize : 0,
                            offset, error))
    return TRUE;
  if (is_open)
    sftp_close (&remote->sftp, name, NULL);
  return FALSE;
}

/* Also closes the file. */
static gboolean
transfer_open (Storage *self, const LIBSSH2_SFTP_ATTRIBUTES *attrs, const Transfer *transfer,
               gsize *ret_n_bytes, GError **error)
{
  Sftp *sftp = &self->remote->sftp;
  if (helper_transfer (self->helper, sftp, attrs, transfer, ret_n_bytes, error))
    return sftp_close (sftp, transfer->name, error);
  sftp_close (sftp, transfer->name, NULL);
  return FALSE;
}

static gboolean
append (Storage *self, const Transfer *transfer, gboolean is_large, GError **error)
{
  LIBSSH2_SFTP_ATTRIBUTES attrs;
  Remote *remote = self->remote;
  const char *name = transfer->name;
  gsize n_bytes;
  if (making_is_ours (remote, name) && transfer->offset == remote->made_bytes)
    {
      if (!making_go_on (remote, error))
        return FALSE;
      if (is_large)
        helper_open (self->helper, name, LIBSSH2_FXF_WRITE);
    }
  if (!open_to_append (self, name, transfer->offset, is_large, &attrs, error)
      || !transfer_open (self, &attrs, transfer, &n_bytes, error))
    return FALSE;
  if (making_is_ours (remote, name))
    {
      helper_log_in (self->helper);
      remote->made_bytes = transfer->offset + n_bytes;
    }
  return TRUE;
}

static gboolean
storage_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                gsize n_bytes, GError **error)
{
  Storage *self = storage;
  Remote *remote = self->remote;
  Transfer transfer = { .name = name, .offset = offset, .bytes = bytes, .n_bytes = n_bytes };
  if (!storage_check_name (name, error) || !sftp_connect (&remote->sftp, error)
      || !storage_check_room (self, storage_list, remote->server.address->uri,
                              remote->capacity_bytes, n_bytes, error))
    return FALSE;
  gboolean is_done = append (self, &transfer, helper_is_worth (self->helper, n_bytes), error);
  helper_leave (self->helper, is_done);
  /* With all sure that was appended before, nothing of that is lost. */
  if (!is_done && making_is_ours (remote, name) && remote->sure_bytes == remote->made_bytes)
    making_forget (remote);
  return is_done;
}

static gboolean
storage_sync (gpointer storage, const char *name, GError **error)
{
  Remote *remote = ((Storage *)storage)->remote;
  return storage_check_name (name, error) && sftp_connect (&remote->sftp, error)
         && remote_sync (remote, name, error);
}

static gboolean
read_open (Storage *self, Transfer *transfer, const LIBSSH2_SFTP_ATTRIBUTES *attrs,
           gsize *ret_n_bytes, GError **error)
{
  guint64 n_there = attrs->filesize - MIN (attrs->filesize, transfer->offset);
  transfer->n_bytes = (gsize)MIN (transfer->n_bytes, n_there);
  if (helper_is_worth (self->helper, transfer->n_bytes))
    helper_log_in (self->helper);
  return transfer_open (self, attrs, transfer, ret_n_bytes, error);
}

static gboolean
storage_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
              gsize *ret_n_bytes, GError **error)
{
  Storage *self = storage;
  Transfer transfer = { .name = name, .offset = offset, .buffer = buffer, .n_bytes = n_bytes };
  LIBSSH2_SFTP_ATTRIBUTES attrs;
  gsize n_read;
  if (!storage_check_name (name, error) || !sftp_connect (&self->remote->sftp, error))
    return FALSE;
  if (helper_is_worth (self->helper, n_bytes))
    helper_open (self->helper, name, LIBSSH2_FXF_READ);
  gboolean is_done = remote_open_file (self->remote, name, LIBSSH2_FXF_READ, &attrs, error)
                     && read_open (self, &transfer, &attrs, &n_read, error);
  helper_leave (self->helper, is_done);
  if (is_done)
    *ret_n_bytes = n_read;
  return is_done;
}

static gboolean
storage_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Remote *remote = ((Storage *)storage)->remote;
  return storage_check_name (from, error) && storage_check_name (to, error)
         && sftp_connect (&remote->sftp, error) && remote_replace (remote, from, to, error);
}

static gboolean
storage_remove (gpointer storage, const char *name, GError **error)
{
  Remote *remote = ((Storage *)storage)->remote;
  return storage_check_name (name, error) && sftp_connect (&remote->sftp, error)
         && versions_remove (remote, name, error);
}

static void
storage_interrupt (gpointer storage)
{
  storage_calls_interrupt (((Storage *)storage)->remote->calls);
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
