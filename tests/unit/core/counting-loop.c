/* counting-loop.c - a loop whose clock the test moves, and that counts its pending timers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "counting-loop.h"

typedef struct
{
  SatinLoop base;
  SatinLoop *inner;   /* (owned) */
  GHashTable *timers; /* (owned): id to (owned) Timer; an id fits into a pointer */
  GString *notes;     /* (owned) */
  char *taken;        /* (owned) (nullable): the notes that were taken last */
} CountingLoop;

typedef struct
{
  CountingLoop *loop; /* (borrowed) */
  SatinTimerId id;
  SatinLoopFunc func;
  gpointer user_data;
} Timer;

static gint64
counting_now_us (SatinLoop *loop)
{
  return satin_loop_now_us (((CountingLoop *)loop)->inner);
}

static void
run_timer (gpointer data)
{
  Timer timer = *(Timer *)data;
  g_hash_table_remove (timer.loop->timers, GSIZE_TO_POINTER (timer.id));
  timer.func (timer.user_data);
}

static SatinTimerId
counting_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  CountingLoop *self = (CountingLoop *)loop;
  Timer *timer = g_new (Timer, 1);
  *timer = (Timer){ .loop = self, .func = func, .user_data = user_data };
  timer->id = satin_loop_timer_add (self->inner, delay_us, run_timer, timer);
  g_hash_table_insert (self->timers, GSIZE_TO_POINTER (timer->id), timer);
  return timer->id;
}

static void
counting_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  CountingLoop *self = (CountingLoop *)loop;
  g_hash_table_remove (self->timers, GSIZE_TO_POINTER (id));
  satin_loop_timer_cancel (self->inner, &id);
}

static void
counting_post (SatinLoop *loop, SatinLoopFunc func, gpointer user_data)
{
  satin_loop_post (((CountingLoop *)loop)->inner, func, user_data);
}

static guint64
counting_random (SatinLoop *loop)
{
  return satin_loop_random (((CountingLoop *)loop)->inner);
}

static void
counting_free (SatinLoop *loop)
{
  CountingLoop *self = (CountingLoop *)loop;
  satin_loop_free (self->inner);
  g_hash_table_unref (self->timers);
  g_string_free (self->notes, TRUE);
  g_free (self->taken);
  g_free (self);
}

static void
counting_note (SatinLoop *loop, const char *text)
{
  g_string_append_printf (((CountingLoop *)loop)->notes, "%s\n", text);
}

static const SatinLoopOps counting_ops = {
  .struct_size = sizeof (SatinLoopOps),
  .now_us = counting_now_us,
  .timer_add = counting_timer_add,
  .timer_cancel = counting_timer_cancel,
  .post = counting_post,
  .random = counting_random,
  .free = counting_free,
  .note = counting_note,
};

SatinLoop *
counting_loop_new (guint64 seed)
{
  CountingLoop *self = g_new0 (CountingLoop, 1);
  self->base.ops = &counting_ops;
  self->inner = satin_loop_new_manual (seed);
  self->timers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->notes = g_string_new (NULL);
  return &self->base;
}

void
counting_loop_advance (SatinLoop *loop, gint64 duration_us)
{
  satin_loop_advance (((CountingLoop *)loop)->inner, duration_us);
}

guint
counting_loop_count_timers (SatinLoop *loop)
{
  return g_hash_table_size (((CountingLoop *)loop)->timers);
}

const char *
counting_loop_take_notes (SatinLoop *loop)
{
  CountingLoop *self = (CountingLoop *)loop;
  g_free (self->taken);
  self->taken = g_strdup (self->notes->str);
  g_string_truncate (self->notes, 0);
  return self->taken;
}
