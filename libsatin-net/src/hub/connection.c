/* connection.c - the hub's links: hello, frames, down
 *
 * A node's link belongs to no member until its join. Any other message before the join, and any
 * malformed message, closes the link with the reason. If a node does not read what the hub sends,
 * the hub drops the node's link. The node comes back on a new link and gets its whole view at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static guint
count_tools (SatinHub *hub)
{
  guint n_tools = 0;
  for (guint i = 0; i < hub->connections->len; i++)
    {
      HubConnection *connection = g_ptr_array_index (hub->connections, i);
      if (connection->role == SATIN_ROLE_TOOL)
        n_tools++;
    }
  return n_tools;
}

static gboolean
on_check (SatinLink *link, const SatinHello *hello, gpointer user_data, GError **error)
{
  HubConnection *self = user_data;

  if (self->hub == NULL)
    return TRUE; /* the hub was freed, and the link is being dropped */
  if (hello->role == SATIN_ROLE_TOOL)
    {
      if (count_tools (self->hub) >= HUB_MAX_TOOLS)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                       "the hub serves %d tools already; try again later", HUB_MAX_TOOLS);
          return FALSE;
        }
    }
  else if (hello->role != SATIN_ROLE_NODE)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "only nodes and tools may speak to a hub");
      return FALSE;
    }
  else if (!hub_check_program (self->hub, hello, error))
    return FALSE;
  self->role = (SatinRole)hello->role;
  return TRUE;
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  HubConnection *self = user_data;
  g_auto (HubMessage) message = { 0 };
  g_autoptr (GError) error = NULL;

  if (self->hub == NULL || self->is_closing)
    return;
  if (kind != SATIN_FRAME_HUB)
    g_set_error_literal (&error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                         "messages between nodes do not go through the hub");
  else if (hub_message_parse (payload, self->role, &message, &error))
    hub_handle (self->hub, self, &message, &error);
  if (error != NULL)
    {
      g_info ("hub: node %u: link closed: %s", self->member != NULL ? self->member->id : 0,
              error->message);
      hub_connection_close (self, error);
    }
}

static void
detach (HubConnection *self)
{
  HubMember *member = self->member;

  self->member = NULL;
  if (member == NULL)
    return;
  member->connection = NULL;
  if (hub_member_state_may (member->state, HUB_MEMBER_LOST))
    {
      hub_silence_start (&member->silence, satin_loop_now_us (self->hub->loop));
      member->limit_us = hub_watch_lost_limit_us (self->hub);
      hub_member_enter (member, HUB_MEMBER_LOST);
    }
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  HubConnection *self = user_data;
  SatinHub *hub = self->hub;

  if (hub != NULL)
    {
      g_debug ("hub: node %u: link down: %s", self->member != NULL ? self->member->id : 0,
               error != NULL ? error->message : "good order");
      g_ptr_array_remove (hub->connections, self);
      hub_query_forget (hub, self);
      detach (self);
      hub_query_check (hub);
    }
  g_clear_pointer (&self->held_join, g_bytes_unref);
  g_free (self);
}

static const SatinLinkFuncs funcs = {
  .check = on_check,
  .frame = on_frame,
  .down = on_down,
};

void
hub_connection_accept (SatinListener *listener, SatinLink *link, const SatinLinkFuncs **ret_funcs,
                       gpointer *ret_user_data, gpointer user_data)
{
  SatinHub *hub = user_data;
  HubConnection *self = g_new0 (HubConnection, 1);

  self->hub = hub;
  self->link = link;
  self->since_us = satin_loop_now_us (hub->loop);
  g_ptr_array_add (hub->connections, self);
  *ret_funcs = &funcs;
  *ret_user_data = self;
  if (hub->connections->len > HUB_MAX_CONNECTIONS)
    satin_link_drop (link);
}

/* Returns: how much may wait for the other side. A tool may ask before it reads, and its answer,
 * the status, may be larger than anything that a node gets. */
static gsize
get_max_queued_bytes (const HubConnection *self)
{
  return HUB_MAX_QUEUED_BYTES + (self->role == SATIN_ROLE_TOOL ? HUB_MAX_STATUS_BYTES : 0);
}

void
hub_connection_send_bytes (HubConnection *self, GBytes *payload)
{
  if (self->is_closing)
    return;
  satin_link_send (self->link, SATIN_FRAME_HUB, 0, payload);
  if (satin_link_queued_bytes (self->link) <= get_max_queued_bytes (self))
    return;
  g_info ("hub: node %u does not read, link broken", self->member != NULL ? self->member->id : 0);
  self->is_closing = TRUE;
  satin_link_drop (self->link);
}

void
hub_connection_send (HubConnection *self, HubMessageType type, gconstpointer body)
{
  g_autoptr (GBytes) payload = hub_message_encode (type, body);
  hub_connection_send_bytes (self, payload);
}

void
hub_connection_close (HubConnection *self, const GError *reason)
{
  detach (self); /* also from a link that was dropped and is not down yet */
  if (self->is_closing)
    return;
  self->is_closing = TRUE;
  satin_link_close (self->link, reason);
}

void
hub_connection_orphan (HubConnection *self)
{
  self->hub = NULL;
  self->member = NULL;
  satin_link_drop (self->link);
}
