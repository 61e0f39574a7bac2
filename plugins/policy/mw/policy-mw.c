/* policy-mw.c - master-worker: every idle node asks the master only
 *
 * The master gives one job at a time and asks no node. Jobs that a node spawns below a stolen job
 * stay on that node. The policy suits programs with one level of recursion; for other programs it
 * is only useful for comparison.
 * Source: 003 sec. 2.3.1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS ("after the master refused; doubles"),
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

static gpointer
mw_open (const SatinParams *given, GError **error)
{
  PolicyPause *self = g_new (PolicyPause, 1);
  *self = policy_pause_from (given);
  return self;
}

static void
mw_close (gpointer policy)
{
  g_free (policy);
}

static void
mw_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_asked != 0 || situation->far_asked != 0)
    return;
  for (guint i = 0; i < situation->n_victims; i++)
    {
      const SatinVictim *victim = &situation->victims[i];
      if (!victim->is_master)
        continue;
      const SatinStealHistory *history =
          victim->is_near ? &situation->near_history : &situation->far_history;
      ret_choice->wait_us =
          victim->has_offered ? 0
                              : policy_pause_left_us (policy, victim->n_refused, history->since_us);
      ret_choice->n_jobs = 1;
      if (ret_choice->wait_us == 0)
        policy_ask (victim, ret_choice);
      return;
    }
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = mw_open,
  .choose = mw_choose,
  .close = mw_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "mw",
  .version = "0.1.0",
  .summary = "master-worker: all nodes ask only the master",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
