/* policy-acrs.c - adaptive cluster-aware random stealing: far clusters by how well they answer
 *
 * As crs, but a far cluster is drawn with a weight, and its nodes alike: the number of
 * its nodes, times the share of requests to it that brought jobs, through the time that
 * these took to come, which has in it the latency and the bandwidth of the way. A cluster that
 * never answered counts as its latency tells, or like the fastest one, so that it is tried; one
 * that refuses keeps a small part of its weight, so that it is tried again. Source: 003 sec. 2.3.4
 * for what it adapts. Differs: the weights are our own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

#include <satin/base/random.h>

#define MIN_SUCCESS (1.0 / 16)

static const SatinParam params[] = {
  POLICY_PAUSE_PARAMS,
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

/* What its nodes say of a far cluster. */
typedef struct
{
  guint n;
  guint n_timed;
  gdouble sum_us; /* of the times that are known */
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

/* Adds the far victims up by cluster; only those with an offer if there are any. */
static guint
survey (const SatinStealSituation *situation, gboolean is_offered, Cluster *ret_clusters)
{
  guint n = 0;
  for (guint i = situation->n_near; i < situation->n_victims; i++)
    {
      const SatinVictim *victim = &situation->victims[i];
      if (is_offered && !victim->has_offered)
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

/* Returns: the sum of the weights */
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

/* A cluster by its weight; rounding leaves the last one that has any. */
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
      if (victim->cluster == cluster && (!is_offered || victim->has_offered) && number-- == 0)
        return victim->id;
    }
  return 0;
}

static SatinNodeId
draw_far (const SatinStealSituation *situation)
{
  guint n_clusters = situation->n_clusters;
  gboolean is_offered = policy_count_offers (situation, FALSE) > 0;
  g_autofree Cluster *clusters = g_new0 (Cluster, n_clusters);
  if (survey (situation, is_offered, clusters) == 0)
    return 0;
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
  /* Whether a far one is to be asked now is as in crs; which one is not. */
  if (situation->far_asked == 0
      && policy_draw_victim (policy, situation, FALSE, &ret_choice->wait_us) != 0)
    ret_choice->far = draw_far (situation);
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
