/* kept-results.c - finished jobs that are reported to the part that recovers
 *
 * If the part sets wants_jobs, the node that runs an imported job reports to the part that the job
 * has ended with a result, and lost jobs are reported with a description. The finished children of
 * an orphan are reported to any part that asks to save them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include "tasks/task.h"

void
steal_saves_init (StealSaves *self)
{
  self->to_save = g_array_new (FALSE, FALSE, sizeof (guint64));
}

void
steal_saves_free (StealSaves *self)
{
  g_array_unref (self->to_save);
  g_clear_pointer (&self->asked, g_array_unref);
}

/* Reports to the part that recovers that the job of @import has ended with @result. */
void
steal_tell_ended (Steal *self, const Import *import, GBytes *result)
{
  if (self->recovery == NULL || !self->recovery->wants_jobs)
    return;
  Baggage baggage = steal_import_get_baggage (import);
  g_autoptr (GBytes) args = g_bytes_new (baggage.args, baggage.n_args);
  g_autoptr (GBytes) lineage = g_bytes_new (baggage.lineage, baggage.n_lineage);
  g_autoptr (GBytes) path = baggage.is_placed ? g_bytes_new (baggage.path, baggage.n_path) : NULL;
  const SatinFinished finished = {
    .why = SATIN_FINISHED_IMPORTED,
    .task = task_at ((guint)import->task),
    .args = args,
    .result = result,
    .ref = { import->owner, import->name.index, import->name.generation },
    .lineage = lineage,
    .path = path,
  };
  self->recovery->ops->finished (self->recovery, &finished);
}

/* Reports the loss of the job, with a description if the part asks for it. Returns: (transfer
 * full): the hints that the job has from now on */
gpointer
steal_tell_lost (Steal *self, gpointer handle, SatinLost *lost)
{
  if (!self->recovery->wants_jobs)
    return self->recovery->ops->lost (self->recovery, lost);
  int task;
  guint n_far;
  StealTaken taken = { 0 };
  g_autoptr (GBytes) args = self->jobs_ops->encode (self->jobs, handle, &task);
  self->jobs_ops->place (self->jobs, handle, &taken);
  g_autoptr (GBytes) lineage = steal_lineage_below (self, taken.under, &n_far);
  g_autoptr (GBytes) path = taken.path;
  lost->task = task_at ((guint)task);
  lost->args = args;
  lost->lineage = lineage;
  lost->path = path;
  return self->recovery->ops->lost (self->recovery, lost);
}

/* ---- the children of orphans ---- */

static void save (Steal *self);

static void
on_saved (const StealSaved *saved, gpointer user_data)
{
  Steal *self = user_data;
  const Import *import =
      saved->under != 0 ? steal_imports_find (&self->imports, saved->under) : NULL;
  if (import == NULL || !import->is_orphan || self->recovery == NULL)
    return;
  guint n_far;
  g_autoptr (GBytes) lineage = steal_lineage_below (self, saved->under, &n_far);
  satin_loop_probe (self->loop, "recovery.child-saved");
  steal_tell_saved (self, SATIN_FINISHED_SAVED, saved, lineage);
}

static void
on_all_saved (gpointer user_data)
{
  Steal *self = user_data;
  g_autoptr (GArray) import_ids = self->losses->saves.asked;
  self->losses->saves.asked = NULL;
  for (guint i = 0; i < import_ids->len && self->recovery != NULL; i++)
    {
      const SatinOrphan orphan = { .import_id = g_array_index (import_ids, guint64, i) };
      self->recovery->ops->orphan (self->recovery, SATIN_ORPHAN_SAVED, &orphan);
    }
  if (self->losses->saves.to_save->len > 0 && self->recovery != NULL)
    save (self);
}

/* Asks the workers for the finished children of all orphans in to_save. Orphans that are added
 * meanwhile wait for the next call. */
static void
save (Steal *self)
{
  static const StealSavingFuncs funcs = { .saved = on_saved, .stopped = on_all_saved };
  self->losses->saves.asked = self->losses->saves.to_save;
  self->losses->saves.to_save = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->jobs_ops->save (self->jobs, FALSE, NULL, &funcs, self);
}

void
steal_save_orphan (Steal *self, guint64 import_id)
{
  g_array_append_val (self->losses->saves.to_save, import_id);
  if (self->losses->saves.asked == NULL)
    save (self);
}
