/* durations.c - reports how long imported jobs ran, and how long requests took
 *
 * All imported jobs that ended well here are counted by how long they ran. Few are reported one by
 * one: only those that are among the longest ones of this node so far. A part may want more of
 * them, and requests, too (satin/core/details.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* A shorter job is never reported as one of the longest. */
#define LONG_US ((gint64)10000)

void
steal_set_long_job_func (Steal *self, StealLongJobFunc func, gpointer user_data)
{
  self->durations.func = func;
  self->durations.user_data = user_data;
}

void
steal_set_details (Steal *self, SatinDetails *details)
{
  self->durations.details = details;
}

/* ---- counts by time ---- */

void
steal_times_add (gint64 *times, gint64 took_us)
{
  guint i = 0;
  while (i < G_N_ELEMENTS ((StealTimes){ 0 }) - 1 && took_us > (gint64)STEAL_SHORT_US << i)
    i++;
  times[i]++;
}

void
steal_times_figures (const gint64 *times, const char *prefix, SatinFigureFunc add,
                     gpointer user_data)
{
  for (guint i = 0; i < G_N_ELEMENTS ((StealTimes){ 0 }); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s.within-%u", prefix, STEAL_SHORT_US << i);
      if (times[i] != 0)
        add (name, times[i], user_data);
    }
}

void
steal_durations_figures (const Steal *self, SatinFigureFunc add, gpointer user_data)
{
  steal_times_figures (self->durations.n_ran, "jobs-taken", add, user_data);
}

/* ---- the longest jobs ---- */

/* Returns: the place in ran_us of the shortest of the longest jobs */
static guint
find_shortest (const StealDurations *self)
{
  guint place = 0;
  for (guint i = 1; i < G_N_ELEMENTS (self->ran_us); i++)
    if (self->ran_us[i] < self->ran_us[place])
      place = i;
  return place;
}

static void
report_if_longest (StealDurations *self, const Import *import, gint64 ran_us)
{
  guint place = find_shortest (self);
  if (self->func == NULL || ran_us < LONG_US || ran_us <= self->ran_us[place])
    return;
  self->ran_us[place] = ran_us;
  g_autofree char *text = steal_describe_import (import);
  self->func (text, ran_us, self->user_data);
}

/* ---- details ---- */

static gboolean
is_wanted (const SatinDetails *details, gint64 took_us)
{
  return details != NULL && took_us >= details->min_us;
}

static void
add_job (Steal *self, const Import *import, gint64 ran_us)
{
  SatinDetails *details = self->durations.details;
  gint64 took_us = satin_loop_now_us (self->loop) - import->came_us;
  if (!is_wanted (details, took_us))
    return;
  g_autofree char *text = steal_describe_import (import);
  details->ops->add (details, &(SatinDetail){ .kind = SATIN_EVENT_JOB,
                                              .text = text,
                                              .node = import->owner,
                                              .began_us = import->came_us,
                                              .took_us = took_us,
                                              .value = ran_us });
}

void
steal_note_job (Steal *self, const Import *import, gint64 ran_us)
{
  steal_times_add (self->durations.n_ran, ran_us);
  report_if_longest (&self->durations, import, ran_us);
  add_job (self, import, ran_us);
}

void
steal_note_asked (Steal *self, const Asked *asked, gsize n_jobs)
{
  SatinDetails *details = self->durations.details;
  gint64 took_us = satin_loop_now_us (self->loop) - asked->sent_us;
  if (is_wanted (details, took_us))
    details->ops->add (details, &(SatinDetail){ .kind = SATIN_EVENT_REQUEST,
                                                .text = "",
                                                .node = asked->to,
                                                .began_us = asked->sent_us,
                                                .took_us = took_us,
                                                .value = (gint64)n_jobs });
}
