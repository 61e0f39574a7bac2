/* client-link.c - the link to the hub: dialing, heartbeats, frames
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#define BACKOFF_MAX_US ((gint64)1000000)
/* A link that held at least this long is dialed again at once when it is lost. */
#define STEADY_US ((gint64)1000000)

static void
on_dial_timer (gpointer user_data)
{
  Client *self = user_data;
  g_autoptr (GError) error = NULL;

  self->dial_timer = 0;
  if (!client_dial (self, &error))
    g_warning ("the hub's address %s cannot be dialed any more: %s", self->uri, error->message);
}

static void
dial_later (Client *self)
{
  gint64 delay_us = self->backoff_us;

  if (delay_us > 0)
    delay_us -= satin_loop_random_below (self->loop, (guint32)delay_us / 2);
  self->backoff_us = CLAMP (self->backoff_us * 2, CLIENT_BACKOFF_MIN_US, BACKOFF_MAX_US);
  satin_loop_timer_cancel (self->loop, &self->dial_timer);
  self->dial_timer = satin_loop_timer_add (self->loop, delay_us, on_dial_timer, self);
}

void
client_stop_timers (Client *self)
{
  satin_loop_timer_cancel (self->loop, &self->dial_timer);
  satin_loop_timer_cancel (self->loop, &self->beat_timer);
}

void
client_send (Client *self, HubMessageType type, gconstpointer body)
{
  g_autoptr (GBytes) payload = NULL;

  if (self->link == NULL)
    return;
  payload = hub_message_encode (type, body);
  satin_link_send (self->link, SATIN_FRAME_HUB, 0, payload);
}

static void on_beat (gpointer user_data);

static void
beat_later (Client *self)
{
  satin_loop_timer_cancel (self->loop, &self->beat_timer);
  self->beat_due_us = satin_loop_now_us (self->loop) + self->heartbeat_us;
  self->beat_timer = satin_loop_timer_add (self->loop, self->heartbeat_us, on_beat, self);
}

/* Sends a heartbeat, which the hub answers. Drops the link if the hub was silent for as long as the
 * hub itself allows a node to be silent. */
static void
on_beat (gpointer user_data)
{
  Client *self = user_data;
  gint64 now_us = satin_loop_now_us (self->loop);

  self->beat_timer = 0;
  hub_silence_update (&self->silence, satin_link_get_last_heard_us (self->link), now_us,
                      now_us - self->beat_due_us);
  if (now_us - self->silence.since_us > self->death_us)
    {
      satin_loop_probe (self->loop, "client.hub-silent");
      satin_link_drop (self->link);
      return;
    }
  if (self->is_welcomed)
    client_send (self, HUB_MESSAGE_HEARTBEAT, NULL);
  else if (self->state == CLIENT_JOINING)
    satin_link_ping (self->link); /* the hub may delay the join, but must show a sign of life */
  client_ask_again (self);
  beat_later (self);
}

static void
on_open (SatinLink *link, gpointer user_data)
{
  Client *self = user_data;
  g_autofree HubNode *others = client_describe_members (self);
  HubJoin join = {
    .member = { self->identity.node, self->cluster, self->address, self->host, self->pid },
    .hub = self->hub,
    .run = self->identity.run,
    .n_run = self->identity.node != 0 ? HUB_RUN_BYTES : 0,
    .highest = self->highest,
    .view_number = self->view_number,
    .master = self->master,
    .term = self->term,
    .is_complete = self->is_complete,
    .members = others,
    .n_members = self->members->len,
    .is_partial = self->is_partial,
    .gone = (const gint32 *)(gpointer)self->gone->data,
    .n_gone = self->is_partial ? self->gone->len : 0,
  };

  client_send (self, HUB_MESSAGE_JOIN, &join);
  /* Silence counts from now on, so that a hub that never answers the join is noticed as well. */
  hub_silence_start (&self->silence, satin_loop_now_us (self->loop));
  beat_later (self);
}

void
client_waits (Client *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait waits[] = {
    { .what = "the next link to the hub", .deadline = self->dial_timer },
    { .what = "a sign of life from the hub", .deadline = self->beat_timer },
    { .what = "the hub's answer", .deadline = self->deadline_timer },
  };

  /* A link that opens or closes is not added here: it has a deadline of its own. */
  if (self->state == CLIENT_DONE)
    return;
  if (self->link == NULL)
    add (&waits[0], user_data);
  else if (satin_link_is_open (self->link) && self->state != CLIENT_JOINING)
    add (&waits[1], user_data);
  if (self->state != CLIENT_MEMBER && self->state != CLIENT_UNSURE)
    add (&waits[2], user_data);
}

static gboolean
welcome (Client *self, const HubWelcome *message, GError **error)
{
  self->heartbeat_us = message->heartbeat_us;
  self->death_us = message->death_us;
  self->welcomed_us = satin_loop_now_us (self->loop);
  self->is_welcomed = TRUE;
  hub_silence_start (&self->silence, self->welcomed_us);
  beat_later (self);
  return client_take_welcome (self, message, error);
}

static void
pass_signal (Client *self, const HubSignal *signal)
{
  g_autoptr (GBytes) payload = g_bytes_new (signal->payload, signal->n_payload);
  self->events->signal (signal->word, payload, self->user_data);
}

static gboolean
handle (Client *self, const HubMessage *message, GError **error)
{
  switch (message->type)
    {
    case HUB_MESSAGE_WELCOME:
      return welcome (self, &message->body.welcome, error);
    case HUB_MESSAGE_OVER:
      client_run_over (self, &message->body.end);
      return TRUE;
    case HUB_MESSAGE_JOINED:
      return client_take_joined (self, &message->body.joined, error);
    case HUB_MESSAGE_LEFT:
      return client_take_gone (self, &message->body.gone, FALSE, error);
    case HUB_MESSAGE_DIED:
      return client_take_gone (self, &message->body.gone, TRUE, error);
    case HUB_MESSAGE_ELECTED:
      return client_take_elected (self, &message->body.elected, error);
    case HUB_MESSAGE_COMPLETE:
      client_take_complete (self);
      return TRUE;
    case HUB_MESSAGE_SIGNAL:
      if (self->state == CLIENT_MEMBER)
        pass_signal (self, &message->body.signal);
      return TRUE;
    case HUB_MESSAGE_ASK:
      if (self->state == CLIENT_MEMBER)
        self->events->asked ((gsize)message->body.ask.dump_bytes, self->user_data);
      return TRUE;
    case HUB_MESSAGE_PARTIAL:
      client_take_partial (self);
      return TRUE;
    case HUB_MESSAGE_UNKNOWN:
      client_take_unknown (self, &message->body.number);
      return TRUE;
    case HUB_MESSAGE_LEAVING:
      return client_take_leaving (self, &message->body.gone, error);
    case HUB_MESSAGE_HEARTBEAT:
      return TRUE;
    case HUB_MESSAGE_JOIN:
    case HUB_MESSAGE_ELECT:
    case HUB_MESSAGE_SUSPECT:
    case HUB_MESSAGE_REPORT:
    case HUB_MESSAGE_ASK_STATUS:
    case HUB_MESSAGE_STATUS:
    case HUB_MESSAGE_LEAVE:
    case HUB_MESSAGE_END:
    case HUB_MESSAGE_INTRODUCE:
    case HUB_MESSAGE_SAY_LEAVING:
    case HUB_N_MESSAGES:
      break;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "the message \"%s\" is not for a node",
               hub_message_name (message->type));
  return FALSE;
}

static gboolean
read_frame (Client *self, SatinFrameKind kind, GBytes *payload, GError **error)
{
  g_auto (HubMessage) message = { 0 };

  if (kind != SATIN_FRAME_HUB)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "a hub sends no messages of nodes");
      return FALSE;
    }
  if (!hub_message_parse (payload, SATIN_ROLE_HUB, &message, error))
    return FALSE;
  if (!self->is_welcomed && message.type != HUB_MESSAGE_WELCOME && message.type != HUB_MESSAGE_OVER)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "\"%s\" came before the view",
                   hub_message_name (message.type));
      return FALSE;
    }
  return handle (self, &message, error);
}

/* Ends the join after a message that cannot be understood: nothing is lost yet, and another try
 * would have the same result. */
static void
give_up_talking (Client *self, const GError *error)
{
  g_autoptr (GError) stranger = g_error_new (
      SATIN_ERROR, SATIN_ERROR_PROTOCOL,
      "the hub at %s and the plugin registry-hub of this node do not understand each other: %s; "
      "bring both to one version of Satin",
      self->uri, error->message);

  client_finish (self, stranger);
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  Client *self = user_data;
  g_autoptr (GError) error = NULL;

  if (self->state == CLIENT_DONE || self->is_broken)
    return;
  if (read_frame (self, kind, payload, &error))
    return;
  if (self->state == CLIENT_JOINING)
    give_up_talking (self, error);
  else
    {
      g_warning ("the hub at %s: %s; the link is made anew", self->uri, error->message);
      self->is_broken = TRUE;
      satin_link_drop (link);
    }
}

/* Whether @error is a refusal, which the hub would repeat. */
static gboolean
is_refusal (Client *self, const GError *error)
{
  static const SatinErrorCode refusals[] = { SATIN_ERROR_PROGRAM, SATIN_ERROR_SECRET,
                                             SATIN_ERROR_PROTOCOL, SATIN_ERROR_INVALID,
                                             SATIN_ERROR_LIMIT };
  gboolean is_it = FALSE;
  for (guint i = 0; self->state == CLIENT_JOINING && i < G_N_ELEMENTS (refusals); i++)
    is_it |= g_error_matches (error, SATIN_ERROR, (int)refusals[i]);
  return is_it || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_FENCED);
}

static void
lose (Client *self)
{
  if (satin_loop_now_us (self->loop) - self->welcomed_us >= STEADY_US)
    self->backoff_us = 0;
  self->lost_us = satin_loop_now_us (self->loop);
  self->is_unsure_told = FALSE;
  client_enter (self, CLIENT_UNSURE);
  dial_later (self);
}

static void
fail_again (Client *self)
{
  dial_later (self);
  if (self->is_unsure_told)
    return;
  self->is_unsure_told = TRUE;
  self->events->unsure (self->lost_us, self->last_error, self->user_data);
}

static void
go_on_without_link (Client *self)
{
  switch (self->state)
    {
    case CLIENT_JOINING:
      dial_later (self);
      break;
    case CLIENT_MEMBER:
      lose (self);
      break;
    case CLIENT_UNSURE:
      fail_again (self);
      break;
    case CLIENT_ENDING:
      client_finish (self, NULL);
      break;
    case CLIENT_LEAVING:
      if (self->is_over)
        client_finish (self, NULL);
      else
        dial_later (self);
      break;
    case CLIENT_DONE:
    case CLIENT_N_STATES:
      break;
    }
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  self->link = NULL;
  self->is_welcomed = FALSE;
  self->is_broken = FALSE;
  satin_loop_timer_cancel (self->loop, &self->beat_timer);
  g_clear_error (&self->last_error);
  self->last_error = error != NULL ? g_error_copy (error)
                                   : g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                                          "the hub closed the link");
  if (self->state == CLIENT_JOINING && g_error_matches (error, SATIN_ERROR, SATIN_ERROR_FORMAT))
    give_up_talking (self, error);
  else if (self->state == CLIENT_LEAVING && is_refusal (self, error))
    client_finish (self, NULL);
  else if (self->state != CLIENT_DONE && is_refusal (self, error))
    client_finish (self, error);
  else
    go_on_without_link (self);
  client_unref (self);
}

static const SatinLinkFuncs funcs = {
  .open = on_open,
  .frame = on_frame,
  .down = on_down,
};

gboolean
client_dial (Client *self, GError **error)
{
  self->link =
      satin_transport_connect (self->transport, self->uri, &self->identity, &funcs, self, error);
  if (self->link == NULL)
    return FALSE;
  self->n_refs++;
  return TRUE;
}
