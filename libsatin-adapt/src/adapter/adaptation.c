/* adaptation.c - decisions, and opening an adaptation plugin by its name
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/adaptation.h>

void
satin_decision_init (SatinDecision *self)
{
  self->asks = g_array_new (FALSE, FALSE, sizeof (SatinAsk));
  self->removals = g_array_new (FALSE, FALSE, sizeof (SatinRemoval));
}

void
satin_decision_clear (SatinDecision *self)
{
  g_clear_pointer (&self->asks, g_array_unref);
  g_clear_pointer (&self->removals, g_array_unref);
}

void
satin_decision_ask (SatinDecision *self, guint cluster, guint n_machines)
{
  const SatinAsk ask = { .cluster = cluster, .n_machines = n_machines };
  g_array_append_val (self->asks, ask);
}

void
satin_decision_remove (SatinDecision *self, SatinNodeId id, SatinRemoveReason reason)
{
  const SatinRemoval removal = { .id = id, .reason = reason };
  g_array_append_val (self->removals, removal);
}

void
satin_decision_remove_cluster (SatinDecision *self, const SatinCensus *census, guint cluster,
                               SatinRemoveReason reason)
{
  for (guint i = 0; i < census->n_nodes; i++)
    if (census->nodes[i].cluster == cluster && satin_census_counts (&census->nodes[i]))
      satin_decision_remove (self, census->nodes[i].id, reason);
}

const char *
satin_remove_reason_text (SatinRemoveReason reason)
{
  switch (reason)
    {
    case SATIN_REMOVE_BAD:
      return "slow or badly connected";
    case SATIN_REMOVE_FAR:
      return "the link of its cluster is too slow";
    case SATIN_REMOVE_REPLACED:
      return "a better one has come";
    }
  g_return_val_if_reached ("");
}

SatinAdaptation *
satin_adaptation_open (const char *text, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_autoptr (SatinParams) params = NULL;
  g_autofree SatinAdaptation *self = g_new0 (SatinAdaptation, 1);
  const SatinPlugin *plugin =
      satin_plugin_load_spec (SATIN_PLUGIN_ADAPTATION, text, &params, error);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_adaptation_required, &self->ops, sizeof self->ops,
                                 error))
    return NULL;
  self->handle = self->ops.open (params, error);
  if (self->handle != NULL)
    return g_steal_pointer (&self);
  satin_plugin_explain (plugin, error);
  g_prefix_error (error, "adaptation %s: ", satin_plugin_get_desc (plugin)->name);
  return NULL;
}

void
satin_adaptation_close (SatinAdaptation *self)
{
  if (self == NULL)
    return;
  self->ops.close (self->handle);
  g_free (self);
}
