/* set.c - satin_set: a table that only grows, of which each version sees the beginning
 *
 *   items  | a | b | c | d |   |   |        version 1: the first 2, version 2: all 4
 *   index  |  2 |  |  1 | 4 |  | 3 |        a hash table of item numbers plus 1
 *
 * Versions of a set share one table. The newest version adds items behind its end, where no other
 * version looks. An older version ignores items beyond its own end. A version that adds an item
 * first copies the table if it is full, or if another version has added an item already. Copying is
 * cheap, because items are reference-counted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so/set.h>

#include <satin/base/atomic.h>
#include <string.h>

#define FIRST_ITEMS 16
/* The most items in one table. The index has two slots of 32 bits for each item. */
#define MAX_ITEMS ((gsize)1 << 28)
/* The most items of a combined call. */
#define COMBINED_MAX_ITEMS 1024

struct _SatinSetTable
{
  gsize n_refs;   /* atomic */
  gsize n_used;   /* the number of items; used with the object's lock held, or by the only owner
                   * of the table */
  gsize n_items;  /* the capacity of the table, a power of two */
  GBytes **items; /* (owned) of (owned) */
  guint32 *index; /* (owned) each slot is atomic; the index has twice as many slots as the
                   * capacity */
};

static guint32
hash_bytes (const guint8 *bytes, gsize n_bytes)
{
  guint32 hash = 2166136261u;
  for (gsize i = 0; i < n_bytes; i++)
    hash = (hash ^ bytes[i]) * 16777619u;
  return hash ^ hash >> 15;
}

/* ---- tables ---- */

static SatinSetTable *
table_new (gsize n_items)
{
  SatinSetTable *self = g_new0 (SatinSetTable, 1);
  self->n_refs = 1;
  self->n_items = n_items;
  self->items = g_new (GBytes *, n_items);
  self->index = g_new0 (guint32, 2 * n_items);
  return self;
}

static void
table_unref (SatinSetTable *self)
{
  if (self == NULL || SATIN_SUB (&self->n_refs, 1) > 1)
    return;
  for (gsize i = 0; i < self->n_used; i++)
    g_bytes_unref (self->items[i]);
  g_free (self->items);
  g_free (self->index);
  g_free (self);
}

/* Adds an item that is not in the table. There must be room. */
static void
table_add (SatinSetTable *self, GBytes *item)
{
  gsize n_bytes, mask = 2 * self->n_items - 1;
  const guint8 *bytes = g_bytes_get_data (item, &n_bytes);
  gsize place = hash_bytes (bytes, n_bytes) & mask;
  while (SATIN_LOAD_RELAXED (&self->index[place]) != 0)
    place = (place + 1) & mask;
  self->items[self->n_used++] = g_bytes_ref (item);
  /* Relaxed: readers of older versions ignore this number, and newer versions are published under
   * the object's lock. */
  SATIN_STORE_RELAXED (&self->index[place], (guint32)self->n_used);
}

/* ---- sets ---- */

gsize
satin_set_get_n (const satin_set_state *state)
{
  return state->n;
}

gconstpointer
satin_set_get (const satin_set_state *state, gsize index, gsize *ret_n_bytes)
{
  g_return_val_if_fail (index < state->n, NULL);
  return g_bytes_get_data (state->table->items[index], ret_n_bytes);
}

gboolean
satin_set_contains (const satin_set_state *state, gconstpointer bytes, gsize n_bytes)
{
  if (state->n == 0)
    return FALSE;
  gsize mask = 2 * state->table->n_items - 1;
  guint32 number;
  for (gsize place = hash_bytes (bytes, n_bytes) & mask;
       (number = SATIN_LOAD_RELAXED (&state->table->index[place])) != 0; place = (place + 1) & mask)
    {
      gsize n_found;
      if (number > state->n)
        continue; /* added by a newer version */
      gconstpointer found = g_bytes_get_data (state->table->items[number - 1], &n_found);
      if (n_found == n_bytes && (n_bytes == 0 || memcmp (found, bytes, n_bytes) == 0))
        return TRUE;
    }
  return FALSE;
}

/* Makes sure that the table has room for one more item behind the end of this version, and that no
 * other version has added an item there. Copies the table if necessary. */
static void
make_room (satin_set_state *state)
{
  SatinSetTable *old = state->table;
  if (old != NULL && old->n_used == state->n && state->n < old->n_items)
    return;
  gsize n_items = FIRST_ITEMS;
  while (n_items <= state->n)
    n_items *= 2;
  state->table = table_new (n_items);
  for (gsize i = 0; i < state->n; i++)
    table_add (state->table, old->items[i]);
  table_unref (old);
}

static void
add (satin_set_state *state, const SatinSetItem *item)
{
  if (satin_set_contains (state, item->data, item->n_data) || state->n >= MAX_ITEMS)
    return;
  g_autoptr (GBytes) bytes = g_bytes_new (item->data, item->n_data);
  make_room (state);
  table_add (state->table, bytes);
  state->n++;
}

/* ---- the type ---- */

static gboolean
set_unpack (gconstpointer data, gpointer ret_state, GError **error)
{
  const satin_set_packed *record = data;
  for (gsize i = 0; i < record->n_items; i++)
    add (ret_state, &record->items[i]);
  return TRUE;
}

static int
compare_items (gconstpointer data_a, gconstpointer data_b)
{
  const SatinSetItem *a = data_a, *b = data_b;
  gsize n = MIN (a->n_data, b->n_data);
  int order = n > 0 ? memcmp (a->data, b->data, n) : 0;
  return order != 0 ? order : (a->n_data > b->n_data) - (a->n_data < b->n_data);
}

/* Packs the items in an order that is the same on all nodes, so that equal sets have equal
 * bytes. */
static void
set_pack (gconstpointer data, gpointer ret_record)
{
  const satin_set_state *state = data;
  satin_set_packed *record = ret_record;
  SatinSetItem *items = g_new0 (SatinSetItem, state->n);
  for (gsize i = 0; i < state->n; i++)
    {
      gsize n_bytes;
      gconstpointer bytes = satin_set_get (state, i, &n_bytes);
      items[i] = (SatinSetItem){ .data = g_memdup2 (bytes, n_bytes), .n_data = n_bytes };
    }
  if (state->n > 1)
    qsort (items, state->n, sizeof *items, compare_items);
  record->items = items;
  record->n_items = state->n;
}

static void
set_copy (gconstpointer data, gpointer ret_state)
{
  const satin_set_state *state = data;
  if (state->table != NULL)
    SATIN_ADD (&state->table->n_refs, 1);
  *(satin_set_state *)ret_state = *state;
}

static void
set_clear (gpointer data)
{
  table_unref (((satin_set_state *)data)->table);
}

static gint64
set_get_version (gconstpointer data)
{
  return (gint64)((const satin_set_state *)data)->n;
}

static void
set_merge (gpointer state, gconstpointer data)
{
  const satin_set_state *other = data;
  for (gsize i = 0; i < other->n; i++)
    {
      SatinSetItem item = { 0 };
      item.data = satin_set_get (other, i, &item.n_data);
      add (state, &item);
    }
}

/* Returns %FALSE, so that the call is skipped, when all its items are in the set already. */
static gboolean
set_prepare (const SatinMethod *method, gconstpointer state, gint64 origin, gpointer data)
{
  const satin_set_add_args *args = data;
  for (gsize i = 0; i < args->n_items; i++)
    if (!satin_set_contains (state, args->items[i].data, args->items[i].n_data))
      return TRUE;
  return FALSE;
}

static gboolean
set_combine (const SatinMethod *method, gpointer data, gconstpointer later_data)
{
  satin_set_add_args *args = data;
  const satin_set_add_args *later = later_data;
  if (args->n_items + later->n_items > COMBINED_MAX_ITEMS)
    return FALSE;
  SatinSetItem *items =
      g_renew (SatinSetItem, (gpointer)args->items, args->n_items + later->n_items);
  for (gsize i = 0; i < later->n_items; i++)
    {
      const SatinSetItem *item = &later->items[i];
      items[args->n_items + i] =
          (SatinSetItem){ .data = g_memdup2 (item->data, item->n_data), .n_data = item->n_data };
    }
  args->items = items;
  args->n_items += later->n_items;
  return TRUE;
}

SATIN_OBJECT_TYPE_DEFINE (satin_set, .is_checkpointed = TRUE, .unpack = set_unpack,
                          .pack = set_pack, .copy = set_copy, .clear = set_clear,
                          .get_version = set_get_version, .merge = set_merge,
                          .prepare = set_prepare, .combine = set_combine)

SATIN_METHOD_BODY (satin_set, add, (array_record, items, SatinSetItem))
{
  for (gsize i = 0; i < n_items; i++)
    add (state, &items[i]);
}
