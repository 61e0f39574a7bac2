/* orphans.c - the holder's side of recovery: keeps orphans and announces them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* How often all orphans but stored results are announced again. A message may have been lost with a
 * link, and the receivers answer which orphans are unwanted. Of stored results there may be very
 * many, so they are announced again only when a link breaks. */
#define AGAIN_US ((gint64)5000000)

#define HOP_UNKNOWN (-2)

/* The most orphans in one message. */
#define MAX_ENTRIES 1024

static void
orphan_free (gpointer data)
{
  Orphan *self = data;
  satin_record_clear (&SatinLineage_record, &self->lineage);
  g_bytes_unref (self->path);
  g_free (self);
}

static Orphan *
find_orphan (SatinFt *self, guint64 import_id, guint *ret_place)
{
  for (guint i = 0; i < self->orphans->len; i++)
    {
      Orphan *orphan = g_ptr_array_index (self->orphans, i);
      if (orphan->import_id != import_id)
        continue;
      *ret_place = i;
      return orphan;
    }
  return NULL;
}

static void
keep_bytes (SatinFt *self, gsize n_bytes)
{
  self->kept_bytes += n_bytes;
  ft_update_backup_bytes (self);
}

static void
remove_orphan (SatinFt *self, guint place)
{
  const Orphan *orphan = g_ptr_array_index (self->orphans, place);
  if (orphan->is_over)
    self->kept_bytes -= orphan->n_bytes;
  ft_update_backup_bytes (self);
  g_ptr_array_remove_index (self->orphans, place);
}

static void
drop (SatinFt *self, guint place)
{
  guint64 import_id = ((const Orphan *)g_ptr_array_index (self->orphans, place))->import_id;
  self->n_dropped++;
  remove_orphan (self, place);
  if (self->host != NULL)
    self->host_ops->drop (self->host, import_id);
}

/* Drops results above the limit, the oldest first. */
static void
keep_within_limit (SatinFt *self)
{
  for (guint i = 0; i < self->orphans->len && self->kept_bytes > self->options.max_bytes;)
    {
      const Orphan *orphan = g_ptr_array_index (self->orphans, i);
      if (!orphan->is_over || orphan->n_bytes == 0)
        {
          i++;
          continue;
        }
      satin_loop_probe (self->loop, "ft.kept-too-much");
      drop (self, i);
    }
}

/* ---- announcing ---- */

/* Finds the nearest hop of the lineage whose owner is a member and is not leaving, because jobs of
 * a leaving node go back to the next owner. If there is none, finds the nearest hop whose owner is
 * a member. Returns: the index of the hop; -1 when there is none; HOP_UNKNOWN when the registry has
 * not answered yet whether an owner is a member */
static int
find_hop (SatinFt *self, const Orphan *orphan)
{
  int living = -1;
  for (int i = orphan->n_hops - 1; i >= 0; i--)
    {
      SatinNodeId owner = (SatinNodeId)orphan->lineage.hops[i].owner;
      Whereabouts whereabouts = ft_look_for (self, owner);
      if (whereabouts == PEER_ASKED)
        return HOP_UNKNOWN;
      if (whereabouts == PEER_HERE && ft_is_staying (self, owner))
        return i;
      if (whereabouts == PEER_HERE && living < 0)
        living = i;
    }
  return living;
}

/* The path from the job of @hop, or from the root, to the orphan. */
static GByteArray *
path_from (const Orphan *orphan, int hop)
{
  GByteArray *path = g_byte_array_new ();
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (orphan->path, &n_bytes);
  for (gsize i = (gsize)(hop + 1); i < orphan->lineage.n_hops; i++)
    g_byte_array_append (path, orphan->lineage.hops[i].path, orphan->lineage.hops[i].n_path);
  g_byte_array_append (path, bytes, n_bytes);
  return path;
}

/* Makes the entry that says where @orphan belongs. Returns: the node to which it must be announced,
 * with @ret_path and @ret_hop; 0 when there is none now */
static SatinNodeId
describe (SatinFt *self, const Orphan *orphan, FtEntry *ret_entry, GByteArray **ret_path,
          int *ret_hop)
{
  int place = find_hop (self, orphan);
  const SatinView *view = satin_peers_get_view (self->peers);
  if (place == HOP_UNKNOWN || (place < 0 && (!orphan->lineage.is_rooted || view->master == 0)))
    return 0;
  const SatinHop *hop = place >= 0 ? &orphan->lineage.hops[place] : NULL;
  *ret_path = path_from (orphan, place);
  *ret_hop = place;
  *ret_entry = (FtEntry){
    .owner = hop != NULL ? hop->owner : (gint32)view->master,
    .index = hop != NULL ? hop->index : ROOT_INDEX,
    .generation = hop != NULL ? hop->generation : 0,
    .path = (*ret_path)->data,
    .n_path = (*ret_path)->len,
    .key = orphan->key,
    .n_key = KEY_BYTES,
    .holder = (gint32)view->self,
    .orphan_owner = (gint32)orphan->ref.owner,
    .orphan_index = orphan->ref.index,
    .orphan_generation = orphan->ref.generation,
  };
  return (SatinNodeId)ret_entry->owner;
}

static void
send_entries (SatinFt *self, SatinNodeId to, const GArray *entries)
{
  FtAnnounce message = { .entries = (const FtEntry *)entries->data, .n_entries = entries->len };
  const SatinView *view = satin_peers_get_view (self->peers);
  self->n_announced += entries->len;
  if (to == view->self)
    ft_on_announce (self, &message);
  else
    ft_send (self, to, FT_ANNOUNCE, &FtAnnounce_record, &message);
  if (self->options.strategy != SATIN_FT_ORPHAN_TABLE)
    return;
  for (guint i = 0; i < view->n_peers; i++)
    if (view->peers[i].id != to)
      ft_send (self, view->peers[i].id, FT_ANNOUNCE, &FtAnnounce_record, &message);
}

/* Sends one message to @to, which announces the orphans that are for that node and not announced
 * yet, the oldest first. */
static void
announce_to (SatinFt *self, SatinNodeId to)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (FtEntry));
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (guint i = 0; i < self->orphans->len && entries->len < MAX_ENTRIES; i++)
    {
      Orphan *orphan = g_ptr_array_index (self->orphans, i);
      FtEntry entry;
      GByteArray *path;
      int hop;
      if (orphan->told != 0)
        continue;
      SatinNodeId target = describe (self, orphan, &entry, &path, &hop);
      if (target == 0)
        continue;
      g_ptr_array_add (paths, path);
      if (target != to)
        continue;
      orphan->told = to;
      orphan->told_hop = hop;
      g_array_append_val (entries, entry);
    }
  if (entries->len > 0)
    send_entries (self, to, entries);
}

/* Finds the first orphan that is not announced yet and can be. Returns: the node to which it must
 * be announced; 0 when there is no such orphan */
static SatinNodeId
find_untold (SatinFt *self)
{
  for (guint i = 0; i < self->orphans->len; i++)
    {
      const Orphan *orphan = g_ptr_array_index (self->orphans, i);
      FtEntry entry;
      g_autoptr (GByteArray) path = NULL;
      int hop;
      SatinNodeId to = orphan->told == 0 ? describe (self, orphan, &entry, &path, &hop) : 0;
      if (to != 0)
        return to;
    }
  return 0;
}

static void
announce (gpointer user_data)
{
  SatinFt *self = user_data;
  SatinNodeId to;
  self->announce_timer = 0;
  if (self->peers == NULL)
    return;
  while ((to = find_untold (self)) != 0)
    announce_to (self, to);
}

static void
announce_again (gpointer user_data)
{
  SatinFt *self = user_data;
  self->again_timer = 0;
  for (guint i = 0; i < self->orphans->len; i++)
    {
      Orphan *orphan = g_ptr_array_index (self->orphans, i);
      if (orphan->import_id != 0)
        orphan->told = 0;
    }
  ft_announce_soon (self);
}

/* Announces on the loop, so that orphans of one turn of the loop travel together. */
void
ft_announce_soon (SatinFt *self)
{
  if (self->announce_timer == 0)
    self->announce_timer = satin_loop_timer_add (self->loop, 0, announce, self);
  if (self->again_timer == 0 && self->orphans->len > 0)
    self->again_timer = satin_loop_timer_add (self->loop, AGAIN_US, announce_again, self);
}

/* Announces the orphans that are for another node now, after the members or the master have
 * changed. */
void
ft_orphans_moved (SatinFt *self)
{
  gboolean is_any = FALSE;
  for (guint i = 0; i < self->orphans->len; i++)
    {
      Orphan *orphan = g_ptr_array_index (self->orphans, i);
      FtEntry entry;
      g_autoptr (GByteArray) path = NULL;
      int hop;
      if (orphan->told != 0 && describe (self, orphan, &entry, &path, &hop) != orphan->told)
        orphan->told = 0;
      is_any |= orphan->told == 0;
    }
  if (is_any)
    ft_announce_soon (self);
}

void
ft_orphans_place_again (SatinFt *self)
{
  gboolean is_any = FALSE;
  for (guint i = 0; i < self->orphans->len; i++)
    {
      Orphan *orphan = g_ptr_array_index (self->orphans, i);
      if (orphan->told != ft_self (self) || orphan->import_id == 0)
        continue;
      orphan->told = 0;
      is_any = TRUE;
    }
  if (is_any)
    ft_announce_soon (self);
}

void
ft_orphans_link_broken (SatinFt *self, SatinNodeId id)
{
  gboolean is_any = FALSE, tells_all = self->options.strategy == SATIN_FT_ORPHAN_TABLE;
  for (guint i = 0; i < self->orphans->len; i++)
    {
      Orphan *orphan = g_ptr_array_index (self->orphans, i);
      if (orphan->import_id != 0 || (orphan->told != id && !tells_all))
        continue;
      orphan->told = 0;
      is_any = TRUE;
    }
  if (is_any)
    ft_announce_soon (self);
}

/* Finds the orphan with that name. Returns: (nullable) */
static Orphan *
find_named (SatinFt *self, const FtName *name, guint *ret_place)
{
  for (guint i = 0; i < self->orphans->len; i++)
    {
      Orphan *orphan = g_ptr_array_index (self->orphans, i);
      if (orphan->ref.owner != (SatinNodeId)name->owner || orphan->ref.index != name->index
          || orphan->ref.generation != name->generation)
        continue;
      *ret_place = i;
      return orphan;
    }
  return NULL;
}

/* ---- stored results ---- */

void
ft_stored_orphan (SatinFt *self, gint64 generation, const guint8 *key, GBytes *lineage,
                  GBytes *path)
{
  const FtName name = { (gint32)ft_self (self), STORED_INDEX, generation };
  guint place;
  if (find_named (self, &name, &place) != NULL)
    return;
  Orphan *mine = g_new0 (Orphan, 1);
  gsize n_bytes = 0;
  const guint8 *bytes = lineage != NULL ? g_bytes_get_data (lineage, &n_bytes) : NULL;
  mine->ref = (SatinJobRef){ ft_self (self), STORED_INDEX, generation };
  mine->path = g_bytes_ref (path);
  mine->is_over = TRUE;
  memcpy (mine->key, key, KEY_BYTES);
  if (n_bytes == 0
      || !satin_record_decode (&SatinLineage_record, bytes, n_bytes, &mine->lineage, NULL))
    mine->lineage = (SatinLineage){ .is_rooted = TRUE };
  mine->n_hops = (int)mine->lineage.n_hops;
  g_ptr_array_add (self->orphans, mine);
  ft_announce_soon (self);
}

/* ---- events of the core ---- */

/* Whether it is known where the orphan belongs. If not, the orphan can never be announced. */
static gboolean
is_placed (const Orphan *self)
{
  return self->path != NULL && (self->lineage.is_rooted || self->lineage.n_hops > 0);
}

static Orphan *
orphan_new (const SatinOrphan *orphan)
{
  Orphan *mine = g_new0 (Orphan, 1);
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (orphan->lineage, &n_bytes);
  mine->import_id = orphan->import_id;
  mine->ref = orphan->ref;
  mine->path = orphan->path != NULL ? g_bytes_ref (orphan->path) : NULL;
  mine->is_over = orphan->is_over;
  mine->n_bytes = orphan->n_bytes;
  if (!satin_record_decode (&SatinLineage_record, bytes, n_bytes, &mine->lineage, NULL))
    mine->lineage = (SatinLineage){ .is_rooted = FALSE };
  mine->n_hops = (int)mine->lineage.n_hops;
  satin_record_digest_encoded (orphan->args, orphan->task->name, mine->key);
  return mine;
}

static void
add_orphan (SatinFt *self, const SatinOrphan *orphan)
{
  Orphan *mine = orphan_new (orphan);
  g_ptr_array_add (self->orphans, mine);
  keep_bytes (self, mine->is_over ? mine->n_bytes : 0);
  if (self->options.strategy == SATIN_FT_NAIVE || !is_placed (mine))
    {
      satin_loop_probe (self->loop, "ft.orphan-thrown-away");
      drop (self, self->orphans->len - 1);
      return;
    }
  ft_orphan_kept (self, mine->ref.owner, mine->is_over ? mine->n_bytes : 0);
  keep_within_limit (self);
  ft_announce_soon (self);
}

static void
orphan_over (SatinFt *self, guint64 import_id, gsize n_bytes)
{
  guint place;
  Orphan *orphan = find_orphan (self, import_id, &place);
  if (orphan == NULL)
    return;
  orphan->is_over = TRUE;
  orphan->n_bytes = n_bytes;
  keep_bytes (self, n_bytes);
  ft_orphan_grown (self, orphan->ref.owner, n_bytes);
  keep_within_limit (self);
}

static void
orphan_gone (SatinFt *self, guint64 import_id)
{
  guint place;
  if (find_orphan (self, import_id, &place) != NULL)
    remove_orphan (self, place);
}

void
ft_orphan (SatinRecovery *recovery, SatinOrphanEvent what, const SatinOrphan *orphan)
{
  SatinFt *self = (SatinFt *)recovery;
  switch (what)
    {
    case SATIN_ORPHAN_NEW:
      add_orphan (self, orphan);
      break;
    case SATIN_ORPHAN_OVER:
      orphan_over (self, orphan->import_id, orphan->n_bytes);
      break;
    case SATIN_ORPHAN_GONE:
      orphan_gone (self, orphan->import_id);
      break;
    case SATIN_ORPHAN_SAVED: /* follows only save(), which is not called here */
      break;
    }
}

void
ft_forget_stored (SatinFt *self)
{
  for (guint i = self->orphans->len; i-- > 0;)
    if (((const Orphan *)g_ptr_array_index (self->orphans, i))->import_id == 0)
      remove_orphan (self, i);
}

gboolean
ft_take_stored (SatinFt *self, const SatinJobRef *ref)
{
  const FtName name = { (gint32)ref->owner, ref->index, ref->generation };
  guint place;
  if (ref->owner != ft_self (self) || ref->index != STORED_INDEX)
    return FALSE;
  if (find_named (self, &name, &place) != NULL)
    remove_orphan (self, place);
  return TRUE;
}

void
ft_on_unwanted (SatinFt *self, const FtNames *message)
{
  for (gsize i = 0; i < message->n_names; i++)
    {
      guint place;
      if (find_named (self, &message->names[i], &place) == NULL)
        continue;
      satin_loop_probe (self->loop, "ft.orphan-unwanted");
      drop (self, place);
    }
}

/* Announces the orphans to the next owner further up in their lineage. */
void
ft_on_elsewhere (SatinFt *self, SatinNodeId from, const FtNames *message)
{
  for (gsize i = 0; i < message->n_names; i++)
    {
      guint place;
      Orphan *orphan = find_named (self, &message->names[i], &place);
      if (orphan == NULL || orphan->told != from || orphan->told_hop < 0)
        continue;
      orphan->n_hops = orphan->told_hop;
      orphan->told = 0;
      ft_announce_soon (self);
    }
}

void
ft_orphans_free (SatinFt *self)
{
  satin_loop_timer_cancel (self->loop, &self->announce_timer);
  satin_loop_timer_cancel (self->loop, &self->again_timer);
  g_ptr_array_unref (self->orphans);
}

GPtrArray *
ft_orphans_new (void)
{
  return g_ptr_array_new_with_free_func (orphan_free);
}
