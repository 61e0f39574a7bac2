/* landmark.c - finding the oldest queued job of a deep deque
 *
 * Below a deep recursion lie tens of thousands of slots that are running or stolen. A worker that
 * hands out jobs needs the oldest queued slot above them. A long search sets a landmark: a running
 * slot, marked by a bit in its task word, at and below which nothing is queued. The next search
 * starts behind it. A landmark is valid as long as its job runs, because frames below a running job
 * spawn nothing. When the job ends, the mark "done" overwrites the bit. So the fast path does
 * nothing for landmarks.
 *
 * Threads: the owner of the deque, at a safe point.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

/* The most slots that a search looks at, from where it begins. If it sets a landmark, the next
 * search continues there. */
#define SEARCH_MAX 4096
/* A landmark is set only if the search has passed this many slots. So there are few landmarks. */
#define LANDMARK_GAP 64
/* How many of the newest slots are searched too, when such a search has found nothing and could set
 * no landmark. */
#define SEARCH_NEWEST 256

/* Forgets the highest landmarks while their jobs have ended. Returns: the first slot above the
 * highest landmark */
static guint32
first_unknown (Worker *self, guint32 head)
{
  while (self->landmarks->len > 0)
    {
      guint32 last = g_array_index (self->landmarks, guint32, self->landmarks->len - 1);
      if (last < head && (self->fast.slots[last].task & SLOT_LANDMARK))
        return last + 1;
      g_array_set_size (self->landmarks, self->landmarks->len - 1);
    }
  return 0;
}

static guint32
find (Worker *self, guint32 first, guint32 last)
{
  while (first < last && !slot_is_queued (&self->fast.slots[first]))
    first++;
  return first;
}

/* Sets a landmark at the newest running slot in [first, last), where nothing is queued. Returns:
 * whether there was such a slot */
static gboolean
set_landmark (Worker *self, guint32 first, guint32 last)
{
  while (last-- > first)
    {
      SatinSlot *slot = &self->fast.slots[last];
      if (slot_mark (slot) != SATIN_SLOT_RUNNING)
        continue;
      /* Relaxed: a thief may read the word meanwhile, when it looks for the path to a slot above
       * (path.c). */
      SATIN_STORE_RELAXED (&slot->task, slot->task | SLOT_LANDMARK);
      g_array_append_val (self->landmarks, last);
      return TRUE;
    }
  return FALSE;
}

/**
 * worker_find_queued:
 * @first: where the search may begin
 * @head: behind the newest slot
 *
 * Returns: the oldest queued slot from @first on that a bounded search finds, or @head
 */
guint32
worker_find_queued (Worker *self, guint32 first, guint32 head)
{
  guint32 known = first_unknown (self, head);
  guint32 from = MAX (first, known);
  guint32 last = head - from > SEARCH_MAX ? from + SEARCH_MAX : head;
  guint32 found = find (self, from, last);
  gboolean is_marked =
      first <= known && found - from >= LANDMARK_GAP && set_landmark (self, from, found);
  if (found < last)
    return found;
  if (is_marked || last == head)
    return head;
  from = MAX (last, head - MIN (head, SEARCH_NEWEST));
  return find (self, from, head);
}
