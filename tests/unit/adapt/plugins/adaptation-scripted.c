/* adaptation-scripted.c - an adaptation that decides what the test says, see scripted.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

#include <string.h>

static gpointer
scripted_open (const SatinParams *params, GError **error)
{
  return g_new0 (Scripted, 1);
}

static void
scripted_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  Scripted *self = adaptation;
  self->n_decided++;
  self->census = *census;
  g_assert_cmpuint (census->n_nodes, <=, SCRIPTED_MAX);
  memcpy (self->nodes, census->nodes, census->n_nodes * sizeof *census->nodes);
  for (guint i = 0; i < MIN (census->n_clusters, SCRIPTED_MAX); i++)
    {
      self->clusters[i] = census->clusters[i];
      g_strlcpy (self->names[i], census->clusters[i].name, sizeof self->names[i]);
    }
  if (self->n_ask > 0)
    satin_decision_ask (decision, self->ask_cluster, self->n_ask);
  if (self->remove != 0)
    satin_decision_remove (decision, self->remove, SATIN_REMOVE_BAD);
}

#ifndef IS_FORGETFUL
static GBytes *
scripted_save (gpointer adaptation)
{
  const guint8 n = (guint8)((Scripted *)adaptation)->n_decided;
  return g_bytes_new (&n, 1);
}

static gboolean
scripted_load (gpointer adaptation, GBytes *memory, GError **error)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (memory, &n_bytes);
  if (n_bytes != 1)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "a memory is one byte");
      return FALSE;
    }
  ((Scripted *)adaptation)->n_decided = bytes[0];
  return TRUE;
}
#endif

static const SatinAdaptationOps ops = {
  .struct_size = sizeof (SatinAdaptationOps),
  .open = scripted_open,
  .decide = scripted_decide,
  .close = g_free,
#ifndef IS_FORGETFUL
  .save = scripted_save,
  .load = scripted_load,
#endif
};

static const SatinParam params[] = { { NULL, SATIN_PARAM_INT, NULL, NULL } };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_ADAPTATION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = NAME,
  .version = "0",
  .summary = "decides what a test says",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
