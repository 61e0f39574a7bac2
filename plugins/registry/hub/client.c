/* client.c - states and deadlines of a node's membership
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

/* After the end of the run: how long the host may take to report its last figures. */
#define REPORT_PATIENCE_US ((gint64)500000)

#define TO(state) (1u << (state))

static const struct
{
  const char *name;
  guint next;
} states[CLIENT_N_STATES] = {
  [CLIENT_JOINING] = { "joining", TO (CLIENT_MEMBER) | TO (CLIENT_LEAVING) | TO (CLIENT_DONE) },
  [CLIENT_MEMBER] = { "member", TO (CLIENT_UNSURE) | TO (CLIENT_ENDING) | TO (CLIENT_LEAVING)
                                    | TO (CLIENT_DONE) },
  [CLIENT_UNSURE] = { "unsure", TO (CLIENT_MEMBER) | TO (CLIENT_LEAVING) | TO (CLIENT_DONE) },
  [CLIENT_ENDING] = { "ending", TO (CLIENT_LEAVING) | TO (CLIENT_DONE) },
  [CLIENT_LEAVING] = { "leaving", TO (CLIENT_DONE) },
  [CLIENT_DONE] = { "done", 0 },
};

gboolean
client_state_may (ClientState from, ClientState to)
{
  return (states[from].next & TO (to)) != 0;
}

static void
fail_to_join (Client *self)
{
  g_autoptr (GError) error = g_error_new (
      SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "no hub let us in at %s within %.3g s%s%s", self->uri,
      (double)self->join_timeout_us / G_USEC_PER_SEC, self->last_error != NULL ? ": " : "",
      self->last_error != NULL ? self->last_error->message : "");

  client_finish (self, error);
}

static void
on_deadline (gpointer user_data)
{
  Client *self = user_data;

  self->deadline_timer = 0;
  switch (self->state)
    {
    case CLIENT_JOINING:
      fail_to_join (self);
      break;
    case CLIENT_ENDING:
      client_leave (self);
      break;
    case CLIENT_LEAVING:
      client_finish (self, NULL);
      break;
    case CLIENT_MEMBER:
    case CLIENT_UNSURE:
    case CLIENT_DONE:
    case CLIENT_N_STATES:
      g_assert_not_reached ();
    }
}

static void
set_deadline (Client *self, gint64 delay_us)
{
  satin_loop_timer_cancel (self->loop, &self->deadline_timer);
  self->deadline_timer = satin_loop_timer_add (self->loop, delay_us, on_deadline, self);
}

void
client_enter (Client *self, ClientState to)
{
  ClientState from = self->state;

  g_debug ("node %u: %s to %s", self->identity.node, states[from].name, states[to].name);
  g_assert (client_state_may (from, to));
  self->state = to;
  satin_loop_timer_cancel (self->loop, &self->deadline_timer);
  switch (to)
    {
    case CLIENT_MEMBER:
    case CLIENT_UNSURE:
      break;
    case CLIENT_ENDING:
      set_deadline (self, REPORT_PATIENCE_US);
      break;
    case CLIENT_LEAVING:
      set_deadline (self, from == CLIENT_JOINING ? 0 : self->leave_timeout_us);
      break;
    case CLIENT_DONE:
      client_stop_timers (self);
      break;
    case CLIENT_JOINING:
    case CLIENT_N_STATES:
      g_assert_not_reached ();
    }
}

Client *
client_new (const SatinRegistryContext *context, const SatinRegistryEvents *events,
            gpointer user_data, gint64 join_timeout_us, gint64 leave_timeout_us)
{
  Client *self = g_new0 (Client, 1);

  self->n_refs = 1;
  self->loop = context->loop;
  self->transport = context->transport;
  self->uri = g_strdup (context->uri);
  self->program_name = g_strdup (context->program->name);
  self->program = *context->program;
  self->program.name = self->program_name;
  self->identity.role = SATIN_ROLE_NODE;
  self->identity.program = &self->program;
  self->cluster = g_strdup (context->cluster);
  self->address = g_strdup (context->address);
  self->host = g_strdup (context->host);
  self->pid = context->pid;
  self->events = events;
  self->user_data = user_data;
  self->members = g_array_new (FALSE, FALSE, sizeof (ClientMember));
  g_array_set_clear_func (self->members, client_clear_member);
  self->gone = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->asked = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->join_timeout_us = join_timeout_us;
  self->leave_timeout_us = leave_timeout_us;
  self->backoff_us = CLIENT_BACKOFF_MIN_US;
  self->heartbeat_us = CLIENT_JOIN_BEAT_US;
  self->death_us = CLIENT_JOIN_SILENCE_US;
  set_deadline (self, join_timeout_us);
  return self;
}

void
client_unref (Client *self)
{
  if (--self->n_refs > 0)
    return;
  satin_loop_timer_cancel (self->loop, &self->deadline_timer);
  client_stop_timers (self);
  g_array_unref (self->members);
  g_array_unref (self->gone);
  g_array_unref (self->asked);
  g_clear_error (&self->last_error);
  g_free (self->end_message);
  g_free (self->uri);
  g_free (self->program_name);
  g_free (self->cluster);
  g_free (self->address);
  g_free (self->host);
  g_free (self);
}

void
client_leave (Client *self)
{
  if (!client_state_may (self->state, CLIENT_LEAVING))
    return;
  client_enter (self, CLIENT_LEAVING);
  if (self->is_welcomed)
    client_send (self, HUB_MESSAGE_LEAVE, NULL);
}

void
client_abandon (Client *self)
{
  self->is_abandoned = TRUE;
  if (client_state_may (self->state, CLIENT_DONE))
    client_enter (self, CLIENT_DONE);
  if (self->link != NULL)
    satin_link_drop (self->link);
  client_unref (self);
}

void
client_finish (Client *self, const GError *error)
{
  client_enter (self, CLIENT_DONE);
  if (self->link != NULL)
    satin_link_drop (self->link);
  if (self->is_abandoned)
    return;
  self->events->over (error, self->user_data);
  client_unref (self);
}

static void
tell_end (Client *self, const SatinRunEnd *end)
{
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinRunEnd_record, end);

  if (!self->is_abandoned)
    self->events->signal (SATIN_SIGNAL_OVER, payload, self->user_data);
}

static void
come_too_late (Client *self, const SatinRunEnd *end)
{
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "the run at %s is over with exit status %d%s%s",
                   self->uri, end->exit_status, end->message[0] != '\0' ? ": " : "", end->message);

  client_finish (self, error);
}

/* Takes the end of the run. For a member, asks the host for its figures before reporting the end,
 * because the host may leave when it hears of the end. */
void
client_run_over (Client *self, const SatinRunEnd *end)
{
  self->has_end = FALSE;
  self->is_over = TRUE;
  switch (self->state)
    {
    case CLIENT_JOINING:
      come_too_late (self, end);
      break;
    case CLIENT_MEMBER:
      client_enter (self, CLIENT_ENDING);
      self->events->asked (0, self->user_data);
      tell_end (self, end);
      break;
    case CLIENT_UNSURE:
      satin_loop_probe (self->loop, "client.end-unsure");
      tell_end (self, end);
      if (self->state != CLIENT_DONE)
        client_finish (self, NULL);
      break;
    case CLIENT_ENDING:
    case CLIENT_LEAVING:
    case CLIENT_DONE:
    case CLIENT_N_STATES:
      break;
    }
}
