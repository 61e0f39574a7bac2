/* core-test.c - shared by the tests of tasks: workers, gates, and waiting for a thief
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#if IS_THREAD_SANITIZED
const char *__tsan_default_options (void);

/* GLib is built without ThreadSanitizer, so its own locks and allocations look like races. */
const char *
__tsan_default_options (void)
{
  return "ignore_noninstrumented_modules=1";
}
#endif

void
gate_open (Gate *self)
{
  pthread_mutex_lock (&self->lock);
  self->is_open = TRUE;
  pthread_cond_broadcast (&self->opened);
  pthread_mutex_unlock (&self->lock);
}

void
gate_close (Gate *self)
{
  pthread_mutex_lock (&self->lock);
  self->is_open = FALSE;
  pthread_mutex_unlock (&self->lock);
}

void
gate_wait (Gate *self)
{
  pthread_mutex_lock (&self->lock);
  while (!self->is_open)
    pthread_cond_wait (&self->opened, &self->lock);
  pthread_mutex_unlock (&self->lock);
}

gboolean
gate_is_open (Gate *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_open = self->is_open;
  pthread_mutex_unlock (&self->lock);
  return is_open;
}

SatinWorkers *
make_workers (guint n_workers, gsize deque_slots)
{
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = n_workers,
                                  .deque_slots = deque_slots };
  g_autoptr (GError) error = NULL;
  SatinWorkers *workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  return workers;
}
