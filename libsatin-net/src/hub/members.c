/* members.c - the members of the run: they join, come back, leave and die
 *
 *   HEARD ------------------> SUSPECTED   others do not reach it, or its process may have ended
 *   SUSPECTED --------------> HEARD       the hub hears it again
 *   HEARD, SUSPECTED -------> LOST        its link is down
 *   LOST -------------------> HEARD       it came back on a new link
 *   HEARD, SUSPECTED -------> LEFT        it left in good order
 *   HEARD, SUSPECTED, LOST -> DIED        it was declared dead
 *
 * A member begins in LOST, before it has a link.
 *
 * Each change of the view raises the view's number by one. The hub sends each change, in one
 * message, to the members that know the changed member; in a small run these are all members
 * (partial-views.c). Numbers of nodes count up and are never given twice. So a number that was
 * given and is not in the view belongs to a node that is gone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>
#include <satin/base/sorted.h>

#include "private.h"

#include <string.h>

#define TO(state) (1u << (state))
#define GONE      (TO (HUB_MEMBER_LEFT) | TO (HUB_MEMBER_DIED))

static const struct
{
  const char *name;
  guint next;
} states[HUB_MEMBER_N_STATES] = {
  [HUB_MEMBER_HEARD] = { "member", TO (HUB_MEMBER_SUSPECTED) | TO (HUB_MEMBER_LOST) | GONE },
  [HUB_MEMBER_SUSPECTED] = { "suspected", TO (HUB_MEMBER_HEARD) | TO (HUB_MEMBER_LOST) | GONE },
  [HUB_MEMBER_LOST] = { "lost", TO (HUB_MEMBER_HEARD) | TO (HUB_MEMBER_DIED) },
  [HUB_MEMBER_LEFT] = { "left", 0 },
  [HUB_MEMBER_DIED] = { "died", 0 },
};

gboolean
hub_member_state_may (HubMemberState from, HubMemberState to)
{
  return (states[from].next & TO (to)) != 0;
}

const char *
hub_member_state_name (HubMemberState state)
{
  return states[state].name;
}

void
hub_member_enter (HubMember *self, HubMemberState to)
{
  g_debug ("node %u: %s to %s", self->id, states[self->state].name, states[to].name);
  g_assert (hub_member_state_may (self->state, to));
  self->state = to;
}

/* The index of @id in the list, or the index where it would be inserted. */
static guint
find_place (SatinHub *hub, gint64 id)
{
  HubMember *const *members = (HubMember *const *)hub->members->pdata;
  return SATIN_SORTED_PLACE (i, hub->members->len, members[i]->id < id);
}

HubMember *
hub_member_find (SatinHub *hub, gint64 id)
{
  guint place = find_place (hub, id);
  HubMember *member = place < hub->members->len ? g_ptr_array_index (hub->members, place) : NULL;

  return member != NULL && member->id == id ? member : NULL;
}

HubMember *
hub_member_add (SatinHub *hub, const HubNode *node)
{
  HubMember *self = g_new0 (HubMember, 1);

  self->id = (SatinNodeId)node->id;
  self->cluster = g_ref_string_new_intern (node->cluster);
  self->address = g_ref_string_new_intern (node->address);
  self->host = g_ref_string_new_intern (node->host);
  self->pid = node->pid;
  self->state = HUB_MEMBER_LOST;
  self->limit_us = hub->options.death_us;
  self->report_serial = hub->ask_serial;
  hub_silence_start (&self->silence, satin_loop_now_us (hub->loop));
  self->view = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  g_ptr_array_insert (hub->members, (gint)find_place (hub, node->id), self);
  hub_view_enter (hub, self);
  return self;
}

void
hub_member_free (HubMember *self)
{
  g_ref_string_release (self->cluster);
  g_ref_string_release (self->address);
  g_ref_string_release (self->host);
  satin_record_clear (&SatinReport_record, &self->report);
  g_array_unref (self->view);
  g_free (self->death);
  g_free (self);
}

HubNode
hub_member_describe (const HubMember *self)
{
  return (
      HubNode){ self->id, self->cluster, self->address, self->host, self->pid, self->is_leaving };
}

void
hub_broadcast (SatinHub *hub, HubMessageType type, gconstpointer body, const HubMember *except)
{
  g_autoptr (GBytes) payload = hub_message_encode (type, body);

  for (guint i = 0; i < hub->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (hub->members, i);
      if (member != except && member->connection != NULL)
        hub_connection_send_bytes (member->connection, payload);
    }
}

void
hub_signal (SatinHub *hub, const HubSignal *signal)
{
  HubMember *member = hub_member_find (hub, signal->to);

  if (signal->to == 0)
    hub_broadcast (hub, HUB_MESSAGE_SIGNAL, signal, NULL);
  else if (member != NULL && member->connection != NULL)
    hub_connection_send (member->connection, HUB_MESSAGE_SIGNAL, signal);
}

void
hub_member_attach (SatinHub *hub, HubMember *self, HubConnection *connection)
{
  g_autoptr (GError) replaced = NULL;

  if (self->connection != NULL)
    {
      satin_loop_probe (hub->loop, "hub.link-replaced");
      replaced =
          g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "node %u came on another link", self->id);
      hub_connection_close (self->connection, replaced);
    }
  self->connection = connection;
  connection->member = self;
  hub_silence_start (&self->silence, satin_loop_now_us (hub->loop));
  self->limit_us = hub->options.death_us;
  hub_member_enter (self, HUB_MEMBER_HEARD);
}

/* Describes the members that @self knows. Returns: the number of these members */
static gsize
list_view (SatinHub *hub, const HubMember *self, HubNode *ret_nodes)
{
  guint n = self->view->len;
  SATIN_INJECT_BUG ("torn-view", n -= MIN (n, 1));

  for (guint i = 0; i < n; i++)
    {
      SatinNodeId id = g_array_index (self->view, SatinNodeId, i);
      ret_nodes[i] = hub_member_describe (hub_member_find (hub, id));
    }
  return n;
}

/* Sends @self one atomic view of the members that it knows. The events that follow on this link
 * change this view. Then asks for the figures that are awaited: a node reads no ASK before its
 * view. */
void
hub_member_welcome (SatinHub *hub, HubMember *self)
{
  g_autofree HubNode *others = g_new0 (HubNode, self->view->len);
  HubWelcome welcome = {
    .hub = hub->hub_id,
    .run = hub->run,
    .n_run = HUB_RUN_BYTES,
    .view_number = (gint64)hub->view_number,
    .self = self->id,
    .members = others,
    .n_members = list_view (hub, self, others),
    .master = hub->master,
    .term = (gint64)hub->term,
    .is_complete = hub->is_complete,
    .is_partial = self->is_partial,
    .heartbeat_us = hub->options.heartbeat_us,
    .death_us = hub->options.death_us,
    .is_leaving = self->is_leaving,
  };
  SatinRunEnd end = { hub->exit_status, hub->end_message };

  self->is_stale = FALSE;
  hub_connection_send (self->connection, HUB_MESSAGE_WELCOME, &welcome);
  if (hub->state == HUB_ENDING)
    hub_connection_send (self->connection, HUB_MESSAGE_OVER, &end);
  hub_query_ask (hub, self);
}

void
hub_member_tell_changed (SatinHub *hub, SatinNodeId id, const char *what)
{
  g_info ("node %u %s, view %" G_GUINT64_FORMAT ", %u members", id, what, hub->view_number,
          hub->members->len);
  if (hub->events.changed != NULL)
    hub->events.changed (hub, id, what, hub->user_data);
}

void
hub_member_check_complete (SatinHub *hub, const HubMember *except)
{
  if (hub->is_complete || hub->n_joined < hub->options.n_nodes)
    return;
  hub->is_complete = TRUE;
  satin_loop_timer_cancel (hub->loop, &hub->join_timer);
  hub_broadcast (hub, HUB_MESSAGE_COMPLETE, NULL, except);
}

void
hub_member_admit (SatinHub *hub, HubConnection *connection, const HubNode *node)
{
  HubNode numbered = *node;
  HubMember *self;
  HubJoined joined;

  numbered.id = hub->next_number++;
  numbered.is_leaving = FALSE;
  hub->highest = (SatinNodeId)numbered.id;
  hub->n_joined++;
  self = hub_member_add (hub, &numbered);
  hub_member_attach (hub, self, connection);
  joined = (HubJoined){ (gint64)++hub->view_number, numbered };
  hub_view_fill (hub, self);
  hub_view_tell (hub, self, HUB_MESSAGE_JOINED, &joined);
  hub_view_check_whole (hub, self);
  hub_member_check_complete (hub, self);
  hub_member_welcome (hub, self);
  hub_member_tell_changed (hub, self->id, "joined");
}

static void
keep_gone (SatinHub *hub, HubMember *self)
{
  g_queue_push_tail (&hub->gone, self);
  if (hub->gone.length > HUB_MAX_GONE)
    hub_member_free (g_queue_pop_head (&hub->gone));
}

GError *
hub_fenced_error (gint64 id, const char *why)
{
  return g_error_new (SATIN_ERROR, SATIN_ERROR_FENCED,
                      "node %" G_GINT64_FORMAT " was declared dead: %s; its work was given to "
                      "others, start it anew",
                      id, why);
}

static void
dismiss_dead (SatinHub *hub, HubMember *self, const char *why)
{
  SATIN_INJECT_BUG ("serve-dead", return);
  g_autoptr (GError) fenced = hub_fenced_error (self->id, why);

  satin_loop_probe (hub->loop, "hub.member-dismissed");
  hub_connection_close (self->connection, fenced);
}

/* Tells a removed member that it is removed, if its link is still there. */
static void
dismiss (SatinHub *hub, HubMember *self, const HubGone *gone, HubMemberState to, const char *why)
{
  if (self->connection == NULL)
    return;
  if (to == HUB_MEMBER_DIED)
    {
      dismiss_dead (hub, self, why);
      return;
    }
  hub_connection_send (self->connection, HUB_MESSAGE_LEFT, gone);
  hub_connection_close (self->connection, NULL);
}

void
hub_member_check_deserted (SatinHub *hub)
{
  if (hub->state == HUB_RUNNING && hub->options.n_nodes > 0 && hub->is_complete
      && hub->members->len == 0)
    satin_hub_end (hub, satin_error_code_exit_status (SATIN_ERROR_NODE_LOST),
                   "no node is left, and the run is not over");
}

void
hub_member_remove (SatinHub *hub, HubMember *self, HubMemberState to, const char *why)
{
  HubGone gone = { (gint64)++hub->view_number, self->id, self->signal_number };
  gboolean is_death = to == HUB_MEMBER_DIED;
  SatinNodeId id = self->id;

  g_info ("node %u: %s", id, why);
  hub_member_enter (self, to);
  g_ptr_array_steal_index (hub->members, find_place (hub, id));
  if (hub->state == HUB_RESTORING)
    g_hash_table_add (hub->known_gone, GINT_TO_POINTER ((gint)id)); /* later joins may list it */
  if (is_death)
    {
      self->death = g_strdup (why);
      hub->n_died++;
    }
  else
    hub->n_left++;
  hub_election_forget (hub, id);
  hub_view_tell (hub, self, is_death ? HUB_MESSAGE_DIED : HUB_MESSAGE_LEFT, &gone);
  hub_view_leave (hub, self);
  dismiss (hub, self, &gone, to, why);
  keep_gone (hub, self);
  hub_query_check (hub);
  hub_check_end (hub);
  hub_member_check_deserted (hub);
  hub_member_tell_changed (hub, id, is_death ? "died" : "left");
}
