/* read.c - received bytes, the frames in them, and what each frame does to the link
 *
 * The dialing side sends its hello first. The accepting side judges it, and only then answers with
 * its own hello. The dialing side judges that hello, opens the link and sends its first ping. This
 * first frame opens the link on the accepting side. So when a link is open on either side, both
 * sides have accepted it. Two links between the same nodes may cross. The nodes choose one of them
 * when they judge the hellos. Until a link is open, the node that sends on it keeps a copy of every
 * message.
 *
 * Early messages may follow a hello at once. They do not open the link. The receiver keeps them
 * until it has judged the hello. If it refuses the link, it throws them away, and the sender still
 * has them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

#include "hello.h"

#define MAX_PING_BYTES 16

/* ---- received frames ---- */

/* Opens the link: each side has accepted the other side's hello. */
static void
link_open (SatinLink *self)
{
  satin_link_enter (self, LINK_OPEN);
  if (self->funcs->open != NULL)
    self->funcs->open (self, self->user_data);
  if (self->is_leaving && self->state == LINK_OPEN)
    satin_link_close (self, NULL);
}

/* Accepts the other side's hello. */
static void
link_accept (SatinLink *self)
{
  self->reader.is_greeting = FALSE;
  if (self->has_dialed)
    link_open (self);
  else
    satin_link_write_hello (self);
}

/* Asks the owner whether it accepts this link. */
static void
link_decide (SatinLink *self)
{
  GError *error = NULL;

  self->is_undecided = FALSE;
  if (self->funcs->check == NULL || self->funcs->check (self, self->hello, self->user_data, &error))
    {
      if (self->state == LINK_GREETING)
        link_accept (self);
      return;
    }
  if (error != NULL)
    satin_link_fail (self, error);
  else
    self->is_undecided = TRUE;
}

static void
link_take_hello (SatinLink *self, GBytes *payload)
{
  GError *error = NULL;

  self->hello = g_new0 (SatinHello, 1);
  if (!satin_hello_read (payload, self->hello, &error)
      || !satin_hello_judge (self->hello, self->identity, &error))
    {
      satin_link_fail (self, error);
      return;
    }
  self->has_hello = TRUE;
  self->reader.may_be_early = TRUE;
  link_decide (self);
}

/* Reads why the other side closes the link. Returns: (transfer full) (nullable): %NULL when it
 * closes in good order */
static GError *
read_goodbye (SatinLink *self, GBytes *payload)
{
  gsize n_bytes = 0;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  SatinGoodbye goodbye = { 0 };
  GError *error = NULL;

  if (!satin_record_decode (&SatinGoodbye_record, bytes, n_bytes, &goodbye, &error))
    {
      g_prefix_error (&error, "%s: goodbye: ", self->name);
      return error;
    }
  if (goodbye.code != -1)
    error = g_error_new (
        SATIN_ERROR,
        goodbye.code >= 0 && goodbye.code <= SATIN_ERROR_ABORTED ? goodbye.code
                                                                 : SATIN_ERROR_CLOSED,
        "%s %s: %s", self->name,
        self->state == LINK_GREETING ? "refused this side" : "closed the link", goodbye.message);
  satin_record_clear (&SatinGoodbye_record, &goodbye);
  return error;
}

static void
link_take_goodbye (SatinLink *self, GBytes *payload)
{
  if (self->state == LINK_CLOSING)
    {
      satin_link_shut (self);
      return;
    }
  self->is_answering = TRUE;
  self->reason = read_goodbye (self, payload);
  satin_link_enter (self, LINK_CLOSING);
  satin_link_shut (self);
}

static void
link_take_pong (SatinLink *self, GBytes *payload)
{
  guint64 number = GUINT64_TO_LE (self->ping_number);
  gsize n_bytes = 0;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  gint64 trip_us;

  if (!self->has_pinged || n_bytes != sizeof number || memcmp (bytes, &number, sizeof number) != 0)
    return;
  trip_us = satin_loop_now_us (self->transport->loop) - self->ping_sent_us;
  trip_us = MAX (trip_us, 1);
  self->has_pinged = FALSE;
  if (self->round_trip_us == 0 || trip_us < self->round_trip_us)
    self->round_trip_us = trip_us;
  if (self->funcs->measured != NULL)
    self->funcs->measured (self, trip_us, self->user_data);
}

static void
link_take_ping (SatinLink *self, GBytes *payload)
{
  if (g_bytes_get_size (payload) > MAX_PING_BYTES)
    {
      satin_link_fail (self, g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                                          "a ping of more than %d bytes", MAX_PING_BYTES));
      return;
    }
  if (self->state == LINK_OPEN && satin_link_queued_bytes (self) < SATIN_LINK_ANSWER_MAX_BYTES)
    {
      g_autoptr (GBytes) pong = satin_frame_join (SATIN_FRAME_PONG, 0, payload);

      satin_link_write (self, pong);
    }
}

/* Whether a frame of @kind is legal in the present state. A goodbye is always legal. After
 * GREETING, all frames but a hello are legal. In GREETING, the first hello is legal. On the
 * accepting side, early messages are legal while it has not decided, and all frames but a second
 * hello once it has sent its own hello. */
static gboolean
link_expects (SatinLink *self, SatinFrameKind kind)
{
  if (kind == SATIN_FRAME_GOODBYE)
    return TRUE;
  if (self->state != LINK_GREETING)
    return kind != SATIN_FRAME_HELLO;
  if (kind == SATIN_FRAME_HELLO)
    return !self->has_hello;
  return !self->has_dialed
         && (self->has_greeted || (self->is_undecided && kind == SATIN_FRAME_EARLY));
}

/* Keeps a message that arrived before its link was accepted. */
static void
link_keep_early (SatinLink *self, const SatinFrame *frame)
{
  SatinFrame *kept = g_new (SatinFrame, 1);

  *kept = (SatinFrame){ frame->kind, frame->channel, g_bytes_ref (frame->payload) };
  g_queue_push_tail (&self->early, kept);
  self->early_bytes += SATIN_FRAME_HEAD_BYTES + g_bytes_get_size (frame->payload);
  if (self->early_bytes > SATIN_HANDSHAKE_MAX_BYTES)
    satin_link_fail (self, g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                                        "more than %" G_GSIZE_FORMAT " bytes came too early",
                                        SATIN_HANDSHAKE_MAX_BYTES));
}

static void
frame_free (gpointer data)
{
  SatinFrame *frame = data;

  g_bytes_unref (frame->payload);
  g_free (frame);
}

void
satin_link_drop_early (SatinLink *self)
{
  g_queue_clear_full (&self->early, frame_free);
  self->early_bytes = 0;
}

static void
link_take_frame (SatinLink *self, const SatinFrame *frame)
{
  if (self->state == LINK_CLOSING && frame->kind != SATIN_FRAME_GOODBYE
      && (self->reason != NULL || frame->kind == SATIN_FRAME_HELLO))
    return;
  if (!link_expects (self, frame->kind))
    {
      satin_link_fail (self, g_error_new (SATIN_ERROR, SATIN_ERROR_FORMAT,
                                          "a frame of kind %d came while %s", frame->kind,
                                          satin_link_state_name (self->state)));
      return;
    }
  if (self->state == LINK_GREETING && self->is_undecided && frame->kind == SATIN_FRAME_EARLY)
    {
      link_keep_early (self, frame);
      return;
    }
  if (self->state == LINK_GREETING && frame->kind != SATIN_FRAME_HELLO
      && frame->kind != SATIN_FRAME_GOODBYE && frame->kind != SATIN_FRAME_EARLY)
    link_open (self);
  if (self->state == LINK_DOWN)
    return;
  switch (frame->kind)
    {
    case SATIN_FRAME_HELLO:
      link_take_hello (self, frame->payload);
      break;
    case SATIN_FRAME_GOODBYE:
      link_take_goodbye (self, frame->payload);
      break;
    case SATIN_FRAME_PING:
      link_take_ping (self, frame->payload);
      break;
    case SATIN_FRAME_PONG:
      link_take_pong (self, frame->payload);
      break;
    case SATIN_FRAME_MESSAGE:
    case SATIN_FRAME_HUB:
    case SATIN_FRAME_EARLY:
      self->funcs->frame (self, frame->kind, frame->channel, frame->payload, self->user_data);
      break;
    }
}

/* ---- received bytes ---- */

static gboolean
may_read (SatinLink *self)
{
  return !self->is_paused && !self->is_deaf && self->state != LINK_DOWN;
}

/* Handles the frames at the front of @bytes until the link pauses or ends. Returns: how many bytes
 * were used */
static gsize
link_read (SatinLink *self, const guint8 *bytes, gsize n_bytes)
{
  gsize at = 0;

  while (at < n_bytes && may_read (self))
    {
      SatinFrame frame = { 0 };
      GError *error = NULL;
      gsize n_used = 0;
      SatinFrameReadResult result = satin_frame_reader_read (&self->reader, bytes + at,
                                                             n_bytes - at, &n_used, &frame, &error);

      at += n_used;
      if (result == SATIN_FRAME_READ_FAILED)
        {
          self->is_deaf = TRUE;
          satin_link_fail (self, error);
          return n_bytes;
        }
      if (result == SATIN_FRAME_READ_FRAME)
        {
          link_take_frame (self, &frame);
          g_bytes_unref (frame.payload);
        }
    }
  return at;
}

void
satin_link_consume (SatinLink *self, const guint8 *bytes, gsize n_bytes)
{
  gsize n_used = self->held != NULL ? 0 : link_read (self, bytes, n_bytes);

  if (n_used == n_bytes || self->is_deaf || self->state == LINK_DOWN)
    return;
  if (self->held == NULL)
    self->held = g_byte_array_new ();
  g_byte_array_append (self->held, bytes + n_used, (guint)(n_bytes - n_used));
  if (self->state == LINK_GREETING && self->held->len > SATIN_HANDSHAKE_MAX_BYTES)
    satin_link_fail (self,
                     g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                                  "more than %" G_GSIZE_FORMAT " bytes came before their turn",
                                  SATIN_HANDSHAKE_MAX_BYTES));
}

/* Handles the kept early messages, once the link is accepted. They come before the held bytes. */
static void
link_take_early (SatinLink *self)
{
  SatinFrame *frame;

  while (!self->is_undecided && may_read (self)
         && (frame = g_queue_pop_head (&self->early)) != NULL)
    {
      self->early_bytes -= SATIN_FRAME_HEAD_BYTES + g_bytes_get_size (frame->payload);
      link_take_frame (self, frame);
      frame_free (frame);
    }
}

static void
on_resume (gpointer user_data)
{
  SatinLink *self = user_data;
  g_autoptr (GByteArray) held = NULL;

  self->resume_timer = 0;
  if (self->is_paused)
    return;
  self->n_users++;
  if (self->is_undecided)
    link_decide (self);
  if (may_read (self))
    {
      link_take_early (self);
      held = g_steal_pointer (&self->held);
      if (held != NULL)
        satin_link_consume (self, held->data, held->len);
      if (self->state == LINK_OPEN || self->state == LINK_CLOSING)
        self->transport->ops.pause (self->handle, self->is_paused);
    }
  satin_link_unuse (self);
}

/**
 * satin_link_pause:
 *
 * With %TRUE, stops delivering frames. With %FALSE, delivery resumes on the loop, not inside this
 * call; if the link's check has deferred its decision, check is called again first. Before the link
 * is open, a pause holds the other side's hello back. A paused link can still go down.
 */
void
satin_link_pause (SatinLink *self, gboolean is_paused)
{
  g_return_if_fail (self != NULL);

  self->is_paused = is_paused;
  if (self->state == LINK_DOWN)
    return;
  if (!is_paused && self->resume_timer == 0)
    self->resume_timer = satin_loop_timer_add (self->transport->loop, 0, on_resume, self);
  else if (is_paused && self->state != LINK_GREETING)
    self->transport->ops.pause (self->handle, TRUE);
}
