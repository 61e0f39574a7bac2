/* storage-s3.c - the storage plugin "s3": a folder in a bucket of Amazon S3 or a server like it
 *
 * A bucket has objects, which can only be written as a whole. README.md says how files are made of
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

static const SatinParam params[] = {
  { "region", SATIN_PARAM_STRING, "",
    "region of the bucket; else that of AWS_REGION or ~/.aws/config, or us-east-1" },
  { "profile", SATIN_PARAM_STRING, "",
    "section of ~/.aws/credentials; else AWS_PROFILE, or \"default\"" },
  { "metadata", SATIN_PARAM_STRING, "http://169.254.169.254",
    "metadata service that gives credentials to a machine in a cloud; empty for none" },
  { "ca-file", SATIN_PARAM_STRING, "",
    "certificates in PEM that the server's must lead to; else AWS_CA_BUNDLE or the system's" },
  { "timeout", SATIN_PARAM_DURATION, "60s",
    "how long the server may take without sending or taking a byte" },
  { "retry", SATIN_PARAM_DURATION, "10s",
    "how long a request is repeated while the server is busy or the connection breaks" },
  { "make", SATIN_PARAM_BOOLEAN, "yes", "make the folder when it is not there" },
  STORAGE_CAPACITY_PARAM,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static gpointer
s3_open (const char *uri, const SatinParams *given, GError **error)
{
  return folder_open (uri, given, error);
}

static void
s3_close (gpointer storage)
{
  folder_close (storage);
}

static guint
s3_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

/* ---- listing, with the bytes that were not synced yet ---- */

typedef struct
{
  Folder *folder;
  GHashTable *told; /* (owned) (element-type utf8): listed files with bytes to be synced */
  SatinStorageEntryFunc func;
  gpointer user_data;
} Listing;

static void
tell (const char *name, guint64 size_bytes, gpointer user_data)
{
  Listing *self = user_data;
  Pending *pending = g_hash_table_lookup (self->folder->pendings, name);
  if (pending != NULL)
    g_hash_table_add (self->told, pending->name);
  self->func (name, pending != NULL ? MAX (pending_get_length (pending), size_bytes) : size_bytes,
              self->user_data);
}

static gboolean
s3_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Folder *self = storage;
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  Listing listing = { self, told, func, user_data };
  GHashTableIter each;
  gpointer name, pending;
  if (!layout_list (self, tell, &listing, error))
    return FALSE;
  g_hash_table_iter_init (&each, self->pendings);
  while (g_hash_table_iter_next (&each, &name, &pending))
    if (!g_hash_table_contains (told, name) && ((const Pending *)pending)->begin == 0)
      func (name, pending_get_length (pending), user_data);
  return TRUE;
}

/* ---- the other operations ---- */

static gboolean
s3_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
           GError **error)
{
  Folder *self = storage;
  return storage_check_name (name, error)
         && storage_check_room (self, s3_list, self->server.where, self->capacity_bytes, n_bytes,
                                error)
         && pending_append (self, name, offset, bytes, n_bytes, error);
}

static gboolean
s3_sync (gpointer storage, const char *name, GError **error)
{
  Folder *self = storage;
  if (!storage_check_name (name, error))
    return FALSE;
  if (g_hash_table_contains (self->pendings, name))
    return pending_sync (self, name, error);
  const Layout *layout = layout_find (self, name, error);
  return layout != NULL && (layout->is_there || folder_refuse_missing (self, name, error));
}

static gboolean
s3_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
         gsize *ret_n_bytes, GError **error)
{
  Folder *self = storage;
  return storage_check_name (name, error) && pending_sync (self, name, error)
         && reading_read (self, name, offset, buffer, n_bytes, ret_n_bytes, error);
}

static gboolean
s3_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Folder *self = storage;
  return storage_check_name (from, error) && storage_check_name (to, error)
         && replacing_replace (self, from, to, error);
}

static gboolean
s3_remove (gpointer storage, const char *name, GError **error)
{
  Folder *self = storage;
  return storage_check_name (name, error) && replacing_remove (self, name, error);
}

static void
s3_interrupt (gpointer storage)
{
  Folder *self = storage;
  storage_interrupt_raise (self->server.interrupt);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = s3_open,
  .close = s3_close,
  .can = s3_can,
  .append = s3_append,
  .sync = s3_sync,
  .read = s3_read,
  .list = s3_list,
  .replace = s3_replace,
  .remove = s3_remove,
  .interrupt = s3_interrupt,
};

static const char *const schemes[] = { "s3", "s3+http", "s3+https", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "s3",
  .version = "0.1.0",
  .summary = "files in a bucket of Amazon S3 or a server like it",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
