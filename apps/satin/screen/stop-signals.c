/* stop-signals.c - calls a function on the main loop for Ctrl-C and similar signals
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stop-signals.h"

#include <glib-unix.h>
#include <signal.h>

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

/* One watched signal. */
typedef struct
{
  int number;
  guint source;
  StopFunc func;
  gpointer user_data;
} Watch;

struct _StopSignals
{
  Watch watches[G_N_ELEMENTS (numbers)];
};

static gboolean
on_signal (gpointer user_data)
{
  Watch *watch = user_data;
  watch->func (watch->number, watch->user_data);
  return G_SOURCE_CONTINUE;
}

/* Whether the signal is SIGHUP and is ignored. Then it must stay ignored, because nohup(1) starts
 * commands with SIGHUP ignored. */
static gboolean
is_ignored_hangup (int number)
{
  struct sigaction action;
  return number == SIGHUP && sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

StopSignals *
stop_signals_watch (StopFunc func, gpointer user_data)
{
  StopSignals *self = g_new0 (StopSignals, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      Watch *watch = &self->watches[i];
      *watch = (Watch){ .number = numbers[i], .func = func, .user_data = user_data };
      if (!is_ignored_hangup (numbers[i]))
        watch->source = g_unix_signal_add (numbers[i], on_signal, watch);
    }
  return self;
}

void
stop_signals_free (StopSignals *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (self->watches[i].source != 0)
      g_source_remove (self->watches[i].source);
  g_free (self);
}
