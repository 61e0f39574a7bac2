/* steal-leaving.c - a node that will leave: jobs of others that it has not begun go back
 *
 * A thief that does not know a job says UNKNOWN, and its owner takes it back; so nothing more is
 * needed to return one. If that message is lost, the owner hears the same when it asks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-private.h"

static void
return_guest (guint64 ticket, gpointer user_data)
{
  Steal *self = user_data;
  Guest *guest = steal_find_guest (self, ticket);
  if (guest == NULL)
    return;
  satin_loop_probe (self->loop, "steal.guest-returned");
  if (!guest->is_orphan)
    steal_send (self, guest->owner, STEAL_UNKNOWN, &StealName_record, &guest->name);
  steal_forget_guest (self, guest);
}

void
steal_leave (Steal *self)
{
  steal_quiet (self);
  self->is_leaving = TRUE;
  self->jobs_ops->give_back (self->jobs, return_guest, self);
}

void
steal_stay (Steal *self)
{
  self->is_quiet = self->is_leaving = FALSE;
  steal_consider (self);
}

/* They were under way when this node said that it leaves. */
void
steal_return_jobs (Steal *self, SatinNodeId from, const StealJobsMessage *message)
{
  satin_loop_probe (self->loop, "steal.jobs-returned");
  for (gsize i = 0; i < message->n_jobs; i++)
    {
      const StealName name = { .index = message->jobs[i].index,
                               .generation = message->jobs[i].generation };
      steal_send (self, from, STEAL_UNKNOWN, &StealName_record, &name);
    }
}

/* What it has lent itself belongs to such jobs, which have not ended then. */
gboolean
steal_is_owing (const Steal *self)
{
  for (guint i = 0; i < self->guest_list->len; i++)
    if (!((const Guest *)g_ptr_array_index (self->guest_list, i))->is_orphan)
      return TRUE;
  return FALSE;
}
