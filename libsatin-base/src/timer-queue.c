/* timer-queue.c - pending timers in a binary heap
 *
 * Timers lie in slots that do not move; the heap holds their order and slot numbers, and
 * each slot knows its place in the heap, so that cancelling needs no search. What is compared lies
 * in the heap itself, as most of a large one is out of the processor's cache. A
 * timer's id is its slot and how often the slot was used before.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/timer-queue.h>

typedef struct
{
  gint64 due_us;
  guint64 number; /* counts the timers added before it */
  guint slot;
} Entry;

typedef struct
{
  guint32 generation; /* from 1; grows when the slot is given back: that of a pending timer's id */
  guint place;        /* in the heap; in the free list: the next free slot */
  SatinCall call;
} Slot;

#define NO_SLOT G_MAXUINT

struct _SatinTimerQueue
{
  GArray *slots; /* (owned) of Slot */
  GArray *heap;  /* (owned) of Entry */
  guint first_free;
  guint64 n_added;
};

SatinTimerQueue *
satin_timer_queue_new (void)
{
  SatinTimerQueue *self = g_new0 (SatinTimerQueue, 1);

  self->slots = g_array_new (FALSE, FALSE, sizeof (Slot));
  self->heap = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->first_free = NO_SLOT;
  return self;
}

void
satin_timer_queue_free (SatinTimerQueue *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->slots);
  g_array_unref (self->heap);
  g_free (self);
}

static Entry *
entry_at (const SatinTimerQueue *self, guint place)
{
  return &g_array_index (self->heap, Entry, place);
}

static gboolean
is_before (const Entry *a, const Entry *b)
{
  return a->due_us != b->due_us ? a->due_us < b->due_us : a->number < b->number;
}

static void
put (SatinTimerQueue *self, guint place, Entry entry)
{
  *entry_at (self, place) = entry;
  g_array_index (self->slots, Slot, entry.slot).place = place;
}

/* Puts @moving, for which there is room at @place, where it belongs, up or down. */
static void
settle (SatinTimerQueue *self, guint place, Entry moving)
{
  while (place > 0 && is_before (&moving, entry_at (self, (place - 1) / 2)))
    {
      put (self, place, *entry_at (self, (place - 1) / 2));
      place = (place - 1) / 2;
    }
  for (guint child = 2 * place + 1; child < self->heap->len; child = 2 * place + 1)
    {
      if (child + 1 < self->heap->len
          && is_before (entry_at (self, child + 1), entry_at (self, child)))
        child++;
      if (!is_before (entry_at (self, child), &moving))
        break;
      put (self, place, *entry_at (self, child));
      place = child;
    }
  put (self, place, moving);
}

static guint
take_free_slot (SatinTimerQueue *self)
{
  guint slot = self->first_free;

  if (slot == NO_SLOT)
    {
      Slot fresh = { .generation = 1 };

      g_array_append_val (self->slots, fresh);
      return self->slots->len - 1;
    }
  self->first_free = g_array_index (self->slots, Slot, slot).place;
  return slot;
}

static void
remove_from_heap (SatinTimerQueue *self, guint place)
{
  guint number = entry_at (self, place)->slot;
  Entry last = *entry_at (self, self->heap->len - 1);
  Slot *slot = &g_array_index (self->slots, Slot, number);

  g_array_set_size (self->heap, self->heap->len - 1);
  if (place < self->heap->len)
    settle (self, place, last);
  slot->generation = MAX (slot->generation + 1, 1);
  slot->place = self->first_free;
  self->first_free = number;
}

SatinTimerId
satin_timer_queue_add (SatinTimerQueue *self, gint64 due_us, SatinLoopFunc func, gpointer user_data)
{
  Entry entry = { .due_us = due_us, .number = self->n_added++, .slot = take_free_slot (self) };
  Slot *slot = &g_array_index (self->slots, Slot, entry.slot);

  slot->call = (SatinCall){ func, user_data };
  g_array_append_val (self->heap, entry);
  settle (self, self->heap->len - 1, entry);
  return (SatinTimerId)slot->generation << 32 | entry.slot;
}

/* Returns: (nullable): the slot of that timer while it is pending */
static const Slot *
find_pending (const SatinTimerQueue *self, SatinTimerId id)
{
  guint number = (guint)(id & G_MAXUINT32);
  const Slot *slot;

  if (number >= self->slots->len)
    return NULL;
  slot = &g_array_index (self->slots, Slot, number);
  return slot->generation == (guint32)(id >> 32) ? slot : NULL;
}

void
satin_timer_queue_cancel (SatinTimerQueue *self, SatinTimerId id)
{
  const Slot *slot = find_pending (self, id);

  if (slot != NULL)
    remove_from_heap (self, slot->place);
}

gint64
satin_timer_queue_get_due_us (const SatinTimerQueue *self, SatinTimerId id)
{
  const Slot *slot = find_pending (self, id);

  return slot != NULL ? entry_at (self, slot->place)->due_us : G_MAXINT64;
}

gint64
satin_timer_queue_first_due_us (const SatinTimerQueue *self)
{
  return self->heap->len == 0 ? G_MAXINT64 : entry_at (self, 0)->due_us;
}

guint64
satin_timer_queue_count_added (const SatinTimerQueue *self)
{
  return self->n_added;
}

gboolean
satin_timer_queue_take (SatinTimerQueue *self, gint64 until_us, guint64 n_added,
                        SatinCall *ret_call)
{
  const Entry *first;

  if (self->heap->len == 0)
    return FALSE;
  first = entry_at (self, 0);
  if (first->due_us > until_us || first->number >= n_added)
    return FALSE;
  *ret_call = g_array_index (self->slots, Slot, first->slot).call;
  remove_from_heap (self, 0);
  return TRUE;
}
