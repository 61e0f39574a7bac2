/* stage.c - makes and turns a real loop, or the loops of a simulated world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stage.h"

#include <satin/sim/world.h>

#define N_HOSTS 2

/* The hosts are so far apart that many bytes are on their way at once, and that jitter could make
 * later bytes overtake earlier ones. */
static const SatinSimOptions far_apart = {
  .seed = 1,
  .lan_us = 50,
  .wan_us = 2000,
  .lan_bandwidth = 125000000,
  .wan_bandwidth = 125000000,
  .jitter = 0.5,
};

/* The most time that stage_turn() lets pass in a world. */
#define SOON_US ((gint64)1000)

struct _Stage
{
  SatinLoop *real;           /* (owned) (nullable) */
  SatinSim *sim;             /* (owned) (nullable) */
  SatinLoop *loops[N_HOSTS]; /* (borrowed) */
};

Stage *
stage_new (gboolean is_simulated)
{
  Stage *self = g_new0 (Stage, 1);
  if (is_simulated)
    self->sim = satin_sim_new (&far_apart);
  else
    {
      g_autoptr (GError) error = NULL;
      self->real = satin_loop_new (NULL, 1, &error);
      if (self->real == NULL)
        g_error ("%s", error->message); /* nothing can be checked without a loop, so the program
                                         * ends */
    }
  for (guint i = 0; i < N_HOSTS; i++)
    self->loops[i] =
        is_simulated ? satin_sim_host_get_loop (satin_sim_add_host (self->sim, i, 1)) : self->real;
  return self;
}

void
stage_free (Stage *self)
{
  if (self->real != NULL)
    satin_loop_free (self->real);
  if (self->sim != NULL)
    satin_sim_free (self->sim);
  g_free (self);
}

SatinLoop *
stage_get_loop (Stage *self, guint host)
{
  return self->loops[host];
}

/* The timer of the deadline: wakes the loop, so that turn_real() sees that the time is over. */
static gboolean
ring (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
turn_real (Stage *self, StageQuestion question, gpointer data, gint64 patience_us)
{
  GMainContext *context = satin_loop_get_context (self->real);
  gint64 end_us = g_get_monotonic_time () + patience_us;
  GSource *alarm = g_timeout_source_new ((guint)(patience_us / 1000 + 1));
  g_source_set_callback (alarm, ring, NULL, NULL);
  g_source_attach (alarm, context);
  gboolean is_so = FALSE;
  while (!is_so && g_get_monotonic_time () < end_us)
    {
      g_main_context_iteration (context, TRUE);
      is_so = question (data);
    }
  g_source_destroy (alarm);
  g_source_unref (alarm);
  return is_so;
}

gboolean
stage_turn_until (Stage *self, StageQuestion question, gpointer data, gint64 patience_us)
{
  if (question (data))
    return TRUE;
  if (self->real != NULL)
    return turn_real (self, question, data, patience_us);
  return satin_sim_run (self->sim, satin_sim_now_us (self->sim) + patience_us, question, data);
}

static gboolean
is_enough (gpointer data)
{
  return TRUE;
}

void
stage_turn (Stage *self)
{
  if (self->real != NULL)
    g_main_context_iteration (satin_loop_get_context (self->real), FALSE);
  else
    satin_sim_run (self->sim, satin_sim_now_us (self->sim) + SOON_US, is_enough, NULL);
}
