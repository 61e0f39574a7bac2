/* policy-chs.c - cluster-aware hierarchical stealing: children first, then the parent
 *
 * The nodes of a cluster, by rising number, are a tree in an array, and so are the
 * clusters, by their lowest node, which is the root of its cluster's tree:
 *
 *            1 ------------------ 10          wide area: roots of clusters only
 *          /   \                 /
 *         2     3               11
 *
 * An idle node asks one after the other, those below it before the one above, so that
 * work from afar is looked for only by a root, after all that it can see is idle. Every node finds
 * the same trees, as all have the same view; nothing is agreed upon.
 * Source: 001 sec. 4.1, where it is named; the shape is our own.
 * Differs: a node with nothing refuses and does not look further for the thief, so that no request
 * waits for others; it looks for itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

#define MAX_ARITY 64

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS,
  { "arity", SATIN_PARAM_INT, "2", "children of a node, and of a cluster: 1 to 64" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  PolicyPause pause;
  guint arity;
} Chs;

/* Whom a node may ask, in this order. */
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

/* The node at @place of this cluster's tree, where this node is at @own. */
static const SatinVictim *
find_mate (const SatinStealSituation *situation, guint place, guint own)
{
  guint number = place < own ? place : place - 1;
  return number < situation->n_near ? &situation->victims[number] : NULL;
}

/* The root of another cluster. */
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
