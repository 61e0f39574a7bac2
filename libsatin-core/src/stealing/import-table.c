/* import-table.c - all guests of a node, and how one is found
 *
 * There may be a million. Other nodes call one by its owner and the owner's name for it, its worker
 * by its ticket. Two can have the same owner and name, when one of them is an orphan: these are a
 * chain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static guint
hash_name (gconstpointer data)
{
  const Guest *self = data;
  guint64 word = (guint64)self->name.generation * 31 + (guint32)self->name.index;
  return (guint)(word ^ word >> 32) * 31 + self->owner;
}

static gboolean
is_same_name (gconstpointer a, gconstpointer b)
{
  const Guest *left = a, *right = b;
  return left->owner == right->owner && left->name.index == right->name.index
         && left->name.generation == right->name.generation;
}

void
steal_guests_init (Steal *self)
{
  g_queue_init (&self->guests);
  self->tickets = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->names = g_hash_table_new (hash_name, is_same_name);
}

void
steal_guests_free (Steal *self)
{
  g_hash_table_unref (self->tickets);
  g_hash_table_unref (self->names);
  while (self->guests.head != NULL)
    steal_guest_free (g_queue_pop_head_link (&self->guests)->data);
}

/* At the end of its chain. */
static void
add_name (Steal *self, Guest *guest)
{
  guest->next_named = NULL;
  Guest *last = g_hash_table_lookup (self->names, guest);
  if (last == NULL)
    {
      g_hash_table_add (self->names, guest);
      return;
    }
  while (last->next_named != NULL)
    last = last->next_named;
  last->next_named = guest;
}

static void
remove_name (Steal *self, Guest *guest)
{
  Guest *before = g_hash_table_lookup (self->names, guest);
  if (before == guest)
    {
      g_hash_table_remove (self->names, guest);
      if (guest->next_named != NULL)
        g_hash_table_add (self->names, guest->next_named);
      return;
    }
  while (before->next_named != guest)
    before = before->next_named;
  before->next_named = guest->next_named;
}

/* @guest: (transfer full) */
void
steal_enlist_guest (Steal *self, Guest *guest)
{
  guest->ticket = ++self->last_ticket;
  guest->link.data = guest;
  g_queue_push_tail_link (&self->guests, &guest->link);
  g_hash_table_insert (self->tickets, &guest->ticket, guest);
  add_name (self, guest);
  steal_outbox_update (self, guest);
}

/* Returns: (nullable): the guest with that ticket */
Guest *
steal_find_guest (const Steal *self, guint64 ticket)
{
  return g_hash_table_lookup (self->tickets, &ticket);
}

/* Returns: (nullable): the oldest of that owner and name */
static Guest *
find_named (const Steal *self, SatinNodeId owner, const StealName *name)
{
  const Guest key = { .owner = owner, .name = *name };
  return g_hash_table_lookup (self->names, &key);
}

/* Returns: (nullable): what @owner, who has not been lost, lent under that name */
Guest *
steal_find_guest_of (const Steal *self, SatinNodeId owner, const StealName *name)
{
  Guest *guest = find_named (self, owner, name);
  while (guest != NULL && guest->is_orphan)
    guest = guest->next_named;
  return guest;
}

/* Returns: (nullable): what @owner, who is lost, had lent under that name, and somebody may want */
Guest *
steal_find_orphan (const Steal *self, SatinNodeId owner, const StealName *name)
{
  Guest *guest = find_named (self, owner, name);
  while (guest != NULL && (!guest->is_orphan || guest->is_unwanted))
    guest = guest->next_named;
  return guest;
}

/* It is lent by somebody else now. */
void
steal_rename_guest (Steal *self, Guest *guest, SatinNodeId owner, const StealName *name)
{
  steal_outbox_remove (guest);
  remove_name (self, guest);
  guest->owner = owner;
  guest->name = *name;
  add_name (self, guest);
  steal_outbox_update (self, guest);
}

void
steal_forget_guest (Steal *self, Guest *guest)
{
  steal_outbox_remove (guest);
  remove_name (self, guest);
  g_hash_table_remove (self->tickets, &guest->ticket);
  g_queue_unlink (&self->guests, &guest->link);
  steal_guest_free (guest);
}

GArray *
steal_list_guests_of (const Steal *self, SatinNodeId owner)
{
  GArray *tickets = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (const GList *item = self->guests.tail; item != NULL; item = item->prev)
    {
      const Guest *guest = item->data;
      if (guest->owner == owner && !guest->is_orphan)
        g_array_append_val (tickets, guest->ticket);
    }
  return tickets;
}
