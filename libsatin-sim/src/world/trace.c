/* trace.c - keeps what happened in a world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

void
satin_sim_keep_events (SatinSim *self, gsize max_events)
{
  g_return_if_fail (self->trace.events == NULL && max_events > 0);
  self->trace.events = g_array_new (FALSE, FALSE, sizeof (SatinSimEvent));
  self->trace.texts = g_string_chunk_new (1024);
  self->trace.max_events = max_events;
}

void
satin_sim_keep_busy (SatinSim *self)
{
  if (self->trace.bin_us == 0)
    self->trace.bin_us = 1;
}

const SatinSimEvent *
satin_sim_get_events (const SatinSim *self, gsize *ret_n, guint64 *ret_n_lost)
{
  *ret_n = self->trace.events != NULL ? self->trace.events->len : 0;
  *ret_n_lost = self->trace.n_lost;
  return *ret_n > 0 ? (const SatinSimEvent *)self->trace.events->data : NULL;
}

guint
satin_sim_host_get_number (const SatinSimHost *self)
{
  return self->number;
}

const gint64 *
satin_sim_host_get_busy (const SatinSimHost *self)
{
  return self->busy_us;
}

void
trace_done (Trace *self)
{
  g_clear_pointer (&self->events, g_array_unref);
  g_clear_pointer (&self->texts, g_string_chunk_free);
}

/* Returns: the event's index + 1, or 0 when the event is not kept */
static gsize
add_event (SatinSim *sim, const SatinSimEvent *event)
{
  Trace *self = &sim->trace;
  if (self->events == NULL)
    return 0;
  if (self->events->len >= self->max_events)
    {
      self->n_lost++;
      return 0;
    }
  g_array_append_val (self->events, *event);
  return self->events->len;
}

static SatinSimEvent *
get_event (SatinSim *sim, gsize index_plus_1)
{
  return &g_array_index (sim->trace.events, SatinSimEvent, index_plus_1 - 1);
}

/* ---- bins ---- */

/* Makes each bin twice as long. */
static void
widen (SatinSim *sim)
{
  sim->trace.bin_us *= 2;
  for (guint h = 0; h < sim->hosts->len; h++)
    {
      gint64 *busy_us = ((SatinSimHost *)g_ptr_array_index (sim->hosts, h))->busy_us;
      for (guint i = 0; busy_us != NULL && i < SATIN_SIM_N_BINS; i++)
        busy_us[i] = i < SATIN_SIM_N_BINS / 2 ? busy_us[2 * i] + busy_us[2 * i + 1] : 0;
    }
}

gint64
satin_sim_get_bin_us (SatinSim *self, gint64 until_us)
{
  while (self->trace.bin_us > 0 && (until_us - 1) / self->trace.bin_us >= SATIN_SIM_N_BINS)
    widen (self);
  return self->trace.bin_us;
}

/* Adds the time between @begin_us and @end_us to the bins in which it lies, or subtracts it if
 * @sign is -1. */
static void
add_busy (SatinSimHost *host, gint64 begin_us, gint64 end_us, int sign)
{
  gint64 bin_us = satin_sim_get_bin_us (host->sim, end_us);
  if (bin_us == 0 || begin_us >= end_us)
    return;
  if (host->busy_us == NULL)
    host->busy_us = g_new0 (gint64, SATIN_SIM_N_BINS);
  for (gint64 at_us = begin_us; at_us < end_us;)
    {
      gint64 bin = at_us / bin_us;
      gint64 until_us = MIN ((bin + 1) * bin_us, end_us);
      host->busy_us[bin] += sign * (until_us - at_us);
      at_us = until_us;
    }
}

/* ---- calls from the world ---- */

void
trace_work (Fiber *fiber, gint64 delay_us)
{
  SatinSim *sim = fiber->host->sim;
  gint64 now_us = sim->now_us;
  gboolean goes_on = fiber->work_event != 0 && fiber->work_until_us == now_us;
  add_busy (fiber->host, now_us, now_us + delay_us, 1);
  fiber->work_until_us = now_us + delay_us;
  if (!goes_on)
    fiber->work_event = add_event (sim, &(SatinSimEvent){ .kind = SATIN_SIM_WORK,
                                                          .host = fiber->host->number,
                                                          .fiber = fiber->number,
                                                          .begin_us = now_us });
  if (fiber->work_event != 0)
    get_event (sim, fiber->work_event)->end_us = fiber->work_until_us;
}

void
trace_delay (Fiber *fiber, gint64 delay_us)
{
  gint64 until_us = fiber->work_until_us + delay_us;
  add_busy (fiber->host, fiber->work_until_us, until_us, 1);
  fiber->work_until_us = until_us;
  if (fiber->work_event != 0)
    get_event (fiber->host->sim, fiber->work_event)->end_us = until_us;
}

gsize
trace_wait (Fiber *fiber)
{
  return add_event (fiber->host->sim, &(SatinSimEvent){ .kind = SATIN_SIM_WAIT,
                                                        .host = fiber->host->number,
                                                        .fiber = fiber->number,
                                                        .begin_us = fiber->host->sim->now_us,
                                                        .end_us = G_MAXINT64 });
}

void
trace_woken (Fiber *fiber, gsize event)
{
  if (event != 0)
    get_event (fiber->host->sim, event)->end_us = fiber->host->sim->now_us;
}

void
trace_message (const SatinSimHost *from, const SatinSimHost *to, gsize n_bytes, gint64 arrives_us)
{
  add_event (from->sim, &(SatinSimEvent){ .kind = SATIN_SIM_MESSAGE,
                                          .host = from->number,
                                          .to = to->number,
                                          .n_bytes = n_bytes,
                                          .begin_us = from->sim->now_us,
                                          .end_us = arrives_us });
}

void
trace_crash (SatinSimHost *host)
{
  SatinSim *sim = host->sim;
  for (guint i = 0; i < host->fibers->len; i++)
    {
      Fiber *fiber = g_ptr_array_index (host->fibers, i);
      add_busy (host, sim->now_us, fiber->work_until_us, -1);
      if (fiber->work_event != 0 && fiber->work_until_us > sim->now_us)
        get_event (sim, fiber->work_event)->end_us = sim->now_us;
    }
  add_event (sim, &(SatinSimEvent){ .kind = SATIN_SIM_CRASH,
                                    .host = host->number,
                                    .begin_us = sim->now_us,
                                    .end_us = sim->now_us });
}

void
trace_note (SatinLoop *loop, const char *text)
{
  SatinSimHost *host = (SatinSimHost *)loop;
  SatinSim *sim = host->sim;
  SatinSimEvent note = {
    .kind = SATIN_SIM_NOTE, .host = host->number, .begin_us = sim->now_us, .end_us = sim->now_us
  };
  gsize place = add_event (sim, &note);
  if (place != 0)
    get_event (sim, place)->text = g_string_chunk_insert (sim->trace.texts, text);
}
