/* sight.c - what a worker is seen to do by another thread, while it works
 *
 * The kernel copies the memory (process_vm_readv). A pointer that has become wrong meanwhile is
 * then an error, not a crash.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sight.h"

#include "tasks/task.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define CHUNK_SLOTS 64
/* A search that passes more slots than this gives up. */
#define MAX_SLOTS ((gsize)1 << 20)

static gboolean
copy_memory (gpointer to, gconstpointer from, gsize n_bytes)
{
  const struct iovec local = { to, n_bytes };
  const struct iovec remote = { (gpointer)from, n_bytes };
  return process_vm_readv (getpid (), &local, 1, &remote, 1, 0) == (gssize)n_bytes;
}

/* A search through the slots of a worker, from one slot up. */
typedef struct
{
  const SatinSlot *next; /* the slot behind the chunk */
  const SatinSlot *end;  /* of the deque */
  SatinSlot chunk[CHUNK_SLOTS];
  guint at, n; /* the next slot of the chunk; how many it has */
  gsize n_passed;
} Search;

/* Copies the next slot. Returns: (nullable): the slot's place in the deque; %NULL when there is no
 * next slot */
static const SatinSlot *
step (Search *self, SatinSlot *ret_copy)
{
  if (self->at == self->n)
    {
      guint n = MIN (CHUNK_SLOTS, self->end - self->next);
      self->at = self->n = 0;
      self->n_passed += n;
      if (n == 0 || self->n_passed > MAX_SLOTS
          || !copy_memory (self->chunk, self->next, n * sizeof (SatinSlot)))
        return NULL;
      self->n = n;
      self->next += n;
    }
  *ret_copy = self->chunk[self->at++];
  return self->next - self->n + self->at - 1;
}

/* Finds the newest running slot from @base on, as climb() in running.c does. Returns: (nullable):
 * its place, and a copy */
static const SatinSlot *
find_newest (const Worker *worker, const SatinSlot *base, SatinSlot *ret_copy)
{
  Search search = { .next = base, .end = worker->end };
  const SatinSlot *found = NULL;
  gboolean is_after_running = FALSE;
  SatinSlot copy;
  for (const SatinSlot *at = step (&search, &copy); at != NULL; at = step (&search, &copy))
    {
      SatinSlotMark mark = slot_mark (&copy);
      if (mark == SATIN_SLOT_DONE && is_after_running)
        continue;
      is_after_running = mark == SATIN_SLOT_RUNNING;
      if (copy.task == 0 || mark == SATIN_SLOT_DONE || worker_is_border (&copy))
        break;
      if (!is_after_running)
        continue;
      found = at;
      *ret_copy = copy;
    }
  return found;
}

/* Returns: (nullable): the general form of a task, if it is one of this program's */
static const SatinTask *
find_general (const SatinTask *task)
{
  SatinTask copy, plain;
  if (task == NULL || !copy_memory (&copy, task, sizeof copy))
    return NULL;
  const SatinTask *general = copy.general;
  if (general == NULL && copy.plain != NULL && copy_memory (&plain, copy.plain, sizeof plain))
    general = plain.general;
  for (guint i = 0; i < task_count (); i++)
    if (task_at (i) == general)
      return general;
  return NULL;
}

/* Where the frames of the newest job from elsewhere begin, and that job. */
static gboolean
find_base (const Worker *worker, Border *ret_border)
{
  const Border *border = NULL;
  return copy_memory (&border, &worker->border, sizeof border) && border != NULL
         && copy_memory (ret_border, border, sizeof *ret_border)
         && ret_border->base > worker->fast.slots && ret_border->base < worker->end;
}

gboolean
sight_take (const Worker *worker, Sight *ret_sight)
{
  Border border;
  SatinSlot below, slot;
  Sight sight = { .n_jobs = SATIN_LOAD_RELAXED (&worker->fast.n_jobs) };
  if (SATIN_LOAD_RELAXED (&worker->figures.idle_since_us) != 0 || !find_base (worker, &border)
      || !copy_memory (&below, border.base - 1, sizeof below) || !worker_is_border (&below))
    return FALSE;
  sight.job = below.args[0] == 0 ? below.result : NULL;
  sight.slot = find_newest (worker, border.base, &slot);
  if (sight.slot == NULL)
    sight.slot = border.source;
  if (sight.slot == border.source && !copy_memory (&slot, border.source, sizeof slot))
    return FALSE;
  sight.task = find_general (slot_task (&slot));
  if (sight.task == NULL)
    return FALSE;
  sight.n_args = sight.task->args->size_bytes;
  gconstpointer args = sight.n_args <= SATIN_SLOT_ARGS_BYTES ? NULL : (gconstpointer)slot.args[0];
  if (args == NULL)
    memcpy (sight.args, slot.args, sight.n_args);
  else if (!copy_memory (sight.args, args, sight.n_args))
    return FALSE;
  *ret_sight = sight;
  return TRUE;
}

gboolean
sight_is_same (const Sight *a, const Sight *b)
{
  return a->n_jobs == b->n_jobs && a->task == b->task && a->slot == b->slot && a->job == b->job
         && memcmp (a->args, b->args, a->n_args) == 0;
}

/* Whether all values of a record lie in the record itself. */
static gboolean
is_flat (const SatinRecord *record)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      if (field->is_array || field->type == SATIN_FIELD_BYTES || field->type == SATIN_FIELD_STRING
          || (field->type == SATIN_FIELD_RECORD && !is_flat (field->record)))
        return FALSE;
    }
  return TRUE;
}

/* The fields of @record whose values lie in the record. Returns: (transfer full): free with
 * g_free() */
static SatinField *
list_flat (const SatinRecord *record, guint *ret_n)
{
  SatinField *fields = g_new (SatinField, MAX (record->n_fields, 1));
  *ret_n = 0;
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinRecord one = { record->name, record->size_bytes, 1, &record->fields[i] };
      if (is_flat (&one))
        fields[(*ret_n)++] = record->fields[i];
    }
  return fields;
}

char *
sight_describe (const Sight *self)
{
  guint n_fields;
  g_autofree SatinField *fields = list_flat (self->task->args, &n_fields);
  const SatinRecord flat = { self->task->args->name, self->n_args, n_fields, fields };
  SatinTask task = *self->task;
  task.args = &flat;
  return task_describe (&task, self->args);
}
