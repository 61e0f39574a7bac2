/* landmark.c - finding the oldest queued job of a deep deque
 *
 * Below a deep recursion lie tens of thousands of slots that are running or stolen. So they do in
 * front of a loop that has spawned very many jobs. A worker that hands out jobs needs the oldest
 * queued slot above them. A long search sets a landmark: a slot at and below which nothing is
 * queued. The next search starts behind it. Two kinds of slots can be landmarks:
 *
 * - A running slot, marked by a bit in its task word. It is valid while its job runs, because
 *   frames below a running job spawn nothing. When the job ends, the mark "done" overwrites it.
 * - An exported slot. It is valid until its sync, because a frame that has not synced its last jobs
 *   puts new ones above them. Its task word needs no bit: the sync or a new spawn overwrites the
 *   exported twin. Before the slot is exported again, the landmark must be forgotten.
 *
 * So the fast path does nothing for landmarks.
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

/* Whether the job was exported, and was not synced yet. A dropped job does not count, because it
 * may have been dropped right at its spawn. */
static gboolean
is_exported (const SatinSlot *slot)
{
  const SatinTask *task = slot_task (slot);
  return slot_mark (slot) == SATIN_SLOT_QUEUED && task->is_exported && task != &pool_dropped_task;
}

/* Returns: (nullable): the highest landmark */
static const Landmark *
last_landmark (Worker *self)
{
  guint n = self->landmarks->len;
  return n > 0 ? &g_array_index (self->landmarks, Landmark, n - 1) : NULL;
}

static void
drop_last_landmark (Worker *self)
{
  g_array_set_size (self->landmarks, self->landmarks->len - 1);
}

/* Forgets the highest landmarks while they are not valid any more, or do not reach down to @first,
 * where a search begins. Returns: (nullable): the highest landmark that is left */
static const Landmark *
find_landmark (Worker *self, guint32 first, guint32 head)
{
  const Landmark *last;
  while ((last = last_landmark (self)) != NULL)
    {
      const SatinSlot *slot = &self->fast.slots[last->index];
      if (last->index < head && last->first <= first
          && ((slot->task & SLOT_LANDMARK) || is_exported (slot)))
        return last;
      drop_last_landmark (self);
    }
  return NULL;
}

/**
 * worker_forget_landmarks:
 * @slot: a slot that is exported at its spawn, without a search
 *
 * Forgets the landmarks from @slot on: the slot would look like the landmark that it once was.
 */
void
worker_forget_landmarks (Worker *self, const SatinSlot *slot)
{
  const Landmark *last;
  while ((last = last_landmark (self)) != NULL && last->index >= slot - self->fast.slots)
    drop_last_landmark (self);
}

static guint32
find (Worker *self, guint32 first, guint32 last)
{
  while (first < last && !slot_is_queued (&self->fast.slots[first]))
    first++;
  return first;
}

/* Sets a landmark at the newest running or exported slot in [from, last). Nothing is queued in
 * [first, last). Returns: whether there was such a slot */
static gboolean
set_landmark (Worker *self, guint32 first, guint32 from, guint32 last)
{
  while (last-- > from)
    {
      SatinSlot *slot = &self->fast.slots[last];
      gboolean is_running = slot_mark (slot) == SATIN_SLOT_RUNNING;
      if (!is_running && !is_exported (slot))
        continue;
      /* Relaxed: a thief may read the word meanwhile, when it looks for the path to a slot above
       * (path.c). */
      if (is_running)
        SATIN_STORE_RELAXED (&slot->task, slot->task | SLOT_LANDMARK);
      const Landmark landmark = { .index = last, .first = first };
      g_array_append_val (self->landmarks, landmark);
      return TRUE;
    }
  return FALSE;
}

/**
 * worker_find_queued:
 * @first: where the search may begin
 * @head: behind the newest slot
 *
 * Searches a bounded number of slots. If there are more, and a landmark was set, the next search
 * continues behind it: is_search_cut says so.
 *
 * Returns: the oldest queued slot from @first on that the search finds, or @head
 */
guint32
worker_find_queued (Worker *self, guint32 first, guint32 head)
{
  const Landmark *known = find_landmark (self, first, head);
  guint32 from = first, covered = first;
  if (known != NULL && known->index >= first)
    {
      from = known->index + 1;
      covered = known->first;
    }
  guint32 last = head - from > SEARCH_MAX ? from + SEARCH_MAX : head;
  guint32 found = find (self, from, last);
  gboolean is_marked = found - from >= LANDMARK_GAP && set_landmark (self, covered, from, found);
  self->is_search_cut = is_marked && found == last && last < head;
  if (found < last)
    return found;
  if (is_marked || last == head)
    return head;
  from = MAX (last, head - MIN (head, SEARCH_NEWEST));
  return find (self, from, head);
}
