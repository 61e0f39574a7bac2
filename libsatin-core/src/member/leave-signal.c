/* leave-signal.c - SIGTERM asks a node's process to leave in good order
 *
 * If all nodes get SIGTERM at once, no node stays that could continue. So in a run that stores
 * results the master first waits a moment, while the other nodes hand over to it. If all of them
 * leave, the master stores the results and ends the run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leave.h"

#include <glib-unix.h>
#include <signal.h>

/* How long a master waits for a node that stays, and how often it checks. */
#define HEIR_US ((gint64)1000000)
#define LOOK_MS 50
/* How long a master waits for the other nodes to leave. */
#define OTHERS_US (SATIN_LEAVE_DEFAULT_US / 2)

typedef struct
{
  SatinMembership *member; /* (borrowed) */
  gboolean is_asked;
  gint64 asked_us;
} TermWatch;

/* Ends the process as if SIGTERM had no handler. */
static void
end_process (void)
{
  signal (SIGTERM, SIG_DFL);
  raise (SIGTERM);
}

static void
leave (TermWatch *self)
{
  g_autoptr (GError) error = NULL;
  /* This node was told to leave by others as well, and has left. The process is about to end with
   * status 0, and only says goodbye. */
  if (satin_membership_is_over (self->member))
    return;
  if (satin_membership_leave (self->member, SATIN_LEAVE_DEFAULT_US, &error))
    return;
  if (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_CLOSED))
    end_process ();
  g_warning ("SIGTERM: %s, or send it again to end this process", error->message);
}

static gboolean
look (gpointer user_data)
{
  TermWatch *self = user_data;
  MemberOutlook outlook = member_look_around (self->member);
  gint64 waited_us = g_get_monotonic_time () - self->asked_us;
  if (outlook.is_stopping)
    return G_SOURCE_REMOVE;
  if (outlook.may_stop && (outlook.is_alone || (!outlook.has_heir && waited_us > OTHERS_US)))
    {
      member_stop_run (self->member, SATIN_LEAVE_DEFAULT_US - MIN (waited_us, OTHERS_US));
      return G_SOURCE_REMOVE;
    }
  if (outlook.may_stop && (!outlook.has_heir || waited_us < HEIR_US))
    return G_SOURCE_CONTINUE;
  leave (self);
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
