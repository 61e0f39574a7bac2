/* inspect-jobs.c - exported and imported jobs, for worlds and people; how much of each is done
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

/* Calls @add for each imported job that has not ended and is still wanted. @now_us: the time of the
 * loop */
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

/* ---- how much is done ---- */

#define PROGRESS_ALL 1000000
/* An owner is told again when this much more is done, in millionths. */
#define PROGRESS_STEP 1000
/* The most jobs in a message. */
#define PROGRESS_MAX 1024

typedef struct
{
  Steal *steal;
  GArray *jobs; /* (owned) of (borrowed) Import */
} Changed;

/* Records that @share of an imported job is done. */
static void
note_progress (guint64 import_id, double share, gpointer user_data)
{
  Changed *self = user_data;
  Import *import = steal_imports_find (&self->steal->imports, import_id);
  gint32 done = (gint32)(share * PROGRESS_ALL);
  if (import == NULL || import->is_over || import->is_orphan || done - import->told < PROGRESS_STEP)
    return;
  import->told = done;
  g_array_append_val (self->jobs, import);
}

/* Orders jobs by owner, and those of one owner by import id: simulated runs must repeat. */
static int
compare_owners (gconstpointer a, gconstpointer b)
{
  const Import *first = *(Import *const *)a, *second = *(Import *const *)b;
  if (first->owner != second->owner)
    return first->owner < second->owner ? -1 : 1;
  return first->import_id < second->import_id ? -1 : first->import_id > second->import_id;
}

static void
send_progress (Steal *self, SatinNodeId owner, const GArray *shares)
{
  StealProgressMessage message = { .shares = (StealProgress *)(gpointer)shares->data,
                                   .n_shares = shares->len };
  steal_send (self, owner, STEAL_PROGRESS, &StealProgressMessage_record, &message);
}

void
steal_tell_progress (Steal *self)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (Import *));
  Changed all = { self, changed };
  self->jobs_ops->foreach_progress (self->jobs, note_progress, &all);
  g_array_sort (changed, compare_owners);
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (StealProgress));
  for (guint i = 0; i < changed->len; i++)
    {
      const Import *import = g_array_index (changed, Import *, i);
      g_array_append_val (shares, ((StealProgress){ .index = import->name.index,
                                                    .generation = import->name.generation,
                                                    .done = import->told }));
      gboolean is_last =
          i + 1 == changed->len || g_array_index (changed, Import *, i + 1)->owner != import->owner;
      if (!is_last && shares->len < PROGRESS_MAX)
        continue;
      send_progress (self, import->owner, shares);
      g_array_set_size (shares, 0);
    }
}

void
steal_on_progress (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealProgressMessage *message = data;
  for (gsize i = 0; i < message->n_shares; i++)
    {
      const StealProgress *share = &message->shares[i];
      const Export *exported =
          steal_exports_find (&self->exports, from, share->index, share->generation);
      if (exported != NULL && share->done >= 0 && share->done <= PROGRESS_ALL)
        self->jobs_ops->note_progress (self->jobs, exported->handle,
                                       (double)share->done / PROGRESS_ALL);
    }
}
