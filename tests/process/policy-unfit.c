/* policy-unfit.c - a policy that lacks all operations, also those that each policy needs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

static const SatinPolicyOps ops = { .struct_size = sizeof (SatinPolicyOps) };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "unfit",
  .version = "0.1.0",
  .summary = "lacks all operations",
  .author = "The Satin authors",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
