/* stored-results.c - finished jobs for a part that stores results, and stored results for owners
 *
 *   part                                 core
 *     | walk ----------------------------> |  asks each worker at its next safe point
 *     | <----------------------- finished  |  for each new finished job of a worker, and for each
 *     |                                    |  new result that no owner has yet
 *     | <------------------------- walked  |
 *
 *   owner of a job                       node that hints name as its holder
 *     | ADOPT (no orphan has the name) --> |  calls fetch() of the part, and adds an imported job
 *     |                                    |  that no worker has
 *     | <-- RESULTS, or RETURNED           |  when the part calls fetched()
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include "tasks/task.h"

/* Reports a finished job. @lineage: the lineage of that job. */
void
steal_tell_saved (Steal *self, SatinFinishedWhy why, const StealSaved *saved, GBytes *lineage)
{
  const SatinFinished finished = {
    .why = why,
    .task = task_at ((guint)saved->task),
    .args = saved->args,
    .result = saved->result,
    .lineage = lineage,
    .path = saved->path,
  };
  self->recovery->ops->finished (self->recovery, &finished);
}

/* Reports a finished job to the part, unless the imported job above it has ended meanwhile: then
 * the owner gets the result of that whole imported job. */
static void
on_saved (const StealSaved *saved, gpointer user_data)
{
  Steal *self = user_data;
  guint n_far;
  if (self->recovery == NULL || self->losses->walk.filter == NULL
      || (saved->under != 0 && steal_imports_find (&self->imports, saved->under) == NULL))
    return;
  g_autoptr (GBytes) lineage = steal_lineage_below (self, saved->under, &n_far);
  steal_tell_saved (self, SATIN_FINISHED_WALKED, saved, lineage);
}

void
steal_tell_finished (Steal *self, const StealSaved *backups, guint n)
{
  if (self->recovery == NULL || !self->recovery->stores_results)
    return;
  for (guint i = 0; i < n; i++)
    steal_tell_saved (self, SATIN_FINISHED_WALKED, &backups[i], self->rooted);
}

/* Returns: whether the job was reported */
static gboolean
tell_import (Steal *self, const Import *import)
{
  Baggage baggage = steal_import_get_baggage (import);
  const SatinTask *task = task_at ((guint)import->task);
  if (!import->is_over || import->is_unwanted || import->is_stored || import->result == NULL
      || !import->is_placed || task == NULL)
    return FALSE;
  g_autofree gpointer args = g_malloc0 (MAX (task->args->size_bytes, 1));
  if (!satin_record_decode (task->args, baggage.args, baggage.n_args, args, NULL))
    return FALSE;
  g_autoptr (GByteArray) path = g_byte_array_new ();
  g_byte_array_append (path, baggage.path, (guint)baggage.n_path);
  gboolean is_new = self->losses->walk.filter->is_new (self->losses->walk.filter, import->import_id,
                                                       path, task, args);
  satin_record_clear (task->args, args);
  if (!is_new)
    return FALSE;
  StealSaved saved = {
    .path = g_bytes_new (baggage.path, baggage.n_path),
    .task = import->task,
    .args = g_bytes_new (baggage.args, baggage.n_args),
    .result = import->result,
  };
  g_autoptr (GBytes) lineage = g_bytes_new (baggage.lineage, baggage.n_lineage);
  steal_tell_saved (self, SATIN_FINISHED_WALKED, &saved, lineage);
  g_bytes_unref (saved.path);
  g_bytes_unref (saved.args);
  return TRUE;
}

/* Reports the results of imported jobs that no owner has yet: of orphans, and results on their
 * way. */
static void
tell_imports (Steal *self)
{
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    if (tell_import (self, item->data))
      satin_loop_probe (self->loop, "steal.import-stored");
}

static void
finish_walk (Steal *self, gboolean is_end)
{
  if (self->recovery == NULL || self->losses->walk.filter == NULL
      || is_end != self->losses->walk.is_last)
    return;
  tell_imports (self);
  steal_end_walk (self);
  self->recovery->ops->walked (self->recovery, is_end);
}

static void
on_walked (gpointer user_data)
{
  finish_walk (user_data, FALSE);
}

static void
on_walked_last (gpointer user_data)
{
  finish_walk (user_data, TRUE);
}

void
steal_walk (Steal *self, gboolean is_end, SatinFinishedFilter *filter)
{
  static const StealSavingFuncs funcs = { .saved = on_saved, .stopped = on_walked };
  static const StealSavingFuncs last_funcs = { .saved = on_saved, .stopped = on_walked_last };
  steal_end_walk (self);
  self->losses->walk.filter = filter->ref (filter);
  self->losses->walk.is_last |= is_end;
  if (is_end)
    steal_quiet (self);
  self->jobs_ops->save (self->jobs, is_end, filter, is_end ? &last_funcs : &funcs, self);
}

void
steal_end_walk (Steal *self)
{
  if (self->losses->walk.filter != NULL)
    self->losses->walk.filter->unref (self->losses->walk.filter);
  self->losses->walk.filter = NULL;
}

/* ---- results that the part has stored ---- */

gboolean
steal_fetch (Steal *self, SatinNodeId from, const StealAdopt *adopt)
{
  if (self->recovery == NULL)
    return FALSE;
  SatinJobRef ref = { (SatinNodeId)adopt->owner, adopt->index, adopt->generation };
  StealName as = { .index = adopt->as_index, .generation = adopt->as_generation };
  if (!self->recovery->ops->fetch (self->recovery, &ref, self->imports.last_id + 1))
    return FALSE;
  satin_loop_probe (self->loop, "recovery.result-fetched");
  Import *import = steal_imports_add_new (&self->imports, from, &as);
  const Baggage baggage = { .is_placed = FALSE };
  steal_import_set_baggage (&self->imports, import, &baggage);
  import->task = -1;
  import->is_stored = TRUE;
  return TRUE;
}

void
steal_fetched (Steal *self, guint64 import_id, GBytes *result)
{
  Import *import = steal_imports_find (&self->imports, import_id);
  StealOutcome outcome = { .status = STEAL_OK, .result = result, .is_theirs = TRUE };
  if (import == NULL || import->is_over)
    return;
  if (result != NULL)
    {
      steal_finished (self, import_id, &outcome);
      return;
    }
  satin_loop_probe (self->loop, "recovery.fetched-nothing");
  if (!import->is_orphan)
    steal_send_back (self, import, NULL);
  steal_imports_remove (&self->imports, import);
}
