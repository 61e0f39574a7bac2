/* client-tell.c - reports changes of the mirror to the host
 *
 * When all changes of a commit are in the mirror, the mirror is compared with what the host was
 * told. So changes that the watch has missed, and that are read later as a whole, are reported in
 * the same way as changes from the watch.
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#include <satin/base/bytes.h>
#include <string.h>

static SatinMember
describe (const ClientMember *member)
{
  return (SatinMember){ member->id,          member->member.cluster, member->member.address,
                        member->member.host, member->member.pid,     member->member.is_leaving };
}

/* Returns: the next view number for the host. Each reported change has raised the number of the
 * view in the store by one, so the host's numbers never exceed the store's. */
static guint64
next_number (Client *self)
{
  return (guint64)++self->told_number;
}

static void
tell_gone (Client *self, SatinNodeId id)
{
  if (self->view.change == KEY_CHANGE_LEFT && self->view.id == id)
    self->events->left (next_number (self), id, self->user_data);
  else
    self->events->died (next_number (self), id, self->user_data);
}

static void
tell_all_gone (Client *self)
{
  for (guint i = 0; i < self->members->len && self->state != CLIENT_DONE;)
    {
      const ClientMember *member = &g_array_index (self->members, ClientMember, i);
      SatinNodeId id = member->id;
      gboolean is_told = member->is_told;
      if (member->revision != 0)
        {
          i++;
          continue;
        }
      g_array_remove_index (self->members, i);
      if (is_told)
        tell_gone (self, id);
    }
}

static void
tell_all_joined (Client *self)
{
  for (guint i = 0; i < self->members->len && self->state != CLIENT_DONE; i++)
    {
      ClientMember *member = &g_array_index (self->members, ClientMember, i);
      if (member->is_told || member->id == self->id)
        continue;
      const SatinMember joined = describe (member);
      member->is_told = TRUE;
      member->is_leaving_told = member->member.is_leaving;
      self->events->joined (next_number (self), &joined, self->user_data);
    }
}

static void
tell_all_leaving (Client *self)
{
  for (guint i = 0; i < self->members->len && self->state != CLIENT_DONE; i++)
    {
      ClientMember *member = &g_array_index (self->members, ClientMember, i);
      if (member->is_leaving_told || !member->member.is_leaving)
        continue;
      member->is_leaving_told = TRUE;
      self->events->leaving (next_number (self), member->id, self->user_data);
    }
}

static void
tell_elected (Client *self)
{
  if (self->state == CLIENT_DONE || self->view.term <= self->told_term)
    return;
  self->told_term = self->view.term;
  if (self->view.master != 0)
    self->events->elected (next_number (self), (SatinNodeId)self->view.master,
                           (guint64)self->view.term, self->user_data);
}

static void
tell_end (Client *self)
{
  g_autoptr (GBytes) payload = NULL;

  if (!self->has_end || self->state != CLIENT_MEMBER)
    return;
  client_enter (self, CLIENT_ENDING);
  payload = satin_record_to_bytes (&SatinRunEnd_record, &self->end);
  self->events->signal (SATIN_SIGNAL_OVER, payload, self->user_data);
}

static void
become_member (Client *self, ClientMember *own)
{
  g_autofree SatinMember *others = g_new0 (SatinMember, self->members->len);
  guint n_others = 0;

  self->id = own->id;
  memcpy (self->run, self->view.run, MIN (self->view.n_run, sizeof self->run));
  self->joined_revision = self->view_revision;
  self->joined_number = self->view.number;
  self->told_number = self->view.number;
  self->told_term = self->view.term;
  for (guint i = 0; i < self->members->len; i++)
    {
      ClientMember *member = &g_array_index (self->members, ClientMember, i);
      member->is_told = TRUE;
      member->is_leaving_told = member->member.is_leaving;
      if (member->id != self->id)
        others[n_others++] = describe (member);
    }
  client_enter (self, CLIENT_MEMBER);
  self->events->registered (self->run, (guint64)self->told_number, self->id, n_others, others,
                            (SatinNodeId)self->view.master, (guint64)self->view.term,
                            self->user_data);
  if (self->state != CLIENT_DONE)
    self->events->complete (self->user_data);
}

static ClientMember *
find_own (Client *self)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      ClientMember *member = &g_array_index (self->members, ClientMember, i);
      if (member->revision != 0 && member->member.lease == self->own.lease)
        return member;
    }
  return NULL;
}

static void
refuse_program (Client *self)
{
  g_autofree char *theirs = satin_hex (self->view.digest, MIN (self->view.n_digest, 4));
  g_autofree char *ours = satin_hex (self->program.digest, 4);
  g_autofree char *build = satin_builds_find (self->view.builds, self->program.build);
  g_autoptr (GError) error = g_error_new (
      SATIN_ERROR, SATIN_ERROR_PROGRAM,
      "the program of the run at %s is \"%s\" (tasks %s, build %s), the node's is \"%s\" (tasks "
      "%s, build %s); start the same build everywhere",
      self->uri, self->view.program, theirs, build != NULL ? build : "not known",
      self->program.name, ours, self->program.build != NULL ? self->program.build : "not known");

  client_finish (self, error);
}

static void
refuse_view (Client *self)
{
  g_autoptr (GError) error = g_error_new (
      SATIN_ERROR, SATIN_ERROR_SECRET,
      "the run at %s is of nodes with another secret, or of another version, or a stranger wrote "
      "its keys: give all nodes the same secret file, or begin a run of another name",
      self->uri);

  client_finish (self, error);
}

static void
come_too_late (Client *self)
{
  g_autoptr (GError) error = g_error_new (
      SATIN_ERROR, SATIN_ERROR_CLOSED,
      "the run at %s is over with exit status %d%s%s; begin another one under another name, or "
      "when the store has forgotten it",
      self->uri, self->end.exit_status, self->end.message[0] != '\0' ? ": " : "",
      self->end.message);

  client_finish (self, error);
}

/* Decides whether this node has joined, must be refused, or waits. */
static void
tell_joining (Client *self)
{
  tell_all_gone (self);
  ClientMember *own = find_own (self);
  if (self->is_strange)
    refuse_view (self);
  else if (own != NULL && self->view_revision != 0)
    become_member (self, own);
  else if (self->has_end)
    come_too_late (self);
  else if (self->view_revision != 0 && !client_is_alone (self) && !client_is_same_program (self))
    refuse_program (self);
}

gboolean
client_is_same_program (const Client *self)
{
  return strcmp (self->view.program, self->program.name) == 0
         && self->view.n_digest == sizeof self->program.digest
         && memcmp (self->view.digest, self->program.digest, sizeof self->program.digest) == 0
         && satin_builds_allow (self->view.builds, self->program.build);
}

static void
on_revoked (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  client_finish (user_data, NULL);
}

static void
be_gone (Client *self)
{
  const StoreCall revoke = { .kind = STORE_REVOKE, .lease = self->own.lease };
  g_autoptr (GError) fenced = g_error_new (
      SATIN_ERROR, SATIN_ERROR_FENCED,
      "node %u was declared dead by the store at %s: its lease had run out (parameter lease)",
      self->id, self->uri);

  if (self->state == CLIENT_LEAVING && !self->is_revoking)
    {
      self->is_revoking = TRUE;
      client_call (self, &revoke, on_revoked);
    }
  else if (self->state == CLIENT_ENDING)
    client_finish (self, NULL);
  else if (self->state == CLIENT_MEMBER)
    client_finish (self, fenced);
}

/* Whether this node is still in this run: its member key exists. The life key does not matter,
 * unless this node is past its deadline to leave. */
static gboolean
is_in_run (Client *self)
{
  const ClientMember *own = client_find (self, self->id);

  return own != NULL && own->revision != 0 && self->view_revision != 0
         && (own->has_life || !client_is_overdue (self, own))
         && self->view.n_run == sizeof self->run
         && memcmp (self->view.run, self->run, sizeof self->run) == 0;
}

void
client_tell (Client *self)
{
  if (self->state == CLIENT_DONE)
    return;
  if (self->id == 0)
    {
      if (self->state == CLIENT_JOINING)
        tell_joining (self);
      return;
    }
  if (!is_in_run (self))
    {
      be_gone (self);
      return;
    }
  tell_all_gone (self);
  tell_all_joined (self);
  tell_all_leaving (self);
  tell_elected (self);
  self->told_number = MAX (self->told_number, self->view.number);
  tell_end (self);
}
