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
  g_auto (GStrv) words = g_strsplit (text, ":", 2);
  const char *name = words[0] != NULL ? words[0] : "";
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_PROVISION, name, error);
  if (plugin == NULL)
    return NULL;
  g_autoptr (SatinParams) params =
      satin_params_parse_text (satin_plugin_get_desc (plugin)->params,
                               words[0] != NULL && words[1] != NULL ? words[1] : "", error);
  g_autofree SatinProvision *self = g_new0 (SatinProvision, 1);
  satin_plugin_copy_ops (plugin, &self->ops, sizeof self->ops);
  if (params != NULL)
    self->handle = self->ops.open (loop, params, start, host, user_data, error);
  if (self->handle != NULL)
    return g_steal_pointer (&self);
  g_prefix_error (error, "provision %s: ", name);
  return NULL;
}

/* Who is to hear that it is closed. */
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
