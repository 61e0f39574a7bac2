/* updates.c - sends the updates of this node to other nodes, and receives updates of other nodes
 *
 * An update waits for a window of time, so that several updates travel together; the window is
 * longer for other clusters. In a stream of updates, two windows lie between two messages: a
 * bound that becomes better now and then arrives soon, and a cache that changes all the time costs
 * few messages. Meanwhile several updates of one object may be combined. Each message has a number,
 * so that a node applies the updates of a message only once, even if the message arrives on several
 * ways.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* The shortest time between two messages to this node's cluster, in windows. */
#define STREAM_WINDOWS 2
/* For how many of the latest messages of each origin (the node that made them) a node remembers
 * whether it has received them. */
#define HEARD_WINDOW 64
/* The most origins that are remembered. When there are more, all are forgotten. */
#define HEARD_MAX 65536
/* In a run so large that views are partial, each node passes an update on to at most this many
 * other nodes of its cluster. */
#define GOSSIP 3

typedef struct
{
  gint64 number; /* the highest number that was received */
  guint64 seen;  /* bit i: whether @number - i was received */
} Heard;

/* ---- sending ---- */

/* Sends the message to all nodes of this node's cluster except @but and @but_too. */
static void
tell_cluster (SatinReplicas *self, GBytes *message, SatinNodeId but, SatinNodeId but_too)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  for (guint i = 0; i < view->n_peers; i++)
    {
      const SatinPeer *peer = &view->peers[i];
      if (peer->id != but && peer->id != but_too && replicas_is_near (view, peer))
        replicas_send_message (self, peer->id, message);
    }
}

static void
send_message (SatinReplicas *self, Outbox *outbox, const ReplicasUpdate *updates, guint n)
{
  gboolean is_far = outbox == &self->far;
  ReplicasUpdates content = {
    .origin = (gint32)satin_peers_get_view (self->peers)->self,
    .number = ++outbox->number,
    .is_for_cluster = is_far,
    .updates = updates,
    .n_updates = n,
  };
  g_autoptr (GBytes) message =
      replicas_make_message (REPLICAS_UPDATES, &ReplicasUpdates_record, &content);
  const GArray *relays = replicas_get_relays (self);
  if (!is_far)
    tell_cluster (self, message, 0, 0);
  for (guint i = 0; is_far && i < relays->len; i++)
    replicas_send_message (self, g_array_index (relays, SatinNodeId, i), message);
}

/* Sends all updates of the outbox, in as many messages as necessary. */
static void
outbox_flush (SatinReplicas *self, Outbox *outbox)
{
  guint n_all = outbox->updates->len;
  g_autofree ReplicasUpdate *updates = g_new0 (ReplicasUpdate, n_all);
  guint n = 0;
  gsize n_bytes = 0;
  for (guint i = 0; i < n_all; i++)
    {
      const SatinUpdate *update = &g_array_index (outbox->updates, SatinUpdate, i);
      gsize size_bytes = g_bytes_get_size (update->args);
      if (size_bytes > STATE_MAX_BYTES)
        {
          g_warning ("object of type %s: update \"%s\" of %" G_GSIZE_FORMAT
                     " bytes stays on this node: make several of it, of %" G_GSIZE_FORMAT
                     " bytes at most",
                     update->method->type->name, update->method->name, size_bytes, STATE_MAX_BYTES);
          continue;
        }
      if (n > 0 && n_bytes + size_bytes > self->options.max_bytes)
        {
          send_message (self, outbox, updates, n);
          n = 0;
          n_bytes = 0;
        }
      updates[n] = (ReplicasUpdate){ .object = update->id, .method = update->method->name };
      updates[n].args = g_bytes_get_data (update->args, &updates[n].n_args);
      n++;
      n_bytes += size_bytes + strlen (updates[n - 1].method) + ENVELOPE_BYTES / 64;
    }
  if (n > 0)
    send_message (self, outbox, updates, n);
  g_array_set_size (outbox->updates, 0);
}

static void
send_far (gpointer user_data)
{
  SatinReplicas *self = user_data;
  self->far.timer = 0;
  satin_updates_combine (self->far.updates);
  outbox_flush (self, &self->far);
}

/* Takes the updates that were made here, sends them to this node's cluster, and queues them for
 * other clusters. */
static void
send_near (gpointer user_data)
{
  SatinReplicas *self = user_data;
  gboolean has_far = replicas_get_relays (self)->len > 0;
  self->near.timer = 0;
  self->near.sent_us = satin_loop_now_us (self->loop);
  g_array_unref (self->near.updates);
  self->near.updates = satin_objects_take_updates (self->objects);
  for (guint i = 0; i < self->near.updates->len; i++)
    {
      SatinUpdate update = g_array_index (self->near.updates, SatinUpdate, i);
      self->n_updates++;
      replicas_note_change (self, update.id, 1);
      replicas_note_bound (self, &update);
      if (!has_far)
        continue;
      g_bytes_ref (update.args);
      g_array_append_val (self->far.updates, update);
    }
  outbox_flush (self, &self->near);
  if (self->far.updates->len > 0 && self->far.timer == 0)
    self->far.timer = satin_loop_timer_add (
        self->loop, self->options.far_window_us - self->options.window_us, send_far, self);
}

/* Plans to take the updates from the store and send them. Called when the store has some. */
void
replicas_ring (SatinReplicas *self)
{
  if (self->near.timer != 0)
    return;
  gint64 window_us = self->options.window_us;
  gint64 since_us = satin_loop_now_us (self->loop) - self->near.sent_us;
  gint64 wait_us = MAX (window_us, STREAM_WINDOWS * window_us - since_us);
  self->near.timer = satin_loop_timer_add (self->loop, wait_us, send_near, self);
}

/* Sends all updates that wait now, to this node's cluster and to others. */
void
replicas_flush (SatinReplicas *self)
{
  satin_loop_timer_cancel (self->loop, &self->near.timer);
  send_near (self);
  satin_loop_timer_cancel (self->loop, &self->far.timer);
  send_far (self);
}

/* ---- receiving ---- */

/* Whether the message is received for the first time. Messages that are older than the window do
 * not count as new. */
static gboolean
is_new (SatinReplicas *self, SatinNodeId origin, gint64 number)
{
  Heard *heard = g_hash_table_lookup (self->heard, GUINT_TO_POINTER (origin));
  if (heard == NULL)
    {
      if (g_hash_table_size (self->heard) >= HEARD_MAX)
        g_hash_table_remove_all (self->heard);
      heard = g_new0 (Heard, 1);
      heard->number = number;
      g_hash_table_insert (self->heard, GUINT_TO_POINTER (origin), heard);
    }
  if (number > heard->number)
    {
      /* The difference may not fit into a gint64. */
      guint64 n_ahead = (guint64)number - (guint64)heard->number;
      heard->seen = n_ahead < HEARD_WINDOW ? heard->seen << n_ahead : 0;
      heard->number = number;
    }
  guint64 n_behind = (guint64)heard->number - (guint64)number;
  guint64 bit = n_behind < HEARD_WINDOW ? (guint64)1 << n_behind : 0;
  if (bit == 0 || (heard->seen & bit) != 0)
    return FALSE;
  heard->seen |= bit;
  return TRUE;
}

/* Passes the message on to a few random nodes of this node's cluster, which do the same. */
static void
gossip (SatinReplicas *self, GBytes *message, SatinNodeId from, SatinNodeId origin)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  for (guint i = 0; i < view->n_peers; i++)
    if (view->peers[i].id != from && view->peers[i].id != origin
        && replicas_is_near (view, &view->peers[i]))
      g_array_append_val (others, view->peers[i].id);
  for (guint i = 0; i < GOSSIP && others->len > 0; i++)
    {
      guint place = satin_loop_random_below (self->loop, others->len);
      replicas_send_message (self, g_array_index (others, SatinNodeId, place), message);
      g_array_remove_index_fast (others, place);
    }
}

static void
pass_on (SatinReplicas *self, SatinNodeId from, const ReplicasUpdates *content)
{
  ReplicasUpdates further = *content;
  SatinNodeId origin = (SatinNodeId)content->origin;
  gboolean is_partial = satin_peers_get_view (self->peers)->is_partial;
  if (!content->is_for_cluster && !is_partial)
    return;
  further.is_for_cluster = FALSE;
  g_autoptr (GBytes) message =
      replicas_make_message (REPLICAS_UPDATES, &ReplicasUpdates_record, &further);
  if (!content->is_for_cluster)
    {
      satin_loop_probe (self->loop, "objects.gossip");
      gossip (self, message, from, origin);
      return;
    }
  satin_loop_probe (self->loop, "objects.passed-on");
  self->n_passed_on++;
  tell_cluster (self, message, from, origin);
}

void
replicas_on_updates (SatinReplicas *self, SatinNodeId from, const ReplicasUpdates *message)
{
  if ((SatinNodeId)message->origin == satin_peers_get_view (self->peers)->self
      || !is_new (self, (SatinNodeId)message->origin, message->number))
    {
      satin_loop_probe (self->loop, "objects.double");
      self->n_doubles++;
      return;
    }
  pass_on (self, from, message);
  for (gsize i = 0; i < message->n_updates; i++)
    replicas_apply (self, &message->updates[i]);
}
