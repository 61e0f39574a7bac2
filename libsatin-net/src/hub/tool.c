/* tool.c - asks a hub for the status of its run, and sends words to its members
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "protocol.h"

/* How much longer a tool waits for the answer than the hub may wait for figures. */
#define ANSWER_PATIENCE_US ((gint64)1000000)

/* One call of satin_status_ask(), satin_dumps_ask() or satin_tool_say(), until its link is down. */
typedef struct
{
  SatinLoop *loop; /* (borrowed) */
  SatinLink *link; /* (nullable): %NULL when connect failed */
  char *uri;       /* (owned) */
  SatinTimerId timer;
  gint64 timeout_us;
  gboolean wants_dumps;
  GPtrArray *words;  /* (owned) (element-type GBytes): messages that are sent before the question */
  GError *error;     /* (owned) (nullable): why the call failed */
  HubMessage answer; /* the status; its type is 0 before it has come */
  SatinStatusFunc func;
  gpointer user_data;
} Question;

static const SatinIdentity identity = { .role = SATIN_ROLE_TOOL };

static void
finish (Question *self)
{
  satin_loop_timer_cancel (self->loop, &self->timer);
  if (self->answer.type == HUB_MESSAGE_STATUS)
    self->func (&self->answer.body.status, NULL, self->user_data);
  else
    self->func (NULL, self->error, self->user_data);
  hub_message_clear (&self->answer);
  g_clear_error (&self->error);
  g_ptr_array_unref (self->words);
  g_free (self->uri);
  g_free (self);
}

static void
on_open (SatinLink *link, gpointer user_data)
{
  Question *self = user_data;
  HubAskStatus ask = { self->timeout_us, self->wants_dumps };
  g_autoptr (GBytes) payload = hub_message_encode (HUB_MESSAGE_ASK_STATUS, &ask);

  for (guint i = 0; i < self->words->len; i++)
    satin_link_send (link, SATIN_FRAME_HUB, 0, g_ptr_array_index (self->words, i));
  satin_link_send (link, SATIN_FRAME_HUB, 0, payload);
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  Question *self = user_data;
  g_auto (HubMessage) message = { 0 };

  if (self->error != NULL || self->answer.type != 0)
    return;
  if (kind != SATIN_FRAME_HUB)
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_FORMAT, "what answers at %s is no hub",
                 self->uri);
  else if (!hub_message_parse (payload, SATIN_ROLE_HUB, &message, &self->error))
    g_prefix_error (&self->error, "the hub at %s: ", self->uri);
  else if (message.type != HUB_MESSAGE_STATUS)
    return;
  self->answer = message;
  message = (HubMessage){ 0 };
  satin_link_close (link, self->error);
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  Question *self = user_data;

  if (self->error == NULL && error != NULL)
    self->error = g_error_copy (error);
  if (self->error == NULL)
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_CLOSED,
                 "the hub at %s closed the link before it answered", self->uri);
  finish (self);
}

static const SatinLinkFuncs funcs = {
  .open = on_open,
  .frame = on_frame,
  .down = on_down,
};

static void
on_timer (gpointer user_data)
{
  Question *self = user_data;

  self->timer = 0;
  if (self->link == NULL)
    {
      finish (self);
      return;
    }
  if (self->error == NULL)
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                 "the hub at %s did not answer within %.3g s: is it stopped, or its machine "
                 "overloaded?",
                 self->uri, (double)(self->timeout_us + ANSWER_PATIENCE_US) / G_USEC_PER_SEC);
  satin_link_drop (self->link);
}

/* Adds a message that sends @word to @to. @to: a member; 0: all members; %SATIN_RUN_HOLDER */
static void
add_word (GPtrArray *words, const SatinToolWord *word, SatinNodeId to)
{
  HubSignal signal = { .to = to, .word = word->word };

  if (word->payload != NULL)
    signal.payload = g_bytes_get_data (word->payload, &signal.n_payload);
  g_ptr_array_add (words, hub_message_encode (HUB_MESSAGE_SIGNAL, &signal));
}

static Question *
question_new (SatinLoop *loop, const char *uri, gint64 timeout_us, SatinStatusFunc func,
              gpointer user_data)
{
  Question *self = g_new0 (Question, 1);

  self->loop = loop;
  self->uri = g_strdup (uri);
  self->timeout_us = timeout_us;
  self->words = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  self->func = func;
  self->user_data = user_data;
  return self;
}

static void
question_send (Question *self, SatinTransport *transport)
{
  self->link =
      satin_transport_connect (transport, self->uri, &identity, &funcs, self, &self->error);
  self->timer = satin_loop_timer_add (
      self->loop, self->link != NULL ? self->timeout_us + ANSWER_PATIENCE_US : 0, on_timer, self);
}

void
satin_tool_say (SatinLoop *loop, SatinTransport *transport, const char *uri,
                const SatinToolWord *word, gint64 timeout_us, SatinStatusFunc func,
                gpointer user_data)
{
  Question *self = question_new (loop, uri, timeout_us, func, user_data);

  for (guint i = 0; i < word->n_to; i++)
    add_word (self->words, word, word->to[i]);
  if (word->n_to == 0)
    add_word (self->words, word, 0);
  question_send (self, transport);
}

void
satin_status_ask (SatinLoop *loop, SatinTransport *transport, const char *uri, gint64 timeout_us,
                  SatinStatusFunc func, gpointer user_data)
{
  question_send (question_new (loop, uri, timeout_us, func, user_data), transport);
}

void
satin_dumps_ask (SatinLoop *loop, SatinTransport *transport, const char *uri, gint64 timeout_us,
                 SatinStatusFunc func, gpointer user_data)
{
  Question *self = question_new (loop, uri, timeout_us, func, user_data);

  self->wants_dumps = TRUE;
  question_send (self, transport);
}
