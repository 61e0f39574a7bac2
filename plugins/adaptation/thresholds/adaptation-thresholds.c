/* adaptation-thresholds.c - keeps the efficiency between two thresholds
 *
 * Above the upper threshold the plugin asks for machines. Below the lower threshold it removes the
 * worst nodes. It removes a whole cluster whose link is too slow. It never asks again for machines
 * of a cluster in which it has removed nodes.
 *
 * Source: 003 sec. 4.3.6. Differs: single machines cannot be asked for, so a removed node bars its
 * whole cluster. A cluster whose link seems slow is not removed if nodes there must stay, because
 * another cluster, at the other end of the link, may be the cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt.h>
#include <satin/base/record.h>

#include <math.h>

typedef struct
{
  gdouble least;
  gdouble most;
  gdouble far;
  SatinBadnessWeights weights;
  GPtrArray *barred; /* (owned) (element-type utf8): names of clusters */
} Thresholds;

static const SatinParam params[] = {
  { "min", SATIN_PARAM_DOUBLE, "0.3", "nodes are removed when the efficiency is below" },
  { "max", SATIN_PARAM_DOUBLE, "0.5", "machines are asked for when it is above" },
  { "far", SATIN_PARAM_DOUBLE, "0.25",
    "a cluster is sent away when answers from other clusters are overdue for this share of its "
    "time" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

static gpointer
thresholds_open (const SatinParams *given, GError **error)
{
  Thresholds *self = g_new (Thresholds, 1);
  *self = (Thresholds){
    .least = satin_params_get_double (given, "min"),
    .most = satin_params_get_double (given, "max"),
    .far = satin_params_get_double (given, "far"),
    .weights = SATIN_BADNESS_WEIGHTS,
    .barred = g_ptr_array_new_with_free_func (g_free),
  };
  if (0 <= self->least && self->least < self->most && self->most < 1 && self->far > 0)
    return self;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "min=%g, max=%g, far=%g: 0 <= min < max < 1 and far above 0 must hold", self->least,
               self->most, self->far);
  g_ptr_array_unref (self->barred);
  g_free (self);
  return NULL;
}

static void
thresholds_close (gpointer adaptation)
{
  Thresholds *self = adaptation;
  g_ptr_array_unref (self->barred);
  g_free (self);
}

static gboolean
is_barred (const Thresholds *self, const char *name)
{
  return g_ptr_array_find_with_equal_func (self->barred, name, g_str_equal, NULL);
}

static void
bar (Thresholds *self, const char *name)
{
  if (!is_barred (self, name))
    g_ptr_array_add (self->barred, g_strdup (name));
}

/* Removes the worst cluster whose link is too slow. Returns: %FALSE when there is none, or too few
 * nodes would be left */
static gboolean
remove_far_cluster (Thresholds *self, const SatinCensus *census, SatinDecision *decision)
{
  guint cluster = satin_census_worst_removable (census, &self->weights, self->far);
  if (cluster == SATIN_ANY_CLUSTER)
    return FALSE;
  SatinClusterFigures figures;
  satin_census_cluster (census, cluster, &figures);
  if (census->n_nodes - figures.n_nodes < census->n_least)
    return FALSE;
  satin_decision_remove_cluster (decision, census, cluster, SATIN_REMOVE_FAR);
  bar (self, census->clusters[cluster].name);
  return TRUE;
}

/* Returns: @n * @over, rounded up, but at least 1 and at most @n */
static guint
part_of (guint n, gdouble over)
{
  return (guint)CLAMP (ceil (n * over), 1, n);
}

static void
ask (Thresholds *self, const SatinCensus *census, gdouble efficiency, SatinDecision *decision)
{
  guint n_there = census->n_nodes + census->n_awaited;
  if (census->n_awaited > 0 || n_there >= census->n_most)
    return;
  guint n_wanted = part_of (satin_census_count (census), (efficiency - self->most) / self->most);
  n_wanted = MIN (n_wanted, census->n_most - n_there);
  for (guint i = 0; i < census->n_clusters && n_wanted > 0; i++)
    {
      const SatinCensusCluster *cluster = &census->clusters[i];
      guint n = MIN (n_wanted, cluster->n_offered);
      if (n == 0 || is_barred (self, cluster->name))
        continue;
      satin_decision_ask (decision, i, n);
      n_wanted -= n;
    }
}

static void
remove_worst (Thresholds *self, const SatinCensus *census, gdouble efficiency,
              SatinDecision *decision)
{
  if (census->n_nodes <= census->n_least)
    return;
  g_autofree guint *places = g_new (guint, census->n_nodes);
  guint n_ranked = satin_census_rank (census, &self->weights, places);
  guint n = part_of (satin_census_count (census), (self->least - efficiency) / self->least);
  n = MIN (MIN (n, n_ranked), census->n_nodes - census->n_least);
  for (guint i = 0; i < n; i++)
    {
      const SatinCensusNode *node = &census->nodes[places[i]];
      satin_decision_remove (decision, node->id, SATIN_REMOVE_BAD);
      bar (self, census->clusters[node->cluster].name);
    }
}

static void
thresholds_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  Thresholds *self = adaptation;
  if (satin_census_count (census) == 0 || remove_far_cluster (self, census, decision))
    return;
  gdouble efficiency = satin_census_efficiency (census);
  if (efficiency > self->most)
    ask (self, census, efficiency, decision);
  else if (efficiency < self->least)
    remove_worst (self, census, efficiency, decision);
}

SATIN_RECORD (ThresholdsMemory, (array_string, barred))

static GBytes *
thresholds_save (gpointer adaptation)
{
  Thresholds *self = adaptation;
  const ThresholdsMemory memory = { .barred = (const SatinString *)self->barred->pdata,
                                    .n_barred = self->barred->len };
  return satin_record_to_bytes (&ThresholdsMemory_record, &memory);
}

static gboolean
thresholds_load (gpointer adaptation, GBytes *bytes, GError **error)
{
  Thresholds *self = adaptation;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  ThresholdsMemory memory;
  if (!satin_record_decode (&ThresholdsMemory_record, data, n_bytes, &memory, error))
    return FALSE;
  for (gsize i = 0; i < memory.n_barred; i++)
    bar (self, memory.barred[i]);
  satin_record_clear (&ThresholdsMemory_record, &memory);
  return TRUE;
}

static const SatinAdaptationOps ops = {
  .struct_size = sizeof (SatinAdaptationOps),
  .open = thresholds_open,
  .decide = thresholds_decide,
  .close = thresholds_close,
  .save = thresholds_save,
  .load = thresholds_load,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_ADAPTATION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "thresholds",
  .version = "0.1.0",
  .summary =
      "keeps the efficiency between two thresholds; never asks again for a cluster that was bad",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
