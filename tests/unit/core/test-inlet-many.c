/* test-inlet-many.c - tests what it costs to run inlets, deep in a recursion
 *
 * Threads: none; the test plays the worker, and the threads that end its jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#define N_SLOTS ((guint)1 << 16)
#define GAP     1000

static const SatinRecord nothing = { .name = "nothing" };
static const SatinTask heard = { .name = "heard",
                                 .args = &nothing,
                                 .result = &nothing,
                                 .is_exported = TRUE,
                                 .has_inlet = TRUE,
                                 .twin = &heard,
                                 .plain = &heard };

static Worker *worker;
static Border border;
static guint n_told;

static void
count (SatinWorker *fast, SatinSlot *head, SatinInlet *inlet, gpointer frame, gpointer result,
       GError **error)
{
  n_told++;
}

static SatinSlot *
slot_at (guint index)
{
  return worker->fast.slots + index;
}

/* Puts a job into slot @index that has an inlet, and that another node has. */
static void
put_heard (guint index)
{
  SatinSlot *slot = slot_at (index);
  slot->task = (guintptr)&heard | SATIN_SLOT_QUEUED;
  slot->state = STATE_REMOTE | STATE_HEARD;
  *satin_slot_hearer (&worker->fast, slot, 0) = (SatinHearer){ .func = count, .base = slot };
}

static void
end_job (guint index)
{
  slot_at (index)->state = STATE_DONE | STATE_HEARD;
  worker_note_ended (worker, slot_at (index));
}

static void
set_up (gpointer *fixture, gconstpointer user_data)
{
  worker = deque_world_new (N_SLOTS);
  while (worker->end < slot_at (N_SLOTS))
    g_assert_true (worker_grow_deque (worker));
  deque_world_fill (worker, 0, N_SLOTS, SATIN_SLOT_RUNNING);
  for (guint i = 0; i < N_SLOTS; i += GAP)
    put_heard (i);
  border = (Border){ .base = worker->fast.slots };
  worker->border = &border;
  n_told = 0;
}

static void
tear_down (gpointer *fixture, gconstpointer user_data)
{
  worker_free_inlets (worker);
  deque_world_free (worker);
}

static void
test_only_ended_ones_are_looked_at (gpointer *fixture, gconstpointer user_data)
{
  guint n_looks = 0, n_ended = 0;
  for (guint i = 0; i < N_SLOTS; i += GAP, n_ended++)
    {
      end_job (i);
      n_looks += worker_run_inlets (worker, slot_at (N_SLOTS));
    }
  g_assert_cmpuint (n_told, ==, n_ended);
  g_assert_cmpuint (n_looks, ==, n_ended);
}

/* The owner's sync came first, so the slot is free, or has another job. */
static void
test_slot_that_is_gone_is_passed_over (gpointer *fixture, gconstpointer user_data)
{
  end_job (GAP);
  end_job (2 * GAP);
  put_heard (GAP);
  g_assert_cmpuint (worker_run_inlets (worker, slot_at (2 * GAP)), ==, 2);
  g_assert_cmpuint (n_told, ==, 0);
  end_job (GAP);
  g_assert_cmpuint (worker_run_inlets (worker, slot_at (2 * GAP)), ==, 1);
  g_assert_cmpuint (n_told, ==, 1);
}

#define ADD(path, test) g_test_add (path, gpointer, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/core/inlet-many/only-ended-ones-are-looked-at", test_only_ended_ones_are_looked_at);
  ADD ("/core/inlet-many/slot-that-is-gone-is-passed-over", test_slot_that_is_gone_is_passed_over);
  return g_test_run ();
}
