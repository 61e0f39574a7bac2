/* storage-open.c - finds the plugin for a URI and opens a folder with it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

static gboolean
has_param (const SatinPluginDesc *desc, const char *key)
{
  for (const SatinParam *param = desc->params; param->key != NULL; param++)
    if (g_str_equal (param->key, key))
      return TRUE;
  return FALSE;
}

/* Returns: (transfer full) (nullable): %NULL with @error */
static SatinParams *
parse (const SatinPluginDesc *desc, const char *text, GError **error)
{
  SatinParams *parsed = satin_params_parse_text (desc->params, text, error);
  if (parsed == NULL)
    g_prefix_error (error, "storage-%s: ", desc->name);
  return parsed;
}

gboolean
satin_storage_check (const char *uri, const char *params, GError **error)
{
  g_return_val_if_fail (uri != NULL, FALSE);
  const SatinPlugin *plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, uri, error);
  if (plugin == NULL)
    return FALSE;
  SatinStorageOps ops;
  if (!satin_plugin_copy_ops (plugin, satin_storage_required, &ops, sizeof ops, error))
    return FALSE;
  g_autoptr (SatinParams) parsed = parse (satin_plugin_get_desc (plugin), params, error);
  return parsed != NULL;
}

SatinStorage *
satin_storage_open (const char *uri, const char *params, gboolean may_make, GError **error)
{
  g_return_val_if_fail (uri != NULL, NULL);
  const SatinPlugin *plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, uri, error);
  if (plugin == NULL)
    return NULL;
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  gboolean is_making = may_make || !has_param (desc, "make");
  g_autofree char *text = g_strconcat (is_making ? "" : "make=no",
                                       !is_making && params != NULL ? "," : "", params, NULL);
  g_autoptr (SatinParams) parsed = parse (desc, text, error);
  if (parsed == NULL)
    return NULL;
  g_autofree SatinStorage *self = g_new0 (SatinStorage, 1);
  if (!satin_plugin_copy_ops (plugin, satin_storage_required, &self->ops, sizeof self->ops, error))
    return NULL;
  self->handle = self->ops.open (uri, parsed, error);
  if (self->handle == NULL)
    {
      satin_plugin_explain (plugin, error);
      return NULL;
    }
  self->can = self->ops.can (self->handle);
  return g_steal_pointer (&self);
}

void
satin_storage_close (SatinStorage *self)
{
  if (self == NULL)
    return;
  self->ops.close (self->handle);
  g_free (self);
}
