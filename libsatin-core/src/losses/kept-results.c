/* kept-results.c - results that a part may want to have beside those who wait for them
 *
 * Only a part that has ended() is told. A job that was exported on before it began is told of
 * where it ran.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stealing/private.h"

#include "workers/task.h"

static gint32
count_numbers (const guint8 *path, gsize n_path)
{
  gint32 n = 0;
  guint32 number;
  for (gsize at = 0; satin_path_next (path, n_path, &at, &number);)
    n++;
  return n;
}

/* Where a job belongs that descends by @path, if that is known, from the last in @lineage. */
static void
find_origin (const guint8 *lineage, gsize n_lineage, const guint8 *path, gsize n_path,
             gboolean is_placed, SatinEnded *ended)
{
  SatinLineage above;
  ended->n_levels = SATIN_LEVELS_UNKNOWN;
  if (!satin_record_decode (&SatinLineage_record, lineage, n_lineage, &above, NULL))
    return;
  if (above.n_hops > 0)
    {
      const SatinHop *last = &above.hops[above.n_hops - 1];
      ended->under = (SatinJobRef){ (SatinNodeId)last->owner, last->index, last->generation };
    }
  if (above.is_rooted && is_placed)
    {
      ended->n_levels = count_numbers (path, n_path);
      for (gsize i = 0; i < above.n_hops; i++)
        ended->n_levels += count_numbers (above.hops[i].path, above.hops[i].n_path);
    }
  satin_record_clear (&SatinLineage_record, &above);
}

/* Likewise, of a child of the job that is called @under. */
static void
find_origin_below (Steal *self, guint64 under, GBytes *path, SatinEnded *ended)
{
  guint n_far;
  gsize n_lineage, n_path = 0;
  g_autoptr (GBytes) above = steal_lineage_below (self, under, &n_far);
  const guint8 *lineage = g_bytes_get_data (above, &n_lineage);
  const guint8 *bytes = path != NULL ? g_bytes_get_data (path, &n_path) : NULL;
  find_origin (lineage, n_lineage, bytes, n_path, path != NULL, ended);
}

/* The imported job @import has ended here with @result. */
void
steal_tell_ended (Steal *self, const Import *import, GBytes *result)
{
  if (self->recovery == NULL || !SATIN_HAS (self->recovery->ops, ended))
    return;
  Baggage baggage = steal_import_get_baggage (import);
  g_autoptr (GBytes) args = g_bytes_new (baggage.args, baggage.n_args);
  SatinEnded ended = {
    .task = task_at ((guint)import->task),
    .args = args,
    .result = result,
    .ref = { import->owner, import->name.index, import->name.generation },
  };
  find_origin (baggage.lineage, baggage.n_lineage, baggage.path, baggage.n_path, baggage.is_placed,
               &ended);
  self->recovery->ops->ended (self->recovery, &ended);
}

/* Says which job it is that is lost, if the part wants to know. */
void
steal_describe_lost (Steal *self, gpointer handle, gpointer hints)
{
  if (hints == NULL || !SATIN_HAS (self->recovery->ops, describe))
    return;
  int task;
  g_autoptr (GBytes) args = self->jobs_ops->encode (self->jobs, handle, &task);
  StealTaken taken = { 0 };
  SatinEnded origin = { 0 };
  self->jobs_ops->place (self->jobs, handle, &taken);
  find_origin_below (self, taken.under, taken.path, &origin);
  self->recovery->ops->describe (hints, task_at ((guint)task), args, origin.n_levels);
  g_clear_pointer (&taken.path, g_bytes_unref);
}

/* ---- the children of orphans ---- */

static void save (Steal *self);

static void
on_saved (const StealSaved *saved, gpointer user_data)
{
  Steal *self = user_data;
  const Import *import = saved->under != 0 ? steal_find_import (self, saved->under) : NULL;
  if (import == NULL || !import->is_orphan || self->recovery == NULL)
    return;
  SatinEnded ended = { .task = task_at ((guint)saved->task),
                       .args = saved->args,
                       .result = saved->result };
  find_origin_below (self, saved->under, saved->path, &ended);
  satin_loop_probe (self->loop, "recovery.child-saved");
  self->recovery->ops->ended (self->recovery, &ended);
}

static void
on_all_saved (gpointer user_data)
{
  Steal *self = user_data;
  g_autoptr (GArray) import_ids = self->saving;
  self->saving = NULL;
  for (guint i = 0; i < import_ids->len && self->recovery != NULL; i++)
    self->recovery->ops->saved (self->recovery, g_array_index (import_ids, guint64, i));
  if (self->to_save->len > 0 && self->recovery != NULL)
    save (self);
}

/* Those that come while the workers are asked wait for the next time. */
static void
save (Steal *self)
{
  static const StealSavingFuncs funcs = { .saved = on_saved, .stopped = on_all_saved };
  self->saving = self->to_save;
  self->to_save = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->jobs_ops->save (self->jobs, FALSE, NULL, &funcs, self);
}

void
steal_save_orphan (Steal *self, guint64 import_id)
{
  g_array_append_val (self->to_save, import_id);
  if (self->saving == NULL)
    save (self);
}
