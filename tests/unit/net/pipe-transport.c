/* pipe-transport.c - a transport inside one process, for tests
 *
 * A link has two ends. When one end sends, an item goes into the inbox of the other end, with the
 * time at which it is due. If one end drops the link, the other end first gets everything that was
 * sent before, unless it is paused. Each timer call runs only one event, so its callback may drop
 * or close any link.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pipe-private.h"

#include <string.h>

static void end_arm (PipeEnd *self);

static const char *
uri_to_name (const char *uri, GError **error)
{
  if (g_str_has_prefix (uri, "pipe:"))
    return uri + strlen ("pipe:");
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s: not of the form pipe:NAME", uri);
  return NULL;
}

static void
item_free (gpointer data)
{
  Item *item = data;
  g_clear_pointer (&item->bytes, g_bytes_unref);
  g_clear_error (&item->error);
  g_free (item);
}

/* ---- ends ---- */

/* Returns: (nullable): the name of the other side */
static const char *
end_far_name (PipeEnd *self)
{
  if (self->has_connected)
    return self->target;
  return self->other != NULL ? self->other->transport->name : NULL;
}

static gboolean
end_is_lost (PipeEnd *self)
{
  self->is_mute =
      self->is_mute
      || pipe_network_loses (self->transport->network, self->transport->name, end_far_name (self));
  return self->is_mute;
}

static void
end_push (PipeEnd *self, ItemKind kind, gint64 delay_us, GBytes *bytes, GError *error)
{
  Item *item = g_new0 (Item, 1);
  item->kind = kind;
  item->due_us = satin_loop_now_us (self->transport->network->loop) + delay_us;
  item->bytes = bytes;
  item->error = error;
  if (bytes != NULL)
    self->inbox_bytes += g_bytes_get_size (bytes);
  g_queue_push_tail (&self->inbox, item);
  end_arm (self);
}

static PipeEnd *
end_new (PipeTransport *transport, const char *target, gboolean has_connected)
{
  PipeEnd *self = g_new0 (PipeEnd, 1);
  self->transport = transport;
  self->target = g_strdup (target);
  self->has_connected = has_connected;
  g_queue_init (&self->inbox);
  g_ptr_array_add (transport->ends, self);
  return self;
}

static void
end_clear_inbox (PipeEnd *self)
{
  g_queue_clear_full (&self->inbox, item_free);
  self->inbox_bytes = 0;
}

static void
end_free (gpointer data)
{
  PipeEnd *self = data;
  SatinLoop *loop = self->transport->network->loop;
  if (self->other != NULL)
    self->other->other = NULL;
  end_clear_inbox (self);
  satin_loop_timer_cancel (loop, &self->timer);
  satin_loop_timer_cancel (loop, &self->drained_timer);
  g_free (self->target);
  g_free (self);
}

void
pipe_end_finish (PipeEnd *self, gint64 delay_us, GError *error)
{
  end_clear_inbox (self);
  self->is_over = TRUE;
  end_push (self, ITEM_BROKEN, delay_us, NULL, error);
}

static void
end_down (PipeEnd *self, const GError *error)
{
  PipeEnd *other = self->other;
  if (other != NULL && other->is_shut && !other->is_over)
    pipe_end_finish (other, 0, NULL);
  self->events->down (self, error, self->user_data);
  g_ptr_array_remove_fast (self->transport->ends, self);
}

static void
end_on_drained (gpointer user_data)
{
  PipeEnd *self = user_data;
  self->drained_timer = 0;
  self->events->drained (self, self->user_data);
}

static void
end_check_drained (PipeEnd *self)
{
  PipeNetwork *network = self->transport->network;
  if (!self->is_full || self->other->inbox_bytes >= network->queue_limit_bytes / 2)
    return;
  self->is_full = FALSE;
  if (self->drained_timer == 0)
    self->drained_timer = satin_loop_timer_add (network->loop, 0, end_on_drained, self);
}

static void
end_receive (PipeEnd *self, Item *item)
{
  PipeNetwork *network = self->transport->network;
  g_autoptr (GByteArray) merged = g_byte_array_new ();
  gsize n = 0;
  const guint8 *bytes = g_bytes_get_data (item->bytes, &n);
  g_byte_array_append (merged, bytes, n);
  while (network->is_merged)
    {
      Item *next = g_queue_peek_head (&self->inbox);
      if (next == NULL || next->kind != ITEM_BYTES
          || next->due_us > satin_loop_now_us (network->loop))
        break;
      bytes = g_bytes_get_data (next->bytes, &n);
      g_byte_array_append (merged, bytes, n);
      item_free (g_queue_pop_head (&self->inbox));
    }
  self->inbox_bytes -= merged->len;
  if (self->other != NULL)
    end_check_drained (self->other);
  end_arm (self);
  if (!self->is_shut)
    self->events->received (self, merged->data, merged->len, self->user_data);
}

/* The connection has reached the far side: looks for the listener. */
static void
end_reach (PipeEnd *self)
{
  PipeNetwork *network = self->transport->network;
  const char *slash = strrchr (self->target, '/');
  PipeListener *listener =
      g_hash_table_lookup (network->listeners, slash != NULL ? slash + 1 : self->target);
  if (listener == NULL || g_hash_table_contains (network->refused, self->target))
    {
      pipe_end_finish (self, network->delay_us,
                       g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "pipe:%s: nobody listens",
                                    self->target));
      return;
    }
  if (pipe_network_loses (network, self->transport->name, self->target)
      || pipe_network_loses (network, self->target, self->transport->name))
    return;
  PipeEnd *other = end_new (listener->transport, self->target, FALSE);
  other->other = self;
  self->other = other;
  end_push (self, ITEM_UP, network->delay_us, NULL, NULL);
  listener->events->accepted (listener, other, &other->events, &other->user_data,
                              listener->user_data);
}

static void
end_on_due (gpointer user_data)
{
  PipeEnd *self = user_data;
  self->timer = 0;
  Item *item = self->is_paused && self->is_over ? g_queue_pop_tail (&self->inbox)
                                                : g_queue_pop_head (&self->inbox);
  switch (item->kind)
    {
    case ITEM_SYN:
      end_reach (self);
      break;
    case ITEM_UP:
      end_arm (self);
      self->events->up (self, self->user_data);
      break;
    case ITEM_BYTES:
      end_receive (self, item);
      break;
    case ITEM_END:
    case ITEM_BROKEN:
      end_down (self, item->error);
      break;
    }
  item_free (item);
}

/* Sets the timer for the first item of the inbox. A paused side gets neither ITEM_BYTES nor
 * ITEM_END, but it gets ITEM_BROKEN, which is the last item. */
static void
end_arm (PipeEnd *self)
{
  SatinLoop *loop = self->transport->network->loop;
  satin_loop_timer_cancel (loop, &self->timer);
  const Item *item = g_queue_peek_head (&self->inbox);
  if (item != NULL && self->is_paused && (item->kind == ITEM_BYTES || item->kind == ITEM_END))
    item = self->is_over ? g_queue_peek_tail (&self->inbox) : NULL;
  if (item == NULL)
    return;
  gint64 delay_us = item->due_us - satin_loop_now_us (loop);
  self->timer = satin_loop_timer_add (loop, MAX (delay_us, 0), end_on_due, self);
}

/* ---- operations on links ---- */

/* @self has sent to a side that is gone. @self gets ITEM_BROKEN, unless it has shut the link, its
 * inbox has an ITEM_END or ITEM_BROKEN already, or what it sends is lost. */
static void
end_bounce (PipeEnd *self)
{
  const Item *last = g_queue_peek_tail (&self->inbox);
  if (self->is_over || self->is_shut || (last != NULL && last->kind == ITEM_END)
      || end_is_lost (self))
    return;
  self->is_over = TRUE;
  end_push (self, ITEM_BROKEN, 2 * self->transport->network->delay_us, NULL,
            g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "pipe:%s: nobody is there any more",
                         self->target));
}

static void
pipe_send (gpointer link, GBytes *bytes)
{
  PipeEnd *self = link;
  PipeNetwork *network = self->transport->network;
  if (self->other == NULL)
    {
      end_bounce (self);
      return;
    }
  if (self->is_over || self->is_shut || self->other->is_over || end_is_lost (self))
    return;
  gsize size = g_bytes_get_size (bytes);
  gsize step = network->chunk_bytes == 0 ? MAX (size, 1) : network->chunk_bytes;
  for (gsize at = 0; at < size; at += step)
    end_push (self->other, ITEM_BYTES, network->delay_us,
              g_bytes_new_from_bytes (bytes, at, MIN (step, size - at)), NULL);
  if (self->other->inbox_bytes > network->queue_limit_bytes)
    self->is_full = TRUE;
}

static gsize
pipe_queued_bytes (gpointer link)
{
  PipeEnd *self = link;
  return self->other != NULL ? self->other->inbox_bytes : 0;
}

static void
pipe_pause (gpointer link, gboolean is_paused)
{
  PipeEnd *self = link;
  self->is_paused = is_paused;
  end_arm (self);
}

static void
pipe_shut (gpointer link)
{
  PipeEnd *self = link;
  if (self->is_over || self->is_shut)
    return;
  self->is_shut = TRUE;
  gboolean is_heard = self->other != NULL && !self->other->is_over && !end_is_lost (self);
  if (is_heard)
    end_push (self->other, ITEM_END, self->transport->network->delay_us, NULL, NULL);
  if (!is_heard || self->transport->network->is_hasty)
    pipe_end_finish (self, 0, NULL);
}

/* Tells the other side of a break, after all that was sent before it. */
static void
end_break_other (PipeEnd *self)
{
  PipeEnd *other = self->other;
  if (other == NULL || other->is_over || end_is_lost (self))
    return;
  other->is_over = TRUE;
  end_push (other, ITEM_BROKEN, self->transport->network->delay_us, NULL,
            other->is_shut ? NULL
                           : g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                          "pipe:%s: the other side broke the link", self->target));
}

static void
pipe_drop (gpointer link)
{
  PipeEnd *self = link;
  if (self->is_over)
    return;
  end_break_other (self);
  pipe_end_finish (
      self, 0, g_error_new (SATIN_ERROR, SATIN_ERROR_CANCELLED, "pipe:%s: dropped", self->target));
}

/* ---- operations on transports ---- */

static void
listener_free (gpointer data)
{
  PipeListener *self = data;
  g_hash_table_remove (self->transport->network->listeners, self->name);
  g_free (self->name);
  g_free (self);
}

static gpointer
pipe_open (const SatinTransportContext *context, const SatinParams *params, GError **error)
{
  PipeNetwork *network = pipe_network_of_loop (context->loop);
  g_assert_nonnull (network);
  PipeTransport *self = g_new0 (PipeTransport, 1);
  self->network = network;
  self->ends = g_ptr_array_new_with_free_func (end_free);
  self->listeners = g_ptr_array_new_with_free_func (listener_free);
  g_ptr_array_add (network->transports, self);
  return self;
}

static void
transport_on_closed (gpointer user_data)
{
  PipeTransport *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_assert_cmpuint (self->ends->len, ==, 0);
  g_ptr_array_remove (self->network->transports, self);
  g_ptr_array_unref (self->ends);
  g_ptr_array_unref (self->listeners);
  g_free (self->name);
  g_free (self);
  done (NULL, done_data);
}

static void
pipe_close (gpointer transport, SatinDoneFunc done, gpointer user_data)
{
  PipeTransport *self = transport;
  g_ptr_array_set_size (self->listeners, 0);
  for (guint i = 0; i < self->ends->len; i++)
    {
      PipeEnd *end = g_ptr_array_index (self->ends, i);
      if (!end->is_over)
        pipe_drop (end);
      else
        pipe_end_finish (
            end, 0,
            g_error_new (SATIN_ERROR, SATIN_ERROR_CANCELLED, "pipe:%s: dropped", end->target));
    }
  self->done = done;
  self->done_data = user_data;
  satin_loop_timer_add (self->network->loop, 0, transport_on_closed, self);
}

static gpointer
pipe_listen (gpointer transport, const char *uri, const SatinListenEvents *events,
             gpointer user_data, char **ret_uri, GError **error)
{
  PipeTransport *self = transport;
  const char *name = uri_to_name (uri, error);
  if (name == NULL)
    return NULL;
  if (g_hash_table_contains (self->network->listeners, name))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE,
                   "%s: somebody listens there, choose another name", uri);
      return NULL;
    }
  PipeListener *listener = g_new0 (PipeListener, 1);
  listener->transport = self;
  listener->name = g_strdup (name);
  listener->events = events;
  listener->user_data = user_data;
  if (self->name == NULL)
    self->name = g_strdup (name);
  g_ptr_array_add (self->listeners, listener);
  g_hash_table_insert (self->network->listeners, g_strdup (name), listener);
  *ret_uri = g_strdup (uri);
  return listener;
}

static void
pipe_unlisten (gpointer listener)
{
  PipeListener *self = listener;
  g_ptr_array_remove (self->transport->listeners, self);
}

static gpointer
pipe_connect (gpointer transport, const char *uri, const SatinLinkEvents *events,
              gpointer user_data, GError **error)
{
  PipeTransport *self = transport;
  const char *name = uri_to_name (uri, error);
  if (name == NULL)
    return NULL;
  PipeEnd *end = end_new (self, name, TRUE);
  end->events = events;
  end->user_data = user_data;
  self->network->n_dialed++;
  end_push (end, ITEM_SYN, self->network->delay_us, NULL, NULL);
  return end;
}

const SatinTransportOps pipe_transport_ops = {
  .struct_size = sizeof (SatinTransportOps),
  .open = pipe_open,
  .close = pipe_close,
  .listen = pipe_listen,
  .unlisten = pipe_unlisten,
  .connect = pipe_connect,
  .send = pipe_send,
  .queued_bytes = pipe_queued_bytes,
  .pause = pipe_pause,
  .shut = pipe_shut,
  .drop = pipe_drop,
};
