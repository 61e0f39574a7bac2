/* storage-curl.c - the storage plugin "curl": a folder on an FTP, HTTP or WebDAV server
 *
 * None of these protocols has a command to write a file to the disk. The server has all bytes once
 * it says that the transfer is complete, and append waits for that. See README.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

static const SatinParam params[] = {
  { "ca-file", SATIN_PARAM_STRING, "",
    "certificates in PEM that the server's must lead to; else the system's" },
  { "password-file", SATIN_PARAM_STRING, "",
    "file like .netrc, readable by its owner alone: \"machine HOST login USER password WORD\"" },
  { "clear-password", SATIN_PARAM_BOOLEAN, "no", "send a password without TLS, too" },
  { "starttls", SATIN_PARAM_BOOLEAN, "no", "ask a server at ftp:// for TLS before logging in" },
  { "atomic-move", SATIN_PARAM_BOOLEAN, "no",
    "the HTTP server's MOVE replaces a file in one step: nginx's and lighttpd's do, Apache's not" },
  { "timeout", SATIN_PARAM_DURATION, "60s",
    "how long the server may take without sending or taking a byte" },
  STORAGE_CAPACITY_PARAM,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static gpointer
curl_open (const char *uri, const SatinParams *given, GError **error)
{
  return folder_open (uri, given, error);
}

static void
curl_close (gpointer storage)
{
  folder_free (storage);
}

static guint
curl_can (gpointer storage)
{
  Folder *self = storage;
  return self->can;
}

static gboolean
curl_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Folder *self = storage;
  return self->protocol->list (self, func, user_data, error);
}

static gboolean
check_can_append (const Folder *self, guint64 offset, GError **error)
{
  if (offset == 0 || (self->can & SATIN_STORAGE_CAN_APPEND) != 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s: the server cannot put a part of a file", self->where);
  return FALSE;
}

static gboolean
curl_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
             GError **error)
{
  Folder *self = storage;
  gint64 length;
  return storage_check_name (name, error) && check_can_append (self, offset, error)
         && self->protocol->get_size (self, name, &length, error)
         && storage_check_length (self->where, name, (guint64)MAX (length, 0), offset, error)
         && storage_check_room (self, curl_list, self->where, self->capacity_bytes, n_bytes, error)
         && self->protocol->put (self, name, offset, bytes, n_bytes, error);
}

static gboolean
check_there (Folder *self, const char *name, GError **error)
{
  gint64 length;
  return self->protocol->get_size (self, name, &length, error)
         && (length >= 0 || folder_refuse_missing (self, name, error));
}

/* The server already has the appended bytes, so this only checks that the file is there. */
static gboolean
curl_sync (gpointer storage, const char *name, GError **error)
{
  return storage_check_name (name, error) && check_there (storage, name, error);
}

static gboolean
curl_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
           gsize *ret_n_bytes, GError **error)
{
  Folder *self = storage;
  return storage_check_name (name, error)
         && self->protocol->get (self, name, offset, buffer, n_bytes, ret_n_bytes, error);
}

static gboolean
curl_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Folder *self = storage;
  return storage_check_name (from, error) && storage_check_name (to, error)
         && check_there (self, from, error) && self->protocol->move (self, from, to, error);
}

static gboolean
curl_remove (gpointer storage, const char *name, GError **error)
{
  Folder *self = storage;
  return storage_check_name (name, error) && self->protocol->remove (self, name, error);
}

static void
curl_interrupt (gpointer storage)
{
  Folder *self = storage;
  storage_interrupt_raise (self->interrupt);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = curl_open,
  .close = curl_close,
  .can = curl_can,
  .append = curl_append,
  .sync = curl_sync,
  .read = curl_read,
  .list = curl_list,
  .replace = curl_replace,
  .remove = curl_remove,
  .interrupt = curl_interrupt,
};

static const char *const schemes[] = { "ftp", "ftps", "http", "https", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "curl",
  .version = "0.1.0",
  .summary = "files on an FTP, HTTP or WebDAV server",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
