/* policy-chs.c - cluster-aware hierarchical stealing: children first, then the parent
 *
 * The nodes of a cluster form a tree: sorted by number, they are the array of a heap. The clusters
 * form a tree in the same way, sorted by their lowest nodes. The lowest node of a cluster is the
 * root of its tree:
 *
 *            1 ------------------ 10          wide area: roots of clusters only
 *          /   \                 /
 *         2     3               11
 *
 * An idle node asks its relatives one after the other: its children first, then its parent. A
 * relative that has offered jobs comes before the other relatives. So only the root of a cluster
 * asks far nodes, and only when its children in its own cluster have no jobs, or a far node has
 * offered jobs. Nodes with the same view find the same trees, so no messages are needed to agree on
 * them.
 * Source: 001 sec. 4.1 names the policy; the shape of the trees is Satin's own.
 * Differs: a node without jobs refuses a request and does not pass it on, so no request waits for
 * other requests. The node looks for jobs only for itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

#define MAX_ARITY 64

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS ("after all relatives in the trees have refused once; doubles"),
  { "arity", SATIN_PARAM_INT, "2",
    "number of children of a node, and of a cluster, in the trees: 1 to 64" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  PolicyPause pause;
  guint arity;
} Chs;

/* The nodes that this node may ask, in the order in which it asks them. */
typedef struct
{
  const SatinVictim *victims[2 * MAX_ARITY + 1]; /* (borrowed) */
  guint n;
} Relatives;

static gpointer
chs_open (const SatinParams *given, GError **error)
{
  gint64 arity = satin_params_get_int (given, "arity");
  if (arity < 1 || arity > MAX_ARITY)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "arity is %" G_GINT64_FORMAT ": give a number from 1 to %d", arity, MAX_ARITY);
      return NULL;
    }
  Chs *self = g_new (Chs, 1);
  *self = (Chs){ .pause = policy_pause_from (given), .arity = (guint)arity };
  return self;
}

static void
chs_close (gpointer policy)
{
  g_free (policy);
}

static void
add (Relatives *self, const SatinVictim *victim)
{
  if (victim != NULL)
    self->victims[self->n++] = victim;
}

/* Returns: (nullable): the node at index @place of this cluster's tree. This node itself has the
 * index @own, and is not among the victims. */
static const SatinVictim *
find_mate (const SatinStealSituation *situation, guint place, guint own)
{
  guint number = place < own ? place : place - 1;
  return number < situation->n_near ? &situation->victims[number] : NULL;
}

/* Returns: (nullable): the root of another cluster's tree: the lowest node of that cluster */
static const SatinVictim *
find_root (const SatinStealSituation *situation, guint cluster)
{
  for (guint i = situation->n_near; i < situation->n_victims; i++)
    if (situation->victims[i].cluster == cluster)
      return &situation->victims[i];
  return NULL;
}

static Relatives
find_relatives (const Chs *self, const SatinStealSituation *situation)
{
  Relatives found = { .n = 0 };
  guint own = 0, cluster = situation->self_cluster;
  while (own < situation->n_near && situation->victims[own].id < situation->self)
    own++;
  for (guint i = 1; i <= self->arity; i++)
    add (&found, find_mate (situation, own * self->arity + i, own));
  if (own > 0)
    {
      add (&found, find_mate (situation, (own - 1) / self->arity, own));
      return found;
    }
  for (guint i = 1; i <= self->arity; i++)
    add (&found, find_root (situation, cluster * self->arity + i));
  if (cluster > 0)
    add (&found, find_root (situation, (cluster - 1) / self->arity));
  return found;
}

static void
chs_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  const Chs *self = policy;
  if (situation->near_asked != 0 || situation->far_asked != 0)
    return;
  Relatives relatives = find_relatives (self, situation);
  const SatinVictim *next = NULL;
  for (guint i = 0; i < relatives.n; i++)
    {
      const SatinVictim *victim = relatives.victims[i];
      if (victim->has_offered)
        {
          policy_ask (victim, ret_choice);
          return;
        }
      if (next == NULL || victim->n_refused < next->n_refused)
        next = victim;
    }
  if (next == NULL)
    return;
  gint64 since_us = MIN (situation->near_history.since_us, situation->far_history.since_us);
  ret_choice->wait_us = policy_pause_left_us (&self->pause, next->n_refused, since_us);
  if (ret_choice->wait_us == 0)
    policy_ask (next, ret_choice);
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = chs_open,
  .choose = chs_choose,
  .close = chs_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "chs",
  .version = "0.1.0",
  .summary = "cluster-aware hierarchical stealing: children first, then the parent",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
