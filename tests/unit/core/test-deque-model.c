/* test-deque-model.c - tests random spawns, thefts and syncs against a plain model of the slots
 *
 * The owner spawns, publishes, exports and syncs, and thieves claim, take and finish, all in one
 * thread and in random order. The model knows who has each slot. After each step the deque must
 * agree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#define N_SLOTS  1024
#define N_FRAMES 200
#define N_STEPS  200000
#define N_PHASE  2000

typedef enum
{
  QUEUED,        /* the owner has it; it may be public */
  STOLEN,        /* a thief runs it */
  RETURNED,      /* a thief has run it, but the owner does not know yet */
  OFFERED,       /* in the export queue */
  EXPORTED,      /* taken out of the export queue, for another node */
  EXPORTED_OVER, /* another node has run it, but the owner does not know yet */
  RUNNING,       /* on the owner's stack */
  DONE,
} Holder;

typedef struct
{
  Worker *worker;
  guint32 head;
  gboolean is_draining; /* no new job begins */
  guint n_frames;
  guint32 bases[N_FRAMES]; /* where each frame on the stack begins */
  Holder holders[N_SLOTS];
  const SatinTask *tasks[N_SLOTS];
  guint n_stolen, n_joined, n_exported, n_exported_joined, n_run, n_regions_most;
} Model;

/* The tasks differ, so that the slot of one job cannot be mistaken for that of another. */
#define TWINS(n)                                                                                   \
  {                                                                                                \
    { .name = "a", .twin = &twins[n][1], .plain = &twins[n][0] },                                  \
    {                                                                                              \
      .name = "a", .is_exported = TRUE, .twin = &twins[n][0], .plain = &twins[n][0]                \
    }                                                                                              \
  }
static const SatinTask twins[4][2] = { TWINS (0), TWINS (1), TWINS (2), TWINS (3) };

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
      gboolean is_exported = self->holders[i] == STOLEN || self->holders[i] == RETURNED;
      g_assert_cmpint (worker_is_claimed (worker, i), ==, is_exported);
      if (i >= tail && i < worker->split)
        g_assert_cmpint (self->holders[i], ==, QUEUED);
    }
}

static void
spawn (Model *self)
{
  if (self->head == N_SLOTS)
    return;
  const SatinTask *task = twins[g_test_rand_int_range (0, G_N_ELEMENTS (twins))];
  self->worker->fast.slots[self->head].task = (guintptr)task;
  self->tasks[self->head] = task;
  self->holders[self->head++] = QUEUED;
}

static void
mark (Model *self, guint32 index, SatinSlotMark mark)
{
  SatinSlot *slot = &self->worker->fast.slots[index];
  slot->task = (guintptr)slot_task (slot) | mark;
}

static void
export_some (Model *self)
{
  deque_world_export (self->worker, self->head);
  for (guint32 i = 0; i < self->head; i++)
    if (self->holders[i] == QUEUED && slot_task (&self->worker->fast.slots[i])->is_exported)
      {
        g_assert_cmpuint (i, >=, self->worker->split);
        self->holders[i] = OFFERED;
      }
}

static void
take_queued (Model *self)
{
  const SatinTask *task;
  int index = deque_world_take_queued (self->worker, &task);
  if (index < 0)
    return;
  g_assert_cmpint (self->holders[index], ==, OFFERED);
  g_assert_true (task == self->tasks[index]);
  self->holders[index] = EXPORTED;
  self->n_exported++;
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

/* A random thief, or another node, ends its job. */
static void
finish (Model *self)
{
  guint32 start = self->head > 0 ? (guint32)g_test_rand_int_range (0, self->head) : 0;
  for (guint32 i = start; i < self->head; i++)
    if (self->holders[i] == STOLEN || self->holders[i] == EXPORTED)
      {
        self->holders[i]++;
        return;
      }
}

static void
push_frame (Model *self)
{
  if (self->n_frames < N_FRAMES)
    self->bases[self->n_frames++] = self->head;
}

/* Ends the frame on top. If it ran a job of this deque, the slot of that job is done. */
static void
pop_frame (Model *self)
{
  self->head = self->bases[--self->n_frames];
  for (guint32 i = self->head; i-- > 0 && self->n_frames > 0;)
    if (self->holders[i] == RUNNING)
      {
        /* A frame that ran a job of another deque has no running slot in this one. */
        if (i >= self->bases[self->n_frames - 1])
          {
            self->holders[i] = DONE;
            mark (self, i, SATIN_SLOT_DONE);
          }
        return;
      }
}

/* While it waits, the owner runs a job of another deque. */
static void
help (Model *self)
{
  if (!self->is_draining)
    push_frame (self);
}

static void
run (Model *self, guint32 i)
{
  self->holders[i] = RUNNING;
  mark (self, i, SATIN_SLOT_RUNNING);
  push_frame (self);
  self->n_run++;
}

/* The sync has reached slot @i, which is not in a public region. */
static void
sync_private (Model *self, guint32 i)
{
  SatinSlot *slot = &self->worker->fast.slots[i];
  guintptr expected = STATE_QUEUED_EXPORT;
  gboolean may_run = self->holders[i] == QUEUED || self->holders[i] == OFFERED;
  if (may_run && self->n_frames == N_FRAMES)
    return;
  switch (self->holders[i])
    {
    case QUEUED:
      run (self, i);
      break;
    case OFFERED:
      g_assert_true (SATIN_CAS (&slot->state, &expected, (guintptr)STATE_OURS));
      run (self, i);
      break;
    case EXPORTED:
      help (self);
      break;
    case EXPORTED_OVER:
      self->holders[i] = DONE;
      mark (self, i, SATIN_SLOT_DONE);
      self->n_exported_joined++;
      break;
    case STOLEN:
    case RETURNED:
    case RUNNING:
    case DONE:
      g_assert_not_reached ();
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
  if (i == base && self->n_frames > 1)
    pop_frame (self);
  else if (i == base)
    self->head = base;
  else if (--i >= worker->split || worker_take_back (worker, worker->fast.slots + i))
    sync_private (self, i);
  else if (self->holders[i] == RETURNED)
    {
      self->holders[i] = DONE;
      mark (self, i, SATIN_SLOT_DONE);
      worker_lower_split (worker, i);
      self->n_joined++;
    }
  else
    {
      g_assert_cmpint (self->holders[i], ==, STOLEN);
      help (self);
    }
}

static void
step (Model *self)
{
  switch (g_test_rand_int_range (0, 12))
    {
    case 0:
    case 1:
    case 2:
      if (self->is_draining)
        sync_step (self);
      else
        spawn (self);
      break;
    case 3:
      deque_world_publish (self->worker, self->head);
      break;
    case 4:
      steal (self);
      break;
    case 5:
      if (g_test_rand_int_range (0, 4) == 0)
        export_some (self);
      break;
    case 6:
      take_queued (self);
      break;
    case 7:
    case 8:
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
      model.is_draining = i / N_PHASE % 2 == 1;
      step (&model);
      check (&model);
    }
  g_test_message ("%u stolen, %u joined, %u exported, %u joined, %u run, %u regions at most",
                  model.n_stolen, model.n_joined, model.n_exported, model.n_exported_joined,
                  model.n_run, model.n_regions_most);
  g_assert_cmpuint (model.n_stolen, >, 1000);
  g_assert_cmpuint (model.n_joined, >, 1000);
  g_assert_cmpuint (model.n_exported_joined, >, 1000);
  g_assert_cmpuint (model.n_run, >, 100);
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
