/* client-mirror.c - the mirror of the run's keys in the store
 *
 * Takes the store's changes into the mirror, and passes words (signals of other nodes) on to the
 * host. All other events about members come from client-tell.c, once all changes of a commit are in
 * the mirror. Values that were not written by a node of the run are ignored.
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#include <satin/base/sorted.h>

void
client_clear_member (gpointer member)
{
  satin_record_clear (&KeyMember_record, &((ClientMember *)member)->member);
}

static ClientMember *
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

ClientMember *
client_find (Client *self, gint64 id)
{
  guint place = find_place (self, id);

  if (place < self->members->len && get_member (self, place)->id == id)
    return get_member (self, place);
  return NULL;
}

/* ---- keys of the store ---- */

const guint8 *
client_get_run (const Client *self)
{
  static const guint8 none[KEY_RUN_BYTES] = { 0 };

  return self->view.n_run == KEY_RUN_BYTES ? self->view.run : none;
}

/* Notes a value that must be ignored: a stranger or a node with another secret has written it, or
 * it is an old value that somebody has written again. If this node is still joining, it will be
 * refused. */
static void
note_strange (Client *self, const StoreItem *item, const char *why)
{
  satin_loop_probe (self->loop, "etcd.strange");
  self->is_strange = TRUE;
  if (self->has_warned || self->id == 0)
    return;
  self->has_warned = TRUE;
  g_warning ("the key %s of the run was not written by a node of it: %s; it is ignored, and so is "
             "all of that kind from now on",
             item->key, why);
}

/* Returns: whether @item is a record of the type @record and of @run; then clear @ret_data */
static gboolean
read_value (Client *self, const StoreItem *item, const SatinRecord *record, const guint8 *run,
            gpointer ret_data)
{
  g_autoptr (GBytes) value = seal_open (&self->seal, item->key, run, item->value);
  g_autoptr (GError) error = NULL;

  if (value != NULL && key_decode (record, value, ret_data, &error))
    return TRUE;
  note_strange (self, item,
                error != NULL ? error->message : "it is not sealed with the run's secret");
  return FALSE;
}

static ClientMember *
find_or_add (Client *self, gint64 id)
{
  ClientMember *member = client_find (self, id);

  if (member == NULL)
    {
      const ClientMember fresh = { .id = (SatinNodeId)id,
                                   .lost_us = satin_loop_now_us (self->loop) };
      guint place = find_place (self, id);
      g_array_insert_val (self->members, place, fresh);
      member = get_member (self, place);
    }
  return member;
}

/* Keeps the mirror's view, because the view in the store is strange. If this node is a member, its
 * next commit overwrites the strange view. */
static void
keep_view (Client *self, const StoreItem *item)
{
  self->view_revision = self->id != 0 ? item->revision : 0;
}

static void
take_view (Client *self, const StoreItem *item)
{
  static const guint8 no_run[KEY_RUN_BYTES] = { 0 };
  KeyView view;

  if (item->value == NULL)
    {
      self->view_revision = 0;
      return;
    }
  if (!read_value (self, item, &KeyView_record, no_run, &view))
    {
      keep_view (self, item);
      return;
    }
  if (!key_check_view (&view))
    {
      note_strange (self, item, "a number in it is out of range");
      satin_record_clear (&KeyView_record, &view);
      keep_view (self, item);
      return;
    }
  if (self->seal.n_keys > 0 && self->id != 0 && view.number < self->view.number)
    {
      note_strange (self, item, "it is an old view");
      satin_record_clear (&KeyView_record, &view);
      keep_view (self, item);
      return;
    }
  satin_record_clear (&KeyView_record, &self->view);
  self->view = view;
  self->view_revision = item->revision;
}

/* Whether @id is the number of a node that is gone, so that somebody has written its key again.
 * Numbers only rise: a number that is not above the highest must be in the list of members. */
static gboolean
is_old_number (Client *self, const StoreItem *item, gint64 id)
{
  if (self->seal.n_keys == 0 || self->id == 0 || id > self->highest
      || client_find (self, id) != NULL)
    return FALSE;
  note_strange (self, item, "that node is gone");
  return TRUE;
}

static void
take_member (Client *self, const StoreItem *item, gint64 id)
{
  KeyMember record;

  if (item->value != NULL && is_old_number (self, item, id))
    return;
  ClientMember *member = find_or_add (self, id);
  if (item->value == NULL
      || !read_value (self, item, &KeyMember_record, client_get_run (self), &record))
    {
      member->revision = item->value != NULL && member->is_told ? item->revision : 0;
      return;
    }
  if (!key_check_member (&record, id))
    {
      note_strange (self, item, "a number in it is out of range");
      satin_record_clear (&KeyMember_record, &record);
      return;
    }
  satin_record_clear (&KeyMember_record, &member->member);
  member->member = record;
  member->revision = item->revision;
  self->highest = MAX (self->highest, id);
  if (record.is_leaving && member->leave_until_us == 0)
    member->leave_until_us = satin_loop_now_us (self->loop) + record.leave_within_us;
}

/* The value of a life key is empty and not sealed (seal.h). It is %NULL when the key is gone. */
static void
take_life (Client *self, const StoreItem *item, gint64 id)
{
  ClientMember *member = find_or_add (self, id);

  if (item->value == NULL && member->has_life)
    member->lost_us = satin_loop_now_us (self->loop);
  member->has_life = item->value != NULL;
}

/* Returns: whether this word of node @from is new */
static gboolean
is_new_word (Client *self, gint64 from, gint64 serial)
{
  gint64 *last = g_hash_table_lookup (self->heard, &from);

  if (last != NULL && *last >= serial)
    return FALSE;
  g_hash_table_replace (self->heard, g_memdup2 (&from, sizeof from),
                        g_memdup2 (&serial, sizeof serial));
  return TRUE;
}

static void
take_words (Client *self, const StoreItem *item, gint64 to)
{
  gboolean is_for_us = to == 0 || to == self->id;
  KeyWords words;

  if (self->state != CLIENT_MEMBER || !is_for_us || item->revision <= self->joined_revision
      || item->value == NULL
      || !read_value (self, item, &KeyWords_record, client_get_run (self), &words))
    return;
  /* Words with a lower view number were written before this node joined, and somebody has written
   * them again. */
  gboolean is_ours = words.number >= self->joined_number;
  for (gsize i = 0; is_ours && i < words.n_words && self->state == CLIENT_MEMBER; i++)
    {
      const KeyWord *word = &words.words[i];
      g_autoptr (GBytes) payload = g_bytes_new (word->payload, word->n_payload);
      if (is_new_word (self, words.from, word->serial))
        self->events->signal (word->word, payload, self->user_data);
    }
  satin_record_clear (&KeyWords_record, &words);
}

static void
take_end (Client *self, const StoreItem *item)
{
  SatinRunEnd end;

  self->has_end = FALSE;
  if (item->value == NULL
      || !read_value (self, item, &SatinRunEnd_record, client_get_run (self), &end))
    return;
  satin_record_clear (&SatinRunEnd_record, &self->end);
  self->end = end;
  self->has_end = TRUE;
}

static void
take_item (Client *self, const StoreItem *item)
{
  gint64 id;

  switch (key_parse (self->prefix, item->key, &id))
    {
    case KEY_VIEW:
      break;
    case KEY_MEMBER:
      take_member (self, item, id);
      break;
    case KEY_LIFE:
      take_life (self, item, id);
      break;
    case KEY_WORD:
      take_words (self, item, id);
      break;
    case KEY_END:
      take_end (self, item);
      break;
    case KEY_N_KINDS:
      break;
    }
}

/* Takes the view first, because the other values can be checked only with its run id. */
void
client_take_items (Client *self, const StoreItem *items, guint n_items)
{
  gint64 id;

  for (guint i = 0; i < n_items; i++)
    if (key_parse (self->prefix, items[i].key, &id) == KEY_VIEW)
      take_view (self, &items[i]);
  for (guint i = 0; i < n_items && self->state != CLIENT_DONE; i++)
    take_item (self, &items[i]);
}

void
client_forget_all (Client *self)
{
  self->view_revision = 0;
  self->has_end = FALSE;
  for (guint i = 0; i < self->members->len; i++)
    {
      ClientMember *member = get_member (self, i);
      member->revision = 0;
      if (member->has_life)
        member->lost_us = satin_loop_now_us (self->loop);
      member->has_life = FALSE;
    }
}
