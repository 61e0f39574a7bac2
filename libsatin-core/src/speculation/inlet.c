/* inlet.c - runs inlets, which tell a frame of the end of each child
 *
 * The slot of a child with an inlet has a special form of the task. Its run function runs the job
 * and then the inlet, so the fast path of a sync does nothing for inlets. If another worker or node
 * had the child, the inlet runs when the owner reaches a safe point. The inlet does not wait for
 * the frame's sync: the owner may be running another child of the same frame, or something else on
 * top. So an inlet can abort what runs on top of it.
 *
 *   | F: stolen, DONE   RUNNING | child's frames ... inlet of F
 *        ^ended meanwhile                            ^its own children go here
 *
 * If F calls another task as a plain function, that function's slots follow F's own without a gap.
 * So while an inlet runs, only the slots from F's first to F's last with an inlet certainly belong
 * to F.
 *
 * Threads: the worker that owns the deque.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

/* A call of an inlet off the fast path: outside its frame's sync, after a child that ran at its
 * spawn, or while an error waits. */
typedef struct
{
  SatinInlet inlet;          /* its slot is NULL */
  const SatinHearer *hearer; /* (borrowed) */
  /* (nullable) the slot of the child; NULL if the child ran at its spawn */
  const SatinSlot *slot;
  /* (nullable) behind the newest child that certainly belongs to the frame; NULL: not searched
   * yet */
  SatinSlot *head;
  SatinSlot *top; /* where the inlet's own children go */
  /* (owned) (nullable) the inlet's own error, while the frames on top of its frame are being
   * left */
  GError *failure;
} Early;

static const SatinHearer *
hearer_of (Worker *self, SatinSlot *slot)
{
  return satin_slot_hearer (&self->fast, slot, slot_task (slot)->args->size_bytes);
}

/* Notes for the owner that another thread has ended the job in @slot, which has an inlet. The slot
 * may hold another job by the time the owner reads the note. Threads: any, without the pool's
 * lock. */
void
worker_note_ended (Worker *owner, SatinSlot *slot)
{
  pthread_mutex_lock (&owner->pool->lock);
  g_queue_push_tail (&owner->ended, slot);
  pthread_mutex_unlock (&owner->pool->lock);
  worker_ask (owner, WANT_INLET);
}

/* Returns: (nullable): the next slot that was noted */
static SatinSlot *
next_ended (Worker *self)
{
  pthread_mutex_lock (&self->pool->lock);
  SatinSlot *slot = g_queue_pop_head (&self->ended);
  pthread_mutex_unlock (&self->pool->lock);
  return slot;
}

void
worker_free_inlets (Worker *self)
{
  g_queue_clear (&self->ended);
  g_clear_pointer (&self->deferred, g_array_unref);
}

/* Makes the inlet of @slot wait, because another inlet of the same frame runs, or because the
 * frames on top are being left: there the inlet could spawn nothing. */
static void
defer (Worker *self, SatinSlot *slot)
{
  if (self->deferred == NULL)
    self->deferred = g_array_new (FALSE, FALSE, sizeof slot);
  g_array_append_val (self->deferred, slot);
  self->fast.has_deferred_inlets = TRUE;
}

/* If no inlet runs any more, notes the deferred slots again, so that their inlets run soon. */
void
worker_tell_deferred (Worker *self)
{
  if (!self->fast.has_deferred_inlets || self->fast.inlet != NULL)
    return;
  self->fast.has_deferred_inlets = FALSE;
  for (guint i = 0; i < self->deferred->len; i++)
    worker_note_ended (self, g_array_index (self->deferred, SatinSlot *, i));
  g_array_set_size (self->deferred, 0);
}

/* Calls the inlet. @error: (inout): the child's error (transfer full) (nullable), then the
 * inlet's */
static void
call (Worker *self, Early *early, gpointer result, GError **error)
{
  early->inlet.outer = self->fast.inlet;
  self->fast.inlet = &early->inlet;
  early->hearer->func (&self->fast, early->top, &early->inlet, early->hearer->frame,
                       *error == NULL ? result : NULL, error);
  self->fast.inlet = early->inlet.outer;
  worker_tell_deferred (self);
}

/* Calls the inlet of a frame whose sync is on top of the stack. So the inlet's error goes to that
 * sync. */
static void
call_in_sync (Worker *self, Early *early, gpointer result)
{
  GError *error = NULL;
  if (self->fast.error != NULL)
    {
      error = g_steal_pointer (&self->fast.error);
      worker_restore_limits (self);
    }
  call (self, early, result, &error);
  if (error != NULL)
    worker_fail (self, error);
}

/**
 * satin_inlet_ended:
 * @error: (transfer full) (nullable): for the sync of the inlet's frame
 *
 * Ends a call by satin_child_ended().
 */
void
satin_inlet_ended (SatinWorker *worker, GError *error)
{
  Worker *self = worker_from (worker);
  worker_tell_deferred (self);
  if (error != NULL)
    worker_fail (self, error);
}

/* Whether the frame, or the child alone, was aborted. Kept out of line, because it is rarely
 * called. */
SATIN_SLOW static gboolean
is_in_vain (Worker *self, SatinSlot *slot)
{
  return worker_unwinds (self, slot) || slot_is_dropped (slot);
}

/* Like satin_child_ended(), while an error waits: the error of the child, or the error with which
 * frames are left. */
void
satin_child_failed (SatinWorker *worker, SatinSlot *slot, SatinSlot *head,
                    const SatinHearer *hearer)
{
  Worker *self = worker_from (worker);
  if (is_in_vain (self, slot))
    return;
  Early early = { .hearer = hearer, .slot = slot, .head = head, .top = head };
  call_in_sync (self, &early, slot->result);
  if (self->fast.error == NULL)
    slot_lose_result (slot);
}

void
worker_child_ended (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  satin_child_ended (&self->fast, slot, head, hearer_of (self, slot));
}

/* Like satin_run_exported(), for exported twins with an inlet. */
void
satin_run_inlet_exported (SatinWorker *worker, SatinSlot *slot, SatinSlot *head)
{
  Worker *self = worker_from (worker);
  satin_run_exported (worker, slot, head);
  guintptr flags = SATIN_LOAD (&slot->state) & (STATE_ABORTED | STATE_HEARD);
  if (flags == STATE_HEARD && !is_in_vain (self, slot))
    worker_child_ended (self, slot, head);
}

/**
 * satin_spawn_inlet_slow:
 * @slot: where the job would go: at or above the limit, maybe behind the deque's end
 * @args: its arguments
 *
 * Like satin_spawn_slow(). If the job runs at once, so does its inlet.
 *
 * Returns: the new head
 */
SatinSlot *
satin_spawn_inlet_slow (SatinWorker *worker, SatinSlot *slot, const SatinTask *task,
                        gconstpointer args, gpointer result, SatinHearer hearer)
{
  Worker *self = worker_from (worker);
  if (worker_unwinds (self, slot))
    return slot;
  if (worker_has_room (self, slot))
    {
      worker_fill_slot (self, slot, task, args);
      *satin_slot_hearer (worker, slot, task->args->size_bytes) = hearer;
      return worker_spawn (self, slot, result);
    }
  GError *outer = worker_set_error_aside (self);
  SatinSlot *head = satin_spawn_slow (worker, slot, task->plain, args, result);
  if (!worker_unwinds (self, slot))
    {
      Early early = { .hearer = &hearer, .head = slot, .top = slot };
      call_in_sync (self, &early, result);
    }
  worker_merge_error (self, outer, slot);
  return head;
}

/* ---- inlets outside their frame's sync ---- */

/* Whether the job in @slot has ended elsewhere, was not aborted, and its inlet has not run. */
static gboolean
is_to_be_told (Worker *self, SatinSlot *slot)
{
  const SatinTask *task = slot_task (slot);
  if (!task->has_inlet || slot_mark (slot) != SATIN_SLOT_QUEUED
      || (!task->is_exported && !worker_is_claimed (self, slot - self->fast.slots)))
    return FALSE;
  guintptr state = SATIN_LOAD (&slot->state);
  guintptr word = state & ~(guintptr)STATE_FLAGS;
  const Border *border = worker_find_border (self, slot);
  gboolean is_left = border->aborted != NULL && slot >= border->aborted;
  return (word == STATE_DONE || word == STATE_FAILED) && (state & STATE_HEARD)
         && !(state & STATE_ABORTED) && !is_left;
}

static const SatinHearer *
running_hearer (Worker *self, SatinInlet *inlet)
{
  return inlet->slot != NULL ? hearer_of (self, inlet->slot) : ((Early *)inlet)->hearer;
}

static gboolean
is_in_inlet (Worker *self, const SatinSlot *base)
{
  for (SatinInlet *inlet = self->fast.inlet; inlet != NULL; inlet = inlet->outer)
    if (running_hearer (self, inlet)->base == base)
      return TRUE;
  return FALSE;
}

/* Passes slots with @mark, from @first on. Sets *@head behind the last of them whose inlet belongs
 * to the frame that begins at @base. Returns: the first slot with another mark, or a border, or
 * @last */
static SatinSlot *
pass (Worker *self, SatinSlot *first, SatinSlot *last, SatinSlotMark mark, const SatinSlot *base,
      SatinSlot **head)
{
  SatinSlot *slot = first;
  for (; slot < last && slot_mark (slot) == mark; slot++)
    {
      if (worker_has_border (self, slot - self->fast.slots))
        break;
      if (slot_task (slot)->has_inlet && hearer_of (self, slot)->base == base)
        *head = slot + 1;
    }
  return slot;
}

/* Returns: behind the newest slot that certainly belongs to the frame that begins at @base. A slot
 * with an inlet names its frame. If the running slot belongs to the frame, so do the done slots
 * above it. */
static SatinSlot *
find_head (Worker *self, SatinSlot *base, SatinSlot *top)
{
  SatinSlot *head = base;
  SatinSlot *running = pass (self, base, top, SATIN_SLOT_QUEUED, base, &head);
  SatinSlot *done = pass (self, running, MIN (running + 1, top), SATIN_SLOT_RUNNING, base, &head);
  SatinSlot *end = pass (self, done, top, SATIN_SLOT_DONE, base, &head);
  return head > running ? end : head;
}

/* Marks that the inlet of @slot was called. The inlet's error waits in the slot for the frame's
 * sync, like the error of a child. */
static void
settle_told (SatinSlot *slot, GError *error)
{
  guintptr flags = SATIN_LOAD (&slot->state) & (STATE_FLAGS & ~STATE_HEARD);
  if (error != NULL)
    slot_set_error (slot, error);
  SATIN_STORE (&slot->state, flags | (error != NULL ? STATE_FAILED : STATE_DONE));
}

/* Sets *@error to @own (transfer full) (nullable), unless there is an error already. */
static void
merge_failure (GError **error, GError *own)
{
  if (*error == NULL)
    *error = own;
  else
    g_clear_error (&own);
}

/* Restores the error that waited before, and moves the inlet's own error to *@error. If the inlet
 * has aborted the frames on top (@is_left), their own error counts no more: they see that they are
 * being left. */
static void
take_back (Worker *self, GError *outer, gboolean is_left, GError **error)
{
  if (is_left && outer == NULL)
    return;
  GError *own = worker_take_error_back (self, outer);
  if (is_left && g_error_matches (own, SATIN_ERROR, SATIN_ERROR_ABORTED))
    g_clear_error (&own);
  merge_failure (error, own);
  if (is_left)
    worker_leave_top (self);
}

/**
 * worker_keep_inlet_failure:
 * @head: the head of the frame on top, which is being left
 * @error: (transfer full): only if the result is %TRUE
 *
 * If the frame on top is that of an inlet which has aborted the frames between its own frame and
 * itself, keeps @error for the inlet's frame: such an inlet is not left.
 *
 * Returns: whether @error was kept
 */
gboolean
worker_keep_inlet_failure (Worker *self, const SatinSlot *head, GError *error)
{
  Early *early = (Early *)self->fast.inlet;
  if (early == NULL || early->inlet.slot != NULL || early->top != head)
    return FALSE;
  merge_failure (&early->failure, error);
  return TRUE;
}

static void
tell_early (Worker *self, SatinSlot *slot, SatinSlot *top)
{
  Early early = { .hearer = hearer_of (self, slot), .slot = slot, .top = top };
  if (is_in_inlet (self, early.hearer->base) || worker_unwinds (self, top))
    {
      defer (self, slot);
      return;
    }
  gboolean is_failed = (SATIN_LOAD (&slot->state) & ~(guintptr)STATE_FLAGS) == STATE_FAILED;
  GError *error = is_failed ? slot->result : NULL;
  GError *outer = worker_set_error_aside (self);
  settle_told (slot, NULL);
  if (is_failed)
    slot_lose_result (slot);
  call (self, &early, slot->result, &error);
  merge_failure (&error, early.failure);
  take_back (self, outer, worker_unwinds (self, top), &error);
  if (error != NULL)
    settle_told (slot, error);
}

/* Calls the inlets of children that have ended elsewhere. Looks only at slots that were noted,
 * because there may be tens of thousands of slots below @top. Returns: number of noted slots */
guint
worker_run_inlets (Worker *self, SatinSlot *top)
{
  guint n = 0;
  SATIN_AND (&self->want, ~WANT_INLET);
  for (SatinSlot *slot; (slot = next_ended (self)) != NULL; n++)
    if (slot < top && is_to_be_told (self, slot))
      tell_early (self, slot, top);
  return n;
}

/**
 * satin_inlet_abort:
 * @top: where the inlet's own children begin
 * @result: (nullable): the address for the result of the child to abort; %NULL: aborts all children
 *   but the child that has ended
 *
 * Aborts children of the inlet's frame.
 */
void
satin_inlet_abort (SatinWorker *worker, SatinInlet *inlet, SatinSlot *top, gconstpointer result)
{
  Worker *self = worker_from (worker);
  Early *early = inlet->slot == NULL ? (Early *)inlet : NULL;
  if (early != NULL && self->fast.error != NULL && !worker_unwinds (self, top))
    {
      /* Leaving the frames drops their error, but this error belongs to the inlet. */
      merge_failure (&early->failure, g_steal_pointer (&self->fast.error));
      worker_restore_limits (self);
    }
  SatinSlot *base = running_hearer (self, inlet)->base;
  if (early != NULL && early->head == NULL)
    early->head = find_head (self, base, early->top);
  worker_abort_frame (self, base, early != NULL ? early->head : top, result,
                      early != NULL ? early->slot : inlet->slot, top);
}
