/* export.c - handing out jobs from all over a deque, for other nodes
 *
 * A thief on another node pays dearly for each theft, so it is to get many jobs
 * at once, also when each frame of a deep stack has only one to spare. What is
 * public is one range of slots; this is another way out, for single slots
 * anywhere. When asked, the owner exchanges the task of such a slot for its
 * *away* twin, whose run function is satin_run_away(): so a sync that comes to
 * the slot finds out there, without a look on the fast path, whether the job is
 * still here. Until somebody takes it, it is in *stock* and the owner may have
 * it back.
 *
 *   queued --export--> STOCK --owner's sync--> runs here, as if never exported
 *                        +----taken by another node or an idle worker here--> REMOTE or that worker
 *
 * Jobs of the typed form stay: their sync does not look at the task.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/mistake.h>

#include "pool.h"

/* Most slots looked at, and jobs exported, at a time. */
#define EXPORT_SCAN 1024
#define EXPORT_MAX  128

/* Adds the queued slots from @first on to @found, the oldest first. */
static guint
collect (Worker *self, guint32 first, guint32 head, SatinSlot **found)
{
  guint n = 0;
  guint32 last = MIN (head, first + EXPORT_SCAN);
  for (guint32 i = first; i < last && n < EXPORT_MAX; i++)
    {
      SatinSlot *slot = &self->fast.slots[i];
      if (slot_is_queued (slot) && !slot_task (slot)->is_typed)
        found[n++] = slot;
    }
  return n;
}

/* Drops the entries of this worker whose jobs it has back: a slot that is put out anew may hold
 * another task. Called with the pool's lock held. */
static void
drop_stale (Worker *self)
{
  GArray *stock = self->pool->stock;
  guint n_kept = 0;
  for (guint i = 0; i < stock->len; i++)
    {
      Stock entry = g_array_index (stock, Stock, i);
      if (entry.owner != self || SATIN_LOAD_RELAXED (&entry.slot->state) == STATE_STOCK)
        g_array_index (stock, Stock, n_kept++) = entry;
    }
  g_array_set_size (stock, n_kept);
}

/**
 * worker_export:
 * @head: after the newest slot
 *
 * Puts half of the oldest queued jobs into stock.
 *
 * Threads: the owner, at a safe point. Returns: whether there were any
 */
gboolean
worker_export (Worker *self, SatinSlot *head_slot)
{
  SatinSlot *found[EXPORT_MAX];
  if (SATIN_MEMORY_FAILS ("export"))
    return FALSE;
  guint32 first = self->split;
  guint32 head = head_slot - self->fast.slots;
  if (first < head)
    first = worker_find_queued (self, first, head);
  guint n = first < head ? collect (self, first, head, found) : 0;
  n = (n + 1) / 2;
  SatinWorkers *pool = self->pool;
  pthread_mutex_lock (&pool->lock);
  drop_stale (self);
  for (guint i = 0; i < n; i++)
    {
      const SatinTask *task = slot_task (found[i]);
      Stock stock = { .slot = found[i], .task = task, .owner = self };
      /* Relaxed: a thief of a slot above may read it meanwhile (path.c). */
      SATIN_STORE_RELAXED (&found[i]->task, (guintptr)task->twin);
      /* Release: who takes it sees the slot. */
      SATIN_STORE (&found[i]->state, (guintptr)STATE_STOCK);
      g_array_append_val (pool->stock, stock);
    }
  SATIN_STORE_RELAXED (&pool->n_stock, (int)pool->stock->len);
  pthread_mutex_unlock (&pool->lock);
  return n > 0;
}

/**
 * pool_take_stock:
 * @state: who takes it: %STATE_REMOTE or a worker
 * @ret_stock: (out): the oldest job in stock
 *
 * Threads: any. Returns: FALSE when none is there
 */
gboolean
pool_take_stock (SatinWorkers *self, guintptr state, Stock *ret_stock)
{
  gboolean is_taken = FALSE;
  if (SATIN_LOAD_RELAXED (&self->n_stock) == 0)
    return FALSE;
  pthread_mutex_lock (&self->lock);
  guint n_gone = 0;
  while (!is_taken && n_gone < self->stock->len)
    {
      /* An entry whose job its owner has back is passed over. */
      *ret_stock = g_array_index (self->stock, Stock, n_gone++);
      guintptr expected = STATE_STOCK;
      is_taken = SATIN_CAS (&ret_stock->slot->state, &expected, state);
    }
  if (n_gone > 0)
    g_array_remove_range (self->stock, 0, n_gone);
  SATIN_STORE_RELAXED (&self->n_stock, (int)self->stock->len);
  pthread_mutex_unlock (&self->lock);
  return is_taken;
}

/**
 * worker_steal_stock:
 *
 * An idle worker runs a job that was put out for other nodes.
 *
 * Returns: whether there was one
 */
gboolean
worker_steal_stock (Worker *self, SatinSlot *head)
{
  Stock stock;
  if (!pool_take_stock (self->pool, (guintptr)self, &stock))
    return FALSE;
  worker_run_stolen (self, stock.slot, stock.task, head, stock.owner);
  return TRUE;
}

/* The run function of all away twins: the owner's sync has come to an exported slot. */
void
satin_run_away (SatinWorker *worker, SatinSlot *slot, SatinSlot *head)
{
  Worker *self = worker_from (worker);
  guintptr expected = STATE_STOCK;
  if (SATIN_CAS (&slot->state, &expected, (guintptr)STATE_OURS))
    slot_task (slot)->twin->run (worker, slot, head);
  else
    worker_join (self, slot, head);
}
