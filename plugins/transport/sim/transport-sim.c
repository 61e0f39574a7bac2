/* transport-sim.c - the transport "sim": links between hosts of a simulated world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim/world.h>

static const SatinParam params[] = {
  { "shut-timeout", SATIN_PARAM_DURATION, "5s",
    "how long a link that closes waits for the other side to take more" },
  { NULL },
};

static const char *const schemes[] = { "sim", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_TRANSPORT,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "sim",
  .version = "0.1.0",
  .summary = "links between hosts of a simulated world",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &satin_sim_transport_ops,
};
SATIN_PLUGIN_EXPORT (plugin)
