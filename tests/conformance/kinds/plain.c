/* plain.c - a provisioner that breaks no rule, has no parameters, and works like local
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/provision.h>

/* The descriptor of the plugin local. The compiler's command line has renamed its function. */
const SatinPluginDesc *local_plugin_desc (void);

static SatinProvisionOps ops;

static gpointer
plain_open (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
            const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  const SatinProvisionOps *local = local_plugin_desc ()->ops;
  g_autoptr (SatinParams) params = satin_params_parse (local_plugin_desc ()->params, NULL, error);
  return params != NULL ? local->open (loop, params, start, host, user_data, error) : NULL;
}

__attribute__ ((constructor)) static void
fill_in (void)
{
  ops = *(const SatinProvisionOps *)local_plugin_desc ()->ops;
  ops.open = plain_open;
}

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "plain",
  .version = "1",
  .summary = "as local with its defaults",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
