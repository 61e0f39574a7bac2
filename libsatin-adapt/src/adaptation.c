/* adaptation.c - opens an adaptation plugin by its name; what it decides
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
  g_auto (GStrv) words = g_strsplit (text, ":", 2);
  const char *name = words[0] != NULL ? words[0] : "";
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_ADAPTATION, name, error);
  if (plugin == NULL)
    return NULL;
  g_autoptr (SatinParams) params =
      satin_params_parse_text (satin_plugin_get_desc (plugin)->params,
                               words[0] != NULL && words[1] != NULL ? words[1] : "", error);
  g_autofree SatinAdaptation *self = g_new0 (SatinAdaptation, 1);
  satin_plugin_copy_ops (plugin, &self->ops, sizeof self->ops);
  if (params != NULL)
    self->handle = self->ops.open (params, error);
  if (self->handle != NULL)
    return g_steal_pointer (&self);
  g_prefix_error (error, "adaptation %s: ", name);
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
