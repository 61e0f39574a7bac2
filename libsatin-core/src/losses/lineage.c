/* lineage.c - the lineage of a job: the exported jobs that it descends from
 *
 * Every job that leaves carries its lineage: its exported ancestors, the oldest first, and the path
 * from each to the next. When owners are lost, the lineage says which living node waits for an
 * ancestor, and where below that ancestor the job belongs. Beside the lineage, a job carries how
 * often it and its ancestors have changed clusters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* A lineage with more hops, or with more bytes than STEAL_LINEAGE_MAX_BYTES, loses its older
 * half. */
#define LINEAGE_MAX_HOPS 64

static GBytes *
encode (const SatinHop *hops, gsize n_hops, gboolean is_rooted)
{
  SatinLineage lineage = { .is_rooted = is_rooted, .hops = hops, .n_hops = n_hops };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&SatinLineage_record, &lineage);
  if (n_hops > LINEAGE_MAX_HOPS
      || (n_hops > 1 && g_bytes_get_size (bytes) > STEAL_LINEAGE_MAX_BYTES))
    return encode (hops + (n_hops + 1) / 2, n_hops / 2, FALSE);
  return g_steal_pointer (&bytes);
}

/* Returns: (transfer full): the lineage of a root job's children; with @is_rooted %FALSE, the
 * lineage of jobs whose ancestors are not known */
GBytes *
steal_lineage_new (gboolean is_rooted)
{
  return encode (NULL, 0, is_rooted);
}

/**
 * steal_lineage_add:
 * @lineage: the lineage of a job
 * @owner: the node that exported the job
 * @name: the owner's name for the job
 * @path: (nullable): from the last hop of @lineage, or the root, to the job; %NULL when not known
 *
 * Returns: (transfer full): the lineage of the job's children
 */
GBytes *
steal_lineage_add (GBytes *lineage, SatinNodeId owner, const StealName *name, GBytes *path)
{
  SatinLineage above = { 0 };
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (lineage, &n_bytes);
  if (path == NULL || !satin_record_decode (&SatinLineage_record, bytes, n_bytes, &above, NULL))
    above = (SatinLineage){ .is_rooted = FALSE };
  g_autofree SatinHop *hops = g_new (SatinHop, above.n_hops + 1);
  for (gsize i = 0; i < above.n_hops; i++)
    hops[i] = above.hops[i];
  SatinHop *last = &hops[above.n_hops];
  *last =
      (SatinHop){ .owner = (gint32)owner, .index = name->index, .generation = name->generation };
  if (path != NULL)
    last->path = g_bytes_get_data (path, &last->n_path);
  GBytes *below = encode (hops, above.n_hops + 1, above.is_rooted);
  satin_record_clear (&SatinLineage_record, &above);
  return below;
}

/* Returns: (transfer full): the lineage of the children of @import's job */
static GBytes *
below_import (const Import *import)
{
  Baggage baggage = steal_import_get_baggage (import);
  g_autoptr (GBytes) lineage = g_bytes_new_static (baggage.lineage, baggage.n_lineage);
  g_autoptr (GBytes) path =
      baggage.is_placed ? g_bytes_new_static (baggage.path, baggage.n_path) : NULL;
  return steal_lineage_add (lineage, import->owner, &import->name, path);
}

/**
 * steal_lineage_below:
 * @import_id: an imported job, or 0 for a root job
 * @ret_n_far: (out): how often that job and its ancestors have changed clusters
 *
 * Returns: (transfer full): the lineage of the job's children
 */
GBytes *
steal_lineage_below (const Steal *self, guint64 import_id, guint *ret_n_far)
{
  Import *import = import_id != 0 ? steal_imports_find (&self->imports, import_id) : NULL;
  *ret_n_far = import != NULL ? import->n_far : 0;
  if (import == NULL)
    return g_bytes_ref (import_id == 0 ? self->rooted : self->rootless);
  return below_import (import);
}
