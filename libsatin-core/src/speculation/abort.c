/* abort.c - leaving frames whose results nobody needs
 *
 * An abort drops each child that nobody has begun: the task *dropped*, which does nothing, replaces
 * the task in the child's slot, and the sync runs it. If another worker or node has the child, a
 * flag is set in the slot's state, and that worker or node gets a wish or a message. A job that
 * runs is left frame by frame: an error waits on its worker so that each sync returns %FALSE,
 * spawns do nothing, and all slots of these frames are aborted in turn, so that their thieves stop
 * soon.
 *
 *   | border | F: queued RUNNING done | child's frames ...        |
 *              ^dropped  ^child       ^aborted: all from here on are left
 *
 * Nothing tells the worker that it is back in F: F continues at full speed. But while the worker
 * leaves frames, its limit and join are poisoned. So the first spawn or sync below *aborted* ends
 * the abort (worker_unwinds()). Until then no result of this worker is reported (frontier.c).
 *
 * Threads: the worker that owns the deque, except where stated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

static const SatinRecord nothing = { .name = "nothing" };

static void
run_dropped (SatinWorker *worker, SatinSlot *slot, SatinSlot *head)
{
}

/* The task in the slot of a dropped job. It counts as exported, so its slot never counts as
 * queued. */
const SatinTask pool_dropped_task = { .run = run_dropped,
                                      .name = "(dropped)",
                                      .args = &nothing,
                                      .result = &nothing,
                                      .is_exported = TRUE,
                                      .twin = &pool_dropped_task,
                                      .plain = &pool_dropped_task };

/* ---- borders ---- */

/* Notes that a job begins on top of what this worker has. @source: the job's slot. @base: where its
 * frames begin. */
void
worker_begin_border (Worker *self, Border *border, SatinSlot *source, SatinSlot *base)
{
  *border = (Border){ .source = source, .base = base, .below = self->border };
  self->border = border;
  if (SATIN_LOAD (&source->state) & STATE_ABORTED)
    worker_ask (self, WANT_ABORT); /* the flag was set before the job began */
  /* The job must see the shared objects that its spawner has seen. A wish for WANT_REFRESH may not
   * have come to this worker yet. */
  worker_refresh (self);
}

/* Sets the error that makes the next sync of the job on top return %FALSE. */
void
worker_leave_top (Worker *self)
{
  g_clear_error (&self->fast.error);
  self->fast.error =
      g_error_new_literal (SATIN_ERROR, SATIN_ERROR_ABORTED, "nobody wants the result any more");
  worker_restore_limits (self);
}

/**
 * worker_end_border:
 * @outer: (transfer full) (nullable): from worker_set_error_aside()
 *
 * Ends the job on top.
 *
 * Returns: (transfer full) (nullable): its error; %SATIN_ERROR_ABORTED if it was aborted
 */
GError *
worker_end_border (Worker *self, GError *outer)
{
  worker_unwinds (self, self->border->base);
  self->border = self->border->below;
  GError *error = worker_take_error_back (self, outer);
  if (self->border != NULL && self->border->aborted != NULL)
    worker_leave_top (self);
  worker_tell_deferred (self);
  return error;
}

/* ---- being aborted ---- */

static void
end_abort (Worker *self, Border *border)
{
  if (border->child != NULL)
    slot_drop (border->child, SATIN_SLOT_DONE);
  border->child = NULL;
  border->aborted = NULL;
  if (g_error_matches (self->fast.error, SATIN_ERROR, SATIN_ERROR_ABORTED))
    g_clear_error (&self->fast.error);
  worker_restore_limits (self);
  worker_tell_deferred (self);
}

/**
 * worker_unwinds:
 * @slot: the slot into which the frame on top spawns, or which it syncs
 *
 * Returns: whether that frame is being left. If not, and frames above it were, their abort ends
 *   here
 */
gboolean
worker_unwinds (Worker *self, const SatinSlot *slot)
{
  Border *border = self->border;
  if (G_LIKELY (border == NULL || border->aborted == NULL))
    return FALSE;
  if (slot >= border->aborted)
    return TRUE;
  end_abort (self, border);
  return FALSE;
}

/* Whether any frame of this worker is being left. */
gboolean
worker_has_aborted (const Worker *self)
{
  for (const Border *border = self->border; border != NULL; border = border->below)
    if (border->aborted != NULL)
      return TRUE;
  return FALSE;
}

/**
 * satin_worker_went_well:
 * @base: the base of the frame on top, which has synced while an error waits
 *
 * Returns: whether that error only made the worker leave frames above this one
 */
gboolean
satin_worker_went_well (SatinWorker *worker, const SatinSlot *base)
{
  const Worker *self = worker_from (worker);
  const Border *border = self->border;
  return border != NULL && border->aborted != NULL && base < border->aborted
         && g_error_matches (worker->error, SATIN_ERROR, SATIN_ERROR_ABORTED);
}

/* ---- aborting ---- */

/* Tells the worker or node that has the job in @slot to abort it. */
static void
abort_taken (Worker *self, SatinSlot *slot)
{
  SatinWorkers *pool = self->pool;
  guintptr word;
  do
    {
      word = SATIN_LOAD (&slot->state) & ~(guintptr)STATE_FLAGS;
      if (word == STATE_DONE || word == STATE_FAILED || word == STATE_OURS)
        return;
    }
  while (!slot_set_flag (slot, word, STATE_ABORTED));
  if (word >= STATE_WORDS_END)
    {
      Worker *thief = (Worker *)word;
      worker_ask (thief, WANT_ABORT);
      pool_wake_worker (pool, thief->index);
      return;
    }
  const PoolOutside *outside = SATIN_LOAD (&pool->outside);
  if (word == STATE_REMOTE && outside != NULL)
    outside->aborted (slot, outside->user_data);
}

/* Aborts a job that was put out for other nodes. */
static void
abort_exported (Worker *self, SatinSlot *slot)
{
  gpointer hints;
  if (slot_is_dropped (slot))
    return;
  if (!pool_reclaim (self->pool, slot, STATE_OURS, &hints))
    {
      abort_taken (self, slot);
      return;
    }
  hints_unref (self->pool, hints);
  /* If the owner waits for the job already, the owner sees the state. */
  SATIN_STORE (&slot->state, (guintptr)(STATE_DONE | STATE_ABORTED));
  if (slot_mark (slot) == SATIN_SLOT_QUEUED)
    slot_drop (slot, SATIN_SLOT_QUEUED);
}

static void
abort_queued (Worker *self, SatinSlot *slot)
{
  guint32 index = slot - self->fast.slots;
  if (worker_is_claimed (self, index))
    {
      abort_taken (self, slot);
      return;
    }
  slot_drop (slot, SATIN_SLOT_QUEUED);
  if (index >= self->split)
    return;
  satin_fence (); /* a thief that claims it after this finds it dropped: worker_claim_oldest() */
  if (worker_is_claimed (self, index))
    abort_taken (self, slot);
}

/* Aborts the job in @slot, unless it is a typed job: its sync does not look at the task. */
static void
abort_slot (Worker *self, SatinSlot *slot)
{
  const SatinTask *task = slot_task (slot);
  SatinSlotMark mark = slot_mark (slot);
  if (task->is_typed || mark == SATIN_SLOT_DONE)
    return;
  if (task->is_exported)
    abort_exported (self, slot);
  else if (mark == SATIN_SLOT_QUEUED)
    abort_queued (self, slot);
}

static void
abort_slots (Worker *self, SatinSlot *first, SatinSlot *last)
{
  for (SatinSlot *slot = first; slot < last; slot++)
    if (!worker_has_border (self, slot - self->fast.slots))
      abort_slot (self, slot);
}

/* Whether frames above @slot run its job. If the job is elsewhere, its owner only waits for it. */
static gboolean
is_running_here (const Worker *self, SatinSlot *slot)
{
  if (slot_mark (slot) != SATIN_SLOT_RUNNING)
    return FALSE;
  return !slot_task (slot)->is_exported
         || (SATIN_LOAD (&slot->state) & ~(guintptr)STATE_FLAGS) == STATE_OURS;
}

/* Returns: where the frames of the job above @border end. @top: behind the newest slot of all */
static SatinSlot *
end_of_border (const Worker *self, const Border *border, SatinSlot *top)
{
  const Border *above = NULL;
  for (const Border *other = self->border; other != border; other = other->below)
    above = other;
  return above != NULL ? above->base : top;
}

/* Leaves all frames of @border from @from on. @child: (nullable): the slot of the job whose frame
 * begins at @from. */
static void
leave_frames (Worker *self, Border *border, SatinSlot *from, SatinSlot *child, SatinSlot *top)
{
  if (border->aborted != NULL && border->aborted <= from)
    return;
  border->aborted = from;
  border->child = child;
  abort_slots (self, from, MIN (end_of_border (self, border, top), self->end));
  if (border == self->border)
    worker_leave_top (self);
}

/* Returns: the border of the job from which @slot descends */
Border *
worker_find_border (const Worker *self, const SatinSlot *slot)
{
  Border *border = self->border;
  while (border->base > slot && border->below != NULL)
    border = border->below;
  return border;
}

/**
 * worker_abort_frame:
 * @base: the frame's first child
 * @head: behind its last child
 * @result: (nullable): the address for the result of the only child to abort; %NULL: aborts all
 * @except: (nullable): a child that is not aborted
 * @top: behind the newest slot of this worker
 *
 * Aborts children of a frame.
 */
void
worker_abort_frame (Worker *self, SatinSlot *base, SatinSlot *head, gconstpointer result,
                    const SatinSlot *except, SatinSlot *top)
{
  SATIN_STORE_RELAXED (&self->pool->has_aborted, TRUE);
  for (SatinSlot *slot = base; slot < MIN (head, self->end); slot++)
    {
      if (slot == except || (result != NULL && SATIN_LOAD_RELAXED (&slot->result) != result))
        continue;
      if (is_running_here (self, slot))
        leave_frames (self, worker_find_border (self, base), head, slot, top);
      else
        abort_slot (self, slot);
    }
}

/**
 * satin_worker_abort:
 * @base: the base of the frame on top
 * @head: behind its newest slot
 * @result: (nullable): the address for the result of the only child to abort; %NULL: aborts all
 *
 * Aborts children of the frame on top.
 */
void
satin_worker_abort (SatinWorker *worker, SatinSlot *base, SatinSlot *head, gconstpointer result)
{
  worker_abort_frame (worker_from (worker), base, head, result, NULL, head);
}

/* Leaves all frames of each job that this worker has taken and whose slot is flagged as aborted. */
void
worker_heed_aborts (Worker *self, SatinSlot *top)
{
  SATIN_AND (&self->want, ~WANT_ABORT);
  for (Border *border = self->border; border != NULL; border = border->below)
    if (SATIN_LOAD (&border->source->state) & STATE_ABORTED)
      leave_frames (self, border, border->base, NULL, top);
}

/* Whether the job on top was aborted. The call is a safe point. */
gboolean
satin_worker_is_aborted (SatinWorker *worker, SatinSlot *head)
{
  Worker *self = worker_from (worker);
  worker_attend (self, MIN (head, self->end));
  return worker_unwinds (self, head);
}
