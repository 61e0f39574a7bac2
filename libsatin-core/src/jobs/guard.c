/* guard.c - imported jobs that wait for shared objects
 *
 *   arrives --objects here?--> queued
 *      | no: waits for late updates (LATE_US), then asks for the objects; at once if one is missing
 *      +--> checked again every LOOK_US and whenever an update has arrived; after RETURN_US it goes
 *           back to its owner
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* How long updates may be on their way before the job's owner is asked for a newer replica. */
#define LATE_US ((gint64)5000)
/* How often waiting jobs are checked, and how often their objects are asked for again. */
#define LOOK_US ((gint64)5000)
#define ASK_US  ((gint64)250000)
/* After this time a waiting job goes back. */
#define RETURN_US ((gint64)2000000)

typedef gboolean (*NeedFunc) (gint64 object, gint64 version, gpointer user_data);

/* Calls @func for each object among the arguments, with the version that must be here. Object 0
 * means none. Returns: whether @func returned %TRUE for all */
static gboolean
foreach_need (const ImportedJob *imported, NeedFunc func, gpointer user_data)
{
  SatinSlot *slot = (SatinSlot *)&imported->job.slot;
  const SatinRecord *args = slot_task (slot)->args;
  const char *data = slot_arguments (slot);
  gboolean is_all = TRUE;
  for (guint i = 0; i < args->n_fields; i++)
    {
      const SatinField *field = &args->fields[i], *next = field + 1;
      gint64 object, version = 0;
      if (field->record != &satin_object_kind)
        continue;
      object = *(const gint64 *)(data + field->offset);
      if (object == 0)
        continue;
      if (i + 1 < args->n_fields && next->record == &satin_version_kind)
        version = *(const gint64 *)(data + next->offset);
      is_all &= func (object, version, user_data);
    }
  return is_all;
}

static gboolean
is_any (gint64 object, gint64 version, gpointer user_data)
{
  return FALSE;
}

static gboolean
is_here (gint64 object, gint64 version, gpointer user_data)
{
  SatinSharing *sharing = user_data;
  return sharing->ops->has (sharing, object, version);
}

static gboolean
is_here_at_all (gint64 object, gint64 version, gpointer user_data)
{
  SatinSharing *sharing = user_data;
  return sharing->ops->has (sharing, object, 0);
}

/* Whether the job may begin. If no part has objects, a job that names an object or has a guard may
 * not. */
static gboolean
may_begin (Jobs *self, const ImportedJob *imported)
{
  SatinSlot *slot = (SatinSlot *)&imported->job.slot;
  const SatinTask *task = slot_task (slot);
  SatinSharing *sharing = satin_workers_get_sharing (self->pool);
  if (sharing == NULL)
    return task->guard == NULL && foreach_need (imported, is_any, NULL);
  return foreach_need (imported, is_here, sharing)
         && (task->guard == NULL || task->guard (sharing, slot_arguments (slot)));
}

/* The data of ask_for(): node @from is asked for objects. */
typedef struct
{
  SatinSharing *sharing;
  SatinNodeId from;
} Wish;

static gboolean
ask_for (gint64 object, gint64 version, gpointer user_data)
{
  const Wish *wish = user_data;
  wish->sharing->ops->want (wish->sharing, wish->from, object, version);
  return TRUE;
}

static void
ask (Jobs *self, ImportedJob *imported, gint64 now_us)
{
  SatinJobRef ref = { 0 };
  Wish wish = { .sharing = satin_workers_get_sharing (self->pool) };
  imported->asked_us = now_us;
  if (self->steal != NULL && steal_find_ref (self->steal, imported->import_id, &ref))
    wish.from = ref.owner;
  if (wish.sharing != NULL)
    foreach_need (imported, ask_for, &wish);
}

static void
end_waiting (Jobs *self, ImportedJob *imported)
{
  imported->waits_since_us = 0;
  self->n_waiting--;
}

/* Returns the job to its owner. If that is not possible, the job waits on. */
static void
give_up (Jobs *self, ImportedJob *imported, gint64 now_us)
{
  gpointer hints = imported->has_come_with_hints ? NULL : imported->job.hints;
  if (self->steal == NULL || !steal_return_import (self->steal, imported->import_id, hints))
    {
      imported->waits_since_us = now_us;
      return;
    }
  end_waiting (self, imported);
  imported_give_back (imported);
}

static void
look_at (Jobs *self, ImportedJob *imported, gint64 now_us)
{
  SatinSharing *sharing = satin_workers_get_sharing (self->pool);
  gint64 waited_us = now_us - imported->waits_since_us;
  if (may_begin (self, imported))
    {
      if (self->steal != NULL)
        steal_note_overdue_object (self->steal, imported->waits_since_us);
      end_waiting (self, imported);
      jobs_submit_imported (self, imported, g_steal_pointer (&imported->job.hints));
    }
  else if (sharing == NULL || waited_us >= RETURN_US)
    give_up (self, imported, now_us);
  else if ((imported->asked_us == 0 && waited_us >= LATE_US)
           || (imported->asked_us != 0 && now_us - imported->asked_us >= ASK_US))
    ask (self, imported, now_us);
}

static void look_again (gpointer data);

/* Handles all waiting jobs. look_at() may free a job, so the next job is read before. */
static void
look_at_waiting (Jobs *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  for (ImportedJob *imported = self->imported_jobs, *older; imported != NULL; imported = older)
    {
      older = imported->older;
      if (imported->waits_since_us != 0)
        look_at (self, imported, now_us);
    }
  if (self->n_waiting > 0 && self->guard_timer == 0)
    self->guard_timer = satin_loop_timer_add (self->loop, LOOK_US, look_again, self);
}

static void
look_again (gpointer data)
{
  Jobs *self = data;
  self->guard_timer = 0;
  look_at_waiting (self);
}

static void
on_arrived (gpointer data)
{
  look_at_waiting (data);
}

static const SatinSharingHost host_ops = {
  .struct_size = sizeof (SatinSharingHost),
  .arrived = on_arrived,
};

/**
 * jobs_admit_imported:
 *
 * Queues a job that has just arrived, or makes it wait for its objects and its guard.
 */
void
jobs_admit_imported (Jobs *self, ImportedJob *imported, gpointer hints)
{
  if (may_begin (self, imported))
    {
      jobs_submit_imported (self, imported, hints);
      return;
    }
  SatinSharing *sharing = satin_workers_get_sharing (self->pool);
  gint64 now_us = satin_loop_now_us (self->loop);
  satin_loop_probe (self->loop, "objects.job-waits");
  imported->job.hints = hints;
  imported->waits_since_us = MAX (now_us, 1);
  self->n_waiting++;
  if (sharing != NULL)
    {
      sharing->ops->attach (sharing, &host_ops, self);
      self->is_attached = TRUE;
      if (!foreach_need (imported, is_here_at_all, sharing))
        ask (self, imported, now_us);
    }
  if (self->guard_timer == 0)
    self->guard_timer = satin_loop_timer_add (self->loop, LOOK_US, look_again, self);
}

/* Whether the job waits for objects. If so, it stops waiting, and the caller owns it. */
gboolean
jobs_take_waiting (Jobs *self, ImportedJob *imported)
{
  if (imported->waits_since_us == 0)
    return FALSE;
  end_waiting (self, imported);
  return TRUE;
}

/* Drops all jobs that wait for objects. @func (nullable) is called for each. */
void
jobs_drop_waiting (Jobs *self, void (*func) (guint64 import_id, gpointer user_data),
                   gpointer user_data)
{
  for (ImportedJob *imported = self->imported_jobs, *older; imported != NULL; imported = older)
    {
      older = imported->older;
      if (!jobs_take_waiting (self, imported))
        continue;
      if (func != NULL)
        func (imported->import_id, user_data);
      imported_give_back (imported);
    }
}

void
jobs_guard_free (Jobs *self)
{
  SatinSharing *sharing = satin_workers_get_sharing (self->pool);
  satin_loop_timer_cancel (self->loop, &self->guard_timer);
  if (self->is_attached)
    sharing->ops->attach (sharing, NULL, NULL);
  self->is_attached = FALSE;
}
