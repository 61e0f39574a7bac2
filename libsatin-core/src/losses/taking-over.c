/* taking-over.c - a node that stays takes over the results and jobs of leaving nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include "tasks/task.h"

/* Returns: (transfer full): an imported job that has ended with the result @kept, in no table */
static Import *
make_import (Steal *self, const StealKept *kept)
{
  const StealName name = { .index = kept->index, .generation = kept->generation };
  Import *import = steal_import_new ((SatinNodeId)kept->owner, &name);
  const Baggage baggage = {
    .args = kept->args,
    .n_args = kept->n_args,
    .lineage = kept->lineage,
    .n_lineage = kept->n_lineage,
    .path = kept->path,
    .n_path = kept->n_path,
    .is_placed = TRUE,
  };
  import->task = kept->task;
  steal_import_set_baggage (&self->imports, import, &baggage);
  import->result = g_bytes_new (kept->result, kept->n_result);
  import->is_over = TRUE;
  import->over_us = satin_loop_now_us (self->loop);
  return import;
}

static void
keep_orphan (Steal *self, const StealKept *kept)
{
  const StealName name = { .index = kept->index, .generation = kept->generation };
  if (steal_imports_find_orphan (&self->imports, (SatinNodeId)kept->owner, &name) != NULL)
    return;
  satin_loop_probe (self->loop, "steal.result-kept");
  self->losses->n_kept++;
  Import *import = make_import (self, kept);
  steal_imports_add (&self->imports, import);
  steal_orphan_import (self, import);
}

/* Keeps results of other nodes and answers KEPT. If this node leaves too, it does neither: the
 * sender learns that this node leaves, and sends the results to another node. Without a part that
 * recovers, nothing is kept, because nobody could find a kept result. Such a node normally gets no
 * results: all nodes of a run have such a part, or none has. If it gets some, it answers KEPT all
 * the same, so that the sender does not wait. */
void
steal_on_keep (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealKeep *message = data;
  if (self->is_leaving)
    return;
  for (gsize i = 0; i < message->n_results && self->recovery != NULL; i++)
    {
      const StealKept *kept = &message->results[i];
      if (task_at ((guint)kept->task) == NULL)
        continue;
      if (steal_is_backup (self, kept))
        steal_add_backup (self, make_import (self, kept));
      else
        keep_orphan (self, kept);
    }
  StealNumber number = { message->number };
  steal_send (self, from, STEAL_KEPT, &StealNumber_record, &number);
}

void
steal_on_returned (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealReturned *returned = data;
  if (steal_exports_find (&self->exports, from, returned->index, returned->generation) == NULL)
    return;
  satin_loop_probe (self->loop, "steal.job-given-up");
  SatinJobRef ref = { satin_peers_get_view (self->peers)->self, returned->index,
                      returned->generation };
  gpointer known = NULL;
  if (returned->n_hints > 0 && self->recovery != NULL)
    known = self->recovery->ops->unpack (self->recovery, returned->hints, returned->n_hints, &ref);
  steal_lose_job (self, (guint)returned->index, 0);
  if (known != NULL)
    self->recovery->ops->unref (known); /* unpack() has added these to the job's own hints */
  steal_let_go (self);
}

void
steal_on_orphaned (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealNames *message = data;
  for (gsize i = 0; i < message->n_names; i++)
    {
      Import *import = steal_imports_find_of (&self->imports, from, &message->names[i]);
      if (import == NULL)
        continue;
      satin_loop_probe (self->loop, "steal.owner-leaving");
      steal_orphan_import (self, import);
    }
}
