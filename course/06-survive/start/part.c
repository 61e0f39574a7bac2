/* part.c - the part "survive" of a node: members, messages and the timer
 *
 * recovery.c has the calls of the core. You need not change these two files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "part.h"

/* Other nodes keep copies of the results of the root job's children, each node at most so many
 * bytes. When the master is lost, the copies are reported to survive_finished(). */
#define BACKUP_BYTES ((gsize)4 << 20)

#define LEAST_WAKE_US ((gint64)1000)

/* ---- calls ---- */

Shared *
shared_new (SatinLoop *loop)
{
  Shared *self = g_new0 (Shared, 1);
  pthread_mutex_init (&self->lock, NULL);
  self->n_refs = 1;
  self->loop = loop;
  return self;
}

Shared *
shared_ref (Shared *self)
{
  pthread_mutex_lock (&self->lock);
  self->n_refs++;
  pthread_mutex_unlock (&self->lock);
  return self;
}

void
shared_unref (Shared *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_last = --self->n_refs == 0;
  pthread_mutex_unlock (&self->lock);
  if (!is_last)
    return;
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

Survive *
begin_call (Host *self)
{
  pthread_mutex_lock (&self->shared->lock);
  self->n_left = MOST_SENT;
  self->n_sends_left = MOST_SENDS;
  if (self->shared->survive == NULL)
    pthread_mutex_unlock (&self->shared->lock);
  return self->shared->survive;
}

void
end_call (Host *self)
{
  pthread_mutex_unlock (&self->shared->lock);
}

/* ---- functions that the Survive calls ---- */

guint32
host_number (Host *self)
{
  return satin_peers_get_view (self->peers)->self;
}

void
host_send (Host *self, guint32 to, const void *bytes, gsize n_bytes)
{
  if (self->shared->is_asked || n_bytes > MOST_MESSAGE || n_bytes > self->n_left
      || self->n_sends_left == 0)
    {
      g_warning ("node %u: a message to node %u is not sent", host_number (self), to);
      return;
    }
  self->n_left -= n_bytes;
  self->n_sends_left--;
  if (satin_view_find (satin_peers_get_view (self->peers), to) == NULL)
    return;
  g_autoptr (GBytes) message = g_bytes_new (bytes, n_bytes);
  self->n_messages++;
  self->n_bytes += (gint64)n_bytes;
  satin_peers_send (self->peers, to, SATIN_CHANNEL_RECOVERY, message);
}

static void
on_timer (gpointer user_data)
{
  Host *self = user_data;
  self->timer = 0;
  Survive *survive = begin_call (self);
  if (survive == NULL)
    return;
  survive_timer (survive);
  end_call (self);
}

void
host_wake (Host *self, gint64 delay_us)
{
  SatinLoop *loop = satin_node_get_loop (self->node);
  if (self->shared->is_asked)
    return;
  satin_loop_timer_cancel (loop, &self->timer);
  if (delay_us > 0)
    self->timer = satin_loop_timer_add (loop, MAX (delay_us, LEAST_WAKE_US), on_timer, self);
}

/* ---- the other nodes ---- */

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  Host *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  Survive *survive = n_bytes <= MOST_MESSAGE ? begin_call (self) : NULL;
  if (survive == NULL)
    return;
  survive_message (survive, from, bytes, n_bytes);
  end_call (self);
}

static void
tell_members (Host *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  g_autofree guint32 *nodes = g_new (guint32, view->n_peers + 1);
  guint n = 0, i = 0;
  for (; i < view->n_peers && view->peers[i].id < view->self; i++)
    nodes[n++] = view->peers[i].id;
  nodes[n++] = view->self;
  for (; i < view->n_peers; i++)
    nodes[n++] = view->peers[i].id;
  Survive *survive = begin_call (self);
  if (survive == NULL)
    return;
  survive_members (survive, nodes, n);
  end_call (self);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  if (change == SATIN_PEER_JOINED || change == SATIN_PEER_LEFT || change == SATIN_PEER_DIED)
    tell_members (user_data);
}

static void
on_peers (gpointer interface, gpointer user_data)
{
  Host *self = user_data;
  self->peers = interface;
  self->shared->survive = survive_new (self);
  satin_peers_set_message_func (self->peers, SATIN_CHANNEL_RECOVERY, on_message, self);
  self->change_id = satin_peers_add_change_func (self->peers, on_change, self);
  tell_members (self);
  satin_node_provide (self->node, SATIN_INTERFACE_RECOVERY, &self->recovery);
}

/* ---- the part ---- */

static gpointer
part_start (SatinNode *node, const SatinParams *params, GError **error)
{
  Host *self = g_new0 (Host, 1);
  self->recovery = (SatinRecovery){
    .ops = &recovery_ops, .has_all = TRUE, .wants_jobs = TRUE, .backup_bytes = BACKUP_BYTES
  };
  self->node = node;
  self->shared = shared_new (satin_node_get_loop (node));
  satin_node_await (node, SATIN_INTERFACE_PEERS, on_peers, self);
  return self;
}

static void
stopped (gpointer user_data)
{
  Host *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_free (self);
  done (NULL, done_data);
}

static void
part_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  Host *self = part;
  if (self->peers != NULL)
    {
      satin_node_provide (self->node, SATIN_INTERFACE_RECOVERY, NULL);
      satin_peers_set_message_func (self->peers, SATIN_CHANNEL_RECOVERY, NULL, NULL);
      satin_peers_remove_change_func (self->peers, self->change_id);
    }
  satin_loop_timer_cancel (satin_node_get_loop (self->node), &self->timer);
  Survive *survive = begin_call (self);
  if (survive != NULL)
    {
      survive_free (survive);
      self->shared->survive = NULL;
      end_call (self);
    }
  satin_loop_timer_cancel (satin_node_get_loop (self->node), &self->timer);
  g_clear_pointer (&self->shared, shared_unref);
  self->done = done;
  self->done_data = user_data;
  satin_loop_post (satin_node_get_loop (self->node), stopped, self);
}

static void
part_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  Host *self = part;
  if (self->shared == NULL)
    return;
  pthread_mutex_lock (&self->shared->lock);
  add ("survive.messages", self->n_messages, user_data);
  add ("survive.bytes", self->n_bytes, user_data);
  add ("survive.asked", self->shared->n_asked, user_data);
  add ("survive.found", self->shared->n_found, user_data);
  pthread_mutex_unlock (&self->shared->lock);
}

static const SatinPartOps ops = {
  .struct_size = sizeof (SatinPartOps),
  .start = part_start,
  .stop = part_stop,
  .figures = part_figures,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PART,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "survive",
  .version = "1",
  .summary = "recovery by survive.c",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
