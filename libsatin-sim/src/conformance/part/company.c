/* company.c - the other nodes of a run, and the run itself, which the suite invents
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "company.h"

/* A function for changes of the peers, or the functions for events of the run. */
typedef struct
{
  guint id;
  SatinPeersChangeFunc func;    /* (nullable) */
  const SatinRunEvents *events; /* (borrowed) (nullable) */
  gpointer user_data;
} Listener;

typedef struct
{
  SatinPeersMessageFunc func; /* (nullable) */
  gpointer user_data;
} Channel;

struct _Company
{
  SatinPeers peers;
  SatinRun run;
  Case *c;         /* (borrowed) */
  SatinLoop *loop; /* (borrowed) */
  SatinView view;
  GArray *members; /* (owned) of SatinPeer */
  SatinNodeId last_id;
  Channel channels[SATIN_N_CHANNELS];
  GArray *listeners; /* (owned) of Listener */
  guint last_listener;
  gboolean is_complete_told;
  gboolean is_master_wanted; /* the node under test has offered itself as master */
  SatinTimerId timer;
};

static Company *
of_run (SatinRun *run)
{
  return (Company *)((char *)run - G_STRUCT_OFFSET (Company, run));
}

static void
refresh (Company *self)
{
  self->view.number++;
  self->view.n_peers = self->members->len;
  self->view.peers = (const SatinPeer *)(gpointer)self->members->data;
}

/* Finds the listener with @id. A listener that is called may remove itself or other listeners.
 * Returns: whether the listener with @id is still there */
static gboolean
find_listener (const Company *self, guint id, Listener *ret_listener)
{
  for (guint i = 0; i < self->listeners->len; i++)
    {
      *ret_listener = g_array_index (self->listeners, Listener, i);
      if (ret_listener->id == id)
        return TRUE;
    }
  return FALSE;
}

void
company_tell (Company *self, SatinPeerChange change, SatinNodeId id)
{
  Listener listener;
  guint last = self->last_listener;
  for (guint each = 1; each <= last; each++)
    if (find_listener (self, each, &listener) && listener.func != NULL)
      listener.func (change, id, listener.user_data);
}

/* Reports that the run is complete, if a listener was added. Makes the node under test the master,
 * if it has offered itself and there is no master. */
static void
on_timer (gpointer user_data)
{
  Company *self = user_data;
  Listener listener;
  guint last = self->last_listener;
  self->timer = 0;
  for (guint each = 1; each <= last; each++)
    if (find_listener (self, each, &listener) && listener.events != NULL
        && listener.events->complete != NULL && !self->is_complete_told)
      listener.events->complete (listener.user_data);
  self->is_complete_told = TRUE;
  if (self->is_master_wanted && self->view.master == 0)
    company_set_master (self, COMPANY_SELF);
  self->is_master_wanted = FALSE;
}

static void
set_timer (Company *self)
{
  if (self->timer == 0)
    self->timer = satin_loop_timer_add (self->loop, 0, on_timer, self);
}

/* ---- the interface "peers" ---- */

static const SatinView *
get_view (SatinPeers *peers)
{
  return &((Company *)peers)->view;
}

static gboolean
send_message (SatinPeers *peers, SatinNodeId to, SatinChannel channel, GBytes *payload)
{
  Company *self = (Company *)peers;
  if (to == COMPANY_SELF)
    case_note (self->c, RULE_MESSAGES, "it sends a message to its own node");
  if (channel < SATIN_CHANNEL_STEAL || channel >= SATIN_N_CHANNELS)
    case_note (self->c, RULE_MESSAGES, "it sends a message on channel %d", (int)channel);
  if (payload == NULL || g_bytes_get_size (payload) > SATIN_MESSAGE_MAX_BYTES)
    case_note (self->c, RULE_MESSAGES, "it sends a message that is missing or too large");
  return satin_view_find (&self->view, to) != NULL;
}

static gsize
queued_bytes (SatinPeers *peers, SatinNodeId to)
{
  return 0;
}

static void
set_message_func (SatinPeers *peers, SatinChannel channel, SatinPeersMessageFunc func,
                  gpointer user_data)
{
  Company *self = (Company *)peers;
  if (channel >= SATIN_CHANNEL_STEAL && channel < SATIN_N_CHANNELS)
    self->channels[channel] = (Channel){ func, user_data };
}

static guint
add_listener (Company *self, Listener listener)
{
  listener.id = ++self->last_listener;
  g_array_append_val (self->listeners, listener);
  return listener.id;
}

static void
remove_listener (Company *self, guint id)
{
  for (guint i = 0; i < self->listeners->len; i++)
    if (g_array_index (self->listeners, Listener, i).id == id)
      {
        g_array_remove_index (self->listeners, i);
        return;
      }
}

static guint
add_change_func (SatinPeers *peers, SatinPeersChangeFunc func, gpointer user_data)
{
  return add_listener ((Company *)peers, (Listener){ .func = func, .user_data = user_data });
}

static void
remove_change_func (SatinPeers *peers, guint id)
{
  remove_listener ((Company *)peers, id);
}

static const SatinPeersOps peers_ops = {
  .struct_size = sizeof (SatinPeersOps),
  .get_view = get_view,
  .send = send_message,
  .queued_bytes = queued_bytes,
  .set_message_func = set_message_func,
  .add_change_func = add_change_func,
  .remove_change_func = remove_change_func,
};

/* ---- the interface "run" ---- */

static void
elect (SatinRun *run)
{
  Company *self = of_run (run);
  self->is_master_wanted = TRUE;
  set_timer (self);
}

/* A SIGNAL goes nowhere, and gets no answer. */
static void
signal_word (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload)
{
}

static void
end_run (SatinRun *run, int exit_status, const char *message)
{
}

static guint
add_events (SatinRun *run, const SatinRunEvents *events, gpointer user_data)
{
  Company *self = of_run (run);
  self->is_complete_told = FALSE;
  set_timer (self);
  return add_listener (self, (Listener){ .events = events, .user_data = user_data });
}

static void
remove_events (SatinRun *run, guint id)
{
  remove_listener (of_run (run), id);
}

static const SatinRunOps run_ops = {
  .struct_size = G_STRUCT_OFFSET (SatinRunOps, leaving),
  .elect = elect,
  .signal = signal_word,
  .end = end_run,
  .add_events = add_events,
  .remove_events = remove_events,
};

/* ---- for the suite ---- */

Company *
company_new (Case *c, SatinLoop *loop)
{
  Company *self = g_new0 (Company, 1);
  const SatinPeer master = { .id = 1, .cluster = "" };
  self->peers.ops = &peers_ops;
  self->run.ops = &run_ops;
  self->c = c;
  self->loop = loop;
  self->members = g_array_new (FALSE, FALSE, sizeof (SatinPeer));
  self->listeners = g_array_new (FALSE, FALSE, sizeof (Listener));
  g_array_append_val (self->members, master);
  self->last_id = COMPANY_SELF;
  self->view = (SatinView){ .self = COMPANY_SELF, .cluster = "", .master = 1, .term = 1 };
  refresh (self);
  return self;
}

void
company_free (Company *self)
{
  satin_loop_timer_cancel (self->loop, &self->timer);
  g_array_unref (self->members);
  g_array_unref (self->listeners);
  g_free (self);
}

void
company_enter (Company *self, SatinNode *node)
{
  satin_node_provide (node, SATIN_INTERFACE_PEERS, &self->peers);
  satin_node_provide (node, SATIN_INTERFACE_RUN, &self->run);
}

void
company_leave (Company *self, SatinNode *node)
{
  satin_node_provide (node, SATIN_INTERFACE_RUN, NULL);
  satin_node_provide (node, SATIN_INTERFACE_PEERS, NULL);
}

SatinNodeId
company_add (Company *self)
{
  const SatinPeer peer = { .id = ++self->last_id, .cluster = self->last_id % 2 == 0 ? "" : "far" };
  g_array_append_val (self->members, peer);
  refresh (self);
  company_tell (self, SATIN_PEER_JOINED, peer.id);
  return peer.id;
}

void
company_remove (Company *self, SatinNodeId id, SatinPeerChange change)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const SatinPeer peer = g_array_index (self->members, SatinPeer, i);
      if (peer.id != id)
        continue;
      g_array_remove_index (self->members, i);
      if (self->view.master == id)
        self->view.master = 0;
      refresh (self);
      self->view.gone_cluster = peer.cluster;
      company_tell (self, change, id);
      self->view.gone_cluster = NULL;
      return;
    }
}

void
company_set_master (Company *self, SatinNodeId id)
{
  self->view.master = id;
  self->view.term++;
  refresh (self);
  company_tell (self, SATIN_PEER_MASTER, id);
}

void
company_send (Company *self, SatinNodeId from, GBytes *payload)
{
  for (guint i = SATIN_CHANNEL_STEAL; i < SATIN_N_CHANNELS; i++)
    if (self->channels[i].func != NULL)
      self->channels[i].func (from, payload, self->channels[i].user_data);
}

void
company_signal (Company *self, const char *word, GBytes *payload)
{
  Listener listener;
  guint last = self->last_listener;
  for (guint each = 1; each <= last; each++)
    if (find_listener (self, each, &listener) && listener.events != NULL
        && listener.events->signal != NULL)
      listener.events->signal (word, payload, listener.user_data);
}

void
company_end (Company *self)
{
  Listener listener;
  guint last = self->last_listener;
  for (guint each = 1; each <= last; each++)
    if (find_listener (self, each, &listener) && listener.events != NULL
        && listener.events->over != NULL)
      listener.events->over (0, NULL, NULL, listener.user_data);
}

guint
company_count_functions (const Company *self)
{
  guint n = self->listeners->len;
  for (guint i = 0; i < SATIN_N_CHANNELS; i++)
    n += self->channels[i].func != NULL;
  return n;
}
