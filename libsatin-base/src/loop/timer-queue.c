/* timer-queue.c - pending timers in a heap
 *
 * Timers lie in slots, which do not move. The heap holds their order and slot numbers. Each slot
 * knows its place in the heap, so cancelling needs no search. The keys that are compared lie in the
 * heap itself, and each entry has four children, because most of a large heap is not in the
 * processor's cache. A timer's id consists of its slot and of how often the slot was used before.
 * Both arrays have the same room, which grows by half, because a simulation has many small queues.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/timer-queue.h>

typedef struct
{
  gint64 due_us;
  guint64 number; /* how many timers were added before it */
  guint slot;
} Entry;

typedef struct
{
  guint32 generation; /* from 1; part of a pending timer's id; grows when the slot is freed */
  guint place;        /* place in the heap; of a free slot: the next free slot */
  SatinCall call;
} Slot;

#define NO_SLOT  G_MAXUINT
#define MIN_ROOM 4u

/* Children of an entry; they lie side by side. */
#define N_CHILDREN 4u

struct _SatinTimerQueue
{
  Slot *slots; /* (owned) (array length=n_slots) */
  Entry *heap; /* (owned) (array length=n_pending) */
  guint n_slots;
  guint n_pending;
  guint n_room; /* entries for which both arrays have room */
  guint first_free;
  guint64 n_added;
};

SatinTimerQueue *
satin_timer_queue_new (void)
{
  SatinTimerQueue *self = g_new0 (SatinTimerQueue, 1);

  self->first_free = NO_SLOT;
  return self;
}

void
satin_timer_queue_free (SatinTimerQueue *self)
{
  if (self == NULL)
    return;
  g_free (self->slots);
  g_free (self->heap);
  g_free (self);
}

static gboolean
is_before (const Entry *a, const Entry *b)
{
  return a->due_us != b->due_us ? a->due_us < b->due_us : a->number < b->number;
}

static void
put (SatinTimerQueue *self, guint place, Entry entry)
{
  self->heap[place] = entry;
  self->slots[entry.slot].place = place;
}

/* Returns: the child of @place that is due first; n_pending or more when there is none */
static guint
find_first_child (const SatinTimerQueue *self, guint place)
{
  guint first = N_CHILDREN * place + 1;
  guint end = MIN (first + N_CHILDREN, self->n_pending);

  for (guint child = first + 1; child < end; child++)
    if (is_before (&self->heap[child], &self->heap[first]))
      first = child;
  return first;
}

/* Puts @moving into the heap: at @place, which is free, or above or below it. */
static void
settle (SatinTimerQueue *self, guint place, Entry moving)
{
  while (place > 0 && is_before (&moving, &self->heap[(place - 1) / N_CHILDREN]))
    {
      put (self, place, self->heap[(place - 1) / N_CHILDREN]);
      place = (place - 1) / N_CHILDREN;
    }
  for (guint child = find_first_child (self, place);
       child < self->n_pending && is_before (&self->heap[child], &moving);
       child = find_first_child (self, place))
    {
      put (self, place, self->heap[child]);
      place = child;
    }
  put (self, place, moving);
}

static void
make_room (SatinTimerQueue *self)
{
  self->n_room += MAX (self->n_room / 2, MIN_ROOM);
  self->slots = g_renew (Slot, self->slots, self->n_room);
  self->heap = g_renew (Entry, self->heap, self->n_room);
}

static guint
take_free_slot (SatinTimerQueue *self)
{
  guint slot = self->first_free;

  if (slot != NO_SLOT)
    {
      self->first_free = self->slots[slot].place;
      return slot;
    }
  if (self->n_slots == self->n_room)
    make_room (self);
  self->slots[self->n_slots] = (Slot){ .generation = 1 };
  return self->n_slots++;
}

static void
remove_from_heap (SatinTimerQueue *self, guint place)
{
  guint number = self->heap[place].slot;
  Slot *slot = &self->slots[number];
  Entry last = self->heap[--self->n_pending];

  if (place < self->n_pending)
    settle (self, place, last);
  slot->generation = MAX (slot->generation + 1, 1);
  slot->place = self->first_free;
  self->first_free = number;
}

SatinTimerId
satin_timer_queue_add (SatinTimerQueue *self, gint64 due_us, SatinLoopFunc func, gpointer user_data)
{
  Entry entry = { .due_us = due_us, .number = self->n_added++, .slot = take_free_slot (self) };
  Slot *slot = &self->slots[entry.slot];

  slot->call = (SatinCall){ func, user_data };
  settle (self, self->n_pending++, entry);
  return (SatinTimerId)slot->generation << 32 | entry.slot;
}

/* Returns: (nullable): the slot of timer @id while it is pending */
static const Slot *
find_pending (const SatinTimerQueue *self, SatinTimerId id)
{
  guint number = (guint)(id & G_MAXUINT32);
  const Slot *slot;

  if (number >= self->n_slots)
    return NULL;
  slot = &self->slots[number];
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

  return slot != NULL ? self->heap[slot->place].due_us : G_MAXINT64;
}

gint64
satin_timer_queue_first_due_us (const SatinTimerQueue *self)
{
  return self->n_pending == 0 ? G_MAXINT64 : self->heap[0].due_us;
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

  if (self->n_pending == 0)
    return FALSE;
  first = &self->heap[0];
  if (first->due_us > until_us || first->number >= n_added)
    return FALSE;
  *ret_call = self->slots[first->slot].call;
  remove_from_heap (self, 0);
  return TRUE;
}
