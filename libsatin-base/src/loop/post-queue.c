/* post-queue.c - calls that any thread posts to a loop
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "post-queue.h"

void
satin_post_queue_init (SatinPostQueue *self)
{
  pthread_mutex_init (&self->lock, NULL);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (SatinCall));
  self->batch = g_array_new (FALSE, FALSE, sizeof (SatinCall));
}

void
satin_post_queue_done (SatinPostQueue *self)
{
  g_array_unref (self->waiting);
  g_array_unref (self->batch);
  pthread_mutex_destroy (&self->lock);
}

gboolean
satin_post_queue_push (SatinPostQueue *self, SatinLoopFunc func, gpointer user_data)
{
  SatinCall call = { func, user_data };
  gboolean was_empty;

  pthread_mutex_lock (&self->lock);
  was_empty = self->waiting->len == 0;
  g_array_append_val (self->waiting, call);
  pthread_mutex_unlock (&self->lock);
  return was_empty;
}

gboolean
satin_post_queue_is_empty (SatinPostQueue *self)
{
  gboolean is_empty;

  pthread_mutex_lock (&self->lock);
  is_empty = self->waiting->len == 0;
  pthread_mutex_unlock (&self->lock);
  return is_empty;
}

guint
satin_post_queue_run (SatinPostQueue *self)
{
  GArray *batch = self->batch;
  guint n_calls;

  pthread_mutex_lock (&self->lock);
  self->batch = self->waiting;
  self->waiting = batch;
  pthread_mutex_unlock (&self->lock);

  n_calls = self->batch->len;
  for (guint i = 0; i < n_calls; i++)
    {
      SatinCall call = g_array_index (self->batch, SatinCall, i);

      call.func (call.user_data);
    }
  g_array_set_size (self->batch, 0);
  return n_calls;
}
