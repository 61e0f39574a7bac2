/* probe.c - counts how often hosts of a world called each probe (satin_loop_probe())
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

static int
compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp (a, b);
}

GTree *
probes_new (void)
{
  return g_tree_new_full (compare_names, NULL, g_free, g_free);
}

void
probe_count (SatinLoop *loop, const char *what)
{
  GTree *probes = ((SatinSimHost *)loop)->sim->probes;
  guint64 *count = g_tree_lookup (probes, what);
  if (count == NULL)
    {
      count = g_new0 (guint64, 1);
      g_tree_insert (probes, g_strdup (what), count);
    }
  ++*count;
}

guint64
satin_sim_count_probe (const SatinSim *self, const char *what)
{
  const guint64 *count = g_tree_lookup (self->probes, what);
  return count != NULL ? *count : 0;
}

typedef struct
{
  SatinSimProbeFunc func;
  gpointer user_data;
} Visit;

static gboolean
visit (gpointer what, gpointer count, gpointer user_data)
{
  const Visit *self = user_data;
  self->func (what, *(const guint64 *)count, self->user_data);
  return FALSE;
}

void
satin_sim_foreach_probe (const SatinSim *self, SatinSimProbeFunc func, gpointer user_data)
{
  Visit all = { func, user_data };
  g_tree_foreach (self->probes, visit, &all);
}
