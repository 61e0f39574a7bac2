/* use.c - gives a host the operations and the parameters of a plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* Whether the structure has an operation at @offset that is not %NULL. */
static gboolean
has_operation (gconstpointer ops, gsize offset)
{
  gpointer operation = NULL;

  if (offset + sizeof operation > *(const gsize *)ops)
    return FALSE;
  memcpy (&operation, (const char *)ops + offset, sizeof operation);
  return operation != NULL;
}

gboolean
satin_plugin_copy_ops (const SatinPlugin *self, const SatinRequired *required, gpointer ret_ops,
                       gsize size_bytes, GError **error)
{
  g_return_val_if_fail (self != NULL && required != NULL, FALSE);
  g_return_val_if_fail (ret_ops != NULL && size_bytes >= sizeof (gsize), FALSE);

  for (; required->name != NULL; required++)
    if (!has_operation (self->desc.ops, required->offset))
      {
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                     "plugin %s: it has no operation %s, which each %s needs", self->path,
                     required->name, satin_plugin_kind_name (self->desc.kind));
        return FALSE;
      }
  memset (ret_ops, 0, size_bytes);
  memcpy (ret_ops, self->desc.ops, MIN (size_bytes, *(const gsize *)self->desc.ops));
  *(gsize *)ret_ops = size_bytes;
  return TRUE;
}

void
satin_plugin_explain (const SatinPlugin *self, GError **error)
{
  if (error == NULL || *error != NULL)
    return;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "plugin%s%s: it failed and gave no reason",
               self != NULL ? " " : "", self != NULL ? self->path : "");
}

const SatinPlugin *
satin_plugin_load_spec (SatinPluginKind kind, const char *text, SatinParams **ret_params,
                        GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (SatinParams) params = NULL;
  const SatinPlugin *plugin;

  g_return_val_if_fail (text != NULL, NULL);

  name = g_strndup (text, strcspn (text, ":"));
  plugin = satin_plugin_load (kind, name, error);
  text += strlen (name);
  if (plugin != NULL && ret_params != NULL)
    params = satin_params_parse_text (plugin->desc.params, *text == ':' ? text + 1 : NULL, error);
  if (plugin == NULL)
    return NULL; /* the message names the plugin */
  if (params == NULL && ret_params != NULL)
    {
      g_prefix_error (error, "%s %s: ", satin_plugin_kind_name (kind), name);
      return NULL;
    }
  if (ret_params != NULL)
    *ret_params = g_steal_pointer (&params);
  return plugin;
}
