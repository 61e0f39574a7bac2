/* provision.c - opens a provisioner by its name and ends it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/provision.h>

SatinProvision *
satin_provision_open (SatinLoop *loop, const char *text, const SatinStart *start,
                      const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  g_return_val_if_fail (text != NULL && start != NULL && host != NULL, NULL);
  g_autoptr (SatinParams) params = NULL;
  g_autofree SatinProvision *self = g_new0 (SatinProvision, 1);
  const SatinPlugin *plugin = satin_plugin_load_spec (SATIN_PLUGIN_PROVISION, text, &params, error);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_provision_required, &self->ops, sizeof self->ops,
                                 error))
    return NULL;
  self->handle = self->ops.open (loop, params, start, host, user_data, error);
  if (self->handle != NULL)
    return g_steal_pointer (&self);
  satin_plugin_explain (plugin, error);
  g_prefix_error (error, "provision %s: ", satin_plugin_get_desc (plugin)->name);
  return NULL;
}

/* The callback of a close that is under way. */
typedef struct
{
  SatinProvision *provision; /* (owned) */
  SatinDoneFunc done;
  gpointer user_data;
} Closing;

static void
on_closed (const GError *error, gpointer user_data)
{
  g_autofree Closing *closing = user_data;
  g_free (closing->provision);
  closing->done (error, closing->user_data);
}

void
satin_provision_close (SatinProvision *self, SatinDoneFunc done, gpointer user_data)
{
  Closing *closing = g_new (Closing, 1);
  *closing = (Closing){ .provision = self, .done = done, .user_data = user_data };
  self->ops.close (self->handle, on_closed, closing);
}
