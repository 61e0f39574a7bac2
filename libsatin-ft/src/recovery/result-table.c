/* result-table.c - a table of jobs' results, by key
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "result-table.h"

#include <string.h>

/* About how many bytes an entry takes in addition to its result. */
#define ENTRY_BYTES 256

/* An entry, and its links in two lists. */
typedef struct
{
  TableEntry entry;
  GList in_order; /* in the table's @order */
  GList siblings; /* in the list of entries with the same @under */
} Record;

struct _ResultTable
{
  pthread_mutex_t lock;
  /* guarded by lock */
  guint n_refs;
  gsize max_bytes;
  GHashTable *by_key;   /* (owned) (borrowed from entry) key to (owned) Record */
  GHashTable *by_under; /* (owned) (owned) SatinJobRef to (owned) GQueue of (borrowed) Record */
  GQueue order;         /* of (borrowed) Record, the oldest first */
  gint32 deepest;       /* the largest @n_levels of all entries so far */
  TableFigures figures;
};

static guint
hash_key (gconstpointer data)
{
  guint hash;
  memcpy (&hash, data, sizeof hash);
  return hash;
}

static gboolean
is_same_key (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, KEY_BYTES) == 0;
}

static guint
hash_ref (gconstpointer data)
{
  const SatinJobRef *ref = data;
  return ref->owner * 2654435761u ^ (guint)ref->index * 40503u ^ (guint)ref->generation;
}

static gboolean
is_same_ref (gconstpointer data_a, gconstpointer data_b)
{
  const SatinJobRef *a = data_a, *b = data_b;
  return a->owner == b->owner && a->index == b->index && a->generation == b->generation;
}

static void
record_free (gpointer data)
{
  Record *self = data;
  g_bytes_unref (self->entry.result);
  g_free (self);
}

static gsize
record_size (const Record *self)
{
  return g_bytes_get_size (self->entry.result) + ENTRY_BYTES;
}

ResultTable *
result_table_new (gsize max_bytes)
{
  ResultTable *self = g_new0 (ResultTable, 1);
  pthread_mutex_init (&self->lock, NULL);
  self->n_refs = 1;
  self->max_bytes = max_bytes;
  self->by_key = g_hash_table_new_full (hash_key, is_same_key, NULL, record_free);
  self->by_under = g_hash_table_new_full (hash_ref, is_same_ref, g_free, g_free);
  g_queue_init (&self->order);
  return self;
}

ResultTable *
result_table_ref (ResultTable *self)
{
  pthread_mutex_lock (&self->lock);
  self->n_refs++;
  pthread_mutex_unlock (&self->lock);
  return self;
}

void
result_table_unref (ResultTable *self)
{
  if (self == NULL)
    return;
  pthread_mutex_lock (&self->lock);
  gboolean is_last = --self->n_refs == 0;
  pthread_mutex_unlock (&self->lock);
  if (!is_last)
    return;
  g_hash_table_unref (self->by_under);
  g_hash_table_unref (self->by_key);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

/* ---- with the lock held ---- */

static void
remove_record (ResultTable *self, Record *record)
{
  GQueue *siblings = g_hash_table_lookup (self->by_under, &record->entry.under);
  g_queue_unlink (siblings, &record->siblings);
  if (g_queue_is_empty (siblings))
    g_hash_table_remove (self->by_under, &record->entry.under);
  g_queue_unlink (&self->order, &record->in_order);
  self->figures.n_bytes -= record_size (record);
  g_hash_table_remove (self->by_key, record->entry.key);
}

static void
add_record (ResultTable *self, Record *record)
{
  GQueue *siblings = g_hash_table_lookup (self->by_under, &record->entry.under);
  if (siblings == NULL)
    {
      siblings = g_new0 (GQueue, 1);
      g_hash_table_insert (self->by_under, g_memdup2 (&record->entry.under, sizeof (SatinJobRef)),
                           siblings);
    }
  record->siblings.data = record->in_order.data = record;
  g_queue_push_tail_link (siblings, &record->siblings);
  g_queue_push_tail_link (&self->order, &record->in_order);
  self->figures.n_bytes += record_size (record);
  g_hash_table_insert (self->by_key, record->entry.key, record);
}

/* Removes the results of descendants of job @ref. No job looks them up any more, because the result
 * of @ref itself is there. */
static void
remove_below (ResultTable *self, const SatinJobRef *ref)
{
  GQueue *below;
  while (ref->owner != 0 && (below = g_hash_table_lookup (self->by_under, ref)) != NULL)
    remove_record (self, below->head->data);
}

static void
keep_within_limit (ResultTable *self)
{
  while (self->figures.n_bytes > self->max_bytes)
    {
      remove_record (self, self->order.head->data);
      self->figures.n_evicted++;
    }
}

/* ---- */

gboolean
result_table_add (ResultTable *self, const TableEntry *entry)
{
  pthread_mutex_lock (&self->lock);
  remove_below (self, &entry->ref);
  gboolean is_new = !g_hash_table_contains (self->by_key, entry->key);
  if (is_new)
    {
      Record *record = g_new0 (Record, 1);
      record->entry = *entry;
      g_bytes_ref (record->entry.result);
      self->deepest = MAX (self->deepest, entry->n_levels);
      add_record (self, record);
      keep_within_limit (self);
    }
  pthread_mutex_unlock (&self->lock);
  return is_new;
}

GBytes *
result_table_find (ResultTable *self, const guint8 *key)
{
  pthread_mutex_lock (&self->lock);
  const Record *record = g_hash_table_lookup (self->by_key, key);
  GBytes *result = record != NULL ? g_bytes_ref (record->entry.result) : NULL;
  self->figures.n_found += record != NULL;
  pthread_mutex_unlock (&self->lock);
  return result;
}

gboolean
result_table_reaches (ResultTable *self, gint32 n_levels)
{
  pthread_mutex_lock (&self->lock);
  gboolean reaches = n_levels < self->deepest && self->order.length > 0;
  pthread_mutex_unlock (&self->lock);
  return reaches;
}

void
result_table_foreach (ResultTable *self, TableEntryFunc func, gpointer user_data)
{
  pthread_mutex_lock (&self->lock);
  for (const GList *i = self->order.head; i != NULL; i = i->next)
    func (&((const Record *)i->data)->entry, user_data);
  pthread_mutex_unlock (&self->lock);
}

TableFigures
result_table_get_figures (ResultTable *self)
{
  pthread_mutex_lock (&self->lock);
  TableFigures figures = self->figures;
  figures.n_entries = self->order.length;
  pthread_mutex_unlock (&self->lock);
  return figures;
}
