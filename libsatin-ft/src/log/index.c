/* index.c - the index of the results and objects that count
 *
 * Results are sorted by their place in the tree: the path from the root, whose numbers mark their
 * own ends. So a place lies below another place if its bytes begin with all bytes of the other
 * place. In byte order, the places below a place follow right behind it. Objects are not part of
 * the tree, and are sorted by id.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

struct _SatinCheckpointIndex
{
  guint8 run[SATIN_CHECKPOINT_ID_BYTES];
  GTree *by_number;    /* (owned): number of an entry to (owned) SatinCheckpointEntry* */
  GTree *by_place;     /* (owned): set of (borrowed) entries of results, by place and key */
  GTree *by_object;    /* (owned): set of (borrowed) entries of objects, by id */
  GHashTable *logs;    /* (owned): (borrowed from the log) name to (owned) SatinCheckpointLog* */
  GStringChunk *tasks; /* (owned): names of tasks */
  GArray *inputs;      /* (owned) of SatinCheckpointInput */
  guint64 last_number;
  guint64 n_bytes;
};

/* ---- order ---- */

static int
compare_numbers (gconstpointer left, gconstpointer right, gpointer user_data)
{
  guint64 a = *(const guint64 *)left, b = *(const guint64 *)right;
  return a < b ? -1 : a > b;
}

static int
compare_places (gconstpointer left, gconstpointer right, gpointer user_data)
{
  const SatinCheckpointEntry *a = left, *b = right;
  int order = g_bytes_compare (a->place_in_tree, b->place_in_tree);
  return order != 0 ? order : memcmp (a->key, b->key, sizeof a->key);
}

static int
compare_objects (gconstpointer left, gconstpointer right, gpointer user_data)
{
  guint64 a = (guint64)((const SatinCheckpointEntry *)left)->object->object;
  guint64 b = (guint64)((const SatinCheckpointEntry *)right)->object->object;
  return a < b ? -1 : a > b;
}

/* Whether @place comes after @other: in a later log, or later in the same log. */
static gboolean
is_behind (const SatinCheckpointPlace *place, const SatinCheckpointPlace *other)
{
  int order = strcmp (place->log->name, other->log->name);
  return order != 0 ? order > 0 : place->offset > other->offset;
}

static gboolean
is_below (const SatinCheckpointEntry *entry, GBytes *place)
{
  gsize n_place, n_entry;
  const guint8 *above = g_bytes_get_data (place, &n_place);
  const guint8 *below = g_bytes_get_data (entry->place_in_tree, &n_entry);
  return n_entry > n_place && (n_place == 0 || memcmp (below, above, n_place) == 0);
}

/* ---- places in the tree ---- */

/* Appends a path that comes from a file. Returns: FALSE when it is malformed */
static gboolean
append_path (GByteArray *place, const guint8 *path, gsize n_path)
{
  guint32 number;
  gsize at = 0;
  while (at < n_path)
    if (!satin_path_next (path, n_path, &at, &number))
      return FALSE;
  g_byte_array_append (place, path, (guint)n_path);
  return TRUE;
}

/* Finds the path from the root to the job of @result. @ret_has_hops: its lineage has hops. Returns:
 * (transfer full) (nullable): NULL when the path is not known */
static GBytes *
find_place (const SatinCheckpointResult *result, gboolean *ret_has_hops)
{
  SatinLineage lineage = { .is_rooted = TRUE };
  if (result->n_lineage > 0
      && !satin_record_decode (&SatinLineage_record, result->lineage, result->n_lineage, &lineage,
                               NULL))
    return NULL;
  g_autoptr (GByteArray) place = g_byte_array_new ();
  gboolean is_known = lineage.is_rooted;
  *ret_has_hops = lineage.n_hops > 0;
  for (gsize i = 0; i < lineage.n_hops; i++)
    is_known = is_known && append_path (place, lineage.hops[i].path, lineage.hops[i].n_path);
  is_known = is_known && append_path (place, result->path, result->n_path);
  if (result->n_lineage > 0)
    satin_record_clear (&SatinLineage_record, &lineage);
  return is_known ? g_byte_array_free_to_bytes (g_steal_pointer (&place)) : NULL;
}

/* ---- entries ---- */

static void
entry_free (gpointer entry)
{
  SatinCheckpointEntry *self = entry;
  g_clear_pointer (&self->lineage, g_bytes_unref);
  g_clear_pointer (&self->path, g_bytes_unref);
  g_clear_pointer (&self->place_in_tree, g_bytes_unref);
  if (self->object != NULL)
    satin_record_clear (&SatinCheckpointObject_record, self->object);
  g_free (self->object);
  g_free (self);
}

static const SatinCheckpointLog *
intern_log (SatinCheckpointIndex *self, const SatinCheckpointLog *log)
{
  SatinCheckpointLog *own = g_hash_table_lookup (self->logs, log->name);
  if (own != NULL)
    return own;
  own = checkpoint_log_copy (log);
  g_hash_table_insert (self->logs, own->name, own);
  return own;
}

static SatinCheckpointEntry *
entry_new (SatinCheckpointIndex *self, const guint8 *run, const SatinCheckpointResult *result,
           const SatinCheckpointPlace *at, GBytes *place, gboolean has_hops)
{
  SatinCheckpointEntry *entry = g_new0 (SatinCheckpointEntry, 1);
  gboolean is_own = memcmp (run, self->run, sizeof self->run) == 0;
  entry->number = ++self->last_number;
  memcpy (entry->key, result->key, sizeof entry->key);
  entry->node = is_own ? (SatinNodeId)result->node : 0;
  entry->place_in_tree = g_bytes_ref (place);
  entry->path =
      is_own && has_hops ? g_bytes_new (result->path, result->n_path) : g_bytes_ref (place);
  if (is_own && has_hops)
    entry->lineage = g_bytes_new (result->lineage, result->n_lineage);
  entry->task = g_string_chunk_insert_const (self->tasks, result->task);
  entry->at = *at;
  entry->at.log = intern_log (self, at->log);
  return entry;
}

static void
insert (SatinCheckpointIndex *self, SatinCheckpointEntry *entry)
{
  g_tree_insert (self->by_number, &entry->number, entry);
  g_tree_insert (entry->object != NULL ? self->by_object : self->by_place, entry, entry);
  self->n_bytes += checkpoint_place_bytes (&entry->at);
}

static void
drop (SatinCheckpointIndex *self, SatinCheckpointEntry *entry)
{
  self->n_bytes -= checkpoint_place_bytes (&entry->at);
  g_tree_remove (entry->object != NULL ? self->by_object : self->by_place, entry);
  g_tree_remove (self->by_number, &entry->number);
}

/* Drops all entries below @place. */
static void
drop_below (SatinCheckpointIndex *self, GBytes *place)
{
  SatinCheckpointEntry last = { .place_in_tree = place };
  memset (last.key, 0xff, sizeof last.key);
  GTreeNode *node = g_tree_upper_bound (self->by_place, &last);
  while (node != NULL && is_below (g_tree_node_value (node), place))
    {
      drop (self, g_tree_node_value (node));
      node = g_tree_upper_bound (self->by_place, &last);
    }
}

/* ---- the index ---- */

SatinCheckpointIndex *
satin_checkpoint_index_new (const guint8 *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  SatinCheckpointIndex *self = g_new0 (SatinCheckpointIndex, 1);
  memcpy (self->run, run, sizeof self->run);
  self->by_number = g_tree_new_full (compare_numbers, NULL, NULL, entry_free);
  self->by_place = g_tree_new_full (compare_places, NULL, NULL, NULL);
  self->by_object = g_tree_new_full (compare_objects, NULL, NULL, NULL);
  self->logs =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)checkpoint_log_free);
  self->tasks = g_string_chunk_new (256);
  self->inputs = checkpoint_inputs_new (NULL, 0);
  return self;
}

void
satin_checkpoint_index_free (SatinCheckpointIndex *self)
{
  if (self == NULL)
    return;
  g_tree_unref (self->by_object);
  g_tree_unref (self->by_place);
  g_tree_unref (self->by_number);
  g_hash_table_unref (self->logs);
  g_string_chunk_free (self->tasks);
  g_array_unref (self->inputs);
  g_free (self);
}

const SatinCheckpointEntry *
satin_checkpoint_index_add (SatinCheckpointIndex *self, const guint8 *run,
                            const SatinCheckpointResult *result, const SatinCheckpointPlace *at)
{
  g_return_val_if_fail (self != NULL && run != NULL && result != NULL && at != NULL, NULL);
  g_return_val_if_fail (result->n_key == SATIN_CHECKPOINT_ID_BYTES && at->log != NULL, NULL);
  gboolean has_hops = FALSE;
  g_autoptr (GBytes) place = find_place (result, &has_hops);
  if (place == NULL)
    return NULL;
  SatinCheckpointEntry *entry = entry_new (self, run, result, at, place, has_hops);
  SatinCheckpointEntry *same = g_tree_lookup (self->by_place, entry);
  if (same != NULL)
    drop (self, same);
  drop_below (self, place);
  insert (self, entry);
  return entry;
}

const SatinCheckpointEntry *
satin_checkpoint_index_add_object (SatinCheckpointIndex *self, const SatinCheckpointObject *object,
                                   const SatinCheckpointPlace *at)
{
  g_return_val_if_fail (self != NULL && object != NULL && at != NULL, NULL);
  g_return_val_if_fail (at->log != NULL, NULL);
  SatinCheckpointEntry wanted = { .object = (SatinCheckpointObject *)object };
  SatinCheckpointEntry *same = g_tree_lookup (self->by_object, &wanted);
  if (same != NULL
      && (same->object->version > object->version
          || (same->object->version == object->version && !is_behind (at, &same->at))))
    return NULL;
  SatinCheckpointEntry *entry = g_new0 (SatinCheckpointEntry, 1);
  entry->number = ++self->last_number;
  entry->object = g_new0 (SatinCheckpointObject, 1);
  satin_record_copy (&SatinCheckpointObject_record, object, entry->object);
  entry->at = *at;
  entry->at.log = intern_log (self, at->log);
  if (same != NULL)
    drop (self, same);
  insert (self, entry);
  return entry;
}

const SatinCheckpointEntry *
satin_checkpoint_index_find_object (SatinCheckpointIndex *self, gint64 object)
{
  g_return_val_if_fail (self != NULL, NULL);
  SatinCheckpointObject wanted_object = { .object = object };
  SatinCheckpointEntry wanted = { .object = &wanted_object };
  return g_tree_lookup (self->by_object, &wanted);
}

const SatinCheckpointEntry *
satin_checkpoint_index_next_object (SatinCheckpointIndex *self, gint64 object)
{
  g_return_val_if_fail (self != NULL, NULL);
  SatinCheckpointObject before_object = { .object = object };
  SatinCheckpointEntry before = { .object = &before_object };
  GTreeNode *node = g_tree_upper_bound (self->by_object, &before);
  return node != NULL ? g_tree_node_value (node) : NULL;
}

const SatinCheckpointEntry *
satin_checkpoint_index_find (SatinCheckpointIndex *self, guint64 number)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_tree_lookup (self->by_number, &number);
}

const SatinCheckpointEntry *
satin_checkpoint_index_find_same (SatinCheckpointIndex *self, const SatinCheckpointResult *result)
{
  g_return_val_if_fail (self != NULL && result != NULL, NULL);
  g_return_val_if_fail (result->n_key == SATIN_CHECKPOINT_ID_BYTES, NULL);
  gboolean has_hops;
  g_autoptr (GBytes) place = find_place (result, &has_hops);
  if (place == NULL)
    return NULL;
  SatinCheckpointEntry same = { .place_in_tree = place };
  memcpy (same.key, result->key, sizeof same.key);
  return g_tree_lookup (self->by_place, &same);
}

void
satin_checkpoint_index_move (SatinCheckpointIndex *self, guint64 number, SatinNodeId node,
                             GBytes *lineage, GBytes *path)
{
  g_return_if_fail (self != NULL && path != NULL);
  SatinCheckpointEntry *entry = g_tree_lookup (self->by_number, &number);
  if (entry == NULL || entry->object != NULL)
    return;
  /* @lineage and @path may belong to the entry itself, so take references first. */
  GBytes *new_lineage = lineage != NULL ? g_bytes_ref (lineage) : NULL;
  GBytes *new_path = g_bytes_ref (path);
  g_clear_pointer (&entry->lineage, g_bytes_unref);
  g_bytes_unref (entry->path);
  entry->node = node;
  entry->lineage = new_lineage;
  entry->path = new_path;
}

void
satin_checkpoint_index_remove (SatinCheckpointIndex *self, guint64 number)
{
  g_return_if_fail (self != NULL);
  SatinCheckpointEntry *entry = g_tree_lookup (self->by_number, &number);
  if (entry != NULL)
    drop (self, entry);
}

void
satin_checkpoint_index_foreach (SatinCheckpointIndex *self, SatinCheckpointEntryFunc func,
                                gpointer user_data)
{
  g_return_if_fail (self != NULL && func != NULL);
  for (GTreeNode *node = g_tree_node_first (self->by_number); node != NULL;
       node = g_tree_node_next (node))
    func (g_tree_node_value (node), user_data);
}

void
checkpoint_index_add_input (SatinCheckpointIndex *self, const SatinCheckpointInput *input)
{
  checkpoint_inputs_add (self->inputs, input);
}

const GArray *
satin_checkpoint_index_get_inputs (const SatinCheckpointIndex *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->inputs;
}

guint
satin_checkpoint_index_count (const SatinCheckpointIndex *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return (guint)g_tree_nnodes (self->by_place);
}

guint
satin_checkpoint_index_count_objects (const SatinCheckpointIndex *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return (guint)g_tree_nnodes (self->by_object);
}

guint64
satin_checkpoint_index_bytes (const SatinCheckpointIndex *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_bytes;
}

/* ---- for reading and compaction ---- */

void
checkpoint_index_relocate (SatinCheckpointIndex *self, guint64 number,
                           const SatinCheckpointPlace *at)
{
  SatinCheckpointEntry *entry = g_tree_lookup (self->by_number, &number);
  if (entry == NULL)
    return;
  self->n_bytes -= checkpoint_place_bytes (&entry->at);
  entry->at = *at;
  entry->at.log = intern_log (self, at->log);
  self->n_bytes += checkpoint_place_bytes (&entry->at);
}

void
checkpoint_index_remove_log (SatinCheckpointIndex *self, const char *name)
{
  const SatinCheckpointLog *log = g_hash_table_lookup (self->logs, name);
  GTreeNode *node = log != NULL ? g_tree_node_first (self->by_number) : NULL;
  while (node != NULL)
    {
      SatinCheckpointEntry *entry = g_tree_node_value (node);
      node = g_tree_node_next (node);
      if (entry->at.log == log)
        drop (self, entry);
    }
}
