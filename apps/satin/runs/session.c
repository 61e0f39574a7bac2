/* session.c - the loop and the transport with which a command speaks with a hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "session.h"

#define CLOSE_PATIENCE_US ((gint64)1000000)

void
session_run_until (const gboolean *is_done)
{
  while (!*is_done)
    g_main_context_iteration (NULL, TRUE);
}

static void
set_flag (gpointer flag)
{
  *(gboolean *)flag = TRUE;
}

void
session_pause (Session *self, gint64 time_us)
{
  gboolean is_over = FALSE;
  satin_loop_timer_add (self->loop, time_us, set_flag, &is_over);
  session_run_until (&is_over);
}

/* If the error says that a secret is missing, adds the options that give one. The transport, which
 * made the error, does not know the options of commands. */
static void
name_options (GError **error)
{
  if (!g_error_matches (*error, SATIN_ERROR, SATIN_ERROR_SECRET))
    return;
  g_autoptr (GError) plain = g_steal_pointer (error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
               "%s (--secret-file FILE or --insecure; satin hub --new-secret FILE makes one)",
               plain->message);
}

Session *
session_open (const char *uri, SatinSecret *secret, gboolean is_insecure, GError **error)
{
  Session *self = g_new0 (Session, 1);
  self->secret = secret;
  self->loop = satin_loop_new (g_main_context_default (), 0, error);
  if (self->loop == NULL)
    {
      session_close (self);
      return NULL;
    }
  const SatinTransportContext context = {
    .struct_size = sizeof context, .loop = self->loop, .secret = secret, .is_insecure = is_insecure
  };
  g_autoptr (GError) local = NULL;
  if (uri == NULL)
    return self;
  self->transport = satin_transport_new (uri, &context, &local);
  if (self->transport != NULL)
    return self;
  name_options (&local);
  g_propagate_error (error, g_steal_pointer (&local));
  session_close (self);
  return NULL;
}

/* A transport that is being closed. The close may end after close_transport() has stopped
 * waiting. */
typedef struct
{
  gboolean is_done;
  gboolean is_left; /* close_transport() does not wait any more */
} Closing;

static void
on_closed (const GError *error, gpointer user_data)
{
  Closing *closing = user_data;
  closing->is_done = TRUE;
  if (closing->is_left)
    g_free (closing);
}

static void
close_transport (Session *self)
{
  gboolean is_overdue = FALSE;
  Closing *closing = g_new0 (Closing, 1);
  SatinTimerId timer = satin_loop_timer_add (self->loop, CLOSE_PATIENCE_US, set_flag, &is_overdue);
  satin_transport_close (self->transport, on_closed, closing);
  while (!closing->is_done && !is_overdue)
    g_main_context_iteration (g_main_context_default (), TRUE);
  satin_loop_timer_cancel (self->loop, &timer);
  closing->is_left = TRUE;
  if (closing->is_done)
    g_free (closing);
}

void
session_close (Session *self)
{
  if (self == NULL)
    return;
  if (self->transport != NULL)
    close_transport (self);
  if (self->loop != NULL)
    satin_loop_free (self->loop);
  satin_secret_free (self->secret);
  g_free (self);
}

typedef struct
{
  gboolean is_done;
  SatinRunStatus *ret_status;
  GError *error; /* (owned) (nullable) */
} Question;

static void
on_status (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  Question *question = user_data;
  if (error != NULL)
    question->error = g_error_copy (error);
  else
    satin_record_copy (&SatinRunStatus_record, status, question->ret_status);
  question->is_done = TRUE;
}

static gboolean
wait_for_status (Question *question, GError **error)
{
  session_run_until (&question->is_done);
  if (question->error == NULL)
    return TRUE;
  g_propagate_error (error, question->error);
  return FALSE;
}

gboolean
session_ask_status (Session *self, const char *uri, gint64 timeout_us, SatinRunStatus *ret_status,
                    GError **error)
{
  Question question = { .ret_status = ret_status };
  satin_status_ask (self->loop, self->transport, uri, timeout_us, on_status, &question);
  return wait_for_status (&question, error);
}

/* The time between the two questions of session_ask_dumps(). */
#define APART_US ((gint64)300000)

static gboolean
ask_dumps_once (Session *self, const char *uri, gint64 timeout_us, SatinRunStatus *ret_status,
                GError **error)
{
  Question question = { .ret_status = ret_status };
  satin_dumps_ask (self->loop, self->transport, uri, timeout_us, on_status, &question);
  return wait_for_status (&question, error);
}

gboolean
session_ask_dumps (Session *self, const char *uri, gint64 timeout_us, SatinRunStatus *ret_status,
                   GError **error)
{
  if (!ask_dumps_once (self, uri, timeout_us, ret_status, error))
    return FALSE;
  satin_record_clear (&SatinRunStatus_record, ret_status);
  session_pause (self, APART_US);
  return ask_dumps_once (self, uri, timeout_us, ret_status, error);
}

gboolean
session_say (Session *self, const char *uri, const SatinToolWord *word, gint64 timeout_us,
             SatinRunStatus *ret_status, GError **error)
{
  Question question = { .ret_status = ret_status };
  satin_tool_say (self->loop, self->transport, uri, word, timeout_us, on_status, &question);
  return wait_for_status (&question, error);
}
