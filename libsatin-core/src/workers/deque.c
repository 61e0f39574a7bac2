/* deque.c - publishing, taking back and claiming slots
 *
 * The owner's view of one deque, by index:
 *
 *     stolen   running  done  queued   ...   queued
 *   |  0  1  |    2      3  |   4  5  |    6 ... head
 *                           ^tail     ^split
 *
 * Slots 0 and 1 were public and were stolen. Slots 2 and 3 can never be stolen, so the current
 * region begins at 4. The region before it (region 0, split 2) is kept aside. That region returns
 * when the last job of the current region is back or done, so split is never above a slot that the
 * owner may fill again. The gap between two regions is private. In a deep stack the gap may hold
 * queued slots too, because the search for the oldest queued slot is bounded (landmark.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>
#include <satin/base/sorted.h>

#include "pool.h"

#include <errno.h>
#include <sys/mman.h>

/* The most slots that are counted to find half of the queued jobs. */
#define PUBLISH_SCAN 256

#define COMMIT_SLOTS ((gsize)1024)

static inline guint64
pack (guint32 tail, guint32 split)
{
  return (guint64)split << 32 | tail;
}

static gpointer
reserve (gsize n_bytes)
{
  gpointer memory =
      mmap (NULL, n_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static gboolean
commit (Worker *self, gsize from, gsize to)
{
  return mprotect (self->fast.slots + from, (to - from) * sizeof (SatinSlot),
                   PROT_READ | PROT_WRITE)
             == 0
         && (self->fast.side == NULL
             || mprotect (self->fast.side + from * SATIN_ARGS_MAX_BYTES,
                          (to - from) * SATIN_ARGS_MAX_BYTES, PROT_READ | PROT_WRITE)
                    == 0);
}

/**
 * worker_open_deque:
 * @deque_slots: the most slots, a multiple of 64
 * @has_side: whether jobs may need room beside their slots
 *
 * Reserves addresses for all slots and memory for the first few. The room beside the slots takes
 * eight times the addresses of the slots, so a program with small tasks has none.
 */
gboolean
worker_open_deque (Worker *self, gsize deque_slots, gboolean has_side, GError **error)
{
  gsize first = MIN (deque_slots, COMMIT_SLOTS);
  self->deque_slots = deque_slots;
  self->below = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->landmarks = g_array_new (FALSE, FALSE, sizeof (Landmark));
  self->fast.slots = reserve (deque_slots * sizeof (SatinSlot));
  if (has_side)
    self->fast.side = reserve (deque_slots * SATIN_ARGS_MAX_BYTES);
  if (self->fast.slots == NULL || (has_side && self->fast.side == NULL) || !commit (self, 0, first))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                   "no memory for a deque of %" G_GSIZE_FORMAT " jobs: %s; set SATIN_DEQUE lower",
                   deque_slots, g_strerror (errno));
      worker_close_deque (self);
      return FALSE;
    }
  self->end = self->fast.slots + first;
  worker_restore_limits (self);
  return TRUE;
}

void
worker_close_deque (Worker *self)
{
  if (self->fast.slots != NULL)
    munmap (self->fast.slots, self->deque_slots * sizeof (SatinSlot));
  if (self->fast.side != NULL)
    munmap (self->fast.side, self->deque_slots * SATIN_ARGS_MAX_BYTES);
  self->fast.slots = NULL;
  self->fast.side = NULL;
  g_clear_pointer (&self->below, g_array_unref);
  g_clear_pointer (&self->landmarks, g_array_unref);
}

/* Doubles the usable part. Returns: FALSE when that fails or the deque has its full size */
gboolean
worker_grow_deque (Worker *self)
{
  SATIN_INJECT_NO_MEMORY ("grow-deque", return FALSE);
  gsize now = self->end - self->fast.slots;
  gsize next = MIN (now * 2, self->deque_slots);
  if (next == now || !commit (self, now, next))
    return FALSE;
  self->end = self->fast.slots + next;
  return TRUE;
}

/* Whether @slot may be filled. Grows the deque for @slot if need be. If typed jobs ran at their
 * spawn for lack of room, the head of their frame is behind the deque's end, and so are the heads
 * of the frames that this frame calls. */
gboolean
worker_has_room (Worker *self, SatinSlot *slot)
{
  return slot < self->end || (slot == self->end && worker_grow_deque (self));
}

/**
 * worker_restore_limits:
 *
 * Sets limit and join, which other threads may have poisoned, to the values that the deque needs.
 * While other threads have wishes, the next spawn is slow. The next sync is slow, too, unless only
 * a spawn can help: in a long row of syncs, a wish would be forgotten otherwise.
 *
 * Returns: the wishes of other threads
 */
int
worker_restore_limits (Worker *self)
{
  SatinSlot *join = self->fast.slots + self->split;
  /* Join stays poisoned in three cases. A typed sync must first look for jobs that ran at their
   * spawn; a child must not see the error of another child; and frames that are left must
   * notice. */
  gboolean is_leaving = self->border != NULL && self->border->aborted != NULL;
  if ((self->inlined != NULL && self->inlined->len > 0) || self->fast.error != NULL || is_leaving)
    join = POISONED_JOIN;
  const Looking *looking = self->looking;
  if (looking != NULL)
    join = MAX (join, looking->base + 1);
  SATIN_STORE_RELAXED (&self->fast.limit, self->end);
  SATIN_STORE_RELAXED (&self->fast.join, join);
  satin_fence (); /* if this overwrote a poison, the wish is visible here: worker_ask() */
  int want = SATIN_LOAD_RELAXED (&self->want);
  if (want != 0 || is_leaving || (looking != NULL && looking->is_spawning))
    SATIN_STORE_RELAXED (&self->fast.limit, POISONED_LIMIT);
  if (want & ~self->want_at_spawn)
    SATIN_STORE_RELAXED (&self->fast.join, POISONED_JOIN);
  return want;
}

/* Marks @n slots from @first as public and lets thieves see them. */
static void
show (Worker *self, guint32 first, guint32 n, gboolean is_new_region)
{
  for (guint32 i = first; i < first + n; i++)
    {
      SatinSlot *slot = &self->fast.slots[i];
      SATIN_STORE_RELAXED (&slot->state, state_for_task (STATE_PUBLIC, slot_task (slot)));
    }
  /* Release: a thief that sees the new split sees the contents of the slots. */
  if (is_new_region)
    SATIN_STORE (&self->ts, pack (first, first + n));
  else
    SATIN_ADD_RELEASE (&self->ts, (guint64)n << 32);
  self->split = first + n;
}

static guint32
count_queued (Worker *self, guint32 first, guint32 head)
{
  guint32 last = MIN (head, first + PUBLISH_SCAN);
  guint32 i = first;
  while (i < last && slot_is_queued (&self->fast.slots[i]))
    i++;
  return i - first;
}

/* Keeps the current region and begins a new one at @first. */
static void
push_region (Worker *self, guint32 first)
{
  guint64 region = pack (self->region, self->split);
  g_array_append_val (self->below, region);
  self->region = first;
  self->n_regions++;
}

/**
 * worker_publish:
 * @head: behind the newest slot
 *
 * Publishes half of the oldest run of queued private slots, at least one. While other slots are
 * public, the run must begin right behind them.
 *
 * Threads: the owner. Returns: whether there was any
 */
gboolean
worker_publish (Worker *self, SatinSlot *head_slot)
{
  guint32 head = head_slot - self->fast.slots;
  guint32 first = self->split;
  guint32 tail = (guint32)SATIN_LOAD_RELAXED (&self->ts);
  gboolean is_empty = tail == self->split;
  if (is_empty && first < head)
    first = worker_find_queued (self, first, head);
  guint32 n = first < head ? count_queued (self, first, head) : 0;
  if (n == 0)
    return FALSE;
  if (first != self->split)
    push_region (self, first);
  show (self, first, (n + 1) / 2, is_empty);
  return TRUE;
}

/* Sets split and tail to @index. Call it when nothing is public. While @index is not above the
 * start of the current region, the older region returns; if the split of that region is below
 * @index, split and tail are set to that. */
void
worker_lower_split (Worker *self, guint32 index)
{
  while (self->n_regions > 0 && index <= self->region)
    {
      self->n_regions--;
      guint64 below = g_array_index (self->below, guint64, self->n_regions);
      g_array_set_size (self->below, self->n_regions);
      self->region = (guint32)below;
      index = MIN (index, (guint32)(below >> 32));
    }
  self->split = index;
  /* Relaxed would do, because an empty public part shows thieves nothing. */
  SATIN_STORE (&self->ts, pack (index, index));
}

/**
 * worker_take_back:
 * @slot: the newest public slot, below split
 *
 * Tries to make the slot private again. If no worker is idle, takes back half of the public slots.
 *
 * Threads: the owner. Returns: FALSE when it was stolen
 */
gboolean
worker_take_back (Worker *self, SatinSlot *slot)
{
  guint32 index = slot - self->fast.slots;
  guint64 ts = SATIN_LOAD_RELAXED (&self->ts);
  gboolean is_wanted = pool_count_idle (self->pool) > 0;
  for (;;)
    {
      guint32 tail = (guint32)ts;
      guint32 split = (guint32)(ts >> 32);
      if (tail > index || tail >= split)
        return FALSE;
      guint32 next = is_wanted ? index : MIN (index, tail + (split - tail) / 2);
      if (SATIN_CAS (&self->ts, &ts, pack (tail, next)))
        {
          self->split = next;
          if (tail == next)
            worker_lower_split (self, next);
          worker_restore_limits (self);
          return TRUE;
        }
    }
}

/* Claims the oldest public slot. Threads: any but the owner's. Returns: (nullable): the slot; %NULL
 * when nothing is public, or when another thread has changed the public part meanwhile */
SatinSlot *
worker_claim_oldest (Worker *victim)
{
  guint64 ts = SATIN_LOAD (&victim->ts);
  guint32 tail = (guint32)ts;
  guint32 split = (guint32)(ts >> 32);
  if (tail >= split || !SATIN_CAS (&victim->ts, &ts, ts + 1))
    return NULL;
  /* Pairs with the fence in abort_queued(): if the owner does not see this claim, the thief sees
   * that the owner has dropped the job. */
  satin_fence ();
  return &victim->fast.slots[tail];
}

/* Returns: how many of the regions below the current one begin at or below @index */
static guint
count_regions_from (const Worker *self, guint32 index)
{
  return SATIN_SORTED_PLACE (i, self->n_regions,
                             (guint32)g_array_index (self->below, guint64, i) <= index);
}

/* Whether the slot at @index was claimed. Only a slot that was public in its region can be claimed.
 * Threads: the owner. Cost: O(log of the number of regions). */
gboolean
worker_is_claimed (Worker *self, guint32 index)
{
  guint32 tail = (guint32)SATIN_LOAD (&self->ts);
  if (index >= self->region)
    return index < tail;
  guint n = count_regions_from (self, index);
  return n > 0 && index < (guint32)(g_array_index (self->below, guint64, n - 1) >> 32);
}

/* Returns: how many slots can be claimed. Threads: any */
guint
worker_count_public (Worker *self)
{
  guint64 ts = SATIN_LOAD_RELAXED (&self->ts);
  guint32 tail = (guint32)ts;
  guint32 split = (guint32)(ts >> 32);
  return tail < split ? split - tail : 0;
}

gboolean
worker_has_public (Worker *self)
{
  return worker_count_public (self) > 0;
}
