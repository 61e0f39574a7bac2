/* restore.c - a new hub that replaces a lost one learns the members of the run
 *
 * Members come back by themselves, and each tells what it knows. The order in which they come does
 * not matter. Numbers of nodes rise. So if a member has heard of a number, and does not list a node
 * with a lower number, that node is gone. A member with a partial view tells instead which nodes it
 * saw go. A node that is gone for one member is gone for all. All other nodes that a member lists
 * are members. Members that do not come back themselves within the grace (the time of the state
 * RESTORING) are declared dead after it.
 *
 * The lost hub, and hubs between the lost one and this one, may have given out numbers, views and
 * terms of which no returning member has heard. This hub must not give them again. So its counters
 * continue behind a gap that is larger than the number of values that can be lost in this way. The
 * size of the gap is random, because another hub may have restored the same state before.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "private.h"

#include <string.h>

void
hub_restore_begin (SatinHub *self)
{
  self->gap = HUB_RESTORE_GAP + satin_loop_random_below (self->loop, HUB_RESTORE_GAP);
  self->view_gap = HUB_RESTORE_GAP + satin_loop_random_below (self->loop, HUB_RESTORE_VIEW_GAP);
  /* The gap is needed even if no member comes back: new nodes must not get numbers of the lost hub.
   */
  self->next_number = 1 + self->gap;
  self->next_term = 1 + self->view_gap;
  self->view_number = self->view_gap;
  hub_enter (self, HUB_RESTORING);
}

/* Returns: (transfer full): the set of members that the sender of @join knows, with itself */
static GHashTable *
list_members (const HubJoin *join)
{
  GHashTable *listed = g_hash_table_new (NULL, NULL);

  g_hash_table_add (listed, GINT_TO_POINTER ((gint)join->member.id));
  for (gsize i = 0; i < join->n_members; i++)
    g_hash_table_add (listed, GINT_TO_POINTER ((gint)join->members[i].id));
  return listed;
}

/* Whether a member that came back, or the hub, knows that node @id is gone. */
static gboolean
is_known_gone (SatinHub *self, gint64 id)
{
  SATIN_INJECT_BUG ("forget-gone", return FALSE);
  return g_hash_table_contains (self->known_gone, GINT_TO_POINTER ((gint)id));
}

/* Adds @node as a member, unless it is known to be gone. @known: up to this number, each node that
 * is not a member yet is gone. Returns: (nullable): the member */
static HubMember *
restore_node (SatinHub *self, const HubNode *node, gint64 known, gboolean *is_change)
{
  HubMember *member = hub_member_find (self, node->id);

  if (member != NULL)
    return member;
  if (node->id <= known || !satin_address_check (node->address, NULL)
      || is_known_gone (self, node->id) || self->members->len >= HUB_MAX_MEMBERS)
    return NULL;
  member = hub_member_add (self, node);
  member->silence = self->restoring;
  *is_change = TRUE;
  return member;
}

static void
drop_member (SatinHub *self, HubMember *member)
{
  g_autoptr (GError) fenced =
      hub_fenced_error (member->id, "a hub that was lost had declared it dead");

  satin_loop_probe (self->loop, "hub.member-known-gone");
  if (member->connection != NULL)
    hub_connection_close (member->connection, fenced);
  hub_election_withdraw (self, member->id);
  hub_view_leave (self, member);
  g_ptr_array_remove (self->members, member);
}

/* Drops the members that the sender of @join does not list, up to the highest number that the
 * sender has heard of. The sender knew all members, so these nodes are gone. */
static void
drop_unlisted (SatinHub *self, const HubJoin *join)
{
  g_autoptr (GHashTable) listed = list_members (join);

  for (guint i = self->members->len; i-- > 0;)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (member->id <= join->highest
          && !g_hash_table_contains (listed, GINT_TO_POINTER ((gint)member->id)))
        drop_member (self, member);
    }
  self->whole_highest = MAX (self->whole_highest, join->highest);
}

/* Drops the nodes that the sender of @join, which has a partial view, saw go. */
static void
drop_known_gone (SatinHub *self, const HubJoin *join)
{
  for (gsize i = 0; i < join->n_gone; i++)
    {
      HubMember *member = hub_member_find (self, join->gone[i]);
      if (member != NULL)
        drop_member (self, member);
      g_hash_table_add (self->known_gone, GINT_TO_POINTER (join->gone[i]));
    }
}

/* Drops the members that the sender of @join knows to be gone. Returns: whether there were any */
static gboolean
drop_gone (SatinHub *self, const HubJoin *join)
{
  guint n_before = self->members->len;

  if (join->is_partial)
    drop_known_gone (self, join);
  else
    drop_unlisted (self, join);
  return self->members->len < n_before;
}

/* Adds the sender of @join and the nodes that it lists. Returns: whether any of them is new */
static gboolean
restore_view (SatinHub *self, const HubJoin *join, gint64 known)
{
  gboolean is_change = FALSE;
  HubMember *member = restore_node (self, &join->member, known, &is_change);

  for (gsize i = 0; i < join->n_members; i++)
    {
      HubMember *other = join->members[i].id <= join->highest
                             ? restore_node (self, &join->members[i], known, &is_change)
                             : NULL;
      if (member != NULL && other != NULL)
        hub_view_join (member, other);
    }
  if (member != NULL && join->is_partial && !member->is_partial)
    {
      member->is_partial = TRUE;
      self->n_partial++;
    }
  for (guint i = 0; is_change && i < self->members->len; i++)
    hub_view_fill_small (self, g_ptr_array_index (self->members, i));
  hub_view_check_whole (self, NULL);
  return is_change;
}

static gboolean
take_members (SatinHub *self, const HubJoin *join)
{
  gint64 known = self->whole_highest;
  gboolean is_change = drop_gone (self, join);

  is_change |= restore_view (self, join, known);
  self->highest = MAX (self->highest, (SatinNodeId)join->highest);
  self->next_number = self->highest + 1 + self->gap;
  self->n_joined = MAX (self->n_joined, self->members->len);
  if (join->is_complete)
    self->n_joined = MAX (self->n_joined, self->options.n_nodes);
  return is_change;
}

static gboolean
take_master (SatinHub *self, const HubJoin *join)
{
  gboolean is_change = (guint64)join->term > self->term;

  if (is_change)
    {
      self->term = (guint64)join->term;
      self->master = (SatinNodeId)join->master;
    }
  self->next_term = self->term + 1 + self->view_gap;
  if (hub_member_find (self, self->master) == NULL)
    self->master = 0;
  return is_change;
}

/* Adds what @join says to what the hub knows. Returns: %TRUE when all members need a new WELCOME,
 * not only those whose view changed */
static gboolean
take_over (SatinHub *self, const HubJoin *join)
{
  guint64 least = (guint64)join->view_number + self->view_gap;
  gboolean is_change = take_members (self, join);
  gboolean is_new_master = take_master (self, join);
  gboolean is_risen = is_change || is_new_master || self->view_number < least;

  if (is_risen)
    self->view_number = MAX (self->view_number, least) + 1;
  hub_member_check_complete (self, NULL);
  return is_new_master || (is_risen && self->n_partial == 0);
}

static void
welcome_back (SatinHub *self, gboolean is_for_all)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (member->connection != NULL && (member->is_stale || is_for_all))
        hub_member_welcome (self, member);
    }
}

/* Whether @join belongs to the hub's run. The first member that comes back decides which run the
 * hub serves. */
static gboolean
is_of_run (SatinHub *self, const HubJoin *join)
{
  if (!self->has_run)
    {
      memcpy (self->run, join->run, HUB_RUN_BYTES);
      self->has_run = TRUE;
    }
  return memcmp (self->run, join->run, HUB_RUN_BYTES) == 0;
}

gboolean
hub_restore_member (SatinHub *self, HubConnection *connection, const HubJoin *join, GError **error)
{
  HubMember *member;
  gboolean is_for_all;

  if (self->state == HUB_EMPTY)
    hub_restore_begin (self);
  else if (self->members->len == 0) /* the first one back: the grace begins now for the others */
    hub_silence_start (&self->restoring, satin_loop_now_us (self->loop));
  /* A node that has heard this hub before knows nothing new. */
  is_for_all = is_of_run (self, join) && join->hub != self->hub_id && take_over (self, join);
  member = hub_find_returning (self, join, error);
  if (member != NULL)
    {
      satin_loop_probe (self->loop, "hub.member-restored");
      g_info ("node %u came back with view %" G_GINT64_FORMAT ", %u members", member->id,
              join->view_number, self->members->len);
      hub_member_attach (self, member, connection);
      member->is_stale = TRUE;
    }
  welcome_back (self, is_for_all);
  return member != NULL;
}

gboolean
hub_restore_has_any (SatinHub *self)
{
  for (guint i = 0; i < self->connections->len; i++)
    {
      const HubConnection *connection = g_ptr_array_index (self->connections, i);
      if (connection->held_join != NULL && !connection->is_closing)
        return TRUE;
    }
  return self->members->len > 0 || self->n_left + self->n_died > 0;
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
  hub_enter (self, HUB_RUNNING);
  g_hash_table_remove_all (self->known_gone); /* only joins during the grace need them */
  hub_election_restored (self);
  admit_held (self);
  hub_member_check_deserted (self);
}
