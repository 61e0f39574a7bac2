/* by-cluster.c - counts this node's steals by the cluster of the victim
 *
 * Together, the figures of all nodes are a matrix: from which cluster the nodes of a cluster stole,
 * how often, how many bytes, and how long the answers took. Clusters beyond the first MAX_CLUSTERS
 * are counted as one, OTHERS.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

#define MAX_CLUSTERS 8
/* A longer label is cut, so that a report of all figures stays short. */
#define MAX_LABEL_CHARS 32
/* All clusters that have no counts of their own. */
#define OTHERS "*"

static void
steals_from_free (gpointer data)
{
  StealsFrom *self = data;
  g_free (self->label);
  g_free (self);
}

void
steal_by_cluster_init (StealByCluster *self)
{
  self->all = g_ptr_array_new_with_free_func (steals_from_free);
}

void
steal_by_cluster_done (StealByCluster *self)
{
  g_ptr_array_unref (self->all);
}

/* Returns: the counts for a label, which are added if there are none */
static StealsFrom *
find_label (StealByCluster *self, const char *label)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      StealsFrom *from = self->all->pdata[i];
      if (strcmp (from->label, label) == 0)
        return from;
    }
  if (self->all->len >= MAX_CLUSTERS && strcmp (label, OTHERS) != 0)
    return find_label (self, OTHERS);
  StealsFrom *from = g_new0 (StealsFrom, 1);
  from->label = g_strdup (label);
  g_ptr_array_add (self->all, from);
  return from;
}

/* Returns: (nullable): the counts for the cluster of node @id; NULL when the node is gone */
static StealsFrom *
find (Steal *self, SatinNodeId id)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  const SatinPeer *peer = view != NULL ? satin_view_find (view, id) : NULL;
  if (peer == NULL)
    return NULL;
  g_autofree char *label =
      g_utf8_substring (peer->cluster, 0, MIN (g_utf8_strlen (peer->cluster, -1), MAX_LABEL_CHARS));
  return find_label (&self->by_cluster, label);
}

void
steal_count_asked (Steal *self, SatinNodeId victim)
{
  StealsFrom *from = find (self, victim);
  if (from != NULL)
    from->n_tried++;
}

void
steal_count_won (Steal *self, SatinNodeId victim, gint64 answer_us)
{
  StealsFrom *from = find (self, victim);
  if (from == NULL)
    return;
  from->n_won++;
  steal_times_add (from->n_answers, answer_us);
}

void
steal_count_bytes (Steal *self, SatinNodeId victim, gsize n_bytes)
{
  StealsFrom *from = find (self, victim);
  if (from != NULL)
    from->n_bytes += (gint64)n_bytes;
}

static void
add_figure (const StealsFrom *from, const char *what, gint64 value, SatinFigureFunc add,
            gpointer user_data)
{
  g_autofree char *name = g_strdup_printf ("steals-from.%s.%s", from->label, what);
  if (value != 0)
    add (name, value, user_data);
}

void
steal_by_cluster_figures (Steal *self, SatinFigureFunc add, gpointer user_data)
{
  for (guint i = 0; i < self->by_cluster.all->len; i++)
    {
      const StealsFrom *from = self->by_cluster.all->pdata[i];
      add_figure (from, "tried", from->n_tried, add, user_data);
      add_figure (from, "won", from->n_won, add, user_data);
      add_figure (from, "bytes", from->n_bytes, add, user_data);
      g_autofree char *prefix = g_strconcat ("steals-from.", from->label, NULL);
      steal_times_figures (from->n_answers, prefix, add, user_data);
    }
}
