/* registry.c - handles the events of the registry: changes of the view, signals, the end of the run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

static gboolean
is_in_run (SatinNet *self)
{
  return self->state == NET_MEMBER || self->state == NET_CLOSING;
}

static void
set_view_number (SatinNet *self, guint64 view_number)
{
  self->view.number = MAX (self->view.number, view_number);
  net_lost_end (self); /* the registry reports changes, so it can be reached */
}

/* Adds @member to the view. A member with a malformed address could not be dialed: it is not added,
 * and its links are refused like those of a node that is gone. Returns: whether it was added */
static gboolean
take_member (SatinNet *self, const SatinMember *member)
{
  g_autoptr (GError) error = NULL;

  if (satin_address_check (member->address, &error))
    {
      net_view_add (self, member);
      return TRUE;
    }
  satin_loop_probe (self->loop, "net.address-refused");
  self->highest = MAX (self->highest, member->id);
  g_warning ("node %u is ignored: %s", member->id, error->message);
  return FALSE;
}

static void
on_registered (const guint8 run[16], guint64 view_number, SatinNodeId id, guint n_members,
               const SatinMember *members, SatinNodeId master, guint64 term, gpointer user_data)
{
  SatinNet *self = user_data;

  if (self->state != NET_JOINING)
    return;
  memcpy (self->identity.run, run, sizeof self->identity.run);
  self->identity.node = id;
  self->highest = id;
  self->view.self = id;
  self->view.master = master;
  self->view.term = term;
  set_view_number (self, view_number);
  for (guint i = 0; i < n_members; i++)
    if (members[i].id != id && net_view_find (self, members[i].id) == NULL)
      take_member (self, &members[i]);
  g_info ("node %u: joined a run with %u others", id, self->members->len);
  net_enter (self, NET_MEMBER);
  if (self->events.joined != NULL)
    self->events.joined (self, self->user_data);
}

static void
on_joined (guint64 view_number, const SatinMember *member, gpointer user_data)
{
  SatinNet *self = user_data;

  if (!is_in_run (self) || member->id == self->view.self
      || net_view_find (self, member->id) != NULL)
    return;
  set_view_number (self, view_number);
  if (!take_member (self, member))
    return;
  g_debug ("node %u joined", member->id);
  net_link_judge_parked (self);
  net_tell_change (self, SATIN_PEER_JOINED, member->id);
}

/* Removes a peer from the view. Links of a dead node are dropped at once; links of a node that left
 * are closed in good order. */
static void
remove_peer (SatinNet *self, guint64 view_number, SatinNodeId id, SatinPeerChange change)
{
  NetPeer *peer = net_view_find (self, id);

  if (!is_in_run (self) || peer == NULL)
    return;
  set_view_number (self, view_number);
  if (!g_queue_is_empty (&peer->waiting))
    satin_loop_probe (self->loop, "net.messages-lost");
  while (peer->links != NULL)
    {
      NetLink *link = peer->links;

      net_link_forget (link);
      if (change == SATIN_PEER_DIED)
        net_link_drop (link);
      else
        satin_link_close (link->link, NULL);
    }
  g_autofree char *cluster = g_strdup (satin_view_find (&self->view, id)->cluster);
  net_view_remove (self, peer);
  self->view.gone_cluster = cluster;
  g_debug ("node %u %s", id, change == SATIN_PEER_DIED ? "died" : "left");
  net_link_judge_parked (self);
  net_tell_change (self, change, id);
  self->view.death_signal = 0;
  self->view.gone_cluster = NULL;
  net_check_closed (self);
}

static void
on_left (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  remove_peer (user_data, view_number, id, SATIN_PEER_LEFT);
}

static void
on_killed (SatinNodeId id, int signal_number, gpointer user_data)
{
  SatinNet *self = user_data;

  if (is_in_run (self) && net_view_find (self, id) != NULL)
    self->view.death_signal = signal_number;
}

static void
on_died (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  remove_peer (user_data, view_number, id, SATIN_PEER_DIED);
}

static void
on_elected (guint64 view_number, SatinNodeId id, guint64 term, gpointer user_data)
{
  SatinNet *self = user_data;

  if (!is_in_run (self) || term < self->view.term
      || (term == self->view.term && id == self->view.master))
    return;
  set_view_number (self, view_number);
  self->view.master = id;
  self->view.term = term;
  g_info ("node %u is the master of term %" G_GUINT64_FORMAT, id, term);
  net_tell_change (self, SATIN_PEER_MASTER, id);
}

static void
on_complete (gpointer user_data)
{
  SatinNet *self = user_data;

  if (is_in_run (self) && self->events.complete != NULL)
    self->events.complete (self, self->user_data);
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  SatinNet *self = user_data;

  if (!is_in_run (self))
    return;
  if (strcmp (word, NET_SIGNAL_CALL) == 0)
    {
      net_peer_call (self, payload);
      return;
    }
  if (strcmp (word, SATIN_SIGNAL_OVER) == 0)
    self->is_ended = TRUE;
  if (self->events.signal != NULL)
    self->events.signal (self, word, payload, self->user_data);
}

static void
on_asked (gsize dump_bytes, gpointer user_data)
{
  SatinNet *self = user_data;

  if (is_in_run (self) && self->events.asked != NULL)
    self->events.asked (self, dump_bytes, self->user_data);
}

static void
on_unsure (gint64 since_us, const GError *error, gpointer user_data)
{
  SatinNet *self = user_data;

  g_message ("the registry cannot be reached, the run goes on: %s",
             error != NULL ? error->message : "no reason known");
  if (is_in_run (self))
    net_lost_begin (self);
}

static void
on_sure (gpointer user_data)
{
  net_lost_end (user_data);
}

static void
on_over (const GError *error, gpointer user_data)
{
  SatinNet *self = user_data;

  self->registry = NULL;
  net_lost_end (self);
  if (self->state == NET_LEAVING)
    net_enter (self, NET_CLOSED);
  else
    net_over (self, error);
}

static void
on_partial (gpointer user_data)
{
  SatinNet *self = user_data;

  self->view.is_partial = TRUE;
}

/* Asks the registry to introduce @id, a node that is not in the view. Returns: FALSE when the view
 * is not partial, or when the registry cannot be asked */
gboolean
net_registry_introduce (SatinNet *self, SatinNodeId id)
{
  if (!self->view.is_partial || self->registry == NULL || self->registry_ops.introduce == NULL)
    return FALSE;
  self->registry_ops.introduce (self->registry, id);
  return TRUE;
}

static void
on_unknown (SatinNodeId id, gpointer user_data)
{
  SatinNet *self = user_data;

  net_link_refuse_parked (self, id);
  if (is_in_run (self))
    net_tell_change (self, SATIN_PEER_UNKNOWN, id);
}

/* Notes that a node will leave. @id: this node or a peer in its view; other nodes are ignored */
static void
on_leaving (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  SatinNet *self = user_data;
  NetPeer *peer = net_view_find (self, id);

  if (!is_in_run (self) || (peer == NULL && id != self->view.self))
    return;
  set_view_number (self, view_number);
  if (peer != NULL)
    net_view_mark_leaving (self, peer);
  else
    self->view.is_leaving = TRUE;
  g_debug ("node %u is leaving", id);
  net_tell_change (self, SATIN_PEER_LEAVING, id);
}

const SatinRegistryEvents net_registry_events = {
  .struct_size = sizeof (SatinRegistryEvents),
  .registered = on_registered,
  .joined = on_joined,
  .left = on_left,
  .died = on_died,
  .elected = on_elected,
  .complete = on_complete,
  .signal = on_signal,
  .asked = on_asked,
  .unsure = on_unsure,
  .over = on_over,
  .partial = on_partial,
  .unknown = on_unknown,
  .leaving = on_leaving,
  .killed = on_killed,
  .sure = on_sure,
};
