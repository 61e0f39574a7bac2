/* client-view.c - the view of the members, and the events that the host gets
 *
 * The first view goes to the host at once. After that the hub's events are passed on one by one,
 * and their view numbers must be consecutive. After a lost link the hub sends its view again, and
 * the host gets the difference, deaths first. A node number that is not above the highest known
 * number, and not in the list of members, belongs to a node that is gone for ever.
 *
 * In a large run the view is partial: members are missing, view numbers skip, and a number that is
 * not in the list may belong to a member. The hub introduces further members one by one. The client
 * remembers members that left or died: they are not new when a view lists them again, and a new hub
 * that replaces a lost hub must learn of them.
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#include <satin/base/sorted.h>
#include <string.h>

void
client_clear_member (gpointer member)
{
  ClientMember *self = member;

  g_ref_string_release (self->cluster);
  g_ref_string_release (self->address);
  g_ref_string_release (self->host);
}

static const ClientMember *
get_member (const Client *self, guint place)
{
  return &g_array_index (self->members, ClientMember, place);
}

/* The index of @id in the list, or the index to insert it at. */
static guint
find_place (const Client *self, gint64 id)
{
  return SATIN_SORTED_PLACE (i, self->members->len, get_member (self, i)->id < id);
}

static gboolean
has_member (const Client *self, gint64 id)
{
  guint place = find_place (self, id);

  return place < self->members->len && get_member (self, place)->id == id;
}

static void
add_member (Client *self, const HubNode *node)
{
  ClientMember member;

  self->highest = MAX (self->highest, node->id);
  if (node->id == self->identity.node || has_member (self, node->id))
    return;
  member = (ClientMember){ (SatinNodeId)node->id,
                           g_ref_string_new_intern (node->cluster),
                           g_ref_string_new_intern (node->address),
                           g_ref_string_new_intern (node->host),
                           node->pid,
                           node->is_leaving };
  g_array_insert_val (self->members, find_place (self, node->id), member);
}

HubNode *
client_describe_members (const Client *self)
{
  HubNode *nodes = g_new0 (HubNode, self->members->len);

  for (guint i = 0; i < self->members->len; i++)
    {
      const ClientMember *member = get_member (self, i);
      nodes[i] = (HubNode){ member->id,   member->cluster, member->address,
                            member->host, member->pid,     member->is_leaving };
    }
  return nodes;
}

static SatinMember
to_member (const HubNode *node)
{
  return (SatinMember){ (SatinNodeId)node->id, node->cluster, node->address, node->host, node->pid,
                        node->is_leaving };
}

static void
tell_joined (Client *self, const HubNode *node)
{
  SatinMember member = to_member (node);

  if (!self->is_abandoned)
    self->events->joined ((guint64)self->view_number, &member, self->user_data);
}

static void
tell_gone (Client *self, gint64 id, gboolean is_death, gint32 signal_number)
{
  if (is_death && signal_number != 0 && !self->is_abandoned && SATIN_HAS (self->events, killed))
    self->events->killed ((SatinNodeId)id, signal_number, self->user_data);
  if (self->is_abandoned)
    return;
  if (is_death)
    self->events->died ((guint64)self->view_number, (SatinNodeId)id, self->user_data);
  else
    self->events->left ((guint64)self->view_number, (SatinNodeId)id, self->user_data);
}

static gboolean
find_number (GArray *numbers, gint64 id, guint *ret_place)
{
  for (guint i = numbers->len; i-- > 0;)
    if (g_array_index (numbers, gint32, i) == id)
      {
        *ret_place = i;
        return TRUE;
      }
  return FALSE;
}

static void
remember_gone (Client *self, gint64 id)
{
  gint32 number = (gint32)id;

  if (self->gone->len == HUB_MAX_KNOWN_GONE)
    g_array_remove_index (self->gone, 0);
  g_array_append_val (self->gone, number);
}

static void
remove_member (Client *self, gint64 id, gboolean is_death, gint32 signal_number)
{
  if (self->master == id)
    self->master = 0;
  if (!has_member (self, id))
    return;
  g_array_remove_index (self->members, find_place (self, id));
  remember_gone (self, id);
  tell_gone (self, id, is_death, signal_number);
}

static void
take_master (Client *self, gint64 id, gint64 term)
{
  self->master = id;
  self->term = term;
  self->is_offering = FALSE;
  if (!self->is_abandoned)
    self->events->elected ((guint64)self->view_number, (SatinNodeId)id, (guint64)term,
                           self->user_data);
}

void
client_take_complete (Client *self)
{
  if (self->is_complete)
    return;
  self->is_complete = TRUE;
  if (!self->is_abandoned)
    self->events->complete (self->user_data);
}

/* ---- members that will leave ---- */

static void
tell_leaving (Client *self, gint64 id)
{
  if (!self->is_abandoned)
    self->events->leaving ((guint64)self->view_number, (SatinNodeId)id, self->user_data);
}

/* Marks a member as leaving. A restarted hub may announce this again, but the host hears it only
 * once. Returns: %FALSE when the member was marked before, or is unknown */
static gboolean
mark_leaving (Client *self, gint64 id)
{
  ClientMember *member;

  if (!has_member (self, id))
    return FALSE;
  member = &g_array_index (self->members, ClientMember, find_place (self, id));
  if (member->is_leaving)
    return FALSE;
  member->is_leaving = TRUE;
  tell_leaving (self, id);
  return TRUE;
}

static void
mark_self_leaving (Client *self)
{
  if (self->is_leaving_told)
    return;
  self->is_leaving_told = TRUE;
  tell_leaving (self, self->identity.node);
}

/* ---- members that this node does not know ---- */

void
client_take_partial (Client *self)
{
  if (self->is_partial)
    return;
  satin_loop_probe (self->loop, "client.partial");
  self->is_partial = TRUE;
  if (!self->is_abandoned)
    self->events->partial (self->user_data);
}

/* Takes @id off the list of questions. Returns: %FALSE when it was not there */
static gboolean
forget_asked (Client *self, gint64 id)
{
  guint place;

  if (!find_number (self->asked, id, &place))
    return FALSE;
  g_array_remove_index_fast (self->asked, place);
  return TRUE;
}

/* Tells the host that the hub does not know a member. The hub answers each repeated question; only
 * the first answer reaches the host. */
void
client_take_unknown (Client *self, const HubNumber *number)
{
  if (!forget_asked (self, number->id) || self->is_abandoned)
    return;
  satin_loop_probe (self->loop, "client.unknown");
  self->events->unknown ((SatinNodeId)number->id, self->user_data);
}

static void
ask (Client *self, gint64 id)
{
  HubNumber number = { id };

  if (self->is_welcomed)
    client_send (self, HUB_MESSAGE_INTRODUCE, &number);
}

void
client_introduce (Client *self, SatinNodeId id)
{
  gint32 number = (gint32)id;
  guint place;

  if (find_number (self->asked, id, &place) || has_member (self, id))
    return;
  g_array_append_val (self->asked, number);
  ask (self, id);
}

void
client_ask_again (Client *self)
{
  for (guint i = 0; i < self->asked->len; i++)
    ask (self, g_array_index (self->asked, gint32, i));
}

/* ---- messages of the hub ---- */

static void
become_member (Client *self, const HubWelcome *welcome)
{
  g_autofree SatinMember *members = g_new0 (SatinMember, welcome->n_members);
  g_autofree HubNode *nodes = NULL;

  self->identity.node = (SatinNodeId)welcome->self;
  memcpy (self->identity.run, welcome->run, HUB_RUN_BYTES);
  self->highest = welcome->self;
  for (gsize i = 0; i < welcome->n_members; i++)
    add_member (self, &welcome->members[i]);
  nodes = client_describe_members (self);
  self->master = welcome->master;
  self->term = welcome->term;
  for (guint i = 0; i < self->members->len; i++)
    members[i] = to_member (&nodes[i]);
  if (self->state == CLIENT_JOINING)
    client_enter (self, CLIENT_MEMBER);
  self->events->registered (self->identity.run, (guint64)self->view_number, self->identity.node,
                            self->members->len, members, (SatinNodeId)self->master,
                            (guint64)self->term, self->user_data);
}

/* Returns: (transfer full): the numbers of the members in the hub's view */
static GHashTable *
list_members (const HubWelcome *welcome)
{
  GHashTable *listed = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < welcome->n_members; i++)
    g_hash_table_add (listed, GINT_TO_POINTER ((gint)welcome->members[i].id));
  return listed;
}

/* Whether a node of the hub's view is new to this node, rather than known or gone. @highest: the
 * highest number known before */
static gboolean
is_new (const Client *self, gint64 id, gint64 highest)
{
  guint place;

  return id > highest
         || (self->is_partial && id != self->identity.node && !has_member (self, id)
             && !find_number (self->gone, id, &place));
}

static void
take_missing (Client *self, const HubWelcome *welcome)
{
  g_autoptr (GHashTable) listed = list_members (welcome);

  for (guint i = self->members->len; i-- > 0;)
    {
      SatinNodeId id = get_member (self, i)->id;
      if (g_hash_table_contains (listed, GINT_TO_POINTER ((gint)id)))
        continue;
      satin_loop_probe (self->loop, "client.death-missed");
      remove_member (self, id, TRUE, 0);
    }
}

static void
take_added (Client *self, const HubWelcome *welcome)
{
  gint64 highest = self->highest;

  for (gsize i = 0; i < welcome->n_members; i++)
    {
      if (!is_new (self, welcome->members[i].id, highest))
        continue;
      satin_loop_probe (self->loop, "client.join-missed");
      forget_asked (self, welcome->members[i].id);
      add_member (self, &welcome->members[i]);
      tell_joined (self, &welcome->members[i]);
    }
}

static void
take_leaving (Client *self, const HubWelcome *welcome)
{
  for (gsize i = 0; i < welcome->n_members; i++)
    if (welcome->members[i].is_leaving && mark_leaving (self, welcome->members[i].id))
      satin_loop_probe (self->loop, "client.leaving-missed");
}

static void
take_difference (Client *self, const HubWelcome *welcome)
{
  if (self->state == CLIENT_UNSURE)
    client_enter (self, CLIENT_MEMBER);
  if (self->is_unsure_told && !self->is_abandoned && SATIN_HAS (self->events, sure))
    self->events->sure (self->user_data);
  self->is_unsure_told = FALSE;
  take_missing (self, welcome);
  take_added (self, welcome);
  take_leaving (self, welcome);
  if (welcome->term > self->term && welcome->master != 0)
    take_master (self, welcome->master, welcome->term);
  self->term = MAX (self->term, welcome->term);
}

gboolean
client_take_welcome (Client *self, const HubWelcome *welcome, GError **error)
{
  gboolean is_first = self->identity.node == 0;

  if (!is_first
      && (welcome->self != self->identity.node || welcome->view_number < self->view_number
          || memcmp (welcome->run, self->identity.run, HUB_RUN_BYTES) != 0))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "the view is not one of this node's run");
      return FALSE;
    }
  self->hub = welcome->hub;
  self->view_number = welcome->view_number;
  if (is_first)
    become_member (self, welcome);
  else
    take_difference (self, welcome);
  if (welcome->is_partial)
    client_take_partial (self);
  if (welcome->is_leaving)
    mark_self_leaving (self);
  if (welcome->is_complete)
    client_take_complete (self);
  client_tell_hub (self);
  return TRUE;
}

static gboolean
take_number (Client *self, gint64 view_number, GError **error)
{
  if (self->is_partial ? view_number < self->view_number : view_number != self->view_number + 1)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "view %" G_GINT64_FORMAT " follows view %" G_GINT64_FORMAT, view_number,
                   self->view_number);
      return FALSE;
    }
  self->view_number = view_number;
  return TRUE;
}

gboolean
client_take_joined (Client *self, const HubJoined *joined, GError **error)
{
  if (!take_number (self, joined->view_number, error))
    return FALSE;
  if (!is_new (self, joined->member.id, self->highest))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "number %" G_GINT64_FORMAT " was given again", joined->member.id);
      return FALSE;
    }
  if (forget_asked (self, joined->member.id))
    satin_loop_probe (self->loop, "client.introduced");
  add_member (self, &joined->member);
  tell_joined (self, &joined->member);
  return TRUE;
}

gboolean
client_take_gone (Client *self, const HubGone *gone, gboolean is_death, GError **error)
{
  if (!take_number (self, gone->view_number, error))
    return FALSE;
  if (gone->id != self->identity.node)
    {
      remove_member (self, gone->id, is_death, gone->signal_number);
      return TRUE;
    }
  if (self->state != CLIENT_LEAVING)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "it says that a node has left that has not");
      return FALSE;
    }
  self->is_over = TRUE;
  satin_link_close (self->link, NULL);
  return TRUE;
}

gboolean
client_take_leaving (Client *self, const HubGone *leaving, GError **error)
{
  if (!take_number (self, leaving->view_number, error))
    return FALSE;
  if (leaving->id == self->identity.node)
    mark_self_leaving (self);
  else
    mark_leaving (self, leaving->id);
  return TRUE;
}

gboolean
client_take_elected (Client *self, const HubElected *elected, GError **error)
{
  if (!take_number (self, elected->view_number, error))
    return FALSE;
  if (elected->term <= self->term)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "term %" G_GINT64_FORMAT " follows term %" G_GINT64_FORMAT, elected->term,
                   self->term);
      return FALSE;
    }
  take_master (self, elected->id, elected->term);
  return TRUE;
}
