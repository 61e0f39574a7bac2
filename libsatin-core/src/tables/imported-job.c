/* imported-job.c - jobs of other nodes: the data kept of each while it is here
 *
 * A busy node has many of them, and each stays until its result is acknowledged. To save memory,
 * the data that a job came with lies in one block, and data that can be computed from it is not
 * kept.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "imports.h"

#include <string.h>

/* The longest path and lineage that are kept. They travel on with every descendant that is
 * exported. */
#define PATH_MAX_BYTES    STEAL_LINEAGE_MAX_BYTES
#define LINEAGE_MAX_BYTES (2 * STEAL_LINEAGE_MAX_BYTES)

Import *
steal_import_new (SatinNodeId owner, const StealName *name)
{
  Import *import = g_new0 (Import, 1);
  import->owner = owner;
  import->name = *name;
  return import;
}

void
steal_import_free (gpointer data)
{
  Import *self = data;
  g_free (self->message);
  g_clear_pointer (&self->result, g_bytes_unref);
  g_free (self->baggage);
  g_free (self);
}

/**
 * steal_import_set_baggage:
 * @baggage: is copied, except for parts that are too long; may point into the current baggage of
 *   @import
 *
 * Sets the arguments, lineage and path of an imported job.
 */
void
steal_import_set_baggage (const StealImports *self, Import *import, const Baggage *baggage)
{
  Baggage kept = *baggage;
  if (kept.lineage == NULL || kept.n_lineage > LINEAGE_MAX_BYTES)
    kept.lineage = g_bytes_get_data (self->rootless, &kept.n_lineage);
  kept.is_placed &= kept.n_path <= PATH_MAX_BYTES;
  if (!kept.is_placed)
    kept.n_path = 0;
  const struct
  {
    const guint8 *data;
    gsize n;
  } parts[] = { { kept.args, kept.n_args },
                { kept.lineage, kept.n_lineage },
                { kept.path, kept.n_path } };
  guint8 *block = g_malloc (MAX (kept.n_args + kept.n_lineage + kept.n_path, 1));
  guint8 *end = block;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i].n > 0)
      end = (guint8 *)memcpy (end, parts[i].data, parts[i].n) + parts[i].n;
  g_free (import->baggage);
  import->baggage = block;
  import->n_args = (guint32)kept.n_args;
  import->n_lineage = (guint32)kept.n_lineage;
  import->n_path = (guint32)kept.n_path;
  import->is_placed = kept.is_placed;
}

/* Returns: pointers into @self, valid until the baggage is set again */
Baggage
steal_import_get_baggage (const Import *self)
{
  const guint8 *lineage = self->baggage + self->n_args;
  return (Baggage){
    .args = self->baggage,
    .n_args = self->n_args,
    .lineage = lineage,
    .n_lineage = self->n_lineage,
    .path = lineage + self->n_lineage,
    .n_path = self->n_path,
    .is_placed = self->is_placed,
  };
}
