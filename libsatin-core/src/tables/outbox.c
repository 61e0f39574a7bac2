/* outbox.c - results of imported jobs on their way to the owners, ordered by when they are due
 *
 * A result stays until its owner acknowledges it, and is sent again meanwhile. Where a link is
 * slow, many results wait. So two sorted sequences find the results that are due, and for each
 * owner the result that has waited longest, without looking at all results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "imports.h"

static gint
compare (gint64 left, gint64 right)
{
  return left < right ? -1 : left > right;
}

static gint
compare_import_ids (const Import *left, const Import *right)
{
  return left->import_id < right->import_id ? -1 : left->import_id > right->import_id;
}

static gint
compare_due (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Import *left = a, *right = b;
  gint result = compare (left->send_us, right->send_us);
  return result != 0 ? result : compare_import_ids (left, right);
}

/* Orders jobs by owner, and the jobs of one owner by when they ended. */
static gint
compare_over (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Import *left = a, *right = b;
  gint result = compare (left->owner, right->owner);
  result = result != 0 ? result : compare (left->over_us, right->over_us);
  return result != 0 ? result : compare_import_ids (left, right);
}

static gint
compare_owners (gconstpointer a, gconstpointer b)
{
  const Import *left = *(const Import *const *)a, *right = *(const Import *const *)b;
  if (left->owner != right->owner)
    return left->owner < right->owner ? -1 : 1;
  return compare_import_ids (left, right);
}

void
steal_outbox_init (StealOutbox *self)
{
  self->to_send = g_sequence_new (NULL);
  self->unacked = g_sequence_new (NULL);
}

void
steal_outbox_free (StealOutbox *self)
{
  g_sequence_free (self->to_send);
  g_sequence_free (self->unacked);
}

void
steal_outbox_remove (Import *import)
{
  g_clear_pointer (&import->to_send, g_sequence_remove);
  g_clear_pointer (&import->unacked, g_sequence_remove);
}

void
steal_outbox_update (StealOutbox *self, Import *import)
{
  steal_outbox_remove (import);
  if (!import->is_over || import->is_orphan)
    return;
  import->to_send = g_sequence_insert_sorted (self->to_send, import, compare_due, NULL);
  if (import->n_sent > 0)
    import->unacked = g_sequence_insert_sorted (self->unacked, import, compare_over, NULL);
}

static Import *
first_of (GSequence *sequence)
{
  GSequenceIter *first = g_sequence_get_begin_iter (sequence);
  return g_sequence_iter_is_end (first) ? NULL : g_sequence_get (first);
}

GPtrArray *
steal_outbox_take_due (StealOutbox *self, gint64 now_us)
{
  GPtrArray *due = g_ptr_array_new ();
  Import *import;
  while ((import = first_of (self->to_send)) != NULL && import->send_us <= now_us)
    {
      g_clear_pointer (&import->to_send, g_sequence_remove);
      g_ptr_array_add (due, import);
    }
  g_ptr_array_sort (due, compare_owners);
  return due;
}

gint64
steal_outbox_next_us (const StealOutbox *self)
{
  const Import *import = first_of (self->to_send);
  return import != NULL ? import->send_us : G_MAXINT64;
}

void
steal_outbox_foreach_owner (StealOutbox *self, StealUnackedFunc func, gpointer user_data)
{
  GSequenceIter *first = g_sequence_get_begin_iter (self->unacked);
  while (!g_sequence_iter_is_end (first))
    {
      const Import *import = g_sequence_get (first);
      Import last = { .owner = import->owner, .over_us = G_MAXINT64, .import_id = G_MAXUINT64 };
      func (import, user_data);
      first = g_sequence_search (self->unacked, &last, compare_over, NULL);
    }
}
