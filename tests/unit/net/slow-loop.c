/* slow-loop.c - a loop with real sockets, and a clock that tests move
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slow-loop.h"

typedef struct
{
  SatinLoop loop;
  SatinLoop *sockets; /* (owned) */
  SatinLoop *time;    /* (owned) */
} SlowLoop;

static gint64
slow_now_us (SatinLoop *loop)
{
  return satin_loop_now_us (((SlowLoop *)loop)->time);
}

static SatinTimerId
slow_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  return satin_loop_timer_add (((SlowLoop *)loop)->time, delay_us, func, user_data);
}

static void
slow_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  satin_loop_timer_cancel (((SlowLoop *)loop)->time, &id);
}

static void
slow_post (SatinLoop *loop, SatinLoopFunc func, gpointer user_data)
{
  satin_loop_post (((SlowLoop *)loop)->sockets, func, user_data);
}

static guint64
slow_random (SatinLoop *loop)
{
  return satin_loop_random (((SlowLoop *)loop)->time);
}

static GMainContext *
slow_get_context (SatinLoop *loop)
{
  return satin_loop_get_context (((SlowLoop *)loop)->sockets);
}

static void
slow_free (SatinLoop *loop)
{
  SlowLoop *self = (SlowLoop *)loop;
  satin_loop_free (self->sockets);
  satin_loop_free (self->time);
  g_free (self);
}

static const SatinLoopOps ops = {
  .struct_size = sizeof (SatinLoopOps),
  .now_us = slow_now_us,
  .timer_add = slow_timer_add,
  .timer_cancel = slow_timer_cancel,
  .post = slow_post,
  .random = slow_random,
  .get_context = slow_get_context,
  .free = slow_free,
};

SatinLoop *
slow_loop_new (void)
{
  SlowLoop *self = g_new0 (SlowLoop, 1);
  self->loop.ops = &ops;
  self->sockets = satin_loop_new (NULL, 1, NULL);
  self->time = satin_loop_new_manual (1);
  return &self->loop;
}

void
slow_loop_advance (SatinLoop *loop, gint64 duration_us)
{
  satin_loop_advance (((SlowLoop *)loop)->time, duration_us);
}
