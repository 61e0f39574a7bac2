/* client-change.c - writes this node's changes to the store, one commit at a time
 *
 * Each change of the view is one commit. It compares the key "view" with the mirror of the store's
 * keys, and writes the view with its number plus one, and further keys. If another node's commit
 * was first, this commit does nothing. The watch then brings that node's change, and this node
 * decides again what to write. client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#define MAX_WRITES 4
/* How many keys a commit compares at most. etcd accepts 128. */
#define MAX_COMPARES 100

/* A commit that is being built. */
typedef struct
{
  StoreCompare compares[MAX_COMPARES];
  guint n_compares;
  StoreWrite writes[MAX_WRITES];
  guint n_writes;
  GPtrArray *names; /* (owned) (element-type utf8) */
} Commit;

static void
commit_init (Commit *self)
{
  *self = (Commit){ .names = g_ptr_array_new_with_free_func (g_free) };
}

static void
commit_clear (Commit *self)
{
  for (guint i = 0; i < self->n_writes; i++)
    g_clear_pointer (&self->writes[i].value, g_bytes_unref);
  g_ptr_array_unref (self->names);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Commit, commit_clear)

static const char *
name (Commit *self, const Client *client, KeyKind kind, gint64 id)
{
  char *key = key_name (client->prefix, kind, id);

  g_ptr_array_add (self->names, key);
  return key;
}

static void
compare (Commit *self, const char *key, gint64 revision)
{
  self->compares[self->n_compares++] = (StoreCompare){ key, revision };
}

/* @value: (transfer full): already sealed */
static void
put (Commit *self, const char *key, GBytes *value, gint64 lease)
{
  self->writes[self->n_writes++] = (StoreWrite){ .key = key, .value = value, .lease = lease };
}

static void delete (Commit *self, const char *key, gboolean is_prefix)
{
  self->writes[self->n_writes++] = (StoreWrite){ .key = key, .is_prefix = is_prefix };
}

/* @record: the type of @data */
static void
put_record (Commit *commit, Client *self, const char *key, const SatinRecord *record,
            gconstpointer data, gint64 lease)
{
  GBytes *value = satin_record_to_bytes (record, data);

  put (commit, key, seal_close (&self->seal, key, client_get_run (self), value), lease);
}

/* Returns: the view that follows the mirror's view by @change of node @id */
static KeyView
follow (const Client *self, KeyChange change, gint64 id)
{
  KeyView view = self->view;

  view.number++;
  view.change = (gint32)change;
  view.id = id;
  if ((change == KEY_CHANGE_LEFT || change == KEY_CHANGE_DIED) && view.master == id)
    view.master = 0;
  return view;
}

/* Adds the view to the commit. In a run that is over, the view keeps its lease, so that it expires
 * with the run. */
static void
put_view (Commit *commit, Client *self, const KeyView *view, gint64 lease)
{
  static const guint8 no_run[KEY_RUN_BYTES] = { 0 }; /* the view itself has the run's id */
  const char *key = name (commit, self, KEY_VIEW, 0);
  GBytes *value = satin_record_to_bytes (&KeyView_record, view);

  compare (commit, key, self->view_revision);
  put (commit, key, seal_close (&self->seal, key, no_run, value),
       self->has_end ? STORE_SAME_LEASE : lease);
}

/* Sets the revision that the mirror must reach before the next commit. If the commit was done, its
 * change must be in the mirror. If it was not done, another change came before it, and that change
 * must be in the mirror. The watch may have brought the change already. */
static void
take_outcome (Client *self, const StoreAnswer *answer)
{
  client_note_answer (self);
  if (answer->is_lease_lost)
    client_lose_lease (self);
  else
    self->awaited_revision = answer->is_committed ? answer->revision : self->proposed_revision + 1;
}

static void
on_committed (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  self->is_committing = FALSE;
  if (answer == NULL)
    {
      client_note_failure (self, error);
      return;
    }
  take_outcome (self, answer);
  client_propose (self);
}

static void
send (Client *self, const Commit *commit, StoreDone done)
{
  const StoreCall call = { .kind = STORE_COMMIT,
                           .compares = commit->compares,
                           .n_compares = commit->n_compares,
                           .writes = commit->writes,
                           .n_writes = commit->n_writes };

  self->is_committing = TRUE;
  self->proposed_revision = self->revision;
  client_call (self, &call, done);
}

/* ---- joining ---- */

gboolean
client_is_alone (const Client *self)
{
  for (guint i = 0; i < self->members->len; i++)
    if (g_array_index (self->members, ClientMember, i).has_life)
      return FALSE;
  return TRUE;
}

/* Returns: the highest node number ever given, also to members that are no longer in the store */
static gint64
find_highest (const Client *self)
{
  gint64 highest = self->view.highest;

  for (guint i = 0; i < self->members->len; i++)
    highest = MAX (highest, g_array_index (self->members, ClientMember, i).id);
  return highest;
}

/* Begins a new run, because no member lives: removes all dead members in one commit, and makes a
 * new run id. Node numbers continue. */
static void
begin (Client *self)
{
  g_auto (Commit) commit;
  KeyView view = follow (self, KEY_CHANGE_BEGUN, 0);
  guint64 run[KEY_RUN_BYTES / sizeof (guint64)];

  commit_init (&commit);
  for (guint i = 0; i < G_N_ELEMENTS (run); i++)
    run[i] = satin_loop_random (self->loop);
  view.highest = find_highest (self);
  view.master = 0;
  view.program = self->program.name;
  view.run = (const guint8 *)run;
  view.n_run = sizeof run;
  view.digest = self->program.digest;
  view.n_digest = sizeof self->program.digest;
  view.builds = NULL;
  put_view (&commit, self, &view, 0);
  for (guint i = 0; i < self->members->len && commit.n_compares < MAX_COMPARES; i++)
    compare (&commit,
             name (&commit, self, KEY_LIFE, g_array_index (self->members, ClientMember, i).id), 0);
  g_ptr_array_add (commit.names, key_folder (self->prefix, KEY_MEMBER));
  delete (&commit, g_ptr_array_index (commit.names, commit.names->len - 1), TRUE);
  send (self, &commit, on_committed);
}

static void
join (Client *self)
{
  g_auto (Commit) commit;
  gint64 id = find_highest (self) + 1;
  KeyView view = follow (self, KEY_CHANGE_JOINED, id);
  g_autofree char *builds = satin_builds_add (view.builds, self->program.build);

  commit_init (&commit);
  view.highest = id;
  view.builds = builds;
  put_view (&commit, self, &view, 0);
  put_record (&commit, self, name (&commit, self, KEY_MEMBER, id), &KeyMember_record, &self->own,
              0);
  put (&commit, name (&commit, self, KEY_LIFE, id), g_bytes_new (NULL, 0), self->own.lease);
  send (self, &commit, on_committed);
}

static void
propose_joining (Client *self)
{
  gboolean is_begun = self->view_revision != 0 && self->view.change == KEY_CHANGE_BEGUN
                      && client_is_same_program (self);

  if (self->own.lease == 0)
    client_start (self);
  else if (!client_is_alone (self) || is_begun)
    join (self);
  else if (client_may_begin (self))
    begin (self);
}

/* ---- a member's changes; each function returns whether it started a commit or a call ---- */

/* Puts this node's life key back. The key is gone though no death was committed: the store stood
 * still for longer than the lease lasts, or somebody deleted the key. The view does not change. If
 * another node removes this member at the same time, it deletes the member key, so one of the two
 * commits does nothing. */
static gboolean
come_back (Client *self, const ClientMember *own)
{
  g_auto (Commit) commit;
  KeyMember member = own->member;
  const char *key, *life;

  commit_init (&commit);
  if (own->has_life || self->state != CLIENT_MEMBER)
    return FALSE;
  satin_loop_probe (self->loop, "etcd.come-back");
  client_doubt (self);
  member.lease = self->own.lease;
  key = name (&commit, self, KEY_MEMBER, self->id);
  life = name (&commit, self, KEY_LIFE, self->id);
  compare (&commit, key, own->revision);
  compare (&commit, life, 0);
  put_record (&commit, self, key, &KeyMember_record, &member, 0);
  put (&commit, life, g_bytes_new (NULL, 0), self->own.lease);
  send (self, &commit, on_committed);
  return TRUE;
}

static gboolean
remove_dead (Client *self)
{
  g_auto (Commit) commit;
  const ClientMember *dead = NULL;

  commit_init (&commit);
  for (guint i = 0; i < self->members->len && dead == NULL; i++)
    if (!g_array_index (self->members, ClientMember, i).has_life)
      dead = &g_array_index (self->members, ClientMember, i);
  if (dead == NULL)
    self->is_removal_due = FALSE;
  if (dead == NULL || self->state != CLIENT_MEMBER || !client_may_remove (self, dead))
    return FALSE;
  const KeyView view = follow (self, KEY_CHANGE_DIED, dead->id);
  put_view (&commit, self, &view, 0);
  compare (&commit, name (&commit, self, KEY_LIFE, dead->id), 0);
  delete (&commit, name (&commit, self, KEY_MEMBER, dead->id), FALSE);
  send (self, &commit, on_committed);
  return TRUE;
}

static gboolean
say_leaving (Client *self, const ClientMember *own)
{
  g_auto (Commit) commit;
  const KeyView view = follow (self, KEY_CHANGE_LEAVING, self->id);
  KeyMember member = own->member;

  commit_init (&commit);
  if (!self->is_going || own->member.is_leaving)
    return FALSE;
  member.is_leaving = TRUE;
  member.leave_within_us = self->leave_within_us;
  put_view (&commit, self, &view, 0);
  put_record (&commit, self, name (&commit, self, KEY_MEMBER, self->id), &KeyMember_record, &member,
              0);
  send (self, &commit, on_committed);
  return TRUE;
}

static gboolean
offer (Client *self, const ClientMember *own)
{
  g_auto (Commit) commit;
  KeyView view = follow (self, KEY_CHANGE_ELECTED, self->id);

  commit_init (&commit);
  if (self->view.master != 0 || own->member.is_leaving)
    self->is_offering = FALSE;
  if (!self->is_offering)
    return FALSE;
  view.master = self->id;
  view.term++;
  put_view (&commit, self, &view, 0);
  send (self, &commit, on_committed);
  return TRUE;
}

static void
on_end_granted (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  self->is_committing = FALSE;
  if (answer == NULL)
    {
      client_note_failure (self, error);
      return;
    }
  client_note_answer (self);
  self->end_lease = answer->lease;
  client_propose (self);
}

static gboolean
end (Client *self)
{
  g_auto (Commit) commit;
  const KeyView view = follow (self, KEY_CHANGE_ENDED, self->id);
  const StoreCall grant = { .kind = STORE_GRANT, .ttl_s = self->times.forget_s };

  commit_init (&commit);
  if (!self->wants_end || self->has_end || self->view.master != self->id)
    return FALSE;
  if (self->end_lease == 0)
    {
      self->is_committing = TRUE;
      client_call (self, &grant, on_end_granted);
      return TRUE;
    }
  put_view (&commit, self, &view, self->end_lease);
  put_record (&commit, self, name (&commit, self, KEY_END, 0), &SatinRunEnd_record,
              &self->wanted_end, self->end_lease);
  send (self, &commit, on_committed);
  return TRUE;
}

static void
on_said (const StoreAnswer *answer, const GError *error, gpointer user_data)
{
  Client *self = user_data;

  for (; answer != NULL && answer->is_committed && self->n_saying > 0; self->n_saying--)
    client_word_free (g_queue_pop_head (&self->words));
  on_committed (answer, error, user_data);
}

/* Returns: (element-type KeyWord): the first waiting words that have one receiver and fit into one
 * commit */
static GArray *
gather_words (const Client *self)
{
  GArray *gathered = g_array_new (FALSE, FALSE, sizeof (KeyWord));
  SatinNodeId to = ((const ClientWord *)self->words.head->data)->to;
  gsize n_bytes = 0;

  for (const GList *link = self->words.head; link != NULL; link = link->next)
    {
      const ClientWord *word = link->data;
      n_bytes += word->word.n_payload;
      if (word->to != to || (gathered->len > 0 && n_bytes > CLIENT_MAX_PAYLOAD_BYTES))
        break;
      g_array_append_val (gathered, word->word);
    }
  return gathered;
}

/* Writes words, with this node's lease. They carry the number of the current view, and the commit
 * compares the view. So if somebody writes the same words again later, nodes that joined in between
 * can ignore them. */
static gboolean
say (Client *self)
{
  g_auto (Commit) commit;
  g_autoptr (GArray) gathered = NULL;

  commit_init (&commit);
  if (g_queue_is_empty (&self->words))
    return FALSE;
  gathered = gather_words (self);
  const KeyWords words = { .from = self->id,
                           .words = (const KeyWord *)(gpointer)gathered->data,
                           .n_words = gathered->len,
                           .number = self->view.number };
  self->n_saying = gathered->len;
  compare (&commit, name (&commit, self, KEY_VIEW, 0), self->view_revision);
  put_record (&commit, self,
              name (&commit, self, KEY_WORD, ((ClientWord *)self->words.head->data)->to),
              &KeyWords_record, &words, self->own.lease);
  send (self, &commit, on_said);
  return TRUE;
}

static void
leave (Client *self)
{
  g_auto (Commit) commit;
  const KeyView view = follow (self, KEY_CHANGE_LEFT, self->id);

  commit_init (&commit);
  put_view (&commit, self, &view, 0);
  delete (&commit, name (&commit, self, KEY_MEMBER, self->id), FALSE);
  delete (&commit, name (&commit, self, KEY_LIFE, self->id), FALSE);
  send (self, &commit, on_committed);
}

static void
propose_member (Client *self)
{
  const ClientMember *own = client_find (self, self->id);

  if (own == NULL || self->is_revoking)
    return;
  if (self->own.lease == 0)
    {
      client_start (self); /* the lease was lost */
      return;
    }
  if (come_back (self, own) || remove_dead (self) || say_leaving (self, own) || offer (self, own)
      || end (self) || say (self))
    return;
  if (self->state == CLIENT_LEAVING)
    leave (self);
}

void
client_propose (Client *self)
{
  if (self->is_committing || self->is_reading || self->revision == 0
      || self->revision < self->awaited_revision)
    return;
  switch (self->state)
    {
    case CLIENT_JOINING:
      propose_joining (self);
      break;
    case CLIENT_MEMBER:
    case CLIENT_ENDING:
    case CLIENT_LEAVING:
      propose_member (self);
      break;
    case CLIENT_DONE:
    case CLIENT_N_STATES:
      break;
    }
}
