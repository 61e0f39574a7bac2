/* inlet.c - tells a frame of its children, one by one
 *
 * A child with an inlet has a task of its own kind in its slot, whose run function runs the job as
 * ever and then the inlet; so the fast path of a sync knows nothing of inlets. One that another
 * worker or node had is told when its owner comes by, also while that runs another child of the
 * same frame or something else on top: so it may be aborted at once.
 *
 *   | F: stolen, DONE   RUNNING | child's frames ... inlet of F
 *        ^ended meanwhile                            ^its own children go here
 *
 * What F has called as a plain function shares its part of the deque: so what belongs to F for
 * certain, then, are the slots from its first one to the last that was spawned with an inlet.
 *
 * Threads: the worker that owns the deque.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

/* One that does not run where its frame's sync has run the child. */
typedef struct
{
  SatinInlet inlet;          /* without a slot */
  const SatinHearer *hearer; /* (borrowed) */
  const SatinSlot
      *slot;       /* (nullable) of the child that has ended; of one run at once there is none */
  SatinSlot *head; /* (nullable) after the newest child that is known to be of the frame; NULL: it
                      was not looked for yet */
  SatinSlot *top;  /* where its own children go */
  GError *failure; /* (owned) (nullable) its own, while the frames on top of it are being left */
} Early;

static const SatinHearer *
hearer_of (Worker *self, SatinSlot *slot)
{
  return satin_slot_hearer (&self->fast, slot, slot_task (slot)->args->size_bytes);
}

/* A job in @slot of that worker, which has an inlet, was ended by somebody else: its worker tells
 * the inlet when it comes by. The slot may be another job's by then. Threads: any, without the
 * pool's lock. */
void
worker_note_ended (Worker *owner, SatinSlot *slot)
{
  pthread_mutex_lock (&owner->pool->lock);
  g_queue_push_tail (&owner->ended, slot);
  pthread_mutex_unlock (&owner->pool->lock);
  worker_ask (owner, WANT_INLET);
}

/* Returns: (nullable): the next that was noted */
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

/* Another inlet of the same frame runs. */
static void
defer (Worker *self, SatinSlot *slot)
{
  if (self->deferred == NULL)
    self->deferred = g_array_new (FALSE, FALSE, sizeof slot);
  g_array_append_val (self->deferred, slot);
  self->fast.has_deferred_inlets = TRUE;
}

/* Those of the same frame that had to wait are told now. */
static void
tell_deferred (Worker *self)
{
  if (!self->fast.has_deferred_inlets || self->fast.inlet != NULL)
    return;
  self->fast.has_deferred_inlets = FALSE;
  for (guint i = 0; i < self->deferred->len; i++)
    worker_note_ended (self, g_array_index (self->deferred, SatinSlot *, i));
  g_array_set_size (self->deferred, 0);
}

/* @error: (transfer full) (nullable): of the child */
static void
call (Worker *self, Early *early, gpointer result, GError **error)
{
  early->inlet.outer = self->fast.inlet;
  self->fast.inlet = &early->inlet;
  early->hearer->func (&self->fast, early->top, &early->inlet, early->hearer->frame,
                       *error == NULL ? result : NULL, error);
  self->fast.inlet = early->inlet.outer;
  tell_deferred (self);
}

/* Calls it where the frame's sync is on top, so that what fails goes to that. */
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
 * As satin_child_ended() has called it.
 */
void
satin_inlet_ended (SatinWorker *worker, GError *error)
{
  Worker *self = worker_from (worker);
  tell_deferred (self);
  if (error != NULL)
    worker_fail (self, error);
}

/* Cold: the frame, or the child alone, may have been aborted. */
SATIN_SLOW static gboolean
is_in_vain (Worker *self, SatinSlot *slot)
{
  return worker_unwinds (self, slot) || slot_is_dropped (slot);
}

/* As satin_child_ended(), while an error waits: that of the child, or one for which frames are
 * left. */
void
satin_child_failed (SatinWorker *worker, SatinSlot *slot, SatinSlot *head,
                    const SatinHearer *hearer)
{
  Worker *self = worker_from (worker);
  if (is_in_vain (self, slot))
    return;
  Early early = { .hearer = hearer, .slot = slot, .head = head, .top = head };
  call_in_sync (self, &early, slot->result);
}

void
worker_child_ended (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  satin_child_ended (&self->fast, slot, head, hearer_of (self, slot));
}

/* Likewise of their away twins. */
void
satin_run_inlet_exported (SatinWorker *worker, SatinSlot *slot, SatinSlot *head)
{
  Worker *self = worker_from (worker);
  satin_run_exported (worker, slot, head);
  guintptr flags = SATIN_LOAD (&slot->state) & (STATE_ABORTED | STATE_HEARD);
  if (flags == STATE_HEARD)
    worker_child_ended (self, slot, head);
}

/**
 * satin_spawn_inlet_slow:
 * @slot: where the job would go, at or above the limit, maybe after the deque's end
 * @args: its arguments
 *
 * As satin_spawn_slow(); a job that is run at once is told at once.
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
  worker_merge_error (self, outer);
  return head;
}

/* ---- early ones ---- */

/* Whether another worker or node had the job in @slot, and has ended it, and nobody was told. */
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

/* How far slots with @mark go from @first on; after the last that says it is of the frame that
 * begins at @base comes *@head. */
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

/* After the newest slot that is known to be of the frame that begins at @base: those with an inlet
 * say so, and if one that runs is the frame's, so are the done ones above it. */
static SatinSlot *
find_head (Worker *self, SatinSlot *base, SatinSlot *top)
{
  SatinSlot *head = base;
  SatinSlot *running = pass (self, base, top, SATIN_SLOT_QUEUED, base, &head);
  SatinSlot *done = pass (self, running, MIN (running + 1, top), SATIN_SLOT_RUNNING, base, &head);
  SatinSlot *end = pass (self, done, top, SATIN_SLOT_DONE, base, &head);
  return head > running ? end : head;
}

/* What fails in an inlet waits in the slot for the frame's sync, as a failed child does. */
static void
settle_told (SatinSlot *slot, GError *error)
{
  guintptr flags = SATIN_LOAD (&slot->state) & (STATE_FLAGS & ~STATE_HEARD);
  if (error != NULL)
    slot_set_error (slot, error);
  SATIN_STORE (&slot->state, flags | (error != NULL ? STATE_FAILED : STATE_DONE));
}

/* Makes @own (transfer full) (nullable) the inlet's failure, unless it has one already. */
static void
merge_failure (GError **error, GError *own)
{
  if (*error == NULL)
    *error = own;
  else
    g_clear_error (&own);
}

/* What waited before goes on waiting, and what the inlet has failed with becomes *@error. If the
 * inlet aborted what runs on top, the waiting error says so, and the frames there have to see it.
 */
static void
take_back (Worker *self, GError *outer, gboolean is_left, GError **error)
{
  if (is_left && outer == NULL)
    return;
  GError *own = worker_take_error_back (self, outer);
  if (is_left && g_error_matches (own, SATIN_ERROR, SATIN_ERROR_ABORTED))
    g_clear_error (&own);
  merge_failure (error, own);
}

/**
 * worker_keep_inlet_failure:
 * @head: of the frame on top, which is being left
 * @error: (transfer full): taken only when the result is %TRUE
 *
 * An inlet that has aborted the frames below it is not left itself: its frame hears of its failure.
 *
 * Returns: whether the frame on top is such an inlet's
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
  if (is_in_inlet (self, early.hearer->base))
    {
      defer (self, slot);
      return;
    }
  gboolean is_failed = (SATIN_LOAD (&slot->state) & ~(guintptr)STATE_FLAGS) == STATE_FAILED;
  GError *error = is_failed ? slot->result : NULL;
  GError *outer = worker_set_error_aside (self);
  settle_told (slot, NULL);
  call (self, &early, slot->result, &error);
  merge_failure (&error, early.failure);
  take_back (self, outer, worker_unwinds (self, top), &error);
  if (error != NULL)
    settle_told (slot, error);
}

/* Tells the frames of this worker of what has ended elsewhere: deep below @top there may be tens of
 * thousands of slots, so only those are looked at that others have ended. Returns: how many */
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
 * @result: (nullable): of the child that is meant; %NULL: all but the one that has ended
 */
void
satin_inlet_abort (SatinWorker *worker, SatinInlet *inlet, SatinSlot *top, gconstpointer result)
{
  Worker *self = worker_from (worker);
  Early *early = inlet->slot == NULL ? (Early *)inlet : NULL;
  if (early != NULL && self->fast.error != NULL && !worker_unwinds (self, top))
    {
      /* Frames that are left lose their error, but this one is the inlet's. */
      merge_failure (&early->failure, g_steal_pointer (&self->fast.error));
      worker_restore_limits (self);
    }
  SatinSlot *base = running_hearer (self, inlet)->base;
  if (early != NULL && early->head == NULL)
    early->head = find_head (self, base, early->top);
  worker_abort_frame (self, base, early != NULL ? early->head : top, result,
                      early != NULL ? early->slot : inlet->slot, top);
}
