/* policy-acrs.c - adaptive cluster-aware random stealing: prefers far clusters that answer well
 *
 * Near nodes are asked as in policy-crs. For a far node, first a cluster is drawn by weight, and
 * then one of its nodes, each equally likely. If far nodes have offered jobs, only these count:
 *
 *   weight = nodes of the cluster x share of its requests that brought jobs
 *            / mean time until the jobs came
 *
 * The time depends on the latency and the bandwidth of the way. If a node never gave jobs, twice
 * its latency stands for the time. A cluster of which no time is known counts as fast as the
 * fastest cluster, so that it is tried. The share is at least MIN_SUCCESS, so that a cluster that
 * has refused is tried again.
 * Source: 003 sec. 2.3.4, which says what the policy adapts to. Differs: the formula of the weights
 * is Satin's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

#include <satin/base/random.h>

#define MIN_SUCCESS (1.0 / 16)

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS (POLICY_PAUSE_AFTER_DRAWS),
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

/* Sums over the victims of one far cluster. */
typedef struct
{
  guint n;
  guint n_timed;
  gdouble sum_us; /* sum of the times of the @n_timed victims whose time is known */
  gdouble sum_success;
  gdouble weight;
} Cluster;

static gpointer
acrs_open (const SatinParams *given, GError **error)
{
  PolicyPause *self = g_new (PolicyPause, 1);
  *self = policy_pause_from (given);
  return self;
}

static void
acrs_close (gpointer policy)
{
  g_free (policy);
}

/* Whether a victim may be drawn. @is_offered: only victims that have offered jobs. In a large run
 * every node has the master among its victims; that alone is no reason to draw the master. */
static gboolean
may_draw (const SatinVictim *victim, gboolean is_offered)
{
  return is_offered ? victim->has_offered : !victim->is_extra;
}

/* Sums up the far victims that may be drawn, by cluster. Returns: the number of these victims */
static guint
survey (const SatinStealSituation *situation, gboolean is_offered, Cluster *ret_clusters)
{
  guint n = 0;
  for (guint i = situation->n_near; i < situation->n_victims; i++)
    {
      const SatinVictim *victim = &situation->victims[i];
      if (!may_draw (victim, is_offered))
        continue;
      Cluster *cluster = &ret_clusters[victim->cluster];
      gint64 time_us = victim->answer_us > 0 ? victim->answer_us : 2 * victim->latency_us;
      cluster->n++;
      cluster->n_timed += time_us > 0;
      cluster->sum_us += time_us;
      cluster->sum_success += victim->success;
      n++;
    }
  return n;
}

/* Sets the weight of each cluster. Returns: the sum of the weights */
static gdouble
weigh (Cluster *clusters, guint n)
{
  gdouble fastest_us = G_MAXDOUBLE, sum = 0;
  for (guint i = 0; i < n; i++)
    if (clusters[i].n_timed > 0)
      fastest_us = MIN (fastest_us, clusters[i].sum_us / clusters[i].n_timed);
  for (guint i = 0; i < n; i++)
    {
      Cluster *cluster = &clusters[i];
      if (cluster->n == 0)
        continue;
      gdouble time_us = cluster->n_timed > 0 ? cluster->sum_us / cluster->n_timed : fastest_us;
      gdouble success = MAX (cluster->sum_success / cluster->n, MIN_SUCCESS);
      cluster->weight = cluster->n * success * (fastest_us / time_us);
      sum += cluster->weight;
    }
  return sum;
}

/* Draws a cluster by its weight. @point: a random number in [0, sum of the weights). If @point is
 * not reached because of rounding, the last cluster with victims is drawn. */
static guint
draw_cluster (const Cluster *clusters, guint n, gdouble point)
{
  guint drawn = 0;
  for (guint i = 0; i < n && point >= 0; i++)
    if (clusters[i].n > 0)
      {
        drawn = i;
        point -= clusters[i].weight;
      }
  return drawn;
}

static SatinNodeId
draw_node (const SatinStealSituation *situation, gboolean is_offered, guint cluster, guint number)
{
  for (guint i = situation->n_near; i < situation->n_victims; i++)
    {
      const SatinVictim *victim = &situation->victims[i];
      if (victim->cluster == cluster && may_draw (victim, is_offered) && number-- == 0)
        return victim->id;
    }
  return 0;
}

/* Draws a far victim. @only: the victim to return if no victim may be drawn. */
static SatinNodeId
draw_far (const SatinStealSituation *situation, SatinNodeId only)
{
  guint n_clusters = situation->n_clusters;
  gboolean is_offered = policy_count_offers (situation, FALSE) > 0;
  g_autofree Cluster *clusters = g_new0 (Cluster, n_clusters);
  if (survey (situation, is_offered, clusters) == 0)
    return only;
  gdouble sum = weigh (clusters, n_clusters);
  guint drawn =
      draw_cluster (clusters, n_clusters, sum * satin_random_share (situation->random[0]));
  guint number = policy_draw_below (situation->random[2], clusters[drawn].n);
  return draw_node (situation, is_offered, drawn, number);
}

static void
acrs_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_asked == 0)
    ret_choice->near = policy_draw_victim (policy, situation, TRUE, &ret_choice->wait_us);
  /* policy_draw_victim() decides whether to ask a far node now. The victim that it draws is seldom
   * used. */
  SatinNodeId far = situation->far_asked == 0
                        ? policy_draw_victim (policy, situation, FALSE, &ret_choice->wait_us)
                        : 0;
  if (far != 0)
    ret_choice->far = draw_far (situation, far);
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = acrs_open,
  .choose = acrs_choose,
  .close = acrs_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "acrs",
  .version = "0.1.0",
  .summary = "adaptive crs: far clusters by how fast and how often they give jobs",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
