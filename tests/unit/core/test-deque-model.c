/* test-deque-model.c - random frames, thieves and syncs against a plain model of the slots
 *
 * The owner spawns, publishes and syncs, thieves claim and finish, all in one
 * thread and in random order. The model knows who has each slot; after each step
 * the deque must agree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#define N_SLOTS  1024
#define N_FRAMES 200
#define N_STEPS  200000

typedef enum
{
  QUEUED,   /* the owner's, maybe public */
  STOLEN,   /* a thief runs it */
  RETURNED, /* a thief has run it, its owner does not know */
  RUNNING,  /* on the owner's stack */
  DONE,
} Holder;

typedef struct
{
  Worker *worker;
  guint32 head;
  guint n_frames;
  guint32 bases[N_FRAMES]; /* where each frame on the stack begins */
  Holder holders[N_SLOTS];
  guint n_stolen, n_joined, n_back, n_regions_most;
} Model;

static void
check (Model *self)
{
  Worker *worker = self->worker;
  guint32 tail = deque_world_tail (worker);
  g_assert_cmpuint (worker->ts >> 32, ==, worker->split);
  g_assert_cmpuint (tail, <=, worker->split);
  g_assert_cmpuint (worker->split, <=, self->head);
  self->n_regions_most = MAX (self->n_regions_most, worker->n_regions);
  for (guint32 i = 0; i < self->head; i++)
    {
      gboolean is_away = self->holders[i] == STOLEN || self->holders[i] == RETURNED;
      g_assert_cmpint (worker_is_claimed (worker, i), ==, is_away);
      if (i >= tail && i < worker->split)
        g_assert_cmpint (self->holders[i], ==, QUEUED);
    }
}

static void
spawn (Model *self)
{
  if (self->head == N_SLOTS)
    return;
  deque_world_put (self->worker, self->head, SATIN_SLOT_QUEUED);
  self->holders[self->head++] = QUEUED;
}

static void
steal (Model *self)
{
  int index = deque_world_claim (self->worker);
  if (index < 0)
    return;
  g_assert_cmpint (self->holders[index], ==, QUEUED);
  for (int i = 0; i < index; i++)
    if (self->holders[i] == QUEUED)
      g_assert_false (i >= (int)self->worker->region);
  self->holders[index] = STOLEN;
  self->n_stolen++;
}

/* A random thief ends its job. */
static void
finish (Model *self)
{
  guint32 start = self->head > 0 ? (guint32)g_test_rand_int_range (0, self->head) : 0;
  for (guint32 i = start; i < self->head; i++)
    if (self->holders[i] == STOLEN)
      {
        self->holders[i] = RETURNED;
        return;
      }
}

static void
push_frame (Model *self)
{
  if (self->n_frames < N_FRAMES)
    self->bases[self->n_frames++] = self->head;
}

/* The frame on top has ended; the slot that it ran for, if it is one of this deque, is done. */
static void
pop_frame (Model *self)
{
  self->head = self->bases[--self->n_frames];
  for (guint32 i = self->head; i-- > 0 && self->n_frames > 0;)
    if (self->holders[i] == RUNNING)
      {
        /* Of a frame that ran somebody else's job no slot is running. */
        if (i >= self->bases[self->n_frames - 1])
          {
            self->holders[i] = DONE;
            deque_world_put (self->worker, i, SATIN_SLOT_DONE);
          }
        return;
      }
}

/* One step of the sync of the frame on top. */
static void
sync_step (Model *self)
{
  Worker *worker = self->worker;
  guint32 base = self->bases[self->n_frames - 1];
  guint32 i = self->head;
  while (i > base && self->holders[i - 1] == DONE)
    i--;
  if (i == base)
    {
      if (self->n_frames > 1)
        pop_frame (self);
      else
        self->head = base;
      return;
    }
  i--;
  if (i >= worker->split || worker_take_back (worker, worker->fast.slots + i))
    {
      g_assert_cmpint (self->holders[i], ==, QUEUED);
      if (self->n_frames == N_FRAMES)
        return;
      self->holders[i] = RUNNING;
      deque_world_put (worker, i, SATIN_SLOT_RUNNING);
      push_frame (self);
      self->n_back++;
    }
  else if (self->holders[i] == RETURNED)
    {
      self->holders[i] = DONE;
      deque_world_put (worker, i, SATIN_SLOT_DONE);
      worker_lower_split (worker, i);
      self->n_joined++;
    }
  else
    {
      g_assert_cmpint (self->holders[i], ==, STOLEN);
      push_frame (self); /* helps somebody meanwhile */
    }
}

static void
step (Model *self)
{
  switch (g_test_rand_int_range (0, 10))
    {
    case 0:
    case 1:
    case 2:
      spawn (self);
      break;
    case 3:
      deque_world_publish (self->worker, self->head);
      break;
    case 4:
      steal (self);
      break;
    case 5:
    case 6:
      finish (self);
      break;
    default:
      sync_step (self);
    }
}

static void
test_model (void)
{
  Model model = { .worker = deque_world_new (N_SLOTS), .n_frames = 1 };
  for (guint i = 0; i < N_STEPS; i++)
    {
      step (&model);
      check (&model);
    }
  g_test_message ("%u stolen, %u joined, %u run by the owner, %u regions at most", model.n_stolen,
                  model.n_joined, model.n_back, model.n_regions_most);
  g_assert_cmpuint (model.n_stolen, >, 1000);
  g_assert_cmpuint (model.n_joined, >, 1000);
  g_assert_cmpuint (model.n_regions_most, >, 2);
  deque_world_free (model.worker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/deque/agrees-with-a-model", test_model);
  return g_test_run ();
}
