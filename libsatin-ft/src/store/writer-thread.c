/* writer-thread.c - a thread for blocking calls: it reads and writes a storage
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "writer-thread.h"

#include <satin/base/atomic.h>

#define STACK_BYTES ((gsize)1 << 20)

/* How long the thread sleeps at most. It is woken when there is something to do. */
#define SLEEP_US ((gint64)10000000)
/* How often a thread that must end is interrupted. A single interrupt may come between two
 * operations and have no effect. */
#define INTERRUPT_US ((gint64)100000)

struct _WriterThread
{
  SatinLoop *loop;                  /* (borrowed) */
  const SatinThreadOps *thread_ops; /* (borrowed) */
  gpointer thread;                  /* (owned) */
  gint64 patience_us;
  SatinTimerId patience_timer; /* loop's thread; 0: there is no task */
  guint n_tasks;               /* tasks that are not done yet; loop's thread */
  int seen_progress;           /* @progress when the timer last fired; loop's thread */
  gboolean is_interrupted;     /* the task was interrupted, without effect yet; loop's thread */
  SatinLoopFunc stuck;         /* (nullable) */
  gpointer stuck_data;         /* (borrowed) */
  SatinTimerId interrupt_timer;
  void (*last) (gpointer user_data); /* (nullable) */
  gpointer last_data;                /* (borrowed) */
  gint64 grace_us;
  int progress; /* atomic: counts the progress of tasks */
  int word;     /* atomic: the thread sleeps on it; set when there is something to do */
  pthread_mutex_t lock;
  /* guarded by lock */
  GQueue waiting; /* of (owned) WriterTask */
  GQueue over;    /* of (owned) WriterTask: their work is done, and @done must be called */
  gboolean is_posted;
  gboolean is_stopping;
  gboolean has_ended;    /* the thread does not use this structure any more */
  gboolean is_abandoned; /* the thread hangs and was given up: the loop may be gone */
  SatinLoopFunc ended;   /* (nullable): runs on the loop when the thread has ended */
  gpointer ended_data;   /* (borrowed) */
  guint n_refs;          /* references of the owner, and of each call that is posted to the loop */
  SatinStorage *storage; /* (owned) (nullable) */
};

static void
unref (WriterThread *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_last = --self->n_refs == 0;
  pthread_mutex_unlock (&self->lock);
  if (!is_last)
    return;
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

static void
free_task (gpointer data)
{
  WriterTask *task = data;
  if (task->free != NULL)
    task->free (task);
}

/* ---- on the loop ---- */

static void watch (WriterThread *self);

/* Interrupts the running operation. Returns: FALSE when an interrupt reaches nothing, because the
 * storage is being opened */
static gboolean
interrupt (WriterThread *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean has_any = self->storage != NULL && self->storage->ops.interrupt != NULL;
  if (has_any)
    self->storage->ops.interrupt (self->storage->handle);
  pthread_mutex_unlock (&self->lock);
  return has_any;
}

static void
on_patience_over (gpointer user_data)
{
  WriterThread *self = user_data;
  int progress = SATIN_LOAD (&self->progress);
  gboolean is_silent = progress == self->seen_progress;
  gboolean is_stuck = is_silent && self->is_interrupted;
  self->patience_timer = 0;
  if (is_silent)
    {
      satin_loop_probe (self->loop, "checkpoint.storage-interrupted");
      is_stuck |= !interrupt (self);
    }
  self->is_interrupted = is_silent;
  self->seen_progress = progress;
  watch (self);
  if (is_stuck && self->stuck != NULL)
    self->stuck (self->stuck_data);
}

static void
watch (WriterThread *self)
{
  if (self->n_tasks == 0)
    satin_loop_timer_cancel (self->loop, &self->patience_timer);
  else if (self->patience_timer == 0)
    self->patience_timer =
        satin_loop_timer_add (self->loop, self->patience_us, on_patience_over, self);
}

static void
tell (gpointer user_data)
{
  WriterThread *self = user_data;
  pthread_mutex_lock (&self->lock);
  GQueue over = self->over;
  g_queue_init (&self->over);
  self->is_posted = FALSE;
  gboolean is_stopping = self->is_stopping;
  pthread_mutex_unlock (&self->lock);
  if (!is_stopping)
    {
      self->n_tasks -= over.length;
      watch (self);
    }
  WriterTask *task;
  while ((task = g_queue_pop_head (&over)) != NULL)
    {
      pthread_mutex_lock (&self->lock);
      is_stopping = self->is_stopping; /* the last @done may have ended the writer thread */
      pthread_mutex_unlock (&self->lock);
      if (!is_stopping && task->done != NULL)
        task->done (task);
      free_task (task);
    }
  unref (self);
}

/* ---- on its thread ---- */

/* Returns: (nullable): the next task */
static WriterTask *
take (WriterThread *self)
{
  pthread_mutex_lock (&self->lock);
  WriterTask *task = self->is_stopping ? NULL : g_queue_pop_head (&self->waiting);
  pthread_mutex_unlock (&self->lock);
  return task;
}

static void
hand_over (WriterThread *self, WriterTask *task)
{
  pthread_mutex_lock (&self->lock);
  g_queue_push_tail (&self->over, task);
  if (!self->is_posted && !self->is_abandoned)
    {
      self->is_posted = TRUE;
      self->n_refs++;
      satin_loop_post (self->loop, tell, self);
    }
  pthread_mutex_unlock (&self->lock);
  writer_thread_note_progress (self);
}

/* Tells the owner that the thread has ended. */
static void
tell_over (gpointer user_data)
{
  WriterThread *self = user_data;
  pthread_mutex_lock (&self->lock);
  SatinLoopFunc ended = self->ended;
  pthread_mutex_unlock (&self->lock);
  satin_loop_timer_cancel (self->loop, &self->interrupt_timer);
  if (ended != NULL)
    ended (self->ended_data);
  unref (self);
}

static gboolean
is_stopping (WriterThread *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_it = self->is_stopping;
  pthread_mutex_unlock (&self->lock);
  return is_it;
}

static void
run (gpointer data)
{
  WriterThread *self = data;
  WriterTask *task;
  while (!is_stopping (self))
    {
      self->thread_ops->wait (&self->word, SLEEP_US);
      SATIN_STORE (&self->word, 0);
      while ((task = take (self)) != NULL)
        {
          task->work (task);
          hand_over (self, task);
        }
    }
  if (self->last != NULL)
    self->last (self->last_data);
  writer_thread_set_storage (self, NULL);
  pthread_mutex_lock (&self->lock);
  self->has_ended = TRUE;
  if (self->ended != NULL)
    {
      self->n_refs++;
      satin_loop_post (self->loop, tell_over, self);
    }
  pthread_mutex_unlock (&self->lock);
}

SatinStorage *
writer_thread_get_storage (WriterThread *self)
{
  return self->storage;
}

void
writer_thread_set_storage (WriterThread *self, SatinStorage *storage)
{
  pthread_mutex_lock (&self->lock);
  SatinStorage *old = self->storage;
  self->storage = storage;
  pthread_mutex_unlock (&self->lock);
  satin_storage_close (old);
}

void
writer_thread_note_progress (WriterThread *self)
{
  SATIN_STORE (&self->progress, SATIN_LOAD_RELAXED (&self->progress) + 1);
}

/* ---- life ---- */

WriterThread *
writer_thread_new (SatinLoop *loop, const SatinThreadOps *thread_ops, gint64 patience_us,
                   GError **error)
{
  WriterThread *self = g_new0 (WriterThread, 1);
  self->loop = loop;
  self->thread_ops = thread_ops;
  self->patience_us = patience_us;
  self->n_refs = 1;
  pthread_mutex_init (&self->lock, NULL);
  g_queue_init (&self->waiting);
  g_queue_init (&self->over);
  self->thread = thread_ops->start (run, self, STACK_BYTES, error);
  if (self->thread != NULL)
    return self;
  unref (self);
  return NULL;
}

static void
on_interrupt (gpointer user_data)
{
  WriterThread *self = user_data;
  interrupt (self);
  self->interrupt_timer = satin_loop_timer_add (self->loop, INTERRUPT_US, on_interrupt, self);
}

void
writer_thread_end (WriterThread *self, SatinLoopFunc over, gpointer user_data)
{
  satin_loop_timer_cancel (self->loop, &self->patience_timer);
  pthread_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  self->ended = over;
  self->ended_data = user_data;
  pthread_mutex_unlock (&self->lock);
  self->thread_ops->wake (&self->word);
  if (self->interrupt_timer != 0)
    return;
  if (self->grace_us == 0)
    on_interrupt (self);
  else
    self->interrupt_timer = satin_loop_timer_add (self->loop, self->grace_us, on_interrupt, self);
}

/* Waits at most @timeout_us until the thread has ended, and interrupts it meanwhile. */
static gboolean
join (WriterThread *self, gint64 timeout_us)
{
  pthread_mutex_lock (&self->lock);
  gboolean has_ended = self->has_ended;
  pthread_mutex_unlock (&self->lock);
  if (has_ended)
    {
      self->thread_ops->join (self->thread);
      return TRUE;
    }
  for (gint64 left_us = timeout_us;; left_us -= INTERRUPT_US)
    {
      gint64 wait_us = CLAMP (left_us, 0, INTERRUPT_US);
      if (self->thread_ops->join_within (self->thread, wait_us))
        return TRUE;
      if (left_us <= 0)
        return FALSE;
      if (timeout_us - left_us >= self->grace_us)
        interrupt (self);
    }
}

gboolean
writer_thread_free (WriterThread *self, gint64 timeout_us)
{
  if (self == NULL)
    return TRUE;
  writer_thread_end (self, NULL, NULL);
  satin_loop_timer_cancel (self->loop, &self->interrupt_timer);
  if (!join (self, timeout_us))
    {
      pthread_mutex_lock (&self->lock);
      self->is_abandoned = TRUE;
      pthread_mutex_unlock (&self->lock);
      self->thread_ops->abandon (self->thread);
      return FALSE;
    }
  g_queue_clear_full (&self->waiting, free_task);
  unref (self);
  return TRUE;
}

void
writer_thread_set_last (WriterThread *self, void (*last) (gpointer user_data), gpointer user_data,
                        gint64 grace_us)
{
  self->last = last;
  self->last_data = user_data;
  self->grace_us = grace_us;
}

void
writer_thread_set_stuck_func (WriterThread *self, SatinLoopFunc stuck, gpointer user_data)
{
  self->stuck = stuck;
  self->stuck_data = user_data;
}

void
writer_thread_do (WriterThread *self, WriterTask *task)
{
  task->writer_thread = self;
  if (self->n_tasks++ == 0)
    {
      self->seen_progress = SATIN_LOAD (&self->progress);
      self->is_interrupted = FALSE;
    }
  watch (self);
  pthread_mutex_lock (&self->lock);
  g_queue_push_tail (&self->waiting, task);
  pthread_mutex_unlock (&self->lock);
  self->thread_ops->wake (&self->word);
}

gboolean
writer_thread_is_busy (const WriterThread *self)
{
  return self->n_tasks > 0;
}

SatinTimerId
writer_thread_get_deadline (const WriterThread *self)
{
  return self->patience_timer;
}
