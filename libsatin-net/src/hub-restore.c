/* hub-restore.c - a hub that takes the place of one that was lost
 *
 * The members come back by themselves and tell what they know. Views are numbered
 * in one order, so the highest number that comes is the latest view that
 * anybody has seen: its list is taken over. Whoever does not come within the grace
 * is dead then, like everybody who is out of reach for so long.
 *
 * The lost hub may have given out numbers, views and terms that no member that
 * came back has heard of. They are not given again: the counters go on behind a
 * gap of HUB_RESTORE_GAP, which is larger than what can be under way unheard.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-private.h"

#include <string.h>

void
hub_restore_begin (SatinHub *self)
{
  hub_enter (self, HUB_RESTORING);
}

static gboolean
is_listed (const HubJoin *join, SatinNodeId id)
{
  if (join->member.id == id)
    return TRUE;
  for (gsize i = 0; i < join->n_members; i++)
    if (join->members[i].id == id)
      return TRUE;
  return FALSE;
}

static void
restore_node (SatinHub *self, const HubNode *node)
{
  HubMember *member;

  if (hub_member_find (self, node->id) != NULL || self->members->len >= HUB_MAX_MEMBERS)
    return;
  member = hub_member_add (self, node);
  member->silence = self->restoring;
  self->highest = MAX (self->highest, member->id);
}

/* Members that came already and that the later view has no more were declared dead by the lost hub.
 */
static void
drop_unlisted (SatinHub *self, const HubJoin *join)
{
  for (guint i = self->members->len; i-- > 0;)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      g_autoptr (GError) fenced = NULL;

      if (is_listed (join, member->id))
        continue;
      fenced = hub_fenced_error (member->id, "the hub that was lost had declared it");
      if (member->connection != NULL)
        hub_connection_close (member->connection, fenced);
      if (self->offered == member->id)
        self->offered = 0;
      g_ptr_array_remove_index (self->members, i);
    }
}

static void
take_over (SatinHub *self, const HubJoin *join)
{
  drop_unlisted (self, join);
  restore_node (self, &join->member);
  for (gsize i = 0; i < join->n_members; i++)
    restore_node (self, &join->members[i]);
  self->master = hub_member_find (self, join->master) != NULL ? (SatinNodeId)join->master : 0;
  self->term = (guint64)join->term;
  self->next_term = self->term + 1 + HUB_RESTORE_GAP;
  self->highest = MAX (self->highest, (SatinNodeId)join->highest);
  self->next_number = self->highest + 1 + HUB_RESTORE_GAP;
  self->restored_view = (guint64)join->view_number;
  self->view_number = MAX (self->view_number, self->restored_view + HUB_RESTORE_GAP) + 1;
  self->n_joined = MAX (self->n_joined, self->members->len);
  if (join->is_complete)
    self->n_joined = MAX (self->n_joined, self->options.n_nodes);
  hub_member_check_complete (self, NULL);
}

static void
welcome_all (SatinHub *self)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (member->connection != NULL)
        hub_member_welcome (self, member);
    }
}

/* Old numbers lie below the gap, those that this hub gave out above it. */
static gboolean
is_later (SatinHub *self, const HubJoin *join)
{
  guint64 view_number = (guint64)join->view_number;
  return self->members->len == 0
         || (view_number > self->restored_view
             && view_number < self->restored_view + HUB_RESTORE_GAP);
}

gboolean
hub_restore_member (SatinHub *self, HubConnection *connection, const HubJoin *join, GError **error)
{
  HubMember *member;
  gboolean is_change;

  if (self->state == HUB_EMPTY)
    hub_restore_begin (self);
  if (!self->has_run)
    {
      memcpy (self->run, join->run, HUB_RUN_BYTES);
      self->has_run = TRUE;
    }
  is_change = memcmp (self->run, join->run, HUB_RUN_BYTES) == 0 && is_later (self, join);
  if (is_change)
    take_over (self, join);
  member = hub_find_returning (self, join, error);
  if (member == NULL)
    return FALSE;
  g_info ("node %u came back with view %" G_GINT64_FORMAT ", %u members", member->id,
          join->view_number, self->members->len);
  hub_member_attach (self, member, connection);
  if (is_change)
    welcome_all (self);
  else
    hub_member_welcome (self, member);
  return TRUE;
}

static void
admit_held (SatinHub *self)
{
  for (guint i = 0; i < self->connections->len; i++)
    {
      HubConnection *connection = g_ptr_array_index (self->connections, i);
      g_autoptr (GBytes) held = g_steal_pointer (&connection->held_join);
      g_auto (HubMessage) message = { 0 };
      g_autoptr (GError) error = NULL;

      if (held == NULL || connection->is_closing)
        continue;
      if (!hub_message_parse (held, SATIN_ROLE_NODE, &message, &error)
          || !hub_handle_join (self, connection, &message.body.join, &error))
        hub_connection_close (connection, error);
    }
}

void
hub_restore_finish (SatinHub *self)
{
  SatinNodeId offered = self->offered;

  hub_enter (self, HUB_RUNNING);
  self->offered = 0;
  if (offered != 0)
    hub_member_elect (self, offered);
  admit_held (self);
}
