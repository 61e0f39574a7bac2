/* policy-rp.c - random pushing: a node with too many jobs gives one job to a random node
 *
 * No node asks for jobs. While a node has more than `threshold` jobs to give, it sends the oldest
 * to a random other node, near or far. The policy is only useful for comparison: it sends jobs also
 * while all nodes are busy, which is most of the time, and its threshold must fit the program.
 * Source: 001 sec. 4.1 names the policy. Differs: a node that reported more jobs than the threshold
 * within the last 20 ms is skipped, so that two nodes do not send each other the same jobs for
 * ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

/* A load that was reported longer ago does not count. */
#define FRESH_US ((gint64)20000)

static const SatinParam params[] = {
  { "threshold", SATIN_PARAM_INT, "4", "jobs that a node keeps; it pushes those above" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  gint64 threshold;
} Rp;

static gpointer
rp_open (const SatinParams *given, GError **error)
{
  gint64 threshold = satin_params_get_int (given, "threshold");
  if (threshold < 0 || threshold > G_MAXINT)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "threshold is %" G_GINT64_FORMAT ": give a number from 0 to %d", threshold,
                   G_MAXINT);
      return NULL;
    }
  Rp *self = g_new (Rp, 1);
  self->threshold = threshold;
  return self;
}

static void
rp_close (gpointer policy)
{
  g_free (policy);
}

/* Chooses nothing: an idle node only waits for jobs. */
static void
rp_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
}

/* In a large run every node has the master among its victims; that alone is no reason to send jobs
 * to the master. */
static gboolean
has_room (const Rp *self, const SatinStealSituation *situation, const SatinVictim *victim)
{
  return !victim->is_extra
         && (victim->n_queued <= self->threshold || situation->now_us - victim->told_us > FRESH_US);
}

static void
rp_balance (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  const Rp *self = policy;
  if (situation->n_queued <= self->threshold)
    return;
  guint n = 0;
  for (guint i = 0; i < situation->n_victims; i++)
    n += has_room (self, situation, &situation->victims[i]);
  if (n == 0)
    return;
  guint number = policy_draw_below (situation->random[0], n);
  for (guint i = 0; i < situation->n_victims && ret_choice->push == 0; i++)
    if (has_room (self, situation, &situation->victims[i]) && number-- == 0)
      ret_choice->push = situation->victims[i].id;
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = rp_open,
  .choose = rp_choose,
  .close = rp_close,
  .balance = rp_balance,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "rp",
  .version = "0.1.0",
  .summary = "random pushing: a node with many jobs sends one to a random node",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
