/* wake.c - the final state of a slot, and waking the worker that waits for it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

/* Clears a worker's bit. Returns: whether it was set */
static gboolean
clear_bit (guint64 *bits, guint index)
{
  guint64 bit = (guint64)1 << index % 64;
  return (SATIN_AND (&bits[index / 64], ~bit) & bit) != 0;
}

/* Clears the worker's bit among the sleeping workers. Returns: FALSE when somebody else has done
 * that, and so has woken the worker */
gboolean
pool_end_sleep (SatinWorkers *self, guint index)
{
  if (!clear_bit (self->asleep, index))
    return clear_bit (self->parked, index);
  SATIN_SUB (&self->n_asleep, 1);
  return TRUE;
}

/* Wakes a worker if it sleeps and nobody has woken it yet. */
void
pool_wake_worker (SatinWorkers *self, guint index)
{
  if (pool_end_sleep (self, index))
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

/* Wakes the first worker that sleeps until there is work. */
void
pool_wake_one (SatinWorkers *self)
{
  /* Pairs with worker_sleep(): a sleeper that is not seen here sees a job that was just added to
   * the inbox, if it may run that job. The sleeper does not look for other jobs, but asks all other
   * workers for work. */
  satin_fence ();
  if (SATIN_LOAD_RELAXED (&self->n_asleep) <= 0)
    return;
  for (guint i = 0; i < (pool_count_workers (self) + 63) / 64; i++)
    {
      guint64 asleep = SATIN_LOAD_RELAXED (&self->asleep[i]);
      if (asleep != 0)
        {
          pool_wake_worker (self, i * 64 + __builtin_ctzll (asleep));
          return;
        }
    }
}
