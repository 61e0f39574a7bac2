/* adaptation-template.c - keeps the efficiency of a run between two thresholds
 *
 * Above the upper threshold the adaptation asks for a quarter as many machines as there are nodes.
 * Below the lower threshold it sends a quarter of the nodes away, the worst ones. Then it waits
 * until the nodes have come or gone, because until then the figures do not show what the change
 * brings.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/adaptation.h>

/* The part of the nodes that come or go at a time: 1/4, but at least one node. */
#define PART 4

static const SatinParam params[] = {
  { "min", SATIN_PARAM_DOUBLE, "0.3", "nodes are sent away when the efficiency is below" },
  { "max", SATIN_PARAM_DOUBLE, "0.6", "machines are asked for when the efficiency is above" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

/* The handle of the adaptation. What it remembers between decisions goes here. */
typedef struct
{
  gdouble least;
  gdouble most;
} TemplateAdaptation;

static gpointer
template_open (const SatinParams *given, GError **error)
{
  gdouble least = satin_params_get_double (given, "min");
  gdouble most = satin_params_get_double (given, "max");
  if (!(0 <= least && least < most && most < 1))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "min=%g, max=%g: 0 <= min < max < 1 must hold", least, most);
      return NULL;
    }
  TemplateAdaptation *self = g_new0 (TemplateAdaptation, 1);
  self->least = least;
  self->most = most;
  return self;
}

static void
template_close (gpointer adaptation)
{
  g_free (adaptation);
}

/* Whether machines that were asked for have not joined yet, or nodes are new or leaving. */
static gboolean
is_changing (const SatinCensus *census)
{
  return census->n_awaited > 0 || satin_census_count (census) < census->n_nodes;
}

/* Asks for @n machines, in the first clusters that offer some. */
static void
ask (const SatinCensus *census, guint n, SatinDecision *decision)
{
  for (guint i = 0; i < census->n_clusters && n > 0; i++)
    {
      guint n_here = MIN (n, census->clusters[i].n_offered);
      if (n_here > 0)
        satin_decision_ask (decision, i, n_here);
      n -= n_here;
    }
}

/* Sends away the @n worst nodes of those that may leave. */
static void
send_away (const SatinCensus *census, guint n, SatinDecision *decision)
{
  const SatinBadnessWeights weights = SATIN_BADNESS_WEIGHTS;
  g_autofree guint *places = g_new (guint, census->n_nodes);
  guint n_ranked = satin_census_rank (census, &weights, places);
  for (guint i = 0; i < MIN (n, n_ranked); i++)
    satin_decision_remove (decision, census->nodes[places[i]].id, SATIN_REMOVE_BAD);
}

static void
template_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  const TemplateAdaptation *self = adaptation;
  if (census->n_nodes == 0 || is_changing (census))
    return;
  gdouble efficiency = satin_census_efficiency (census);
  guint n = MAX (census->n_nodes / PART, 1);
  if (efficiency > self->most && census->n_nodes < census->n_most)
    ask (census, MIN (n, census->n_most - census->n_nodes), decision);
  else if (efficiency < self->least && census->n_nodes > census->n_least)
    send_away (census, MIN (n, census->n_nodes - census->n_least), decision);
}

static const SatinAdaptationOps ops = {
  .struct_size = sizeof (SatinAdaptationOps),
  .open = template_open,
  .decide = template_decide,
  .close = template_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_ADAPTATION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "template",
  .version = "0.1.0",
  .summary = "keeps the efficiency between two thresholds",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
