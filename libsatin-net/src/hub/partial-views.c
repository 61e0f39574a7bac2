/* partial-views.c - decides which members know each other
 *
 * In a small run every member knows all others. A member of a large run has a partial view: it
 * knows some tens or hundreds of the others: near members, far members and the master. It hears
 * only when these join or go. If A knows B, then B knows A. So the view of a member also tells
 * which members must hear of its end. A member that meets a member that it does not know asks the
 * hub, which introduces the two.
 *
 * A newcomer is introduced to half as many members as a view may have, half of these from its own
 * cluster. For each place the hub draws two members and takes the one with the smaller view. So all
 * views grow to about the same size.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>
#include <satin/base/sorted.h>

#include "private.h"

/* How many members are drawn for one place before the hub gives up. */
#define PICK_TRIES 16

static SatinNodeId
id_at (const HubMember *self, guint place)
{
  return g_array_index (self->view, SatinNodeId, place);
}

/* The index of @id in the view, or the index where it would be inserted. */
static guint
find_place (const HubMember *self, SatinNodeId id)
{
  return SATIN_SORTED_PLACE (i, self->view->len, id_at (self, i) < id);
}

gboolean
hub_view_has (const HubMember *self, SatinNodeId id)
{
  guint place = find_place (self, id);
  return place < self->view->len && id_at (self, place) == id;
}

static void
add (HubMember *self, SatinNodeId id)
{
  g_array_insert_val (self->view, find_place (self, id), id);
  self->is_stale = TRUE;
}

static void
drop (HubMember *self, SatinNodeId id)
{
  g_array_remove_index (self->view, find_place (self, id));
  self->is_stale = TRUE;
}

gboolean
hub_view_join (HubMember *self, HubMember *other)
{
  if (self == other || hub_view_has (self, other->id))
    return FALSE;
  add (self, other->id);
  add (other, self->id);
  return TRUE;
}

/* ---- choosing ---- */

/* Draws two members of @from that @self does not know. Returns: (nullable): the one with the
 * smaller view; %NULL when the draw finds none */
static HubMember *
pick (SatinHub *hub, HubMember *self, GPtrArray *from)
{
  HubMember *best = NULL;

  for (guint i = 0; i < PICK_TRIES; i++)
    {
      guint place = (guint)satin_loop_random_below (hub->loop, from->len);
      HubMember *other = g_ptr_array_index (from, place);
      gboolean is_second = best != NULL;

      if (other == self || other == best || other->is_leaving || hub_view_has (self, other->id))
        continue;
      if (best == NULL || other->view->len < best->view->len)
        best = other;
      if (is_second)
        break;
    }
  return best;
}

static void
join_some (SatinHub *hub, HubMember *self, GPtrArray *from, guint n_wanted)
{
  HubMember *other;

  while (self->view->len < n_wanted && (other = pick (hub, self, from)) != NULL)
    hub_view_join (self, other);
}

static gboolean
is_small (SatinHub *hub)
{
  return hub->members->len <= hub->options.view_max + 1;
}

gboolean
hub_view_fill_small (SatinHub *hub, HubMember *self)
{
  if (!is_small (hub))
    return FALSE;
  for (guint i = 0; i < hub->members->len; i++)
    hub_view_join (self, g_ptr_array_index (hub->members, i));
  return TRUE;
}

void
hub_view_fill (SatinHub *hub, HubMember *self)
{
  guint n_wanted = hub->options.view_max / 2;
  HubMember *master = hub_member_find (hub, hub->master);

  if (hub_view_fill_small (hub, self))
    return;
  if (master != NULL)
    hub_view_join (self, master);
  join_some (hub, self, g_hash_table_lookup (hub->clusters, self->cluster), n_wanted / 2);
  join_some (hub, self, hub->members, n_wanted);
}

/* ---- sending ---- */

/* Sends @payload to the member at index @i of the view of @self. */
static void
send_to (SatinHub *hub, const HubMember *self, guint i, GBytes *payload)
{
  SATIN_INJECT_BUG ("hush-death", if (self->state == HUB_MEMBER_DIED && i == 0) return);
  HubMember *member = hub_member_find (hub, id_at (self, i));

  if (member->connection != NULL)
    hub_connection_send_bytes (member->connection, payload);
}

void
hub_view_tell (SatinHub *hub, const HubMember *self, HubMessageType type, gconstpointer body)
{
  g_autoptr (GBytes) payload = hub_message_encode (type, body);

  for (guint i = 0; i < self->view->len; i++)
    send_to (hub, self, i, payload);
}

void
hub_view_check_whole (SatinHub *hub, const HubMember *except)
{
  if (is_small (hub) && hub->n_partial == 0)
    return;
  for (guint i = 0; i < hub->members->len && hub->n_partial < hub->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (hub->members, i);
      if (member->is_partial || member->view->len + 1 == hub->members->len)
        continue;
      member->is_partial = TRUE;
      hub->n_partial++;
      if (member != except && member->connection != NULL)
        hub_connection_send (member->connection, HUB_MESSAGE_PARTIAL, NULL);
    }
}

static void
tell_of (SatinHub *hub, HubMember *self, const HubMember *other)
{
  HubJoined joined = { (gint64)hub->view_number, hub_member_describe (other) };

  if (self->connection != NULL)
    hub_connection_send (self->connection, HUB_MESSAGE_JOINED, &joined);
}

void
hub_view_introduce (SatinHub *hub, HubMember *self, HubMember *other)
{
  if (!hub_view_join (self, other))
    return;
  satin_loop_probe (hub->loop, "hub.introduced");
  tell_of (hub, self, other);
  tell_of (hub, other, self);
}

void
hub_view_know_all (SatinHub *hub, SatinNodeId id)
{
  HubMember *self = hub_member_find (hub, id);

  for (guint i = 0; i < hub->members->len && self != NULL; i++)
    hub_view_introduce (hub, self, g_ptr_array_index (hub->members, i));
}

/* ---- joining and leaving ---- */

void
hub_view_enter (SatinHub *hub, HubMember *self)
{
  GPtrArray *cluster = g_hash_table_lookup (hub->clusters, self->cluster);

  if (cluster == NULL)
    {
      cluster = g_ptr_array_new ();
      g_hash_table_insert (hub->clusters, g_strdup (self->cluster), cluster);
    }
  g_ptr_array_add (cluster, self);
}

/* If the view of @self has become too small, introduces @self to one more member. */
static void
make_up (SatinHub *hub, HubMember *self)
{
  HubMember *other;

  if (self->is_leaving || self->view->len >= hub->options.view_max / 2)
    return;
  other = pick (hub, self, hub->members);
  if (other == NULL)
    return;
  satin_loop_probe (hub->loop, "hub.view-made-up");
  hub_view_introduce (hub, self, other);
}

void
hub_view_leave (SatinHub *hub, HubMember *self)
{
  GPtrArray *cluster = g_hash_table_lookup (hub->clusters, self->cluster);

  g_ptr_array_remove_fast (cluster, self);
  if (cluster->len == 0)
    g_hash_table_remove (hub->clusters, self->cluster);
  hub->n_partial -= self->is_partial;
  for (guint i = 0; i < self->view->len; i++)
    {
      HubMember *member = hub_member_find (hub, id_at (self, i));
      drop (member, self->id);
      if (member->is_partial && hub->state == HUB_RUNNING)
        make_up (hub, member);
    }
  g_array_set_size (self->view, 0);
}
