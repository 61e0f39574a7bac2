/* interrupt.c - rules: ending an operation from another thread
 *
 * To show that an interrupt ends a call, the call must hang: it must not end by itself. If a plugin
 * has a parameter "hang-call", the plugin's own call hangs. Otherwise the suite puts the filter
 * "fault" before the plugin, and a call of the filter hangs. Then the interrupt ends the filter's
 * call, and reaches the plugin while none of the plugin's calls runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#include <pthread.h>
#include <time.h>

#define LOG STORAGE_PREFIX "log"

/* If the call still runs after this time, the interrupt is repeated. A node also repeats its
 * interrupts. */
#define INTERRUPT_PERIOD_NS 10000000

#define N_IDLE_INTERRUPTS 3

/* A call that hangs, in a thread of its own. If no interrupt ends the call, the thread and this
 * structure are never freed. */
typedef struct
{
  Storage storage;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  /* Guarded by @lock. */
  gboolean is_over;
  gboolean is_done;
  GError *error; /* (owned) (nullable) */
} Call;

static void *
call_append (void *data)
{
  Call *self = data;
  GError *error = NULL;
  guint8 bytes[10] = { 1 };
  gboolean is_done =
      self->storage.ops.append (self->storage.handle, LOG, 0, bytes, sizeof bytes, &error);
  pthread_mutex_lock (&self->lock);
  self->is_over = TRUE;
  self->is_done = is_done;
  self->error = error;
  pthread_cond_signal (&self->ended);
  pthread_mutex_unlock (&self->lock);
  return NULL;
}

/* Interrupts again and again until the call ends. Returns: whether the call ended within the case's
 * patience */
static gboolean
interrupt_until_over (Call *self)
{
  gint64 until_us = g_get_monotonic_time () + self->storage.c->patience_us;
  pthread_mutex_lock (&self->lock);
  while (!self->is_over && g_get_monotonic_time () < until_us)
    {
      struct timespec next;
      pthread_mutex_unlock (&self->lock);
      storage_interrupt (&self->storage);
      pthread_mutex_lock (&self->lock);
      clock_gettime (CLOCK_REALTIME, &next);
      next.tv_nsec += INTERRUPT_PERIOD_NS;
      next.tv_sec += next.tv_nsec / 1000000000;
      next.tv_nsec %= 1000000000;
      if (!self->is_over)
        pthread_cond_timedwait (&self->ended, &self->lock, &next);
    }
  gboolean is_over = self->is_over;
  pthread_mutex_unlock (&self->lock);
  return is_over;
}

static void
ignore_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
}

/* Checks that the handle can be used after a call that was interrupted: late interrupts may make
 * one more call fail, but no more than one. */
static void
expect_usable (Storage *self)
{
  GError *error = NULL;
  if (self->ops.list (self->handle, ignore_entry, NULL, &error))
    return;
  storage_expect_refused (self->c, FALSE, &error, SATIN_ERROR_TIMEOUT,
                          "the call after one that was interrupted");
  storage_length (self, LOG);
}

static void
interrupt_call (Call *self)
{
  Case *c = self->storage.c;
  pthread_t thread;
  int status = pthread_create (&thread, NULL, call_append, self);
  g_assert (status == 0);
  if (!CASE_EXPECT (c, interrupt_until_over (self), "an interrupted append does not end"))
    {
      pthread_detach (thread);
      return;
    }
  pthread_join (thread, NULL);
  storage_expect_refused (c, self->is_done, &self->error, SATIN_ERROR_TIMEOUT,
                          "an interrupted append that hung");
  expect_usable (&self->storage);
  storage_close (&self->storage);
  pthread_cond_destroy (&self->ended);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

void
storage_rule_interrupt_running (Case *c)
{
  Call *call = g_new0 (Call, 1);
  if (!storage_open_faulty (&call->storage, c, "hang-call", 1, 1))
    {
      g_free (call);
      return;
    }
  pthread_mutex_init (&call->lock, NULL);
  pthread_cond_init (&call->ended, NULL);
  interrupt_call (call);
}

/* Checks interrupts that find no running call: each may make the next call fail, but no later
 * one. */
void
storage_rule_interrupt_idle (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  gboolean is_written = storage_write (&storage, LOG, 1, 5000);
  for (guint i = 0; is_written && i < N_IDLE_INTERRUPTS; i++)
    {
      g_autoptr (GError) error = NULL;
      storage_interrupt (&storage);
      if (!storage.ops.sync (storage.handle, LOG, &error))
        {
          GError *copy = error != NULL ? g_error_copy (error) : NULL;
          storage_expect_refused (c, FALSE, &copy, SATIN_ERROR_TIMEOUT,
                                  "the call after an interrupt");
        }
      storage_expect_file (&storage, LOG, 1, 5000);
    }
  storage_end (&storage);
}
