/* policy-rs.c - random stealing: asks one uniformly random node at a time
 *
 * Near and far nodes are equally likely. This is optimal on one cluster. On several clusters it
 * wastes time and bandwidth of the wide-area links.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS ("after as many refusals as there are other nodes; doubles each round"),
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

static gpointer
rs_open (const SatinParams *given, GError **error)
{
  PolicyPause *self = g_new (PolicyPause, 1);
  *self = policy_pause_from (given);
  return self;
}

static void
rs_close (gpointer policy)
{
  g_free (policy);
}

/* Returns: how long to wait before the next request. Pauses begin after as many refusals in a row
 * as there are victims, and double with each further round of refusals. */
static gint64
pause_us (const PolicyPause *self, const SatinStealSituation *situation)
{
  const SatinStealHistory *near = &situation->near_history, *far = &situation->far_history;
  guint64 n_rounds = ((guint64)near->n_refused + far->n_refused) / situation->n_victims;
  return policy_pause_left_us (self, (guint)MIN (n_rounds, G_MAXUINT),
                               MIN (near->since_us, far->since_us));
}

static void
rs_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_asked != 0 || situation->far_asked != 0)
    return;
  ret_choice->wait_us = pause_us (policy, situation);
  if (ret_choice->wait_us > 0)
    return;
  guint place = policy_draw_place (situation, situation->random[0], 0, situation->n_victims);
  policy_ask (&situation->victims[place], ret_choice);
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = rs_open,
  .choose = rs_choose,
  .close = rs_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "rs",
  .version = "0.1.0",
  .summary = "random stealing: asks one uniformly random node at a time",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
