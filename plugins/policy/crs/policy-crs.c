/* policy-crs.c - cluster-aware random stealing: asks near nodes in turn, and one far node meanwhile
 *
 * In its own cluster, an idle node asks one random node after the other. At the same time it has
 * one request to a random node of another cluster under way, so that near steals hide the wide-area
 * latency.
 * Source: 003 sec. 2.3.4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS (POLICY_PAUSE_AFTER_DRAWS),
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

static gpointer
crs_open (const SatinParams *given, GError **error)
{
  PolicyPause *self = g_new (PolicyPause, 1);
  *self = policy_pause_from (given);
  return self;
}

static void
crs_close (gpointer policy)
{
  g_free (policy);
}

static void
crs_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_asked == 0)
    ret_choice->near = policy_draw_victim (policy, situation, TRUE, &ret_choice->wait_us);
  if (situation->far_asked == 0)
    ret_choice->far = policy_draw_victim (policy, situation, FALSE, &ret_choice->wait_us);
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = crs_open,
  .choose = crs_choose,
  .close = crs_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "crs",
  .version = "0.1.0",
  .summary =
      "cluster-aware random stealing: near nodes one by one, and one far node meanwhile (default)",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
