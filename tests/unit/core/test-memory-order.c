/* test-memory-order.c - tests three pairs of threads that would miss each other without fences
 *
 * Each pair is a litmus test: the steps of two threads on shared words, and an outcome that must
 * not happen. The test tries all orders that a weakly ordered processor allows. The operations of a
 * thread may take effect in any order, except operations on the same word, around a fence, after an
 * acquire and before a release. All threads see one memory. ARMv8 behaves like this. An atomic
 * change is a load with acquire and a store with release, as on processors that have no instruction
 * for it. So later operations may overtake the store. Each pair is tried as it is in the code, and
 * without each of its fences.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <glib.h>
#include <string.h>

#define N_WORDS   2
#define MAX_STEPS 6
#define N_THREADS 2

typedef enum
{
  END, /* the end of the thread */
  STORE,
  LOAD,
  LOAD_ACQUIRE,
  CHANGE, /* an atomic change to a value; the model splits it into the last two kinds */
  FENCE,
  CHANGE_LOAD,
  CHANGE_STORE,
} Kind;

typedef struct
{
  Kind kind;
  int word;  /* 0 or 1 */
  int value; /* for STORE and CHANGE */
} Step;

/* Each thread has at most one LOAD or LOAD_ACQUIRE. @is_bad judges the outcome: the words at the
 * end, and the value that each thread has seen. */
typedef struct
{
  Step threads[N_THREADS][MAX_STEPS];
  gboolean (*is_bad) (const int *words, const int *seen);
} Pair;

typedef struct
{
  Step steps[N_THREADS][MAX_STEPS];
  guint n_steps[N_THREADS];
  gboolean is_done[N_THREADS][MAX_STEPS];
  int words[N_WORDS];
  int versions[N_WORDS];
  int claimed[N_THREADS]; /* version at the load of an atomic change */
  int seen[N_THREADS];
  const Pair *pair;
  gboolean has_bad;
  guint n_outcomes;
} Model;

/* Returns: whether @later, of the same thread, must wait for @earlier */
static gboolean
is_ordered (const Step *earlier, const Step *later)
{
  return earlier->kind == FENCE || later->kind == FENCE || earlier->word == later->word
         || earlier->kind == LOAD_ACQUIRE || earlier->kind == CHANGE_LOAD
         || later->kind == CHANGE_STORE;
}

static gboolean
may_run (const Model *self, guint thread, guint step)
{
  if (self->is_done[thread][step])
    return FALSE;
  const Step *steps = self->steps[thread];
  for (guint i = 0; i < step; i++)
    if (!self->is_done[thread][i] && is_ordered (&steps[i], &steps[step]))
      return FALSE;
  /* If another thread has changed the word since the load, the change begins again. That is one of
   * the other orders. */
  return steps[step].kind != CHANGE_STORE
         || self->claimed[thread] == self->versions[steps[step].word];
}

static void
apply (Model *self, guint thread, guint step)
{
  const Step *now = &self->steps[thread][step];
  self->is_done[thread][step] = TRUE;
  if (now->kind == STORE || now->kind == CHANGE_STORE)
    {
      self->words[now->word] = now->value;
      self->versions[now->word]++;
    }
  else if (now->kind == LOAD || now->kind == LOAD_ACQUIRE)
    self->seen[thread] = self->words[now->word];
  else if (now->kind == CHANGE_LOAD)
    self->claimed[thread] = self->versions[now->word];
}

/* Tries every order from here on. */
static void
explore (Model *self)
{
  guint n_left = 0;
  for (guint thread = 0; thread < N_THREADS; thread++)
    for (guint step = 0; step < self->n_steps[thread]; step++)
      {
        n_left += !self->is_done[thread][step];
        if (!may_run (self, thread, step))
          continue;
        Model next = *self;
        apply (&next, thread, step);
        explore (&next);
        self->has_bad |= next.has_bad;
        self->n_outcomes = next.n_outcomes;
      }
  if (n_left > 0)
    return;
  self->n_outcomes++;
  self->has_bad |= self->pair->is_bad (self->words, self->seen);
}

static void
add (Model *self, guint thread, Kind kind, const Step *step)
{
  self->steps[thread][self->n_steps[thread]++] = (Step){ kind, step->word, step->value };
}

/* Returns: whether the bad outcome can happen. @without: the thread whose fence is left out; -1:
 * none */
static gboolean
can_be_bad (const Pair *pair, int without)
{
  Model model = { .pair = pair };
  for (guint thread = 0; thread < N_THREADS; thread++)
    for (const Step *step = pair->threads[thread]; step->kind != END; step++)
      if (step->kind == CHANGE)
        {
          add (&model, thread, CHANGE_LOAD, step);
          add (&model, thread, CHANGE_STORE, step);
        }
      else if (step->kind != FENCE || (int)thread != without)
        add (&model, thread, step->kind, step);
  explore (&model);
  g_assert_cmpuint (model.n_outcomes, >, 1);
  return model.has_bad;
}

static void
check (const Pair *pair)
{
  g_assert_false (can_be_bad (pair, -1));
  g_assert_true (can_be_bad (pair, 0));
  g_assert_true (can_be_bad (pair, 1));
}

/* ---- worker_ask() and worker_restore_limits(): word 0 is want, 1 is limit, poisoned by 1 ---- */

static gboolean
is_wish_lost (const int *words, const int *seen)
{
  return words[1] == 2 && seen[1] == 0;
}

static void
test_wish (void)
{
  static const Pair pair = { { { { CHANGE, 0, 1 }, { FENCE }, { STORE, 1, 1 }, { END } },
                               { { STORE, 1, 2 }, { FENCE }, { LOAD, 0 }, { END } } },
                             is_wish_lost };
  check (&pair);
}

/* ---- worker_sleep() and wake_from() after pool_submit(): word 0 is asleep, 1 is n_inbox ---- */

static gboolean
is_both_missed (const int *words, const int *seen)
{
  return seen[0] == 0 && seen[1] == 0;
}

static void
test_sleeper (void)
{
  static const Pair pair = { { { { CHANGE, 0, 1 }, { FENCE }, { LOAD_ACQUIRE, 1 }, { END } },
                               { { CHANGE, 1, 1 }, { FENCE }, { LOAD, 0 }, { END } } },
                             is_both_missed };
  check (&pair);
}

/* ---- abort_queued() and worker_claim_oldest(): word 0 is the slot's task, 1 is ts ---- */

static void
test_dropped_job (void)
{
  static const Pair pair = { { { { STORE, 0, 1 }, { FENCE }, { LOAD_ACQUIRE, 1 }, { END } },
                               { { CHANGE, 1, 1 }, { FENCE }, { LOAD, 0 }, { END } } },
                             is_both_missed };
  check (&pair);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/memory-order/" claim, func)
  ADD ("a-wish-is-seen-or-its-poison-stays", test_wish);
  ADD ("a-sleeper-sees-the-job-or-is-woken", test_sleeper);
  ADD ("a-claimed-job-is-seen-as-dropped-or-as-claimed", test_dropped_job);
  return g_test_run ();
}
