/* link.c - the states of a link, from its start to its down
 *
 * A side closes in good order like this: it sends a goodbye and continues to read until the other
 * side's goodbye arrives. A goodbye is the last frame of its sender. Then both sides shut the
 * transport's stream. So no frame is lost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#define TO(state) (1u << (state))

/* clang-format off */
static const struct { const char *name; guint next; } states[LINK_N_STATES] = {
  [LINK_GREETING] = { "greeting", TO (LINK_OPEN) | TO (LINK_CLOSING) | TO (LINK_DOWN) },
  [LINK_OPEN] = { "open", TO (LINK_CLOSING) | TO (LINK_DOWN) },
  [LINK_CLOSING] = { "closing", TO (LINK_DOWN) },
  [LINK_DOWN] = { "down", 0 },
};
/* clang-format on */

gboolean
satin_link_state_may (LinkState from, LinkState to)
{
  return (states[from].next & TO (to)) != 0;
}

const char *
satin_link_state_name (LinkState state)
{
  return states[state].name;
}

/* ---- life ---- */

static void
link_free (SatinLink *self)
{
  satin_link_drop_hello (self);
  satin_frame_reader_clear (&self->reader);
  g_clear_pointer (&self->held, g_byte_array_unref);
  satin_link_drop_early (self);
  g_queue_clear_full (&self->waiting, (GDestroyNotify)g_bytes_unref);
  g_clear_error (&self->reason);
  g_ref_string_release (self->name);
  g_free (self);
}

void
satin_link_unuse (SatinLink *self)
{
  if (--self->n_users == 0 && self->is_gone)
    link_free (self);
}

/* ---- states ---- */

static void
on_deadline (gpointer user_data)
{
  SatinLink *self = user_data;
  gsize n_queued;

  self->deadline = 0;
  if (self->state == LINK_GREETING)
    {
      satin_link_fail (self,
                       g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                                    self->is_up ? "no hello within %" G_GINT64_FORMAT " s"
                                                : "nobody answers within %" G_GINT64_FORMAT " s",
                                    SATIN_HANDSHAKE_TIMEOUT_US / G_USEC_PER_SEC));
      return;
    }
  n_queued = satin_link_queued_bytes (self);
  if (n_queued < self->closing_bytes)
    {
      self->closing_bytes = n_queued;
      self->deadline = satin_loop_timer_add (self->transport->loop, SATIN_LINK_CLOSE_TIMEOUT_US,
                                             on_deadline, self);
      return;
    }
  if (self->reason == NULL)
    self->reason = g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                                "%s did not close within %" G_GINT64_FORMAT " s", self->name,
                                SATIN_LINK_CLOSE_TIMEOUT_US / G_USEC_PER_SEC);
  satin_link_drop (self);
}

static void
leave_greeting (SatinLink *self)
{
  if (!self->has_dialed)
    self->transport->n_greeting--;
}

void
satin_link_enter (SatinLink *self, LinkState to)
{
  SatinLoop *loop = self->transport->loop;

  g_debug ("link to %s: %s to %s", self->name, states[self->state].name, states[to].name);
  g_assert (satin_link_state_may (self->state, to));
  if (self->state == LINK_GREETING)
    leave_greeting (self);
  satin_loop_timer_cancel (loop, &self->deadline);
  self->is_undecided = FALSE;
  self->state = to;
  switch (to)
    {
    case LINK_GREETING:
    case LINK_N_STATES:
      g_assert_not_reached ();
    case LINK_OPEN:
      satin_link_flush (self);
      satin_link_ping (self);
      if (self->is_paused)
        self->transport->ops.pause (self->handle, TRUE);
      break;
    case LINK_CLOSING:
      self->reader.is_greeting = self->reader.is_greeting && !self->has_dialed;
      g_queue_clear_full (&self->waiting, (GDestroyNotify)g_bytes_unref);
      self->waiting_bytes = 0;
      satin_link_write_goodbye (self, self->is_answering ? NULL : self->reason);
      if (self->reason != NULL && self->is_paused)
        satin_link_pause (self, FALSE);
      self->closing_bytes = satin_link_queued_bytes (self);
      self->deadline = satin_loop_timer_add (loop, SATIN_LINK_CLOSE_TIMEOUT_US, on_deadline, self);
      break;
    case LINK_DOWN:
      satin_loop_timer_cancel (loop, &self->resume_timer);
      break;
    }
}

SatinLink *
satin_link_new (SatinTransport *transport, const SatinIdentity *identity, const char *name,
                gboolean has_dialed)
{
  SatinLink *self = g_new0 (SatinLink, 1);

  self->transport = transport;
  self->identity = identity;
  self->name = g_ref_string_new_intern (name);
  self->has_dialed = has_dialed;
  self->reader.is_greeting = TRUE;
  self->last_heard_us = satin_loop_now_us (transport->loop);
  self->n_users = 1; /* the transport, until it reports down */
  g_queue_init (&self->waiting);
  g_queue_init (&self->early);
  self->deadline =
      satin_loop_timer_add (transport->loop, SATIN_HANDSHAKE_TIMEOUT_US, on_deadline, self);
  if (!has_dialed)
    {
      self->is_up = TRUE;
      transport->n_greeting++;
    }
  return self;
}

void
satin_link_discard (SatinLink *self)
{
  satin_link_enter (self, LINK_DOWN);
  self->is_gone = TRUE;
  satin_link_unuse (self);
}

/* ---- going down ---- */

void
satin_link_shut (SatinLink *self)
{
  if (self->is_shut)
    return;
  self->is_shut = TRUE;
  self->is_deaf = TRUE;
  self->transport->ops.shut (self->handle);
}

void
satin_link_fail (SatinLink *self, GError *error)
{
  g_autoptr (GError) owned = error;

  if (self->state == LINK_DOWN || self->reason != NULL)
    return;
  self->reason = g_steal_pointer (&owned);
  if (self->state == LINK_CLOSING)
    satin_link_shut (self);
  else if (self->is_up)
    satin_link_enter (self, LINK_CLOSING);
  else
    satin_link_drop (self);
  g_prefix_error (&self->reason, "%s: ", self->name);
}

/**
 * satin_link_close:
 * @reason: (nullable): sent to the other side; the down of both sides then has this error
 *
 * Sends what is queued, then a goodbye. Without a @reason, frames that the other side sent before
 * its own goodbye are still delivered. With a @reason, no more frames are delivered.
 */
void
satin_link_close (SatinLink *self, const GError *reason)
{
  g_return_if_fail (self != NULL);

  if (self->state == LINK_CLOSING || self->state == LINK_DOWN)
    return;
  if (self->state == LINK_GREETING && reason == NULL && !g_queue_is_empty (&self->waiting))
    {
      self->is_leaving = TRUE;
      return;
    }
  if (reason != NULL)
    self->reason = g_error_copy (reason);
  if (self->is_up)
    satin_link_enter (self, LINK_CLOSING);
  else
    satin_link_drop (self);
}

void
satin_link_drop (SatinLink *self)
{
  g_return_if_fail (self != NULL);

  if (self->state == LINK_DOWN)
    return;
  satin_link_enter (self, LINK_DOWN);
  self->transport->ops.drop (self->handle);
}

/* ---- events of the transport ---- */

static void
on_up (gpointer handle, gpointer user_data)
{
  SatinLink *self = user_data;

  if (self->state != LINK_GREETING)
    return;
  self->is_up = TRUE;
  satin_link_write_hello (self);
}

static void
on_received (gpointer handle, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  SatinLink *self = user_data;

  self->bytes_received += n_bytes;
  self->last_heard_us = satin_loop_now_us (self->transport->loop);
  if (self->is_deaf || self->state == LINK_DOWN)
    return;
  self->n_users++;
  satin_link_consume (self, bytes, n_bytes);
  satin_link_unuse (self);
}

static void
on_drained (gpointer handle, gpointer user_data)
{
  SatinLink *self = user_data;

  if (!self->is_full || self->state != LINK_OPEN
      || satin_link_queued_bytes (self) >= SATIN_LINK_QUEUE_MAX_BYTES / 2)
    return;
  self->is_full = FALSE;
  if (self->funcs->drained != NULL)
    self->funcs->drained (self, self->user_data);
}

/* Chooses the error for the owner's down() when the transport has reported down with @error.
 * Returns: (transfer full) (nullable): %NULL when the link closed in good order */
static GError *
down_error (SatinLink *self, const GError *error)
{
  if (self->reason != NULL)
    return g_steal_pointer (&self->reason);
  if (self->is_shut && (error == NULL || !self->is_answering))
    return NULL;
  if (error != NULL)
    return g_error_copy (error);
  if (satin_frame_reader_is_inside (&self->reader))
    return g_error_new (SATIN_ERROR, SATIN_ERROR_TRUNCATED, "%s went away inside a frame",
                        self->name);
  return g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "%s went away without a goodbye",
                      self->name);
}

static void
on_down (gpointer handle, const GError *error, gpointer user_data)
{
  SatinLink *self = user_data;
  g_autoptr (GError) reason = down_error (self, error);

  if (self->state != LINK_DOWN)
    satin_link_enter (self, LINK_DOWN);
  self->is_gone = TRUE;
  self->funcs->down (self, reason, self->user_data);
  satin_link_unuse (self);
}

const SatinLinkEvents satin_link_events = {
  .struct_size = sizeof (SatinLinkEvents),
  .up = on_up,
  .received = on_received,
  .drained = on_drained,
  .down = on_down,
};

/* ---- getters ---- */

gint64
satin_link_get_round_trip_us (SatinLink *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->round_trip_us;
}

gint64
satin_link_get_last_heard_us (SatinLink *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->last_heard_us;
}

guint64
satin_link_get_bytes_sent (SatinLink *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->bytes_sent;
}

guint64
satin_link_get_bytes_received (SatinLink *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->bytes_received;
}

const SatinHello *
satin_link_get_hello (SatinLink *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->has_hello ? self->hello : NULL;
}

gboolean
satin_link_is_open (SatinLink *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->state == LINK_OPEN;
}

LinkState
satin_link_get_state (SatinLink *self)
{
  return self->state;
}

gboolean
satin_link_has_greeted (SatinLink *self)
{
  return self->has_greeted;
}

void
satin_link_drop_hello (SatinLink *self)
{
  if (self->hello != NULL)
    satin_record_clear (&SatinHello_record, self->hello);
  g_clear_pointer (&self->hello, g_free);
}

gboolean
satin_link_was_told_goodbye (SatinLink *self)
{
  return self->is_answering;
}
