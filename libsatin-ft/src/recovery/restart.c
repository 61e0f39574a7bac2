/* restart.c - the owner's side of recovery: lost jobs run again, with hints of their orphans
 *
 * An entry (FtEntry) announces an orphan, which belongs below an exported job. Usually the entry
 * becomes a hint of this job. There are two exceptions. If this node does not know yet that the job
 * is lost, it keeps the entry in a tree for a while. If another node has the job now, this node
 * passes the entry on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* How long entries are kept for a job whose thief is not known to be lost. If the loss of the thief
 * is not reported within this time, there is no loss. */
#define EARLY_US ((gint64)10000000)

/* The most entries that travel with one job. */
#define MAX_PACKED_ENTRIES 4096
/* The largest encoded size of an entry without its path. */
#define ENTRY_BYTES ((gsize)64)

/* For this many jobs that were sent back, this node remembers where they are. */
#define MAX_MOVED 4096

static gboolean
is_same (const SatinJobRef *a, const SatinJobRef *b)
{
  return a->owner == b->owner && a->index == b->index && a->generation == b->generation;
}

static int
find_known (SatinFt *self, const SatinJobRef *ref)
{
  for (guint i = 0; i < self->known->len; i++)
    if (is_same (&g_array_index (self->known, Known, i).ref, ref))
      return (int)i;
  return -1;
}

static void
known_clear (gpointer data)
{
  g_byte_array_unref (((Known *)data)->path);
}

GArray *
ft_known_new (void)
{
  GArray *known = g_array_new (FALSE, FALSE, sizeof (Known));
  g_array_set_clear_func (known, known_clear);
  return known;
}

/* Notes where the hints for job @ref are. @path: (transfer full) */
static const Known *
add_known (SatinFt *self, const SatinJobRef *ref, Tree *tree, GByteArray *path, gint64 until_us)
{
  Known known = { .ref = *ref, .tree = tree, .path = path, .until_us = until_us };
  g_array_append_val (self->known, known);
  return &g_array_index (self->known, Known, self->known->len - 1);
}

static const Known *
add_tree (SatinFt *self, const SatinJobRef *ref, gint64 until_us)
{
  return add_known (self, ref, tree_new (self->book, ref), g_byte_array_new (), until_us);
}

/* ---- jobs that were sent back ---- */

/* Returns: (nullable): the name under which job @ref was sent back; %NULL when it was not */
static const SatinJobRef *
find_moved (SatinFt *self, const SatinJobRef *ref)
{
  for (guint i = self->moved->len; i-- > 0;)
    if (is_same (&g_array_index (self->moved, Moved, i).ref, ref))
      return &g_array_index (self->moved, Moved, i).as;
  return NULL;
}

/* Notes that the job of @tree was sent back and is called @as now, for each of its names here. A
 * name that was noted before keeps its note. */
static void
note_moved (SatinFt *self, const Tree *tree, const SatinJobRef *as)
{
  for (guint i = 0; i < self->known->len; i++)
    {
      const Known *known = &g_array_index (self->known, Known, i);
      Moved moved = { known->ref, *as };
      if (known->tree != tree || find_moved (self, &known->ref) != NULL)
        continue;
      if (self->moved->len >= MAX_MOVED)
        g_array_remove_index (self->moved, 0);
      g_array_append_val (self->moved, moved);
    }
}

void
ft_tree_ended (Tree *tree, gpointer user_data)
{
  static const SatinJobRef nowhere = { 0 };
  SatinFt *self = user_data;
  if (tree_is_given_back (tree))
    note_moved (self, tree, &nowhere);
  for (guint i = self->known->len; i-- > 0;)
    if (g_array_index (self->known, Known, i).tree == tree)
      g_array_remove_index (self->known, i);
  ft_jobs_done (self, tree);
  ft_end_tree (self, tree);
}

/* ---- announced orphans ---- */

static void
early_over (gpointer user_data)
{
  SatinFt *self = user_data;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 next_us = G_MAXINT64;
  self->early_timer = 0;
  for (guint i = 0; i < self->known->len;)
    {
      const Known *known = &g_array_index (self->known, Known, i);
      if (known->until_us == 0 || known->until_us > now_us)
        {
          i++;
          next_us = known->until_us != 0 ? MIN (next_us, known->until_us) : next_us;
          continue;
        }
      satin_loop_probe (self->loop, "ft.early-in-vain");
      Tree *tree = known->tree;
      g_array_remove_index (self->known, i);
      ft_end_tree (self, tree);
    }
  if (next_us < G_MAXINT64)
    self->early_timer = satin_loop_timer_add (self->loop, next_us - now_us, early_over, self);
}

/* Finds or makes the place for hints of job @ref. Returns: (nullable): valid until another place is
 * added; %NULL when the job is neither lost, nor exported, nor the root job */
static const Known *
find_place (SatinFt *self, const SatinJobRef *ref)
{
  int place = find_known (self, ref);
  if (place >= 0)
    return &g_array_index (self->known, Known, place);
  gboolean is_exported = ref->owner == ft_self (self) && self->host != NULL
                         && self->host_ops->has_ref (self->host, ref->index, ref->generation);
  gboolean is_root =
      ref->owner == ft_self (self) && ref->index == ROOT_INDEX && ref->generation == 0;
  if (!is_exported && !is_root)
    return NULL;
  satin_loop_probe (self->loop, "ft.told-before-the-loss");
  if (self->early_timer == 0)
    self->early_timer = satin_loop_timer_add (self->loop, EARLY_US, early_over, self);
  return add_tree (self, ref, satin_loop_now_us (self->loop) + EARLY_US);
}

/* Passes an entry on to node @to, which has the job now under the name @ref. @skip: how many bytes
 * of the entry's path lead to that job */
static void
pass_on (SatinFt *self, SatinNodeId to, const SatinJobRef *ref, gsize skip, const FtEntry *entry)
{
  Passed passed = { .to = to, .entry = *entry };
  FtEntry *copy = &passed.entry;
  satin_loop_probe (self->loop, "ft.passed-on");
  copy->owner = (gint32)ref->owner;
  copy->index = ref->index;
  copy->generation = ref->generation;
  copy->n_path = entry->n_path - skip;
  copy->path = g_memdup2 (entry->path + skip, copy->n_path);
  copy->key = g_memdup2 (entry->key, entry->n_key);
  g_array_append_val (self->passed, passed);
}

static void
passed_clear (gpointer data)
{
  satin_record_clear (&FtEntry_record, &((Passed *)data)->entry);
}

GArray *
ft_passed_new (void)
{
  GArray *passed = g_array_new (FALSE, FALSE, sizeof (Passed));
  g_array_set_clear_func (passed, passed_clear);
  return passed;
}

/* Sends the collected entries, in one message to each node. */
static void
send_passed (SatinFt *self)
{
  g_autoptr (GArray) passed = self->passed;
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (FtEntry));
  self->passed = ft_passed_new ();
  for (guint first = 0; first < passed->len; first++)
    {
      SatinNodeId to = g_array_index (passed, Passed, first).to;
      g_array_set_size (entries, 0);
      for (guint i = first; to != 0 && i < passed->len; i++)
        {
          Passed *one = &g_array_index (passed, Passed, i);
          if (one->to != to)
            continue;
          one->to = 0;
          g_array_append_val (entries, one->entry);
        }
      FtAnnounce message = { .entries = (const FtEntry *)entries->data, .n_entries = entries->len };
      if (to != 0)
        ft_send (self, to, FT_ANNOUNCE, &FtAnnounce_record, &message);
    }
}

/* Adds @told to @tree, or passes it on if a job on the way to its place was exported. The path of
 * @told begins at the tree's root. */
static void
note_below (SatinFt *self, Tree *tree, const FtEntry *told)
{
  SatinJobRef exported = { 0 };
  gsize skip;
  SatinNodeId to = tree_find_exported (tree, told->path, told->n_path, &exported, &skip);
  /* An entry at the place of the exported job itself stays here. The orphan may be of another round
   * of the frame that spawned the job, and the node that has the job cannot know that. */
  if (to != 0 && skip < told->n_path && ft_look_for (self, to) == PEER_HERE)
    {
      exported.owner = ft_self (self);
      pass_on (self, to, &exported, skip, told);
      return;
    }
  Entry entry = {
    .holder = (SatinNodeId)told->holder,
    .is_leaving = !ft_is_staying (self, (SatinNodeId)told->holder),
    .ref = { (SatinNodeId)told->orphan_owner, told->orphan_index, told->orphan_generation },
  };
  for (guint i = 0; i < KEY_BYTES; i++)
    entry.key[i] = told->key[i];
  if (tree_add (tree, told->path, told->n_path, &entry))
    self->n_hints++;
  else
    satin_warn_of_peer (&self->warnings, self->loop, (SatinNodeId)told->holder,
                        "an orphan's path cannot be read: it is not used");
}

static void
note_entry (SatinFt *self, const FtEntry *told)
{
  SatinJobRef ref = { (SatinNodeId)told->owner, told->index, told->generation };
  if (told->n_key != KEY_BYTES || told->holder <= 0
      || ft_look_for (self, (SatinNodeId)told->holder) == PEER_GONE)
    return;
  const Known *known = find_place (self, &ref);
  const SatinJobRef *moved = known == NULL ? find_moved (self, &ref) : NULL;
  if (moved != NULL && moved->owner == 0)
    {
      satin_loop_probe (self->loop, "ft.told-after-giving-back");
      return;
    }
  if (moved != NULL && ft_look_for (self, moved->owner) == PEER_HERE)
    {
      pass_on (self, moved->owner, moved, 0, told);
      return;
    }
  if (moved != NULL)
    {
      ft_tell_elsewhere (self, told);
      return;
    }
  if (known == NULL)
    {
      satin_loop_probe (self->loop, "ft.told-too-late");
      ft_refuse (self, told);
      return;
    }
  g_autoptr (GByteArray) path = g_byte_array_new ();
  g_byte_array_append (path, known->path->data, known->path->len);
  g_byte_array_append (path, told->path, told->n_path);
  FtEntry entry = *told;
  entry.path = path->data;
  entry.n_path = path->len;
  note_below (self, known->tree, &entry);
}

void
ft_on_announce (SatinFt *self, const FtAnnounce *message)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  for (gsize i = 0; i < message->n_entries; i++)
    {
      const FtEntry *entry = &message->entries[i];
      /* With ORPHAN_TABLE each entry goes to all nodes but is for one of them. The other nodes
       * ignore the entry: if they refused it, the holder would drop the orphan. */
      SatinJobRef ref = { (SatinNodeId)entry->owner, entry->index, entry->generation };
      gboolean is_for_us = self->options.strategy != SATIN_FT_ORPHAN_TABLE
                           || ref.owner == view->self || find_known (self, &ref) >= 0;
      if (is_for_us)
        note_entry (self, entry);
    }
  send_passed (self);
}

void
ft_forget_holder (SatinFt *self, SatinNodeId holder)
{
  for (guint i = 0; i < self->known->len; i++)
    tree_forget_holder (g_array_index (self->known, Known, i).tree, holder);
}

/* ---- calls of the core ---- */

/* Finds or makes the tree of job @ref, which is known to be lost. */
static Tree *
take_tree (SatinFt *self, const SatinJobRef *ref)
{
  int place = find_known (self, ref);
  if (place < 0)
    return add_tree (self, ref, 0)->tree;
  g_array_index (self->known, Known, place).until_us = 0;
  return g_array_index (self->known, Known, place).tree;
}

typedef struct
{
  GArray *entries;  /* of Entry */
  GPtrArray *paths; /* of (owned) GBytes */
  gsize n_bytes;    /* upper limit of the encoded size of all entries */
} Copies;

static void
copy (const guint8 *path, gsize n_path, const Entry *entry, gpointer user_data)
{
  Copies *self = user_data;
  gsize n_bytes = self->n_bytes + n_path + ENTRY_BYTES;
  if (self->entries->len >= MAX_PACKED_ENTRIES || n_bytes > SATIN_HINTS_MAX_BYTES)
    return;
  self->n_bytes = n_bytes;
  g_array_append_val (self->entries, *entry);
  g_ptr_array_add (self->paths, g_bytes_new (path, n_path));
}

static Copies
copies_new (void)
{
  return (Copies){
    .entries = g_array_new (FALSE, FALSE, sizeof (Entry)),
    .paths = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref),
  };
}

static void
copies_clear (Copies *self)
{
  g_array_unref (self->entries);
  g_ptr_array_unref (self->paths);
}

/* Moves the entries that were announced for job @ref, before its loss was known, to @hints. */
static void
take_early (SatinFt *self, const SatinJobRef *ref, Hints *hints)
{
  int place = find_known (self, ref);
  if (place < 0)
    return;
  const Known early = g_array_index (self->known, Known, place);
  Copies copies = copies_new ();
  tree_foreach_left (early.tree, copy, &copies);
  g_array_remove_index (self->known, (guint)place);
  if (early.until_us != 0)
    tree_free (early.tree);
  else
    tree_forget_holder (early.tree, 0); /* the tree itself ends with its last handle */
  for (guint i = 0; i < copies.entries->len; i++)
    {
      g_autoptr (GByteArray) path = hints_get_path (hints);
      gsize n_path;
      const guint8 *bytes = g_bytes_get_data (g_ptr_array_index (copies.paths, i), &n_path);
      g_byte_array_append (path, bytes, n_path);
      tree_add (hints_get_tree (hints), path->data, path->len,
                &g_array_index (copies.entries, Entry, i));
    }
  copies_clear (&copies);
}

/* Handles a job that ran again with @hints, was exported and is lost once more. From now on the job
 * is also known under the name @ref. */
static void
lose_again (SatinFt *self, const SatinJobRef *ref, Hints *hints)
{
  satin_loop_probe (self->loop, "ft.lost-again");
  hints_set_exported (hints, 0, 0, 0);
  take_early (self, ref, hints);
  add_known (self, ref, hints_get_tree (hints), hints_get_path (hints), 0);
}

gpointer
ft_lost (SatinRecovery *recovery, const SatinLost *lost)
{
  SatinFt *self = (SatinFt *)recovery;
  Hints *hints = lost->hints;
  if (hints == NULL)
    hints = hints_new (take_tree (self, &lost->ref));
  else
    lose_again (self, &lost->ref, hints);
  ft_job_lost (self, hints, lost->thief, lost->away_us);
  return hints;
}

gpointer
ft_root (SatinRecovery *recovery)
{
  SatinFt *self = (SatinFt *)recovery;
  SatinJobRef ref = { ft_self (self), ROOT_INDEX, 0 };
  gboolean is_first = ft_is_first_term (self);
  if (is_first && find_known (self, &ref) < 0)
    return NULL;
  Tree *tree = take_tree (self, &ref);
  if (!is_first)
    ft_root_lost (self, tree);
  return hints_new (tree);
}

static GBytes *
encode_below (Hints *hints)
{
  Copies copies = copies_new ();
  hints_foreach_below (hints, copy, &copies);
  g_autofree FtEntry *entries = g_new0 (FtEntry, MAX (copies.entries->len, 1));
  for (guint i = 0; i < copies.entries->len; i++)
    {
      const Entry *entry = &g_array_index (copies.entries, Entry, i);
      entries[i] = (FtEntry){
        .key = entry->key,
        .n_key = KEY_BYTES,
        .holder = (gint32)entry->holder,
        .orphan_owner = (gint32)entry->ref.owner,
        .orphan_index = entry->ref.index,
        .orphan_generation = entry->ref.generation,
      };
      entries[i].path = g_bytes_get_data (g_ptr_array_index (copies.paths, i), &entries[i].n_path);
    }
  FtAnnounce packed = { .entries = entries, .n_entries = copies.entries->len };
  GBytes *bytes = satin_record_to_bytes (&FtAnnounce_record, &packed);
  copies_clear (&copies);
  return bytes;
}

GBytes *
ft_pack (SatinRecovery *recovery, gpointer hints, SatinNodeId to, const SatinJobRef *ref)
{
  SatinFt *self = (SatinFt *)recovery;
  if (ref->owner == to)
    note_moved (self, hints_get_tree (hints), ref);
  GBytes *bytes = encode_below (hints);
  hints_set_exported (hints, to, ref->index, ref->generation);
  return bytes;
}

gpointer
ft_unpack (SatinRecovery *recovery, const guint8 *bytes, gsize n_bytes, const SatinJobRef *ref)
{
  SatinFt *self = (SatinFt *)recovery;
  FtAnnounce packed;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (&FtAnnounce_record, bytes, n_bytes, &packed, &error))
    {
      satin_warn_of_peer (&self->warnings, self->loop, ref->owner, "hints of a job dropped: %s",
                          error->message);
      return NULL;
    }
  Hints *hints = hints_new (take_tree (self, ref));
  for (gsize i = 0; i < packed.n_entries; i++)
    {
      FtEntry entry = packed.entries[i];
      entry.owner = (gint32)ref->owner;
      entry.index = ref->index;
      entry.generation = ref->generation;
      note_entry (self, &entry);
    }
  send_passed (self);
  satin_record_clear (&FtAnnounce_record, &packed);
  return hints;
}

void
ft_restart_free (SatinFt *self)
{
  satin_loop_timer_cancel (self->loop, &self->early_timer);
  /* The trees of lost jobs end with their handles. Trees of jobs that are not lost have no
   * handles. */
  for (guint i = 0; i < self->known->len; i++)
    if (g_array_index (self->known, Known, i).until_us != 0)
      tree_free (g_array_index (self->known, Known, i).tree);
  g_array_unref (self->known);
  g_array_unref (self->moved);
  g_array_unref (self->passed);
  hintbook_free (self->book);
}
