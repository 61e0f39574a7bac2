/* leave-signal.c - SIGTERM asks a node's process to leave in good order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leave.h"

#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

/* How often the node checks whether it may go. */
#define LOOK_MS 50

typedef struct
{
  SatinMembership *member; /* (borrowed) */
  gboolean is_asked;
  gint64 asked_us;
} TermWatch;

/* Ends the process as if SIGTERM had no handler. The first process of a container is immune to the
 * signal. */
static void
end_process (void)
{
  signal (SIGTERM, SIG_DFL);
  raise (SIGTERM);
  _exit (128 + SIGTERM);
}

/* Others may have told this node to leave, too. If it has left already, its process is about to end
 * with status 0, and member_depart() does not refuse. */
static gboolean
look (gpointer user_data)
{
  TermWatch *self = user_data;
  g_autoptr (GError) error = NULL;
  gint64 waited_us = g_get_monotonic_time () - self->asked_us;
  SatinDepartureState state =
      member_depart (self->member, waited_us, SATIN_LEAVE_DEFAULT_US, &error);
  if (state == SATIN_DEPARTURE_WAITING)
    return G_SOURCE_CONTINUE;
  if (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_CLOSED))
    end_process ();
  if (error != NULL)
    g_warning ("SIGTERM: %s, or send it again to end this process", error->message);
  return G_SOURCE_REMOVE;
}

static gboolean
on_term (gpointer user_data)
{
  TermWatch *self = user_data;
  if (self->is_asked)
    end_process ();
  self->is_asked = TRUE;
  self->asked_us = g_get_monotonic_time ();
  if (look (self))
    g_timeout_add (LOOK_MS, look, self);
  return G_SOURCE_CONTINUE;
}

void
leave_on_signal (SatinMembership *member)
{
  struct sigaction action;
  if (sigaction (SIGTERM, NULL, &action) < 0 || action.sa_handler != SIG_DFL)
    return;
  TermWatch *self = g_new0 (TermWatch, 1);
  self->member = member;
  g_unix_signal_add_full (G_PRIORITY_DEFAULT, SIGTERM, on_term, self, g_free);
}
