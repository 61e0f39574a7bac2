/* subject.c - an adaptation under test, to which a case shows a census for each period
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "subject.h"

#include <string.h>

Subject *
subject_try (Case *c, const SatinParams *params, GError **error)
{
  Subject *self = g_new0 (Subject, 1);
  self->c = c;
  satin_plugin_copy_ops (c->plugin, satin_adaptation_required, &self->ops, sizeof self->ops, NULL);
  self->handle = self->ops.open (params, error);
  if (self->handle != NULL)
    return self;
  g_free (self);
  return NULL;
}

Subject *
subject_new (Case *c)
{
  g_autoptr (GError) error = NULL;
  Subject *self = subject_try (c, c->params, &error);
  case_expect_open (c, self != NULL, error);
  return self;
}

void
subject_free (Subject *self)
{
  self->ops.close (self->handle);
  g_free (self);
}

GBytes *
subject_save (Subject *self)
{
  return self->ops.save != NULL ? self->ops.save (self->handle) : NULL;
}

gboolean
subject_has_memory (Subject *self)
{
  if (self->ops.save != NULL && self->ops.load != NULL)
    return TRUE;
  case_skip (self->c, "the adaptation has no memory");
  return FALSE;
}

/* ---- the rules that always hold ---- */

static gboolean
is_offered (const SatinCensus *census, const SatinDecision *decision, guint cluster)
{
  guint64 n_asked = 0, n_offered = 0;
  for (guint i = 0; i < decision->asks->len; i++)
    {
      const SatinAsk *ask = &g_array_index (decision->asks, SatinAsk, i);
      if (cluster == SATIN_ANY_CLUSTER || ask->cluster == cluster)
        n_asked += ask->n_machines;
    }
  for (guint i = 0; i < census->n_clusters; i++)
    if (cluster == SATIN_ANY_CLUSTER || i == cluster)
      n_offered += census->clusters[i].n_offered;
  return n_asked <= n_offered;
}

static void
check_asks (Case *c, const SatinCensus *census, const SatinDecision *decision)
{
  guint64 n_asked = 0;
  for (guint i = 0; i < decision->asks->len; i++)
    {
      const SatinAsk *ask = &g_array_index (decision->asks, SatinAsk, i);
      n_asked += ask->n_machines;
      if (ask->n_machines == 0)
        case_note (c, RULE_EMPTY, "it asks for 0 machines");
      if (ask->cluster >= census->n_clusters && ask->cluster != SATIN_ANY_CLUSTER)
        case_note (c, RULE_CLUSTER, "it asks in cluster %u, and there are %u", ask->cluster,
                   census->n_clusters);
      else if (!is_offered (census, decision, ask->cluster)
               || !is_offered (census, decision, SATIN_ANY_CLUSTER))
        case_note (c, RULE_OFFERED, "it asks for %u machines in a cluster, which are not offered",
                   ask->n_machines);
    }
  guint64 n_nodes = (guint64)census->n_nodes + census->n_awaited + n_asked;
  if (n_asked > 0 && n_nodes > (guint64)census->n_most + decision->removals->len)
    case_note (c, RULE_MOST,
               "with %u nodes and %u awaited machines it asks for %" G_GUINT64_FORMAT
               " more, but the run may have %u nodes",
               census->n_nodes, census->n_awaited, n_asked, census->n_most);
}

static const SatinCensusNode *
find_node (const SatinCensus *census, SatinNodeId id)
{
  for (guint i = 0; i < census->n_nodes; i++)
    if (census->nodes[i].id == id)
      return &census->nodes[i];
  return NULL;
}

static void
check_removal (Case *c, const SatinCensus *census, const SatinDecision *decision, guint place)
{
  const SatinRemoval *removal = &g_array_index (decision->removals, SatinRemoval, place);
  const SatinCensusNode *node = find_node (census, removal->id);
  if (node == NULL)
    case_note (c, RULE_MEMBER, "it removes node %u, which is not in the run", removal->id);
  else if (node->is_kept)
    case_note (c, RULE_KEPT, "it removes node %u, which must stay", removal->id);
  if (removal->reason < SATIN_REMOVE_BAD || removal->reason > SATIN_REMOVE_REPLACED)
    case_note (c, RULE_REASON, "it removes node %u for reason %d", removal->id,
               (int)removal->reason);
  for (guint i = 0; i < place; i++)
    if (g_array_index (decision->removals, SatinRemoval, i).id == removal->id)
      case_note (c, RULE_TWICE, "it removes node %u twice in one decision", removal->id);
}

static void
check_removals (Case *c, const SatinCensus *census, const SatinDecision *decision)
{
  guint n = decision->removals->len;
  for (guint i = 0; i < n; i++)
    check_removal (c, census, decision, i);
  if (n > 0 && census->n_nodes < (guint64)census->n_least + n)
    case_note (c, RULE_LEAST, "it removes %u of %u nodes, but the run must have %u", n,
               census->n_nodes, census->n_least);
}

static void
check_memory (Subject *self)
{
  g_autoptr (GBytes) memory = subject_save (self);
  if (memory != NULL && g_bytes_get_size (memory) > SATIN_MEMORY_MAX_BYTES)
    case_note (self->c, RULE_MEMORY,
               "it saves %" G_GSIZE_FORMAT " bytes, but %" G_GSIZE_FORMAT " is the most",
               g_bytes_get_size (memory), SATIN_MEMORY_MAX_BYTES);
}

/* Lets the adaptation decide on a copy of the census, and checks that the copy stays as it is. */
static void
decide_on_copy (Subject *self, const SatinCensus *census, SatinDecision *decision)
{
  SatinCensus shown = *census;
  gsize nodes_bytes = census->n_nodes * sizeof *census->nodes;
  gsize clusters_bytes = census->n_clusters * sizeof *census->clusters;
  g_autofree SatinCensusNode *nodes = g_memdup2 (census->nodes, nodes_bytes);
  g_autofree SatinCensusCluster *clusters = g_memdup2 (census->clusters, clusters_bytes);
  shown.nodes = nodes;
  shown.clusters = clusters;
  SatinCensus before;
  memcpy (&before, &shown, sizeof shown); /* with the padding, which an assignment may leave out */
  self->ops.decide (self->handle, &shown, decision);
  if (memcmp (&before, &shown, sizeof shown) != 0
      || (nodes_bytes > 0 && memcmp (nodes, census->nodes, nodes_bytes) != 0)
      || (clusters_bytes > 0 && memcmp (clusters, census->clusters, clusters_bytes) != 0))
    case_note (self->c, RULE_SHOWN, "it changes what it is shown");
}

gboolean
subject_decide (Subject *self, const SatinCensus *census, SatinDecision *ret_decision)
{
  guint n_notes = g_hash_table_size (self->c->watch->notes);
  self->c->watch->is_exercised = TRUE;
  decide_on_copy (self, census, ret_decision);
  check_asks (self->c, census, ret_decision);
  check_removals (self->c, census, ret_decision);
  check_memory (self);
  return g_hash_table_size (self->c->watch->notes) == n_notes;
}

gboolean
subject_show (Subject *self, const SatinCensus *census)
{
  SatinDecision decision;
  satin_decision_init (&decision);
  gboolean is_kept = subject_decide (self, census, &decision);
  satin_decision_clear (&decision);
  return is_kept;
}

void
decision_append (const SatinDecision *decision, GString *text)
{
  for (guint i = 0; i < decision->asks->len; i++)
    {
      const SatinAsk *ask = &g_array_index (decision->asks, SatinAsk, i);
      g_string_append_printf (text, "ask %u in %u, ", ask->n_machines, ask->cluster);
    }
  for (guint i = 0; i < decision->removals->len; i++)
    {
      const SatinRemoval *removal = &g_array_index (decision->removals, SatinRemoval, i);
      g_string_append_printf (text, "remove %u for %d, ", removal->id, (int)removal->reason);
    }
  g_string_append (text, "end\n");
}
