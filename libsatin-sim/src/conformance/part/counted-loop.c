/* counted-loop.c - a loop that knows which timers and posted calls are pending
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "counted-loop.h"

#include <satin/base/atomic.h>

/* Threads: other threads may post, so @lock guards @calls. */
typedef struct
{
  SatinLoop base;
  SatinLoop *inner; /* (borrowed) */
  guint64 number;
  pthread_mutex_t lock;
  GHashTable *calls; /* (owned) set of (borrowed) Call */
} CountedLoop;

/* A timer or a posted call. It is freed when it runs. A timer that is cancelled or dropped is freed
 * at once. */
typedef struct
{
  CountedLoop *loop; /* (borrowed) (nullable): %NULL when the call was dropped */
  SatinTimerId id;   /* 0: it was posted */
  SatinLoopFunc func;
  gpointer user_data;
} Call;

static gint64
counted_now_us (SatinLoop *loop)
{
  return satin_loop_now_us (((CountedLoop *)loop)->inner);
}

static Call *
call_new (CountedLoop *self, SatinLoopFunc func, gpointer user_data)
{
  Call *call = g_new0 (Call, 1);
  *call = (Call){ .loop = self, .func = func, .user_data = user_data };
  pthread_mutex_lock (&self->lock);
  g_hash_table_add (self->calls, call);
  pthread_mutex_unlock (&self->lock);
  return call;
}

static void
run (gpointer user_data)
{
  Call *call = user_data;
  Call copy = *call;
  if (copy.loop != NULL)
    {
      pthread_mutex_lock (&copy.loop->lock);
      g_hash_table_remove (copy.loop->calls, call);
      pthread_mutex_unlock (&copy.loop->lock);
    }
  g_free (call);
  if (copy.loop != NULL)
    copy.func (copy.user_data);
}

static SatinTimerId
counted_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  CountedLoop *self = (CountedLoop *)loop;
  Call *call = call_new (self, func, user_data);
  call->id = satin_loop_timer_add (self->inner, delay_us, run, call);
  return call->id;
}

static Call *
find_timer (CountedLoop *self, SatinTimerId id)
{
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (((Call *)key)->id == id)
      return key;
  return NULL;
}

static void
counted_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  CountedLoop *self = (CountedLoop *)loop;
  pthread_mutex_lock (&self->lock);
  Call *call = find_timer (self, id);
  if (call != NULL)
    g_hash_table_remove (self->calls, call);
  pthread_mutex_unlock (&self->lock);
  satin_loop_timer_cancel (self->inner, &id);
  g_free (call);
}

static void
counted_post (SatinLoop *loop, SatinLoopFunc func, gpointer user_data)
{
  CountedLoop *self = (CountedLoop *)loop;
  satin_loop_post (self->inner, run, call_new (self, func, user_data));
}

static guint64
counted_random (SatinLoop *loop)
{
  CountedLoop *self = (CountedLoop *)loop;
  return satin_loop_random (self->inner) + self->number * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

static GMainContext *
counted_get_context (SatinLoop *loop)
{
  return satin_loop_get_context (((CountedLoop *)loop)->inner);
}

static void
counted_free (SatinLoop *loop)
{
  CountedLoop *self = (CountedLoop *)loop;
  counted_loop_drop_all (loop);
  g_hash_table_unref (self->calls);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

static const SatinLoopOps counted_ops = {
  .struct_size = sizeof (SatinLoopOps),
  .now_us = counted_now_us,
  .timer_add = counted_timer_add,
  .timer_cancel = counted_timer_cancel,
  .post = counted_post,
  .random = counted_random,
  .get_context = counted_get_context,
  .free = counted_free,
};

SatinLoop *
counted_loop_new (SatinLoop *inner, guint number)
{
  CountedLoop *self = g_new0 (CountedLoop, 1);
  self->base.ops = &counted_ops;
  self->inner = inner;
  self->number = number;
  self->calls = g_hash_table_new (NULL, NULL);
  pthread_mutex_init (&self->lock, NULL);
  return &self->base;
}

guint
counted_loop_count (SatinLoop *loop)
{
  CountedLoop *self = (CountedLoop *)loop;
  pthread_mutex_lock (&self->lock);
  guint n = g_hash_table_size (self->calls);
  pthread_mutex_unlock (&self->lock);
  return n;
}

gboolean
counted_loop_has_timer (SatinLoop *loop, SatinTimerId id)
{
  CountedLoop *self = (CountedLoop *)loop;
  pthread_mutex_lock (&self->lock);
  gboolean is_there = id != 0 && find_timer (self, id) != NULL;
  pthread_mutex_unlock (&self->lock);
  return is_there;
}

void
counted_loop_drop_all (SatinLoop *loop)
{
  CountedLoop *self = (CountedLoop *)loop;
  GHashTableIter iter;
  gpointer key;
  pthread_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      Call *call = key;
      SatinTimerId id = call->id;
      g_hash_table_iter_remove (&iter);
      call->loop = NULL; /* a posted call is freed when the inner loop runs it */
      if (id == 0)
        continue;
      satin_loop_timer_cancel (self->inner, &id);
      g_free (call);
    }
  pthread_mutex_unlock (&self->lock);
}
