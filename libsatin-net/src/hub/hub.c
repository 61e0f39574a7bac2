/* hub.c - the states of the hub, and the functions that its holder calls
 *
 * The hub never blocks. It acts only when a message arrives, a link opens or goes down, a timer
 * fires, or its holder calls a function.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

#define DEFAULT_HEARTBEAT_US    ((gint64)500000)
#define DEFAULT_DEATH_US        ((gint64)5000000)
#define DEFAULT_JOIN_TIMEOUT_US ((gint64)30000000)
#define DEFAULT_VIEW_MAX        256
#define MIN_VIEW_MAX            2

#define TO(state) (1u << (state))

static const struct
{
  const char *name;
  guint next;
} states[HUB_N_STATES] = {
  [HUB_EMPTY] = { "empty", TO (HUB_RUNNING) | TO (HUB_RESTORING) | TO (HUB_ENDING) },
  [HUB_RESTORING] = { "restoring", TO (HUB_RUNNING) | TO (HUB_ENDING) },
  [HUB_RUNNING] = { "running", TO (HUB_ENDING) },
  [HUB_ENDING] = { "ending", TO (HUB_OVER) },
  [HUB_OVER] = { "over", 0 },
};

gboolean
hub_state_may (HubState from, HubState to)
{
  return (states[from].next & TO (to)) != 0;
}

/* Enters OVER. The holder may free the hub inside the event @over. So nothing may follow
 * hub_enter(). */
static void
on_end_timer (gpointer user_data)
{
  SatinHub *self = user_data;

  self->end_timer = 0;
  hub_enter (self, HUB_OVER);
}

static void
make_run (SatinHub *self)
{
  if (self->has_run)
    return;
  for (guint i = 0; i < HUB_RUN_BYTES; i += sizeof (guint64))
    {
      guint64 bits = satin_loop_random (self->loop);
      guint64 bits_le = GUINT64_TO_LE (bits);
      memcpy (self->run + i, &bits_le, sizeof bits_le);
    }
  self->has_run = TRUE;
}

static void
tell_over (SatinHub *self)
{
  SatinRunEnd end = { self->exit_status, self->end_message };
  hub_broadcast (self, HUB_MESSAGE_OVER, &end, NULL);
}

static void
close_members (SatinHub *self)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (member->connection != NULL)
        hub_connection_close (member->connection, NULL);
    }
}

void
hub_enter (SatinHub *self, HubState to)
{
  g_debug ("hub: %s to %s, %u members", states[self->state].name, states[to].name,
           self->members->len);
  g_assert (hub_state_may (self->state, to));
  self->state = to;
  switch (to)
    {
    case HUB_EMPTY:
      break;
    case HUB_RESTORING:
      hub_silence_start (&self->restoring, satin_loop_now_us (self->loop));
      break;
    case HUB_RUNNING:
      make_run (self);
      break;
    case HUB_ENDING:
      satin_loop_timer_cancel (self->loop, &self->join_timer);
      tell_over (self);
      self->end_timer = satin_loop_timer_add (self->loop, HUB_END_PATIENCE_US, on_end_timer, self);
      hub_check_end (self);
      break;
    case HUB_OVER:
      close_members (self);
      if (self->events.over != NULL)
        self->events.over (self, self->exit_status, self->end_message, self->user_data);
      break;
    case HUB_N_STATES:
      g_assert_not_reached ();
    }
}

void
hub_check_end (SatinHub *self)
{
  if (self->state != HUB_ENDING || self->members->len > 0)
    return;
  satin_loop_timer_cancel (self->loop, &self->end_timer);
  self->end_timer = satin_loop_timer_add (self->loop, 0, on_end_timer, self);
}

static void
on_join_timer (gpointer user_data)
{
  SatinHub *self = user_data;
  g_autofree char *message =
      g_strdup_printf ("%u of %u nodes joined within %.3g s; start the others or raise the time "
                       "they may take",
                       self->n_joined, self->options.n_nodes,
                       (double)self->options.join_timeout_us / G_USEC_PER_SEC);

  self->join_timer = 0;
  satin_hub_end (self, satin_error_code_exit_status (SATIN_ERROR_TIMEOUT), message);
}

/* Checks @view_max. A new member learns half a view at once, so with a view of one member it would
 * learn nobody. */
static gboolean
check_options (const SatinHubOptions *options, GError **error)
{
  if (options == NULL || options->view_max == 0 || options->view_max >= MIN_VIEW_MAX)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "a view of %u others is too small; tell a node of %u or more", options->view_max,
               MIN_VIEW_MAX);
  return FALSE;
}

static void
set_options (SatinHub *self, const SatinHubOptions *options)
{
  if (options != NULL)
    self->options = *options;
  if (self->options.heartbeat_us == 0)
    self->options.heartbeat_us = DEFAULT_HEARTBEAT_US;
  if (self->options.death_us == 0)
    self->options.death_us = DEFAULT_DEATH_US;
  if (self->options.join_timeout_us == 0)
    self->options.join_timeout_us = DEFAULT_JOIN_TIMEOUT_US;
  if (self->options.view_max == 0)
    self->options.view_max = DEFAULT_VIEW_MAX;
  self->is_complete = self->options.n_nodes == 0;
}

/* The hello of a hub names no run, so that also a link with a node of another run opens. The hub
 * then refuses that node's join with the reason that it serves another run. */
static const SatinIdentity identity = { .role = SATIN_ROLE_HUB };

SatinHub *
satin_hub_new (SatinLoop *loop, SatinTransport *transport, const char *uri,
               const SatinHubOptions *options, const SatinHubEvents *events, gpointer user_data,
               GError **error)
{
  SatinHub *self;

  if (!check_options (options, error))
    return NULL;
  self = g_new0 (SatinHub, 1);
  self->loop = loop;
  self->events = *events;
  self->user_data = user_data;
  self->started_us = satin_loop_now_us (loop);
  self->hub_id = (gint64)(satin_loop_random (loop) >> 1);
  self->next_number = 1;
  self->next_term = 1;
  self->members = g_ptr_array_new_with_free_func ((GDestroyNotify)hub_member_free);
  self->connections = g_ptr_array_new ();
  self->queries = g_ptr_array_new_with_free_func ((GDestroyNotify)hub_query_free);
  self->clusters =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  self->known_gone = g_hash_table_new (NULL, NULL);
  g_queue_init (&self->gone);
  set_options (self, options);
  self->listener =
      satin_transport_listen (transport, uri, &identity, hub_connection_accept, self, error);
  if (self->listener == NULL)
    {
      satin_hub_free (self);
      return NULL;
    }
  if (!self->is_complete)
    self->join_timer =
        satin_loop_timer_add (loop, self->options.join_timeout_us, on_join_timer, self);
  if (self->options.is_restarted)
    hub_restore_begin (self);
  hub_watch_start (self);
  return self;
}

const char *
satin_hub_get_uri (SatinHub *self)
{
  return satin_listener_get_uri (self->listener);
}

void
satin_hub_ask_status (SatinHub *self, gint64 timeout_us, SatinHubStatusFunc func,
                      gpointer user_data)
{
  g_return_if_fail (timeout_us >= 0 && func != NULL);
  hub_query_add (self,
                 &(HubQuestion){ .timeout_us = timeout_us, .func = func, .user_data = user_data });
}

void
satin_hub_ask_dumps (SatinHub *self, gint64 timeout_us, SatinHubStatusFunc func, gpointer user_data)
{
  g_return_if_fail (timeout_us >= 0 && func != NULL);
  hub_query_add (self, &(HubQuestion){ .timeout_us = timeout_us,
                                       .wants_dumps = TRUE,
                                       .func = func,
                                       .user_data = user_data });
}

void
satin_hub_signal (SatinHub *self, SatinNodeId to, const char *word, GBytes *payload)
{
  HubSignal signal = { .to = to, .word = word };

  g_return_if_fail (strlen (word) <= HUB_MAX_WORD_BYTES);
  g_return_if_fail (payload == NULL || g_bytes_get_size (payload) <= HUB_MAX_PAYLOAD_BYTES);
  if (payload != NULL)
    signal.payload = g_bytes_get_data (payload, &signal.n_payload);
  hub_signal (self, &signal);
}

const char *
satin_hub_get_host (SatinHub *self, SatinNodeId id)
{
  const HubMember *member = hub_member_find (self, id);
  return member != NULL ? member->host : NULL;
}

SatinNodeId
satin_hub_find_on (SatinHub *self, const char *host)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const HubMember *member = g_ptr_array_index (self->members, i);
      if (strcmp (member->host, host) == 0)
        return member->id;
    }
  return 0;
}

static gboolean
is_process (const HubMember *member, const char *host, gint64 pid)
{
  return member->pid == pid && strcmp (member->host, host) == 0;
}

/* Returns: (nullable): the node that left or died */
static const HubMember *
find_gone (const SatinHub *self, SatinNodeId id)
{
  for (const GList *link = self->gone.tail; link != NULL; link = link->prev)
    if (((const HubMember *)link->data)->id == id)
      return link->data;
  return NULL;
}

const char *
satin_hub_get_death (SatinHub *self, SatinNodeId id)
{
  g_return_val_if_fail (self != NULL, NULL);
  const HubMember *gone = find_gone (self, id);
  return gone != NULL ? gone->death : NULL;
}

gint64
satin_hub_get_dead_pid (SatinHub *self, SatinNodeId id, const char *host)
{
  g_return_val_if_fail (self != NULL && host != NULL, 0);
  const HubMember *dead = find_gone (self, id);
  if (dead == NULL || dead->state != HUB_MEMBER_DIED || strcmp (dead->host, host) != 0)
    return 0;
  for (guint i = 0; i < self->members->len; i++)
    if (is_process (g_ptr_array_index (self->members, i), host, dead->pid))
      return 0;
  return dead->pid;
}

/* Whether a node with this host and process number has left or died before. If so, a report that
 * the process ended may be about that node. */
static gboolean
has_gone (SatinHub *self, const char *host, gint64 pid)
{
  for (const GList *link = self->gone.head; link != NULL; link = link->next)
    if (is_process (link->data, host, pid))
      return TRUE;
  return FALSE;
}

void
satin_hub_process_killed (SatinHub *self, const char *host, gint64 pid, int signal_number,
                          const char *how)
{
  HubMember *ended = NULL;
  guint n_found = 0;

  g_return_if_fail (self != NULL && host != NULL && how != NULL);
  g_return_if_fail (signal_number >= 0 && signal_number <= HUB_MAX_SIGNAL);
  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (!is_process (member, host, pid))
        continue;
      ended = member;
      n_found++;
    }
  if (n_found == 1 && !has_gone (self, host, pid))
    {
      ended->signal_number = signal_number;
      hub_member_remove (self, ended, HUB_MEMBER_DIED, how);
      return;
    }
  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (is_process (member, host, pid))
        hub_watch_suspect (self, member);
    }
}

void
satin_hub_process_ended (SatinHub *self, const char *host, gint64 pid, const char *how)
{
  satin_hub_process_killed (self, host, pid, 0, how);
}

void
satin_hub_host_killed (SatinHub *self, const char *host, int signal_number, const char *how)
{
  SatinNodeId id;
  g_return_if_fail (self != NULL && host != NULL && how != NULL);
  g_return_if_fail (signal_number >= 0 && signal_number <= HUB_MAX_SIGNAL);
  while ((id = satin_hub_find_on (self, host)) != 0)
    {
      HubMember *member = hub_member_find (self, id);
      member->signal_number = signal_number;
      hub_member_remove (self, member, HUB_MEMBER_DIED, how);
    }
}

void
satin_hub_host_ended (SatinHub *self, const char *host, const char *how)
{
  satin_hub_host_killed (self, host, 0, how);
}

void
satin_hub_expect_more (SatinHub *self, guint n_nodes)
{
  if (self->options.n_nodes > 0)
    self->options.n_nodes += n_nodes;
}

gboolean
satin_hub_is_ending (SatinHub *self)
{
  return self->state == HUB_ENDING || self->state == HUB_OVER;
}

void
satin_hub_end (SatinHub *self, int exit_status, const char *message)
{
  if (!hub_state_may (self->state, HUB_ENDING))
    return;
  self->exit_status = exit_status;
  self->end_message = g_strdup (message);
  hub_enter (self, HUB_ENDING);
}

void
satin_hub_free (SatinHub *self)
{
  if (self == NULL)
    return;
  satin_loop_timer_cancel (self->loop, &self->tick_timer);
  satin_loop_timer_cancel (self->loop, &self->join_timer);
  satin_loop_timer_cancel (self->loop, &self->end_timer);
  if (self->listener != NULL)
    satin_listener_stop (self->listener);
  hub_query_answer_all (self);
  for (guint i = 0; i < self->connections->len; i++)
    hub_connection_orphan (g_ptr_array_index (self->connections, i));
  g_ptr_array_unref (self->connections);
  g_ptr_array_unref (self->queries);
  g_ptr_array_unref (self->members);
  g_hash_table_unref (self->clusters);
  g_hash_table_unref (self->known_gone);
  g_queue_clear_full (&self->gone, (GDestroyNotify)hub_member_free);
  g_free (self->program);
  g_free (self->builds);
  g_free (self->end_message);
  g_free (self);
}
