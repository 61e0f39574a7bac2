/* policy-cls.c - cluster-aware load-based stealing: one node of each cluster asks far nodes
 *
 * Inside a cluster, nodes steal at random. The lowest node of a cluster is its coordinator. The
 * other nodes report to the coordinator how many jobs they could give away. While the cluster has
 * fewer than `threshold` jobs per node, the coordinator sends one request after the other to random
 * nodes of other clusters, with pauses after refusals, also while its own workers are busy. So jobs
 * arrive before the cluster is idle.
 * Source: 001 sec. 4.1 names the policy. Differs: the coordinator is not elected, because all nodes
 * find the same lowest node; a reported number of jobs counts until the node reports again, however
 * old it is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS (POLICY_PAUSE_AFTER_DRAWS),
  { "threshold", SATIN_PARAM_INT, "1",
    "the coordinator asks far nodes while the cluster has fewer than this many jobs for each "
    "node" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  PolicyPause pause;
  guint64 threshold;
} Cls;

static gpointer
cls_open (const SatinParams *given, GError **error)
{
  gint64 threshold = satin_params_get_int (given, "threshold");
  if (threshold < 1 || threshold > G_MAXINT)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "threshold is %" G_GINT64_FORMAT ": give a number from 1 to %d", threshold,
                   G_MAXINT);
      return NULL;
    }
  Cls *self = g_new (Cls, 1);
  *self = (Cls){ .pause = policy_pause_from (given), .threshold = (guint64)threshold };
  return self;
}

static void
cls_close (gpointer policy)
{
  g_free (policy);
}

/* Whether this cluster has few jobs. A node that never reported counts as a node without jobs. */
static gboolean
is_low (const Cls *self, const SatinStealSituation *situation)
{
  guint64 n_queued = situation->n_queued;
  for (guint i = 0; i < situation->n_near; i++)
    n_queued += MAX (situation->victims[i].n_queued, 0);
  return n_queued < self->threshold * (1 + (guint64)situation->n_near);
}

/* On the coordinator, asks a far node if the cluster has few jobs. On other nodes, reports the
 * node's load to the coordinator. */
static void
look_afar (const Cls *self, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (!policy_is_lowest (situation))
    {
      ret_choice->tell = situation->victims[0].id;
      return;
    }
  if (situation->far_asked == 0 && is_low (self, situation))
    ret_choice->far = policy_draw_victim (&self->pause, situation, FALSE, &ret_choice->wait_us);
}

static void
cls_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  const Cls *self = policy;
  if (situation->near_asked == 0)
    ret_choice->near = policy_draw_victim (&self->pause, situation, TRUE, &ret_choice->wait_us);
  look_afar (self, situation, ret_choice);
}

static void
cls_balance (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  look_afar (policy, situation, ret_choice);
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = cls_open,
  .choose = cls_choose,
  .close = cls_close,
  .balance = cls_balance,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "cls",
  .version = "0.1.0",
  .summary = "cluster-aware load-based stealing: one node of each cluster asks far nodes when the "
             "load is low",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
