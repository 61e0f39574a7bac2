/* inspect-jobs.c - the jobs that other nodes have or gave, for worlds and people that look at a
 * node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "tasks/task.h"

gboolean
steal_find_ref (const Steal *self, guint64 import_id, SatinJobRef *ret_ref)
{
  const Import *import = steal_imports_find (&self->imports, import_id);
  if (import == NULL || import->is_over)
    return FALSE;
  *ret_ref = (SatinJobRef){ import->owner, import->name.index, import->name.generation };
  return TRUE;
}

guint64
steal_get_under (const Steal *self, SatinNodeId thief, const SatinJobRef *ref)
{
  if (!steal_wants (self, thief, ref)
      || steal_is_aborting (self, thief, ref->index, ref->generation))
    return 0;
  return steal_exports_at (&self->exports, ref->index)->under;
}

/* ---- dumps ---- */

/* Returns: (transfer full): task and arguments in words */
char *
steal_describe_import (const Import *import)
{
  const Baggage baggage = steal_import_get_baggage (import);
  const SatinTask *task = task_at ((guint)import->task);
  if (task == NULL)
    return g_strdup ("");
  g_autofree gpointer args = g_malloc0 (MAX (task->args->size_bytes, 1));
  if (!satin_record_decode (task->args, baggage.args, baggage.n_args, args, NULL))
    return g_strdup_printf ("task %s", task->name);
  char *text = task_describe (task, args);
  satin_record_clear (task->args, args);
  return text;
}

gboolean
steal_has_exports_under (const Steal *self, guint64 import_id)
{
  return steal_exports_first_under (&self->exports, import_id) != 0;
}

/* Calls @add for each imported job that has not ended. @now_us: the time of the loop */
void
steal_foreach_import (const Steal *self, gint64 now_us, SatinJobFunc add, gpointer user_data)
{
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    {
      const Import *import = item->data;
      if (import->is_over || import->is_unwanted)
        continue;
      g_autofree char *text = steal_describe_import (import);
      const SatinJobState job = { .state = SATIN_JOB_IMPORTED,
                                  .job = text,
                                  .age_us = now_us - import->came_us,
                                  .worker = -1,
                                  .import_id = (gint64)import->import_id,
                                  .node = import->owner,
                                  .index = import->name.index,
                                  .generation = import->name.generation };
      add (&job, user_data);
    }
}

/* Calls @add for each job that another node has. @now_us: the time of the loop */
void
steal_foreach_export (const Steal *self, gint64 now_us, SatinJobFunc add, gpointer user_data)
{
  for (guint i = 0; i < self->exports.jobs->len; i++)
    {
      const Export *exported = steal_exports_at (&self->exports, i);
      if (exported->handle == NULL)
        continue;
      g_autofree char *text = self->jobs_ops->describe (self->jobs, exported->handle);
      const SatinJobState job = { .state = SATIN_JOB_EXPORTED,
                                  .job = text,
                                  .age_us = now_us - exported->exported_us,
                                  .worker = -1,
                                  .under = (gint64)exported->under,
                                  .node = exported->thief,
                                  .index = (gint32)i,
                                  .generation = exported->generation };
      add (&job, user_data);
    }
}
