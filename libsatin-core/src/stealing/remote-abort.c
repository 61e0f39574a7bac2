/* remote-abort.c - aborts jobs that other nodes have
 *
 *   owner                                   thief
 *     | ABORT (index, generation) -----------> |  the job's descendants are aborted in turn
 *     | <------------------------------ UNKNOWN |
 *
 * The owner does not wait: it frees its entry at once, and a result that comes later is ignored. It
 * sends ABORT again until the thief answers. If ABORT never reaches the thief, the job runs in
 * vain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* The most aborts that wait for an answer. Any more are sent only once. */
#define MAX_ABORTING 4096

/* A thief that was told to abort a job, and has not answered. */
typedef struct
{
  SatinNodeId thief;
  StealName name;
} Aborting;

static void
send_abort (Steal *self, const Aborting *aborting)
{
  steal_send (self, aborting->thief, STEAL_ABORT, &StealName_record, &aborting->name);
}

static void
tell_again (gpointer user_data)
{
  Steal *self = user_data;
  self->aborts.timer = 0;
  for (guint i = 0; i < self->aborts.told->len; i++)
    send_abort (self, &g_array_index (self->aborts.told, Aborting, i));
  if (self->aborts.told->len > 0)
    self->aborts.timer = satin_loop_timer_add (self->loop, RESEND_US, tell_again, self);
}

static void
tell_thief (Steal *self, const Aborting *aborting)
{
  send_abort (self, aborting);
  self->aborts.n++;
  if (self->aborts.told == NULL)
    self->aborts.told = g_array_new (FALSE, FALSE, sizeof (Aborting));
  if (self->aborts.told->len >= MAX_ABORTING)
    return;
  g_array_append_val (self->aborts.told, *aborting);
  if (self->aborts.timer == 0)
    self->aborts.timer = satin_loop_timer_add (self->loop, RESEND_US, tell_again, self);
}

static void
drop_exported (Steal *self, guint index)
{
  const Export *exported = steal_exports_at (&self->exports, index);
  if (!self->jobs_ops->is_aborted (self->jobs, exported->handle))
    return;
  Aborting aborting = { exported->thief,
                        { .index = (gint32)index, .generation = exported->generation } };
  satin_loop_probe (self->loop, "steal.aborted");
  tell_thief (self, &aborting);
  steal_forget_exported (self, index);
}

void
steal_drop_aborted (Steal *self, gpointer handle)
{
  guint place = steal_exports_find_handle (&self->exports, handle);
  if (place > 0)
    drop_exported (self, place - 1);
  else
    steal_drop_lost (self, handle);
}

void
steal_drop_under (Steal *self, guint64 import_id)
{
  steal_drop_lost_under (self, import_id);
  for (guint place = steal_exports_first_under (&self->exports, import_id), next; place > 0;
       place = next)
    {
      next = steal_exports_at (&self->exports, place - 1)->next_under;
      drop_exported (self, place - 1);
    }
}

/* Aborts an imported job whose result nobody needs any more. */
void
steal_abort_import (Steal *self, Import *import)
{
  guint64 import_id = import->import_id;
  import->is_orphan = import->is_unwanted = TRUE;
  if (import->is_over)
    steal_imports_remove (&self->imports, import);
  else if (!import->is_stored)
    self->jobs_ops->abort (self->jobs, import_id);
}

void
steal_on_abort (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealName *name = data;
  Import *import = steal_imports_find_of (&self->imports, from, name);
  if (import != NULL)
    {
      satin_loop_probe (self->loop, import->is_over ? "steal.abort-late" : "steal.abort");
      guint64 import_id = import->import_id;
      steal_abort_import (self, import);
      steal_drop_under (self, import_id);
    }
  steal_send (self, from, STEAL_UNKNOWN, &StealName_record, name);
}

static gboolean
is_named (const Aborting *self, SatinNodeId thief, gint32 index, gint64 generation)
{
  return self->thief == thief && self->name.index == index && self->name.generation == generation;
}

gboolean
steal_is_aborting (const Steal *self, SatinNodeId thief, gint32 index, gint64 generation)
{
  for (guint i = 0; self->aborts.told != NULL && i < self->aborts.told->len; i++)
    if (is_named (&g_array_index (self->aborts.told, Aborting, i), thief, index, generation))
      return TRUE;
  return FALSE;
}

/* Ends the wait for an answer to ABORT, because @thief does not have the job @name any more. If
 * @name is %NULL, ends all such waits for @thief, which is gone. */
void
steal_abort_answered (Steal *self, SatinNodeId thief, const StealName *name)
{
  for (guint i = self->aborts.told != NULL ? self->aborts.told->len : 0; i-- > 0;)
    {
      const Aborting *aborting = &g_array_index (self->aborts.told, Aborting, i);
      if (name == NULL ? aborting->thief == thief
                       : is_named (aborting, thief, name->index, name->generation))
        g_array_remove_index_fast (self->aborts.told, i);
    }
}

guint
steal_count_aborted (const Steal *self)
{
  return (guint)self->aborts.n;
}

void
steal_abort_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->aborts.timer);
  g_clear_pointer (&self->aborts.told, g_array_unref);
}
