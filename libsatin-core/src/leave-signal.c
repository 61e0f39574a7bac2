/* leave-signal.c - SIGTERM asks a node's process to leave in good order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leave.h"

#include <glib-unix.h>
#include <signal.h>

typedef struct
{
  SatinMembership *member; /* (borrowed) */
  gboolean is_asked;
} TermWatch;

/* As if nobody had watched for it. */
static void
end_process (void)
{
  signal (SIGTERM, SIG_DFL);
  raise (SIGTERM);
}

static gboolean
on_term (gpointer user_data)
{
  TermWatch *self = user_data;
  g_autoptr (GError) error = NULL;
  if (self->is_asked)
    end_process ();
  self->is_asked = TRUE;
  if (satin_membership_leave (self->member, SATIN_LEAVE_DEFAULT_US, &error))
    return G_SOURCE_CONTINUE;
  if (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_CLOSED))
    end_process ();
  g_warning ("SIGTERM: %s, or send it again to end this process", error->message);
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
