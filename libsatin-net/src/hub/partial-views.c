/* partial-views.c - who knows whom
 *
 * In a small run every member knows all others. A member of a large one knows some of
 * them, its circle: near ones, far ones and the master, some tens or hundreds; it hears of
 * their coming and going and of nobody else's. Knowing is mutual, so who is to hear of a
 * member's end is its own circle. Two that meet otherwise are introduced when one of them asks.
 *
 * A newcomer is introduced to half as many members as a circle is to have, and of two that chance
 * offers to the one with the smaller circle; so all circles come to about the same size.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/mistake.h>
#include <satin/base/sorted.h>

#include "private.h"

/* How many members chance may offer for one place. */
#define PICK_TRIES 16

static SatinNodeId
id_at (const HubMember *self, guint place)
{
  return g_array_index (self->circle, SatinNodeId, place);
}

/* Where @id stands in the circle, or would stand. */
static guint
find_place (const HubMember *self, SatinNodeId id)
{
  return SATIN_SORTED_PLACE (i, self->circle->len, id_at (self, i) < id);
}

gboolean
hub_circle_has (const HubMember *self, SatinNodeId id)
{
  guint place = find_place (self, id);
  return place < self->circle->len && id_at (self, place) == id;
}

static void
add (HubMember *self, SatinNodeId id)
{
  g_array_insert_val (self->circle, find_place (self, id), id);
  self->is_stale = TRUE;
}

static void
drop (HubMember *self, SatinNodeId id)
{
  g_array_remove_index (self->circle, find_place (self, id));
  self->is_stale = TRUE;
}

gboolean
hub_circle_join (HubMember *self, HubMember *other)
{
  if (self == other || hub_circle_has (self, other->id))
    return FALSE;
  add (self, other->id);
  add (other, self->id);
  return TRUE;
}

/* ---- choosing ---- */

/* Of two members of @from that @self does not know the one with the smaller circle; of one, that;
 * %NULL when chance offers none. */
static HubMember *
pick (SatinHub *hub, HubMember *self, GPtrArray *from)
{
  HubMember *best = NULL;

  for (guint i = 0; i < PICK_TRIES; i++)
    {
      guint place = (guint)satin_loop_random_below (hub->loop, from->len);
      HubMember *other = g_ptr_array_index (from, place);
      gboolean is_second = best != NULL;

      if (other == self || other == best || other->is_leaving || hub_circle_has (self, other->id))
        continue;
      if (best == NULL || other->circle->len < best->circle->len)
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

  while (self->circle->len < n_wanted && (other = pick (hub, self, from)) != NULL)
    hub_circle_join (self, other);
}

static gboolean
is_small (SatinHub *hub)
{
  return hub->members->len <= hub->options.view_max + 1;
}

gboolean
hub_circle_fill_small (SatinHub *hub, HubMember *self)
{
  if (!is_small (hub))
    return FALSE;
  for (guint i = 0; i < hub->members->len; i++)
    hub_circle_join (self, g_ptr_array_index (hub->members, i));
  return TRUE;
}

void
hub_circle_fill (SatinHub *hub, HubMember *self)
{
  guint n_wanted = hub->options.view_max / 2;
  HubMember *master = hub_member_find (hub, hub->master);

  if (hub_circle_fill_small (hub, self))
    return;
  if (master != NULL)
    hub_circle_join (self, master);
  join_some (hub, self, g_hash_table_lookup (hub->clusters, self->cluster), n_wanted / 2);
  join_some (hub, self, hub->members, n_wanted);
}

/* ---- telling ---- */

void
hub_circle_tell (SatinHub *hub, const HubMember *self, HubMessageType type, gconstpointer body)
{
  g_autoptr (GBytes) payload = hub_message_encode (type, body);

  for (guint i = 0; i < self->circle->len; i++)
    {
      HubMember *member = hub_member_find (hub, id_at (self, i));
      gboolean is_hushed = type == HUB_MESSAGE_DIED && SATIN_MISTAKE ("hush-death") && i == 0;
      if (member->connection != NULL && !is_hushed)
        hub_connection_send_bytes (member->connection, payload);
    }
}

void
hub_circle_check_whole (SatinHub *hub, const HubMember *except)
{
  if (is_small (hub) && hub->n_partial == 0)
    return;
  for (guint i = 0; i < hub->members->len && hub->n_partial < hub->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (hub->members, i);
      if (member->is_partial || member->circle->len + 1 == hub->members->len)
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
hub_circle_introduce (SatinHub *hub, HubMember *self, HubMember *other)
{
  if (!hub_circle_join (self, other))
    return;
  satin_loop_probe (hub->loop, "hub.introduced");
  tell_of (hub, self, other);
  tell_of (hub, other, self);
}

void
hub_circle_know_all (SatinHub *hub, SatinNodeId id)
{
  HubMember *self = hub_member_find (hub, id);

  for (guint i = 0; i < hub->members->len && self != NULL; i++)
    hub_circle_introduce (hub, self, g_ptr_array_index (hub->members, i));
}

/* ---- coming and going ---- */

void
hub_circle_enter (SatinHub *hub, HubMember *self)
{
  GPtrArray *cluster = g_hash_table_lookup (hub->clusters, self->cluster);

  if (cluster == NULL)
    {
      cluster = g_ptr_array_new ();
      g_hash_table_insert (hub->clusters, g_strdup (self->cluster), cluster);
    }
  g_ptr_array_add (cluster, self);
}

/* Who knows few after this gets to know one more. */
static void
make_up (SatinHub *hub, HubMember *self)
{
  HubMember *other;

  if (self->is_leaving || self->circle->len >= hub->options.view_max / 2)
    return;
  other = pick (hub, self, hub->members);
  if (other == NULL)
    return;
  satin_loop_probe (hub->loop, "hub.circle-made-up");
  hub_circle_introduce (hub, self, other);
}

void
hub_circle_leave (SatinHub *hub, HubMember *self)
{
  GPtrArray *cluster = g_hash_table_lookup (hub->clusters, self->cluster);

  g_ptr_array_remove_fast (cluster, self);
  if (cluster->len == 0)
    g_hash_table_remove (hub->clusters, self->cluster);
  hub->n_partial -= self->is_partial;
  for (guint i = 0; i < self->circle->len; i++)
    {
      HubMember *member = hub_member_find (hub, id_at (self, i));
      drop (member, self->id);
      if (member->is_partial && hub->state == HUB_RUNNING)
        make_up (hub, member);
    }
  g_array_set_size (self->circle, 0);
}
