/* path.c - where a job from elsewhere begins in a deque, and the path from there to a slot
 *
 * A worker that runs a job from elsewhere puts a *border* below the job's frames: a slot that says
 * where the job came from. So from every slot, a walk down the deque finds the jobs above it in the
 * tree of jobs. The walk goes through the frames to the border. There it goes on in the deque of
 * the worker from which the job was stolen, or it ends at a job from outside the deques.
 *
 *   | border | queued  RUNNING  done | queued  x ...
 *                 ^ child 1            base  ^ child 1 of that: path 1, 1
 *
 * A path is the number of the child in each frame, the oldest frame first. A path may be ambiguous,
 * because a frame that syncs more than once uses numbers again. So at the end of a path, the task
 * and its arguments are compared too.
 *
 * Threads: the owner, or the thread that has claimed the slot. Below a claimed slot nothing changes
 * until it is settled, except for marks, which are exchanged by relaxed stores.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/bytes.h>
#include <satin/core/recovery.h>

#include "pool.h"

/* The longest path, in frames, and the most slots that a search looks at. */
#define PATH_MAX_LEVELS 250
#define PATH_MAX_SLOTS  ((guint32)1 << 16)

static const SatinRecord nothing = { .name = "border" };
static const SatinTask border_task = { .name = "border", .args = &nothing, .result = &nothing };

/* Whether a job from elsewhere begins above this slot, which may be a copy. */
gboolean
worker_is_border (const SatinSlot *slot)
{
  guintptr word = SATIN_LOAD_RELAXED (&slot->task);
  return (word & ~(guintptr)(SATIN_SLOT_MARKS | SLOT_LANDMARK)) == (guintptr)&border_task;
}

/* Whether the slot at @index is a border. Threads: as for the file. */
gboolean
worker_has_border (const Worker *self, guint32 index)
{
  return worker_is_border (&self->fast.slots[index]);
}

/**
 * worker_set_border:
 * @owner: (nullable): the worker to which the slot @source belongs; %NULL when @source is a Job
 * @source: the job that begins above
 * @head: where this worker's deque is free
 *
 * Returns: where the job's children go: above the border, or at @head when the deque is full
 */
SatinSlot *
worker_set_border (Worker *self, const Worker *owner, gpointer source, SatinSlot *head)
{
  if (!worker_has_room (self, head))
    return head;
  head->task = (guintptr)&border_task | SATIN_SLOT_RUNNING;
  head->result = source;
  head->args[0] = (guintptr)owner;
  return head + 1;
}

static SatinSlotMark
mark_at (const Worker *self, guint32 index)
{
  return (SatinSlotMark)(SATIN_LOAD_RELAXED (&self->fast.slots[index].task) & SATIN_SLOT_MARKS);
}

/* The first slot of the frame to which @index belongs. A frame's sync runs its newest slots first,
 * so all older slots still have the mark "queued". */
static guint32
find_base (const Worker *self, guint32 index, guint32 *n_slots)
{
  while (index > 0 && mark_at (self, index - 1) == SATIN_SLOT_QUEUED
         && (*n_slots)++ < PATH_MAX_SLOTS)
    index--;
  return index;
}

/* Like find_base(), but the slot may be done. All newer slots of its frame are done too. */
static guint32
find_base_of_any (const Worker *self, guint32 index, guint32 *n_slots)
{
  while (index > 0 && mark_at (self, index) == SATIN_SLOT_DONE && (*n_slots)++ < PATH_MAX_SLOTS)
    index--;
  return worker_is_border (&self->fast.slots[index]) ? index + 1 : find_base (self, index, n_slots);
}

/* Finds the slot whose job is the frame that begins at @base: it lies below that frame, and below
 * the done slots of its own frame. Returns: FALSE when the search ends without it */
static gboolean
find_below (const Worker *self, guint32 base, guint32 *n_slots, guint32 *ret_index)
{
  guint32 index = base;
  while (index > 0 && mark_at (self, index - 1) == SATIN_SLOT_DONE && (*n_slots)++ < PATH_MAX_SLOTS)
    index--;
  if (index == 0 || mark_at (self, index - 1) != SATIN_SLOT_RUNNING)
    return FALSE;
  *ret_index = index - 1;
  return TRUE;
}

/* Finds the path to the slot @index in the frame that begins at @base. Returns: (nullable): the
 * outside job where the path begins */
static Job *
find_path (const Worker *self, guint32 index, guint32 base, guint32 n_slots, GByteArray *path)
{
  guint32 numbers[PATH_MAX_LEVELS];
  for (guint n = 0; n < PATH_MAX_LEVELS && n_slots < PATH_MAX_SLOTS;)
    {
      numbers[n++] = index - base;
      if (!find_below (self, base, &n_slots, &index))
        return NULL;
      const SatinSlot *below = &self->fast.slots[index];
      if (worker_is_border (below))
        {
          self = (const Worker *)below->args[0];
          if (self == NULL)
            {
              while (n > 0)
                satin_path_append (path, numbers[--n]);
              return below->result;
            }
          index = (const SatinSlot *)below->result - self->fast.slots;
        }
      base = find_base (self, index, &n_slots);
    }
  return NULL;
}

/* Stands for the first slot of a frame whose first slot was not found: the frame is too wide. */
SatinSlot worker_no_base;

/**
 * worker_find_base:
 * @slot: a queued slot of this worker
 * @older: (nullable): an older queued slot, for which this function was called before
 * @older_base: (nullable): the answer to that call
 *
 * Threads: the owner. Returns: the first slot of the frame to which @slot belongs, or
 *   %worker_no_base
 * Cost: O(slots down to @older, or else to the first slot of the frame), at most 65,536 slots
 */
SatinSlot *
worker_find_base (Worker *self, SatinSlot *slot, const SatinSlot *older, SatinSlot *older_base)
{
  const SatinSlot *first = older != NULL ? older : self->fast.slots;
  for (guint32 n = 0; slot > first && slot_mark (slot - 1) == SATIN_SLOT_QUEUED; n++)
    {
      if (n == PATH_MAX_SLOTS)
        return &worker_no_base;
      slot--;
    }
  return slot == older ? older_base : slot;
}

/**
 * worker_find_path:
 * @slot: a job of this worker that the caller has claimed
 * @base: (nullable): the first slot of its frame, from worker_find_base(); %NULL: searches for it
 * @path: the numbers are added to it, as unsigned LEB128
 *
 * Finds the outside job from which the job in @slot descends, and the path from it. Does not look
 * at @slot itself, because its owner marks it when its sync comes there.
 *
 * Returns: (nullable): the outside job; %NULL when it cannot be found, then @path is unchanged
 * Cost: O(slots down to that job, without those above @base), at most 65,536 slots
 */
Job *
worker_find_path (const Worker *self, const SatinSlot *slot, const SatinSlot *base,
                  GByteArray *path)
{
  if (base == &worker_no_base)
    return NULL;
  guint32 n_slots = 0;
  guint32 index = slot - self->fast.slots;
  guint32 first =
      base != NULL ? (guint32)(base - self->fast.slots) : find_base (self, index, &n_slots);
  return find_path (self, index, first, n_slots, path);
}

/* Like worker_find_path(), for any slot. Only for the owner, at a safe point. */
Job *
worker_find_own_path (const Worker *self, const SatinSlot *slot, GByteArray *path)
{
  guint32 n_slots = 0;
  guint32 index = slot - self->fast.slots;
  return find_path (self, index, find_base_of_any (self, index, &n_slots), n_slots, path);
}

/* ---- numbers ---- */

void
satin_path_append (GByteArray *path, guint32 number)
{
  g_return_if_fail (path != NULL);

  guint8 bytes[SATIN_VARINT_MAX_BYTES];
  g_byte_array_append (path, bytes, (guint)(satin_varint_write (bytes, number) - bytes));
}

gboolean
satin_path_next (const guint8 *path, gsize n_path, gsize *at, guint32 *ret_number)
{
  g_return_val_if_fail (path != NULL || n_path == 0, FALSE);
  g_return_val_if_fail (at != NULL && ret_number != NULL, FALSE);

  guint64 number;
  if (!satin_varint_read (path, n_path, at, &number) || number > G_MAXUINT32)
    return FALSE;
  *ret_number = (guint32)number;
  return TRUE;
}

/* ---- levels ---- */

static gint32
count_numbers (const guint8 *path, gsize n_path)
{
  gint32 n = 0;
  guint32 number;
  for (gsize at = 0; satin_path_next (path, n_path, &at, &number);)
    n++;
  return n;
}

static gint32
count_levels (const SatinLineage *lineage, GBytes *path)
{
  gsize n_path;
  const guint8 *bytes = g_bytes_get_data (path, &n_path);
  gint32 n_levels = count_numbers (bytes, n_path);
  for (gsize i = 0; i < lineage->n_hops; i++)
    n_levels += count_numbers (lineage->hops[i].path, lineage->hops[i].n_path);
  return n_levels;
}

gint32
satin_lineage_count_levels (GBytes *lineage, GBytes *path, SatinJobRef *ret_last)
{
  g_return_val_if_fail (lineage != NULL && ret_last != NULL, SATIN_LEVELS_UNKNOWN);

  SatinLineage above;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (lineage, &n_bytes);
  *ret_last = (SatinJobRef){ 0 };
  if (!satin_record_decode (&SatinLineage_record, bytes, n_bytes, &above, NULL))
    return SATIN_LEVELS_UNKNOWN;
  if (above.n_hops > 0)
    {
      const SatinHop *last = &above.hops[above.n_hops - 1];
      *ret_last = (SatinJobRef){ (SatinNodeId)last->owner, last->index, last->generation };
    }
  gboolean is_known = above.is_rooted && path != NULL;
  gint32 n_levels = is_known ? count_levels (&above, path) : SATIN_LEVELS_UNKNOWN;
  satin_record_clear (&SatinLineage_record, &above);
  return n_levels;
}
