/* storage-open.c - opens a folder by its URI, with the filters that stand before it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-uri.h"

/* Checks that all plugins have their required operations, before anything is opened. */
static gboolean
check_ops (const StorageUri *uri, GError **error)
{
  SatinStorageOps storage_ops;
  SatinFilterOps filter_ops;
  for (guint i = 0; i < uri->n_filters; i++)
    if (!satin_plugin_copy_ops (uri->filters[i], satin_filter_required, &filter_ops,
                                sizeof filter_ops, error))
      return FALSE;
  return satin_plugin_copy_ops (uri->storage, satin_storage_required, &storage_ops,
                                sizeof storage_ops, error);
}

gboolean
satin_storage_check (const char *uri, const char *params, GError **error)
{
  g_return_val_if_fail (uri != NULL, FALSE);
  g_auto (StorageUri) parsed = { 0 };
  return storage_uri_find (&parsed, uri, error) && check_ops (&parsed, error)
         && storage_uri_parse (&parsed, params, TRUE, error);
}

GPtrArray *
satin_storage_find_plugins (const char *uri, GError **error)
{
  g_return_val_if_fail (uri != NULL, NULL);
  g_auto (StorageUri) parsed = { 0 };
  if (!storage_uri_find (&parsed, uri, error))
    return NULL;
  GPtrArray *plugins = g_ptr_array_new ();
  for (guint i = 0; i < parsed.n_filters; i++)
    g_ptr_array_add (plugins, (gpointer)parsed.filters[i]);
  g_ptr_array_add (plugins, (gpointer)parsed.storage);
  return plugins;
}

SatinStorage *
satin_storage_open_plugin (const SatinPlugin *plugin, const char *uri, const SatinParams *params,
                           GError **error)
{
  g_return_val_if_fail (plugin != NULL && uri != NULL && params != NULL, NULL);
  g_autofree SatinStorage *self = g_new0 (SatinStorage, 1);
  if (!satin_plugin_copy_ops (plugin, satin_storage_required, &self->ops, sizeof self->ops, error))
    return NULL;
  self->handle = self->ops.open (uri, params, error);
  if (self->handle == NULL)
    {
      satin_plugin_explain (plugin, error);
      return NULL;
    }
  self->can = self->ops.can (self->handle);
  return g_steal_pointer (&self);
}

SatinStorage *
satin_storage_open (const char *uri, const char *params, gboolean may_make, GError **error)
{
  g_return_val_if_fail (uri != NULL, NULL);
  g_auto (StorageUri) parsed = { 0 };
  if (!storage_uri_find (&parsed, uri, error)
      || !storage_uri_parse (&parsed, params, may_make, error))
    return NULL;
  SatinStorage *storage =
      satin_storage_open_plugin (parsed.storage, parsed.rest, parsed.storage_params, error);
  for (guint i = parsed.n_filters; i > 0 && storage != NULL; i--)
    storage =
        satin_filter_wrap (storage, parsed.filters[i - 1], parsed.filter_params[i - 1], error);
  return storage;
}

void
satin_storage_close (SatinStorage *self)
{
  if (self == NULL)
    return;
  self->ops.close (self->handle);
  g_free (self);
}
