/* root-backup.c - finished children of the root's frame, of which other nodes keep backups
 *
 * When the master is lost the root job runs again. Jobs that other nodes had are found again, but
 * results that were only in the root's frame would be lost. So the results of each sync are
 * encoded. They are handed over when the frame spawns again, because only then are they needed for
 * work still to come. A program that syncs once hands over nothing.
 *
 *   spawn ... sync          spawn ... sync          spawn
 *             | encoded     | handed over           | ...
 *
 * A sync is left out if it exported no job and running it again would take less time than asking
 * for the results, if its results are too many or too large, or if copying them would take longer
 * than the sync did.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs.h"
#include "tasks/task.h"

/* The most children of one sync, and the most bytes of their arguments and results. */
#define MAX_CHILDREN 4096
#define MAX_BYTES    ((gsize)16 << 20)
/* About how many bytes are encoded and sent in a microsecond. */
#define COPY_BYTES_PER_US 128
/* The most results that wait for the loop. */
#define MAX_WAITING (4 * MAX_CHILDREN)

struct _JobsBackups
{
  SatinWorkers *pool; /* (borrowed) */
  SatinLoop *loop;    /* (borrowed) */
  gint64 min_us;
  JobsBackupsFunc func;
  gpointer user_data;
  /* Only the worker that runs the root job uses these two. */
  gint64 synced_us; /* when the last sync ended, or the job began */
  GArray *fresh;    /* (owned) of StealSaved: results of the last sync */
  pthread_mutex_t lock;
  /* guarded by lock */
  GArray *handed;     /* (owned) of StealSaved: not reported yet */
  gboolean is_posted; /* the loop will report what is in @handed */
};

JobsBackups *
jobs_backups_new (SatinWorkers *pool, SatinLoop *loop, gint64 min_us, JobsBackupsFunc func,
                  gpointer user_data)
{
  JobsBackups *self = g_new0 (JobsBackups, 1);
  self->pool = pool;
  self->loop = loop;
  self->min_us = min_us;
  self->func = func;
  self->user_data = user_data;
  self->fresh = jobs_saved_new ();
  self->handed = jobs_saved_new ();
  pthread_mutex_init (&self->lock, NULL);
  return self;
}

void
jobs_backups_free (JobsBackups *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->fresh);
  g_array_unref (self->handed);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

void
jobs_backups_begin (JobsBackups *self)
{
  self->synced_us = self->pool->ops->now_us ();
}

/* Whether any of these jobs was exported, so that another node may have had it. */
static gboolean
is_any_exported (const SatinSlot *base, const SatinSlot *head)
{
  for (const SatinSlot *slot = base; slot < head; slot++)
    if (slot_task (slot)->is_exported)
      return TRUE;
  return FALSE;
}

/* Whether the copy would take longer than @took_us. */
static gboolean
is_dear (SatinSlot *base, const SatinSlot *head, gint64 took_us)
{
  gsize n_bytes = 0;
  for (SatinSlot *slot = base; slot < head; slot++)
    {
      const SatinTask *task = slot_task (slot)->plain;
      if (task->is_typed || slot_is_dropped (slot) || slot_has_lost_result (slot))
        continue;
      n_bytes += task_measure (task->args, satin_slot_args (slot, task->args->size_bytes));
      if (slot->result != NULL)
        n_bytes += task_measure (task->result, slot->result);
    }
  return n_bytes / COPY_BYTES_PER_US > (gsize)MAX (took_us, 0);
}

/* Returns: bytes of the arguments and result that were added */
static gsize
add_fresh (JobsBackups *self, SatinSlot *slot, guint32 number)
{
  const SatinTask *task = slot_task (slot)->plain;
  if (task->is_typed || slot_is_dropped (slot) || slot_has_lost_result (slot)
      || task_index (task) < 0)
    return 0;
  g_autoptr (GByteArray) path = g_byte_array_new ();
  StealSaved saved = { .under = 0 };
  satin_path_append (path, number);
  if (!jobs_saved_fill (&saved, slot, task, slot->result, path))
    return 0;
  g_array_append_val (self->fresh, saved);
  return g_bytes_get_size (saved.args) + g_bytes_get_size (saved.result);
}

/**
 * jobs_backups_note:
 * @base: the first child of the root's frame
 * @head: behind the last child; none has failed
 *
 * Encodes the results of a sync. Results of the sync before are dropped unless they were handed
 * over.
 *
 * Threads: the root's worker.
 */
void
jobs_backups_note (JobsBackups *self, SatinSlot *base, SatinSlot *head)
{
  gint64 now_us = self->pool->ops->now_us ();
  gint64 took_us = now_us - self->synced_us;
  gboolean is_short = took_us < self->min_us;
  gsize n_bytes = 0;
  self->synced_us = now_us;
  g_array_set_size (self->fresh, 0);
  if (head - base > MAX_CHILDREN || (is_short && !is_any_exported (base, head))
      || is_dear (base, head, took_us))
    return;
  for (SatinSlot *slot = base; slot < head && n_bytes <= MAX_BYTES; slot++)
    n_bytes += add_fresh (self, slot, (guint32)(slot - base));
  if (n_bytes > MAX_BYTES)
    g_array_set_size (self->fresh, 0);
}

/* On the loop. */
static void
tell (gpointer data)
{
  JobsBackups *self = data;
  g_autoptr (GArray) fresh = jobs_saved_new ();
  pthread_mutex_lock (&self->lock);
  g_autoptr (GArray) handed = self->handed;
  self->handed = g_steal_pointer (&fresh);
  self->is_posted = FALSE;
  pthread_mutex_unlock (&self->lock);
  self->func ((const StealSaved *)handed->data, handed->len, self->user_data);
}

/**
 * jobs_backups_hand_over:
 *
 * Reports the results of the last sync, because the frame spawns again.
 *
 * Threads: the root's worker.
 */
void
jobs_backups_hand_over (JobsBackups *self)
{
  if (self->fresh->len == 0)
    return;
  pthread_mutex_lock (&self->lock);
  gboolean has_room = self->handed->len + self->fresh->len <= MAX_WAITING;
  if (has_room)
    g_array_append_vals (self->handed, self->fresh->data, self->fresh->len);
  gboolean is_first = has_room && !self->is_posted;
  self->is_posted |= has_room;
  pthread_mutex_unlock (&self->lock);
  if (has_room)
    g_free (g_array_steal (self->fresh, NULL)); /* the elements are in @handed now */
  else
    g_array_set_size (self->fresh, 0);
  if (is_first)
    satin_loop_post (self->loop, tell, self);
}
