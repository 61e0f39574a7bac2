/* filter.c - makes a storage of a filter and the storage behind it
 *
 * The result is a storage like any other. Each of its operations calls the filter's operation, or,
 * if the filter has none, the operation of the next storage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/filter.h>

typedef struct
{
  SatinFilterOps ops;
  gpointer filter;    /* (owned) */
  SatinStorage *next; /* (owned) */
} Filtered;

static void
filtered_close (gpointer storage)
{
  Filtered *self = storage;
  self->ops.close (self->filter);
  satin_storage_close (self->next);
  g_free (self);
}

/* A filter may remove abilities of the next storage, and never adds one. */
static guint
filtered_can (gpointer storage)
{
  Filtered *self = storage;
  guint can = self->next->can;
  return self->ops.can != NULL ? can & self->ops.can (self->filter, self->next) : can;
}

static gboolean
filtered_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                 gsize n_bytes, GError **error)
{
  Filtered *self = storage;
  SatinStorage *next = self->next;
  if (self->ops.append != NULL)
    return self->ops.append (self->filter, next, name, offset, bytes, n_bytes, error);
  return next->ops.append (next->handle, name, offset, bytes, n_bytes, error);
}

static gboolean
filtered_sync (gpointer storage, const char *name, GError **error)
{
  Filtered *self = storage;
  SatinStorage *next = self->next;
  if (self->ops.sync != NULL)
    return self->ops.sync (self->filter, next, name, error);
  return next->ops.sync (next->handle, name, error);
}

static gboolean
filtered_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
               gsize *ret_n_bytes, GError **error)
{
  Filtered *self = storage;
  SatinStorage *next = self->next;
  if (self->ops.read != NULL)
    return self->ops.read (self->filter, next, name, offset, buffer, n_bytes, ret_n_bytes, error);
  return next->ops.read (next->handle, name, offset, buffer, n_bytes, ret_n_bytes, error);
}

static gboolean
filtered_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Filtered *self = storage;
  SatinStorage *next = self->next;
  if (self->ops.list != NULL)
    return self->ops.list (self->filter, next, func, user_data, error);
  return next->ops.list (next->handle, func, user_data, error);
}

static gboolean
filtered_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Filtered *self = storage;
  SatinStorage *next = self->next;
  if (self->ops.replace != NULL)
    return self->ops.replace (self->filter, next, from, to, error);
  return next->ops.replace (next->handle, from, to, error);
}

static gboolean
filtered_remove (gpointer storage, const char *name, GError **error)
{
  Filtered *self = storage;
  SatinStorage *next = self->next;
  if (self->ops.remove != NULL)
    return self->ops.remove (self->filter, next, name, error);
  return next->ops.remove (next->handle, name, error);
}

static void
filtered_interrupt (gpointer storage)
{
  Filtered *self = storage;
  if (self->ops.interrupt != NULL)
    self->ops.interrupt (self->filter);
  self->next->ops.interrupt (self->next->handle);
}

static const SatinStorageOps filtered_ops = {
  .struct_size = sizeof (SatinStorageOps),
  .close = filtered_close,
  .can = filtered_can,
  .append = filtered_append,
  .sync = filtered_sync,
  .read = filtered_read,
  .list = filtered_list,
  .replace = filtered_replace,
  .remove = filtered_remove,
  .interrupt = filtered_interrupt,
};

SatinStorage *
satin_filter_wrap (SatinStorage *next, const SatinPlugin *filter, const SatinParams *params,
                   GError **error)
{
  g_return_val_if_fail (next != NULL && filter != NULL && params != NULL, NULL);
  g_autoptr (SatinStorage) beneath = next;
  SatinFilterOps ops;
  if (!satin_plugin_copy_ops (filter, satin_filter_required, &ops, sizeof ops, error))
    return NULL;
  gpointer handle = ops.open (beneath, params, error);
  if (handle == NULL)
    {
      satin_plugin_explain (filter, error);
      return NULL;
    }
  Filtered *self = g_new0 (Filtered, 1);
  SatinStorage *storage = g_new0 (SatinStorage, 1);
  *self = (Filtered){ .ops = ops, .filter = handle, .next = g_steal_pointer (&beneath) };
  *storage = (SatinStorage){ .ops = filtered_ops, .handle = self, .can = filtered_can (self) };
  return storage;
}
