/* wake.c - the final state of a slot, and waking the worker that waits for it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

/* Wakes a worker if its bit in asleep is still set, so that it is woken once. */
void
pool_wake_worker (SatinWorkers *self, guint index)
{
  guint64 bit = (guint64)1 << index % 64;
  if (!(SATIN_AND (&self->asleep[index / 64], ~bit) & bit))
    return;
  SATIN_SUB (&self->n_asleep, 1);
  self->ops->wake (&self->workers[index].park);
}

/* Whether a worker or node has a slot with this state, so that a result may come. */
static gboolean
is_taken (guintptr state)
{
  guintptr word = state & ~(guintptr)STATE_FLAGS;
  return word == STATE_REMOTE || word >= STATE_WORDS_END;
}

/* Sets a flag on a slot that another worker or node has. Threads: its owner. Returns: FALSE when
 * its state was not @word any more */
gboolean
slot_set_flag (SatinSlot *slot, guintptr word, guintptr flag)
{
  guintptr state = SATIN_LOAD_RELAXED (&slot->state);
  while ((state & ~(guintptr)STATE_FLAGS) == word)
    if (SATIN_CAS (&slot->state, &state, state | flag))
      return TRUE;
  return FALSE;
}

/* Gives a claimed slot to @word: a worker or %STATE_REMOTE. Returns: the owner's flags */
guintptr
slot_take (SatinSlot *slot, guintptr word)
{
  guintptr state = SATIN_LOAD_RELAXED (&slot->state);
  while (!SATIN_CAS (&slot->state, &state, word | (state & STATE_FLAGS)))
    ;
  return state & STATE_FLAGS;
}

/* Sets the new state of a slot whose job has ended or came back. Wakes the slot's owner if the
 * owner sleeps until then, or must call an inlet. Threads: any. */
void
pool_settle (SatinWorkers *self, SatinSlot *slot, guintptr state, Worker *owner)
{
  guintptr old = SATIN_LOAD_RELAXED (&slot->state);
  while (!SATIN_CAS (&slot->state, &old, state | (old & (STATE_FLAGS & ~STATE_PARKED))))
    ;
  gboolean is_told = (old & STATE_HEARD) && state != STATE_QUEUED_EXPORT;
  if (!is_taken (old))
    SATIN_ADD (&self->n_refilled, 1);
  if (is_told)
    worker_note_ended (owner, slot);
  if (is_told || (old & STATE_PARKED))
    pool_wake_worker (self, owner->index);
}

/* Wakes the first sleeping worker from @first on. */
static void
wake_from (SatinWorkers *self, guint first)
{
  /* Pairs with worker_sleep(): a sleeper that is not seen here sees a job that was just added to
   * the inbox, if it may run that job. The sleeper does not look for other jobs, but asks all other
   * workers for work. */
  satin_fence ();
  if (SATIN_LOAD_RELAXED (&self->n_asleep) <= 0)
    return;
  for (guint i = first / 64; i < (pool_count_workers (self) + 63) / 64; i++)
    {
      guint64 asleep = SATIN_LOAD_RELAXED (&self->asleep[i]);
      if (i == first / 64)
        asleep &= ~(guint64)0 << first % 64;
      if (asleep != 0)
        {
          pool_wake_worker (self, i * 64 + __builtin_ctzll (asleep));
          return;
        }
    }
}

void
pool_wake_one (SatinWorkers *self)
{
  wake_from (self, 0);
}

/* Wakes the next sleeping worker, because worker @index cannot do the work for which it was woken.
 * Indexes only rise from call to call, so the calls end. */
void
pool_wake_above (SatinWorkers *self, guint index)
{
  if (index + 1 < pool_count_workers (self))
    wake_from (self, index + 1);
}
