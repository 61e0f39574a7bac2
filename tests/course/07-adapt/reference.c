/* reference.c - a solution of assignment 7 that gets all points
 *
 * It sends away slow nodes and clusters behind slow links, and never asks for machines of these
 * clusters again. While its nodes are busy, it asks for as many machines as it has nodes, in the
 * fastest clusters first. It asks for machines that are much faster even if its nodes are not busy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/adaptation.h>

#include <string.h>

#define FAR   0.2  /* a cluster above this far overhead is sent away */
#define SLOW  0.34 /* nodes below this speed are sent away */
#define BUSY  0.45 /* above this utilisation, machines are asked for */
#define MANY  64   /* how many clusters are remembered */
#define NAMES 32

typedef struct
{
  char barred[MANY][NAMES];
  guint n_barred;
} Mine;

static gpointer
mine_open (const SatinParams *given, GError **error)
{
  return g_new0 (Mine, 1);
}

static gboolean
is_barred (const Mine *self, const char *name)
{
  for (guint i = 0; i < self->n_barred; i++)
    if (strcmp (self->barred[i], name) == 0)
      return TRUE;
  return FALSE;
}

static void
bar (Mine *self, const char *name)
{
  if (!is_barred (self, name) && self->n_barred < MANY)
    g_strlcpy (self->barred[self->n_barred++], name, NAMES);
}

static void
remove_bad (Mine *self, const SatinCensus *census, SatinDecision *decision)
{
  const SatinBadnessWeights weights = SATIN_BADNESS_WEIGHTS;
  guint far = satin_census_worst_removable (census, &weights, FAR);
  for (guint i = 0; i < census->n_nodes; i++)
    {
      const SatinCensusNode *node = &census->nodes[i];
      if (census->n_nodes <= census->n_least + decision->removals->len)
        return;
      if (node->is_kept || !satin_census_counts (node))
        continue;
      if (node->cluster != far && satin_census_speed (census, node) >= SLOW)
        continue;
      satin_decision_remove (decision, node->id,
                             node->cluster == far ? SATIN_REMOVE_FAR : SATIN_REMOVE_BAD);
      bar (self, census->clusters[node->cluster].name);
    }
}

/* Asks for up to @n machines, in the fastest clusters first, and only in clusters of the speed
 * @least or more. */
static void
ask (const Mine *self, const SatinCensus *census, guint n, gdouble least, SatinDecision *decision)
{
  gboolean is_asked[MANY] = { FALSE };
  guint n_free = census->n_most > census->n_nodes ? census->n_most - census->n_nodes : 0;
  n = MIN (n, n_free);
  for (guint turn = 0; turn < census->n_clusters && n > 0; turn++)
    {
      guint best = SATIN_ANY_CLUSTER;
      for (guint i = 0; i < MIN (census->n_clusters, MANY); i++)
        if (!is_asked[i] && census->clusters[i].n_offered > 0
            && !is_barred (self, census->clusters[i].name)
            && census->clusters[i].offered_speed >= least
            && (best == SATIN_ANY_CLUSTER
                || census->clusters[i].offered_speed > census->clusters[best].offered_speed))
          best = i;
      if (best == SATIN_ANY_CLUSTER)
        return;
      guint n_here = MIN (n, census->clusters[best].n_offered);
      satin_decision_ask (decision, best, n_here);
      is_asked[best] = TRUE;
      n -= n_here;
    }
}

static void
mine_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  Mine *self = adaptation;
  guint n = satin_census_count (census);
  gdouble power = 0;
  if (n == 0)
    return;
  for (guint i = 0; i < census->n_nodes; i++)
    if (satin_census_counts (&census->nodes[i]))
      power += satin_census_speed (census, &census->nodes[i]);
  gdouble utilisation = satin_census_rate (census) / power;
  remove_bad (self, census, decision);
  if (decision->removals->len > 0 || census->n_awaited > 0)
    return;
  ask (self, census, census->n_nodes, 1.5, decision);
  if (decision->asks->len == 0 && utilisation > BUSY)
    ask (self, census, n, 0, decision);
}

static const SatinAdaptationOps ops = {
  .struct_size = sizeof (SatinAdaptationOps),
  .open = mine_open,
  .decide = mine_decide,
  .close = g_free,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_ADAPTATION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "mine",
  .version = "1",
  .summary = "sends bad nodes away, and keeps the others busy",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
