/* links.c - the links of the transport for tests: their turns, their bytes, their ends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "transport.h"

static void take_turn (gpointer link);

Link *
link_new (Transport *transport, const char *uri, const SatinLinkEvents *events, gpointer user_data)
{
  Link *self = g_new0 (Link, 1);
  self->transport = transport;
  self->uri = g_strdup (uri);
  self->events = events;
  self->user_data = user_data;
  g_queue_init (&self->inbox);
  transport->links = g_list_prepend (transport->links, self);
  return self;
}

void
link_wake (Link *self)
{
  if (self->turn == 0)
    self->turn = satin_loop_timer_add (self->transport->loop, 0, take_turn, self);
}

static void
clear_inbox (Link *self)
{
  g_queue_clear_full (&self->inbox, (GDestroyNotify)g_bytes_unref);
  self->inbox_bytes = 0;
}

GError *
link_closed_error (void)
{
  return g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "the other side dropped the link");
}

void
link_end (Link *self, GError *error)
{
  if (self->is_over)
    {
      g_clear_error (&error);
      return;
    }
  self->is_over = TRUE;
  self->error = error;
  clear_inbox (self);
  link_wake (self);
}

static void
link_free (Link *self)
{
  Transport *transport = self->transport;
  if (self->peer != NULL)
    self->peer->peer = NULL;
  satin_loop_timer_cancel (transport->loop, &self->turn);
  satin_loop_timer_cancel (transport->loop, &self->deadline);
  clear_inbox (self);
  transport->links = g_list_remove (transport->links, self);
  g_clear_error (&self->error);
  g_free (self->uri);
  g_free (self);
  transport_check_closed (transport);
}

static gboolean
is_down_lost (const Link *self)
{
  return IS (LOSES_DOWN) && self->is_up && !self->transport->is_closing && self->error == NULL;
}

static void
tell_down (Link *self)
{
  if (!is_down_lost (self))
    self->events->down (self, self->error, self->user_data);
  if (IS (DOWN_TWICE) && self->error == NULL)
    self->events->down (self, NULL, self->user_data);
  if (IS (RECEIVES_AFTER_DOWN) && self->error == NULL)
    self->events->drained (self, self->user_data);
  link_free (self);
}

/* Changes bytes that are sent, as the fault says. Returns: (transfer full): the bytes to deliver */
static GBytes *
spoil (Link *self, GBytes *bytes)
{
  gsize n_bytes = g_bytes_get_size (bytes);
  gboolean is_spoiled =
      (IS (SPOILS_4_MIB) && n_bytes == (gsize)4 << 20)
      || (IS (SPOILS_BOTH_WAYS) && n_bytes > 1000 && self->peer->inbox_bytes > 1000);
  if (IS (CUTS_64_KIB) && n_bytes == CHUNK_BYTES)
    return g_bytes_new_from_bytes (bytes, 0, n_bytes - 1);
  if (IS (KEEPS_NO_REFERENCE) && n_bytes == (gsize)1 << 20)
    return g_bytes_new_static (g_bytes_get_data (bytes, NULL), n_bytes);
  if (!is_spoiled)
    return g_bytes_ref (bytes);
  guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);
  copy[n_bytes / 2] ^= 1;
  return g_bytes_new_take (copy, n_bytes);
}

/* Returns: (nullable): the end that gets the bytes of @self */
static Link *
find_receiver (Link *self)
{
  GList *other = g_list_find (self->transport->links, self)->next;
  if (IS (MIXES_LINKS) && other != NULL && g_list_length (self->transport->links) > 10)
    return ((Link *)other->data)->peer;
  return self->peer;
}

void
link_send (gpointer link, GBytes *bytes)
{
  Link *self = link;
  gsize n_bytes = g_bytes_get_size (bytes);
  Link *receiver = find_receiver (self);
  if (IS (BREAKS_AT_NOTHING) && n_bytes == 0)
    link_drop (self);
  if (n_bytes == 0 || receiver == NULL || receiver->is_over || self->is_over || self->is_shut)
    return;
  if (IS (LOSES_A_BYTE_ALONE) && n_bytes == 1 && receiver->inbox_bytes == 0)
    return;
  g_queue_push_tail (&receiver->inbox, spoil (receiver, bytes));
  receiver->inbox_bytes += n_bytes;
  if (receiver->inbox_bytes >= QUEUE_LIMIT_BYTES || IS (TELLS_DRAINED_OF_LITTLE))
    self->is_high = TRUE;
  link_wake (receiver);
}

gsize
link_queued_bytes (gpointer link)
{
  const Link *self = link;
  return self->peer != NULL && !IS (TELLS_NO_QUEUE) ? self->peer->inbox_bytes : 0;
}

void
link_pause (gpointer link, gboolean is_paused)
{
  Link *self = link;
  self->n_pauses += is_paused;
  self->is_paused = is_paused;
  if (IS (LOSES_AT_PAUSES) && is_paused && self->n_pauses == 5)
    clear_inbox (self);
  link_wake (self);
}

static void
deadline_passed (gpointer user_data)
{
  Link *self = user_data;
  self->deadline = 0;
  gsize n_left = link_queued_bytes (self);
  if (n_left < self->left_bytes)
    {
      self->left_bytes = n_left;
      self->deadline = satin_loop_timer_add (
          self->transport->loop, self->transport->shut_timeout_us, deadline_passed, self);
      return;
    }
  if (self->peer != NULL)
    link_end (self->peer, link_closed_error ());
  link_end (self, g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "the other side does not read"));
}

void
link_shut (gpointer link)
{
  Link *self = link;
  if (!self->is_up && IS (SHUT_BEFORE_UP_IS_GOOD))
    link_end (self, NULL);
  else if (!self->is_up)
    link_drop (self);
  if (self->is_over || self->is_shut)
    return;
  self->is_shut = TRUE;
  if (self->peer == NULL)
    {
      link_end (self, link_closed_error ());
      return;
    }
  clear_inbox (self);
  if (IS (SHUT_LOSES_THE_QUEUE))
    clear_inbox (self->peer);
  self->left_bytes = G_MAXSIZE;
  if (!IS (SHUT_WAITS_FOR_EVER))
    self->deadline = satin_loop_timer_add (self->transport->loop, self->transport->shut_timeout_us,
                                           deadline_passed, self);
  link_wake (self);
  link_wake (self->peer);
}

/* Tells the other end that this end was dropped. */
static void
tell_drop (Link *self)
{
  Link *peer = self->peer;
  if (peer == NULL || IS (DROP_IS_NOT_TOLD))
    return;
  if (IS (DROP_IS_NOT_HEARD_IN_A_PAUSE) && peer->is_paused)
    return;
  link_end (peer, IS (DROP_IS_GOOD_THERE) ? NULL : link_closed_error ());
}

void
link_drop (gpointer link)
{
  Link *self = link;
  if ((IS (DROP_COMES_UP) && !self->is_up && !self->transport->is_closing)
      || (IS (DROP_WAITS_FOR_THE_CALLBACK) && self->is_calling))
    return;
  tell_drop (self);
  link_end (self, IS (DROP_IS_GOOD_HERE)
                      ? NULL
                      : g_error_new (SATIN_ERROR, SATIN_ERROR_CANCELLED, "the link was dropped"));
  if (IS (DOWN_INSIDE_DROP) && !self->is_calling && self->is_up && !self->transport->is_closing)
    tell_down (self);
}

/* Takes up to a chunk from the inbox. Returns: (transfer full) */
static GBytes *
take_chunk (Link *self)
{
  if (IS (SWAPS_PIECES) && self->inbox.length > 2)
    g_queue_push_tail (&self->inbox, g_queue_pop_head (&self->inbox));
  GBytes *head = g_queue_pop_head (&self->inbox);
  gsize n_bytes = g_bytes_get_size (head);
  if (n_bytes > CHUNK_BYTES)
    {
      g_queue_push_head (&self->inbox,
                         g_bytes_new_from_bytes (head, CHUNK_BYTES, n_bytes - CHUNK_BYTES));
      GBytes *chunk = g_bytes_new_from_bytes (head, 0, CHUNK_BYTES);
      g_bytes_unref (head);
      head = chunk;
      n_bytes = CHUNK_BYTES;
    }
  self->inbox_bytes -= MIN (n_bytes, self->inbox_bytes);
  if (self->inbox.length == 0)
    self->inbox_bytes = 0;
  return head;
}

static void
deliver (Link *self)
{
  gsize n_bytes;
  g_autoptr (GBytes) chunk = take_chunk (self);
  const guint8 *bytes = g_bytes_get_data (chunk, &n_bytes);
  Link *peer = self->peer;
  if (peer != NULL && peer->is_high
      && (self->inbox_bytes < QUEUE_LIMIT_BYTES / 2 || self->inbox.length == 0))
    {
      peer->is_high = FALSE;
      peer->is_drained = !IS (TELLS_NO_DRAINED);
      link_wake (peer);
    }
  self->is_calling = TRUE;
  self->events->received (IS (NAMES_NO_LINK) ? self->transport : (gpointer)self, bytes, n_bytes,
                          self->user_data);
  if (IS (RECEIVES_EMPTINESS))
    self->events->received (self, bytes, 0, self->user_data);
  self->is_calling = FALSE;
  link_wake (self);
}

/* Ends both ends of a link that was shut, when all bytes before the shut were delivered. */
static void
end_in_good_order (Link *self)
{
  Link *peer = self->peer;
  gboolean is_failing = IS (SHUT_TWICE_FAILS) && self->is_shut && peer->is_shut;
  link_end (self, is_failing ? link_closed_error () : NULL);
  link_end (peer, is_failing ? link_closed_error () : NULL);
}

/* Whether the other end has shut the link, and all its bytes were delivered or this end has shut
 * the link, too. */
static gboolean
is_finished (const Link *self)
{
  return self->peer != NULL && self->peer->is_shut && (self->inbox.length == 0 || self->is_shut);
}

static gpointer
tell_drained_elsewhere (gpointer link)
{
  Link *self = link;
  self->events->drained (self, self->user_data);
  return NULL;
}

static void
tell_drained (Link *self)
{
  self->is_drained = FALSE;
  if (IS (SPEAKS_ON_ANOTHER_THREAD))
    g_thread_join (g_thread_new ("teller", tell_drained_elsewhere, self));
  else
    self->events->drained (self, self->user_data);
  if (IS (TELLS_DRAINED_TWICE))
    self->events->drained (self, self->user_data);
  link_wake (self);
}

static gboolean
is_held (const Link *self)
{
  return self->is_paused && !(IS (IGNORES_PAUSE) && self->inbox_bytes < 1000);
}

static void
take_turn (gpointer user_data)
{
  Link *self = user_data;
  self->turn = 0;
  if (self->is_over)
    tell_down (self);
  else if (!self->is_up)
    transport_dial (self);
  else if (self->is_drained)
    tell_drained (self);
  else if (is_finished (self))
    end_in_good_order (self);
  else if (self->is_shut && !IS (SHUT_RECEIVES))
    clear_inbox (self);
  else if (self->inbox.length > 0 && !is_held (self))
    deliver (self);
}
