/* outbox.c - results of guests on their way to the owners, in the order in which they are due
 *
 * A result stays until its owner acknowledges it, and is sent again meanwhile. So where a link is
 * slow there are many: whoever looks for those that are due, or for the one that waits longest,
 * must not look at all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static gint
compare (gint64 left, gint64 right)
{
  return left < right ? -1 : left > right;
}

static gint
compare_tickets (const Guest *left, const Guest *right)
{
  return left->ticket < right->ticket ? -1 : left->ticket > right->ticket;
}

static gint
compare_due (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Guest *left = a, *right = b;
  gint result = compare (left->send_us, right->send_us);
  return result != 0 ? result : compare_tickets (left, right);
}

/* By owner, and of one owner in the order in which they were over. */
static gint
compare_over (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Guest *left = a, *right = b;
  gint result = compare (left->owner, right->owner);
  result = result != 0 ? result : compare (left->over_us, right->over_us);
  return result != 0 ? result : compare_tickets (left, right);
}

static gint
compare_owners (gconstpointer a, gconstpointer b)
{
  const Guest *left = *(const Guest *const *)a, *right = *(const Guest *const *)b;
  if (left->owner != right->owner)
    return left->owner < right->owner ? -1 : 1;
  return compare_tickets (left, right);
}

void
steal_outbox_init (Steal *self)
{
  self->outbox = g_sequence_new (NULL);
  self->unacked = g_sequence_new (NULL);
}

void
steal_outbox_free (Steal *self)
{
  g_sequence_free (self->outbox);
  g_sequence_free (self->unacked);
}

void
steal_outbox_remove (Guest *guest)
{
  g_clear_pointer (&guest->to_send, g_sequence_remove);
  g_clear_pointer (&guest->unacked, g_sequence_remove);
}

void
steal_outbox_update (Steal *self, Guest *guest)
{
  steal_outbox_remove (guest);
  if (!guest->is_over || guest->is_orphan)
    return;
  guest->to_send = g_sequence_insert_sorted (self->outbox, guest, compare_due, NULL);
  if (guest->n_sent > 0)
    guest->unacked = g_sequence_insert_sorted (self->unacked, guest, compare_over, NULL);
}

static Guest *
first_of (GSequence *sequence)
{
  GSequenceIter *first = g_sequence_get_begin_iter (sequence);
  return g_sequence_iter_is_end (first) ? NULL : g_sequence_get (first);
}

GPtrArray *
steal_outbox_take_due (Steal *self, gint64 now_us)
{
  GPtrArray *due = g_ptr_array_new ();
  Guest *guest;
  while ((guest = first_of (self->outbox)) != NULL && guest->send_us <= now_us)
    {
      g_clear_pointer (&guest->to_send, g_sequence_remove);
      g_ptr_array_add (due, guest);
    }
  g_ptr_array_sort (due, compare_owners);
  return due;
}

gint64
steal_outbox_next_us (const Steal *self)
{
  const Guest *guest = first_of (self->outbox);
  return guest != NULL ? guest->send_us : G_MAXINT64;
}

void
steal_outbox_foreach_owner (Steal *self, StealUnackedFunc func, gpointer user_data)
{
  GSequenceIter *first = g_sequence_get_begin_iter (self->unacked);
  while (!g_sequence_iter_is_end (first))
    {
      const Guest *guest = g_sequence_get (first);
      Guest last = { .owner = guest->owner, .over_us = G_MAXINT64, .ticket = G_MAXUINT64 };
      func (self, guest, user_data);
      first = g_sequence_search (self->unacked, &last, compare_over, NULL);
    }
}
