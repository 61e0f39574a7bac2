/* inspect-waits.c - what stealing waits for, for worlds and tools that check a node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

guint
steal_count_imports (const Steal *self)
{
  guint n = 0;
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    n += !((const Import *)item->data)->is_over;
  return n;
}

void
steal_foreach_ref (const Steal *self, SatinJobRefFunc func, gpointer user_data)
{
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    {
      const Import *import = item->data;
      const SatinJobRef ref = { import->owner, import->name.index, import->name.generation };
      if (!import->is_over && !import->is_orphan)
        func (&ref, user_data);
    }
}

gboolean
steal_wants (const Steal *self, SatinNodeId thief, const SatinJobRef *ref)
{
  /* A node that saves its work will still tell the thieves that nobody waits for their jobs. */
  if (steal_is_saving (self) || steal_is_aborting (self, thief, ref->index, ref->generation))
    return TRUE;
  if ((guint)ref->index >= self->exports.jobs->len)
    return FALSE;
  const Export *exported = steal_exports_at (&self->exports, ref->index);
  return exported->handle != NULL && exported->thief == thief
         && exported->generation == ref->generation;
}

static void
add_asked (const Asked *asked, SatinWaitFunc add, gpointer user_data)
{
  SatinWait wait = { "an answer to a request", asked->to, asked->sent_us, asked->timer };
  if (asked->to != 0)
    add (&wait, user_data);
}

/* Adds one wait for all unacknowledged results, with the data of the oldest: one timer sends them
 * all again. */
static void
add_results (const Steal *self, SatinWaitFunc add, gpointer user_data)
{
  const Import *oldest = NULL;
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    {
      const Import *import = item->data;
      if (import->is_over && !import->is_orphan
          && (oldest == NULL || import->over_us < oldest->over_us))
        oldest = import;
    }
  if (oldest == NULL)
    return;
  SatinWait wait = { "a result to be acknowledged", oldest->owner, oldest->over_us,
                     self->returning.timer };
  add (&wait, user_data);
}

void
steal_waits (const Steal *self, SatinWaitFunc add, gpointer user_data)
{
  const struct
  {
    guint n;
    SatinWait wait;
  } rest[] = {
    { self->exports.n,
      { .what = "results of exported jobs", .deadline = self->serving.query_timer } },
    { self->serving.pending->len,
      { .what = "jobs for a pending request", .deadline = self->serving.hold_timer } },
    { steal_is_gathering (self) ? 0 : self->batches.all->len,
      { .what = "results to be kept", .deadline = self->batches.timer } },
    { self->aborts.told != NULL ? self->aborts.told->len : 0,
      { .what = "answers to aborts", .deadline = self->aborts.timer } },
    { self->accepting.due->len,
      { .what = "a time to acknowledge results", .deadline = self->accepting.timer } },
  };
  add_asked (&self->asking.near, add, user_data);
  add_asked (&self->asking.far, add, user_data);
  add_results (self, add, user_data);
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    if (rest[i].n > 0)
      add (&rest[i].wait, user_data);
}
