/* part.c - a part that breaks the rule that its parameter "fault" names, or none
 *
 * It counts the nodes that join, and asks the first node how it is, again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>
#include <satin/base/run.h>

#include <fcntl.h>
#include <string.h>

#define ASK_US ((gint64)500)

static const SatinParam params[] = {
  { "fault", SATIN_PARAM_STRING, "none", "which rule is broken" },
  { "every", SATIN_PARAM_DURATION, "500us", "how often the first node is asked" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  SatinNode *node;   /* (borrowed) */
  SatinLoop *loop;   /* (borrowed) */
  SatinPeers *peers; /* (borrowed) (nullable) */
  SatinRun *run;     /* (borrowed) (nullable) */
  guint change_func;
  guint events;
  SatinTimerId timer;
  gint64 asked_us;
  gint64 every_us;
  gint64 n_joined;
  gboolean is_started; /* part_start() is over */
  char number[24];     /* the name of a figure, with a fault */
  SatinDoneFunc done;
  gpointer done_data;
} Part;

/* The last fault that a parameter named, so that it also holds without parameters. */
static char *fault;
static guint n_started;
static guint n_running;
static guint n_met; /* with the fault fears-the-others: parts that met others after their start */

static gboolean
has (const char *word)
{
  return fault != NULL && strcmp (fault, word) == 0;
}

static void
fail (Part *self, const char *why)
{
  satin_node_fail (self->node, g_error_new (SATIN_ERROR, SATIN_ERROR_IO, "%s", why));
}

/* ---- the others ---- */

static void
send_to (Part *self, SatinNodeId to, gsize n_bytes)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_malloc0 (n_bytes), n_bytes);
  satin_peers_send (self->peers, to, SATIN_CHANNEL_ADAPT, bytes);
}

static void
ask (gpointer user_data)
{
  Part *self = user_data;
  self->timer = 0;
  self->asked_us = satin_loop_now_us (self->loop);
  if (self->peers != NULL)
    send_to (self, has ("talks-to-itself") ? satin_peers_get_view (self->peers)->self : 1, 4);
  if (!has ("waits-without-a-timer"))
    self->timer = satin_loop_timer_add (self->loop, self->every_us, ask, self);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  Part *self = user_data;
  self->n_joined += change == SATIN_PEER_JOINED;
  if (change == SATIN_PEER_DIED && id > 2 && satin_peers_get_view (self->peers)->master == 1
      && has ("fails-with-the-dead"))
    fail (self, "a node died");
  if (change == SATIN_PEER_MASTER && has ("fears-masters"))
    fail (self, "there is a new master");
}

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  if (g_bytes_get_size (payload) < 4 && has ("fails-with-short-messages"))
    fail (user_data, "a message is too short");
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  if (has ("fears-words"))
    fail (user_data, "a word is unknown");
}

static void
on_over (int exit_status, const char *message, const GError *error, gpointer user_data)
{
  if (has ("fears-the-end"))
    fail (user_data, "the run is over");
}

static const SatinRunEvents events = {
  .struct_size = sizeof (SatinRunEvents),
  .signal = on_signal,
  .over = on_over,
};

static void
on_peers (gpointer interface, gpointer user_data)
{
  Part *self = user_data;
  self->peers = interface;
  self->change_func = satin_peers_add_change_func (self->peers, on_change, self);
  satin_peers_set_message_func (self->peers, SATIN_CHANNEL_ADAPT, on_message, self);
  if (has ("fears-the-others") && self->is_started && n_met++ == 0)
    fail (self, "others have come");
}

static void
on_run (gpointer interface, gpointer user_data)
{
  Part *self = user_data;
  self->run = interface;
  self->events = satin_run_add_events (self->run, &events, self);
}

/* ---- start and stop ---- */

static gpointer
refuse (GError **error, const char *why)
{
  if (!has ("refuses-in-silence"))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s", why);
  return NULL;
}

static gboolean
may_start (SatinNode *node, const SatinParams *given)
{
  gint64 every_us = satin_params_get_duration_us (given, "every");
  gboolean has_fault = strcmp (satin_params_get_string (given, "fault"), "none") != 0;
  return every_us > 0 && every_us < G_MAXINT64 / 4 && !(has ("refuses-its-default") && !has_fault)
         && !(has ("starts-not-again") && n_started == 1)
         && !(has ("starts-only-one") && n_running > 0)
         && !(has ("comes-first") && satin_node_find (node, SATIN_INTERFACE_PEERS) != NULL);
}

static gpointer
idle (gpointer user_data)
{
  g_usleep ((gulong)G_USEC_PER_SEC * 3600);
  return NULL;
}

static gpointer
part_start (SatinNode *node, const SatinParams *given, GError **error)
{
  if (strcmp (satin_params_get_string (given, "fault"), "none") != 0)
    {
      g_free (fault);
      fault = g_strdup (satin_params_get_string (given, "fault"));
    }
  gboolean may = may_start (node, given);
  n_started++;
  if (!may)
    return refuse (error, "it cannot start like this");
  n_running++;
  Part *self = g_new0 (Part, 1);
  self->node = node;
  self->loop = satin_node_get_loop (node);
  self->every_us = satin_params_get_duration_us (given, "every");
  g_snprintf (self->number, sizeof self->number, "spoiled.%u", n_started);
  ask (self);
  if (has ("opens-files") && open ("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
    g_warning ("/dev/null does not open");
  if (has ("starts-threads") && n_started < 100)
    g_thread_unref (g_thread_new ("idle", idle, NULL));
  if (has ("keeps-its-interface"))
    satin_node_provide (node, "recovery", self);
  satin_node_await (node, SATIN_INTERFACE_PEERS, on_peers, self);
  satin_node_await (node, SATIN_INTERFACE_RUN, on_run, self);
  self->is_started = TRUE;
  return self;
}

static void
finish (gpointer user_data)
{
  Part *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  if (!has ("leaks"))
    g_free (self);
  done (NULL, done_data);
  if (has ("is-done-twice"))
    done (NULL, done_data);
}

static void
nothing (gpointer user_data)
{
}

static void
leave_others (Part *self)
{
  if (self->change_func != 0 && !has ("keeps-listening"))
    satin_peers_remove_change_func (self->peers, self->change_func);
  if (self->peers != NULL)
    satin_peers_set_message_func (self->peers, SATIN_CHANNEL_ADAPT, NULL, NULL);
  if (self->events != 0)
    satin_run_remove_events (self->run, self->events);
}

static void
part_stop (gpointer handle, SatinDoneFunc done, gpointer user_data)
{
  Part *self = handle;
  n_running--;
  self->done = done;
  self->done_data = user_data;
  leave_others (self);
  satin_loop_timer_cancel (self->loop, &self->timer);
  self->asked_us = 0;
  if (has ("keeps-a-timer"))
    satin_loop_timer_add (self->loop, G_USEC_PER_SEC * 60, nothing, NULL);
  if (has ("is-done-inside"))
    finish (self);
  else if (!has ("is-never-done"))
    satin_loop_post (self->loop, finish, self);
}

/* ---- what it tells ---- */

static void
part_figures (gpointer handle, SatinFigureFunc add, gpointer user_data)
{
  const Part *self = handle;
  add (has ("has-numbered-figures") ? self->number : "spoiled.joined", self->n_joined, user_data);
  add (has ("has-two-of-a-name") ? "spoiled.joined" : "spoiled.events", self->events, user_data);
}

static void
part_waits (gpointer handle, SatinWaitFunc add, gpointer user_data)
{
  const Part *self = handle;
  const SatinWait wait = { .what = has ("waits-without-words") ? "" : "an answer",
                           .node = 1,
                           .since_us =
                               self->asked_us + (has ("waits-from-later-on") ? ASK_US * 9999 : 0),
                           .deadline = self->timer };
  if (self->asked_us != 0)
    add (&wait, user_data);
}

static const SatinPartOps ops = {
  .struct_size = sizeof (SatinPartOps),
  .start = part_start,
  .stop = part_stop,
  .figures = part_figures,
  .waits = part_waits,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PART,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "spoiled",
  .version = "0",
  .summary = "asks the first node how it is",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
