/* run.c - the interface "run" over a SatinNet: passes its events to listeners
 *
 * A listener that is added late still learns that the run is complete or over; it does not get
 * earlier signals. Normally the registry tells all nodes that the run is over. If the registry is
 * lost and does not come back, the master tells the other nodes itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run.h"

#include <string.h>

/* How long the master waits for the registry to say that the run is over. A restarted hub needs
 * time for that: it first waits for its members, a little longer than the silence after which it
 * declares a member dead (5 s by default). */
#define END_PATIENCE_US ((gint64)10000000)

typedef struct
{
  NetRun *run; /* (borrowed) */
  guint id;
  const SatinRunEvents *events; /* (borrowed) */
  gpointer user_data;
  gboolean has_complete;   /* complete() was called */
  gboolean has_over;       /* over() was called */
  SatinTimerId late_timer; /* reports events that had come before this listener was added */
} Listener;

struct _NetRun
{
  SatinRun run;         /* must be first: a pointer to the SatinRun is also one to the NetRun */
  SatinLoop *loop;      /* (borrowed) */
  SatinNet *net;        /* (borrowed) */
  GPtrArray *listeners; /* (owned) of (owned) Listener, in the order in which they were added */
  guint last_id;
  gboolean is_complete;
  SatinTimerId end_timer; /* pending after this node, as the master, has told the registry that the
                           * run is over */
  GBytes *end;            /* (owned) (nullable): the encoded SatinRunEnd that this node has sent as
                           * the master */
  gboolean is_over;
  int exit_status;
  char *message; /* (owned) (nullable) */
  GError *error; /* (owned) (nullable) */
};

static Listener *
find_listener (NetRun *self, guint id)
{
  for (guint i = 0; i < self->listeners->len; i++)
    {
      Listener *listener = g_ptr_array_index (self->listeners, i);

      if (listener->id == id)
        return listener;
    }
  return NULL;
}

static void
listener_free (gpointer data)
{
  Listener *listener = data;

  satin_loop_timer_cancel (listener->run->loop, &listener->late_timer);
  g_free (listener);
}

/* ---- events ---- */

static void
tell_complete (Listener *listener)
{
  if (listener->has_complete)
    return;
  listener->has_complete = TRUE;
  if (listener->events->complete != NULL)
    listener->events->complete (listener->user_data);
}

static void
tell_over (Listener *listener)
{
  NetRun *self = listener->run;

  if (listener->has_over)
    return;
  listener->has_over = TRUE;
  if (listener->events->over != NULL)
    listener->events->over (self->exit_status, self->message, self->error, listener->user_data);
}

/* An event for all listeners: @tell, or a signal with @word and @payload. */
typedef struct
{
  void (*tell) (Listener *listener); /* (nullable): %NULL for a signal */
  const char *word;
  GBytes *payload;
} Event;

static void
tell (Listener *listener, const Event *event)
{
  if (event->tell != NULL)
    event->tell (listener);
  else if (listener->events->signal != NULL)
    listener->events->signal (event->word, event->payload, listener->user_data);
}

/* Passes the event to each listener that was there at the start, unless a callback has removed the
 * listener meanwhile. */
static void
tell_all (NetRun *self, const Event *event)
{
  guint last_id = self->last_id;

  for (guint id = 1; id <= last_id; id++)
    {
      Listener *listener = find_listener (self, id);

      if (listener != NULL)
        tell (listener, event);
    }
}

static void
on_late (gpointer user_data)
{
  Listener *listener = user_data;
  NetRun *self = listener->run;
  guint id = listener->id;

  listener->late_timer = 0;
  if (self->is_complete)
    tell_complete (listener);
  if (self->is_over && find_listener (self, id) == listener)
    tell_over (listener);
}

void
net_run_complete (NetRun *self)
{
  const Event event = { .tell = tell_complete };

  self->is_complete = TRUE;
  tell_all (self, &event);
}

/* Reads how the run ended from the SatinRunEnd in @payload. An empty payload means success. One
 * that cannot be read is an error. */
static void
take_end (NetRun *self, GBytes *payload)
{
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  g_autoptr (GError) error = NULL;
  SatinRunEnd end = { 0 };

  if (n_bytes > 0 && !satin_record_decode (&SatinRunEnd_record, bytes, n_bytes, &end, &error))
    {
      g_prefix_error (&error, "the end of the run cannot be read: ");
      net_run_over (self, satin_error_exit_status (error), NULL, error);
      return;
    }
  net_run_over (self, end.exit_status, end.message, NULL);
  satin_record_clear (&SatinRunEnd_record, &end);
}

void
net_run_signal (NetRun *self, const char *word, GBytes *payload)
{
  const Event event = { .word = word, .payload = payload };

  if (strcmp (word, SATIN_SIGNAL_OVER) == 0)
    take_end (self, payload);
  else if (!self->is_over)
    tell_all (self, &event);
}

void
net_run_over (NetRun *self, int exit_status, const char *message, const GError *error)
{
  const Event event = { .tell = tell_over };

  if (self->is_over)
    return;
  self->is_over = TRUE;
  satin_loop_timer_cancel (self->loop, &self->end_timer);
  self->exit_status = exit_status;
  self->message = message != NULL && message[0] != '\0' ? g_strdup (message) : NULL;
  self->error = error != NULL ? g_error_copy (error) : NULL;
  tell_all (self, &event);
}

gboolean
net_run_is_over (NetRun *self)
{
  return self->is_over;
}

/* ---- the operations of SatinRun ---- */

static void
run_elect (SatinRun *run)
{
  satin_net_elect (((NetRun *)run)->net);
}

static void
run_signal (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload)
{
  satin_net_signal (((NetRun *)run)->net, to, word, payload);
}

/* Ends the run when the master says, in place of the registry, that the run is over. Ignores empty
 * messages, with which nodes only open links (libsatin-net/src/net/lost-registry.c). */
static void
on_end (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  NetRun *self = user_data;

  if (g_bytes_get_size (payload) > 0
      && from == satin_peers_get_view (satin_net_get_peers (self->net))->master)
    take_end (self, payload);
}

static void
end_without_registry (gpointer user_data)
{
  NetRun *self = user_data;
  SatinPeers *peers = satin_net_get_peers (self->net);
  const SatinView *view = satin_peers_get_view (peers);

  self->end_timer = 0;
  if (view->master != view->self)
    return;
  satin_loop_probe (self->loop, "part-net.end-told");
  g_message (
      "the registry cannot be reached and does not know that the run is over: the other nodes "
      "are told directly; nodes that were lost meanwhile were not recovered");
  for (guint i = 0; i < view->n_peers; i++)
    satin_peers_send (peers, view->peers[i].id, SATIN_CHANNEL_RUN, self->end);
  take_end (self, self->end);
}

static void
run_end (SatinRun *run, int exit_status, const char *message)
{
  NetRun *self = (NetRun *)run;
  const SatinRunEnd end = { exit_status, message };

  satin_net_end_run (self->net, exit_status, message);
  if (self->is_over || self->end != NULL)
    return;
  self->end = satin_record_to_bytes (&SatinRunEnd_record, &end);
  self->end_timer = satin_loop_timer_add (self->loop, END_PATIENCE_US, end_without_registry, self);
}

static void
run_leaving (SatinRun *run, gint64 deadline_us)
{
  satin_net_leaving (((NetRun *)run)->net, deadline_us);
}

static guint
run_add_events (SatinRun *run, const SatinRunEvents *events, gpointer user_data)
{
  NetRun *self = (NetRun *)run;
  Listener *listener = g_new0 (Listener, 1);

  listener->run = self;
  listener->id = ++self->last_id;
  listener->events = events;
  listener->user_data = user_data;
  g_ptr_array_add (self->listeners, listener);
  if (self->is_complete || self->is_over)
    listener->late_timer = satin_loop_timer_add (self->loop, 0, on_late, listener);
  return listener->id;
}

static void
run_remove_events (SatinRun *run, guint id)
{
  NetRun *self = (NetRun *)run;
  Listener *listener = find_listener (self, id);

  if (listener != NULL)
    g_ptr_array_remove (self->listeners, listener);
}

static const SatinRunOps run_ops = {
  .struct_size = sizeof (SatinRunOps),
  .elect = run_elect,
  .signal = run_signal,
  .end = run_end,
  .add_events = run_add_events,
  .remove_events = run_remove_events,
  .leaving = run_leaving,
};

/* ---- life ---- */

NetRun *
net_run_new (SatinLoop *loop, SatinNet *net)
{
  NetRun *self = g_new0 (NetRun, 1);

  self->run.ops = &run_ops;
  self->loop = loop;
  self->net = net;
  satin_peers_set_message_func (satin_net_get_peers (net), SATIN_CHANNEL_RUN, on_end, self);
  self->listeners = g_ptr_array_new_with_free_func (listener_free);
  return self;
}

void
net_run_free (NetRun *self)
{
  if (self == NULL)
    return;
  satin_peers_set_message_func (satin_net_get_peers (self->net), SATIN_CHANNEL_RUN, NULL, NULL);
  satin_loop_timer_cancel (self->loop, &self->end_timer);
  g_clear_pointer (&self->end, g_bytes_unref);
  g_ptr_array_unref (self->listeners);
  g_clear_error (&self->error);
  g_free (self->message);
  g_free (self);
}

void
net_run_waits (NetRun *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait wait = { .what = "the registry to say that the run is over",
                           .deadline = self->end_timer };

  if (self->end_timer != 0)
    add (&wait, user_data);
}

SatinRun *
net_run_get (NetRun *self)
{
  return &self->run;
}
