/* adaptation-mine.c - which nodes a run should have
 *
 * As it is, it changes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/adaptation.h>

/* What the adaptation remembers from one period to the next. */
typedef struct
{
  guint n_periods;
} Mine;

static gpointer
mine_open (const SatinParams *given, GError **error)
{
  return g_new0 (Mine, 1);
}

/* satin/adapt/census.h describes the census. To change something, call satin_decision_ask() or
 * satin_decision_remove() of satin/adapt/adaptation.h. */
static void
mine_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  Mine *self = adaptation;
  self->n_periods++;
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
  .summary = "changes nothing",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
