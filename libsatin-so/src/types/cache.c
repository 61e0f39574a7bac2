/* cache.c - satin_cache: a transposition table
 *
 * An entry consists of two words, which are written and read one by one. If two threads wrote an
 * entry at once, or a thread reads it while another writes it, the two words may not belong
 * together. Then no key fits, and the reader treats the entry as absent.
 *
 *   check = key ^ data     data = value << 8 | depth + 1
 *
 * Source: R. Hyatt, T. Mann, A lock-less transposition table implementation for parallel search,
 * 2002.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so/cache.h>

#include <satin/base/atomic.h>

/* The most entries that are packed for a new replica. */
#define PACKED_MAX ((gsize)65536)
/* The most entries of a combined call. */
#define COMBINED_MAX 4096

static guint64
make_data (gint64 value, gint32 depth)
{
  return (guint64)value << 8 | (guint64)(depth + 1);
}

static gint32
depth_of (guint64 data)
{
  return (gint32)(data & 0xff) - 1;
}

/* Returns: the first of the two adjacent entries that may hold @key */
static SatinCacheEntry *
find_pair (const satin_cache_state *state, guint64 key)
{
  guint64 mixed = key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return &state->entries[(mixed >> 20) & (state->n_entries - 1) & ~(guint64)1];
}

/* Returns: the data word if the entry has the key @key, else 0. Relaxed loads suffice, because
 * @check shows whether the two words belong together */
static guint64
entry_get (const SatinCacheEntry *self, guint64 key)
{
  guint64 data = SATIN_LOAD_RELAXED (&self->data);
  return (SATIN_LOAD_RELAXED (&self->check) ^ data) == key ? data : 0;
}

static void
entry_set (SatinCacheEntry *self, guint64 key, guint64 data)
{
  SATIN_STORE_RELAXED (&self->data, data);
  SATIN_STORE_RELAXED (&self->check, key ^ data);
}

/* Puts an entry into the first or second place of its pair. @data may come from another node and
 * may be invalid. */
static void
put_data (const satin_cache_state *state, guint64 key, guint64 data)
{
  SatinCacheEntry *pair = find_pair (state, key);
  if (depth_of (data) < 0)
    return;
  if (depth_of (data) >= depth_of (SATIN_LOAD_RELAXED (&pair[0].data)))
    entry_set (&pair[0], key, data);
  else
    entry_set (&pair[1], key, data);
}

gboolean
satin_cache_get (const satin_cache_state *state, guint64 key, gint64 *ret_value, gint32 *ret_depth)
{
  const SatinCacheEntry *pair = find_pair (state, key);
  guint64 data = entry_get (&pair[0], key);
  if (data == 0)
    data = entry_get (&pair[1], key);
  if (data == 0)
    return FALSE;
  *ret_value = (gint64)data >> 8;
  *ret_depth = depth_of (data);
  return TRUE;
}

void
satin_cache_put (const satin_cache_state *state, guint64 key, gint64 value, gint32 depth)
{
  g_return_if_fail (depth >= 0 && depth <= SATIN_CACHE_MAX_DEPTH);
  g_return_if_fail (value >= -SATIN_CACHE_MAX_VALUE && value <= SATIN_CACHE_MAX_VALUE);

  put_data (state, key, make_data (value, depth));
}

void
satin_worker_cache_put (SatinWorker *worker, SatinObject id, guint64 key, gint64 value,
                        gint32 depth)
{
  const satin_cache_state *state = satin_worker_read (worker, id, &satin_cache_type);
  g_return_if_fail (state != NULL);
  if (depth < state->shared_depth)
    {
      satin_cache_put (state, key, value, depth);
      return;
    }
  gint64 keys[] = { (gint64)key }, data[] = { (gint64)make_data (value, depth) };
  satin_worker_update (worker, id, &satin_cache_put_method,
                       SATIN_ARGS (satin_cache_put_args, keys, 1, data, 1));
}

/* ---- the type ---- */

static void
put_all (const satin_cache_state *state, const gint64 *keys, const gint64 *data, gsize n)
{
  for (gsize i = 0; i < n; i++)
    put_data (state, (guint64)keys[i], (guint64)data[i]);
}

static gboolean
cache_unpack (gconstpointer data, gpointer ret_state, GError **error)
{
  const satin_cache_packed *record = data;
  satin_cache_state *state = ret_state;
  if (record->n_entries < 1 || record->n_entries > SATIN_CACHE_MAX_ENTRIES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "a cache has 1 to %" G_GINT64_FORMAT " entries, not %" G_GINT64_FORMAT,
                   SATIN_CACHE_MAX_ENTRIES, record->n_entries);
      return FALSE;
    }
  guint64 n_entries = 2;
  while (n_entries < (guint64)record->n_entries)
    n_entries *= 2;
  SatinCacheEntry *entries = g_try_new0 (SatinCacheEntry, n_entries);
  if (entries == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "no memory for a cache of %" G_GUINT64_FORMAT " entries", n_entries);
      return FALSE;
    }
  *state = (satin_cache_state){ n_entries, record->shared_depth, entries };
  put_all (state, record->keys, record->data, MIN (record->n_keys, record->n_data));
  return TRUE;
}

static void
cache_pack (gconstpointer data, gpointer ret_record)
{
  const satin_cache_state *state = data;
  satin_cache_packed *record = ret_record;
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint64 i = 0; i < state->n_entries && keys->len < PACKED_MAX; i++)
    {
      guint64 entry = SATIN_LOAD_RELAXED (&state->entries[i].data);
      gint64 key = (gint64)(SATIN_LOAD_RELAXED (&state->entries[i].check) ^ entry);
      if (entry == 0 || depth_of (entry) < state->shared_depth)
        continue;
      g_array_append_val (keys, key);
      g_array_append_val (all, entry);
    }
  record->n_entries = (gint64)state->n_entries;
  record->shared_depth = state->shared_depth;
  record->keys = g_array_steal (keys, &record->n_keys);
  record->data = g_array_steal (all, &record->n_data);
}

static void
cache_copy (gconstpointer data, gpointer ret_state)
{
  const satin_cache_state *state = data;
  satin_cache_state *copy = ret_state;
  *copy = *state;
  copy->entries = g_new0 (SatinCacheEntry, state->n_entries);
  for (guint64 i = 0; i < state->n_entries; i++)
    {
      copy->entries[i].data = SATIN_LOAD_RELAXED (&state->entries[i].data);
      copy->entries[i].check = SATIN_LOAD_RELAXED (&state->entries[i].check);
    }
}

static void
cache_clear (gpointer state)
{
  g_free (((satin_cache_state *)state)->entries);
}

static void
cache_merge (gpointer state, gconstpointer data)
{
  const satin_cache_state *other = data;
  for (guint64 i = 0; i < other->n_entries; i++)
    put_data (state, other->entries[i].check ^ other->entries[i].data, other->entries[i].data);
}

static gint64 *
join (const gint64 *values, gsize n, const gint64 *more, gsize n_more)
{
  gint64 *all = g_renew (gint64, (gpointer)values, n + n_more);
  for (gsize i = 0; i < n_more; i++)
    all[n + i] = more[i];
  return all;
}

static gboolean
cache_combine (const SatinMethod *method, gpointer data, gconstpointer later_data)
{
  satin_cache_put_args *args = data;
  const satin_cache_put_args *later = later_data;
  if (args->n_keys + later->n_keys > COMBINED_MAX || args->n_keys != args->n_data)
    return FALSE;
  gsize n_later = MIN (later->n_keys, later->n_data);
  args->keys = join (args->keys, args->n_keys, later->keys, n_later);
  args->data = join (args->data, args->n_data, later->data, n_later);
  args->n_keys = args->n_data = args->n_keys + n_later;
  return TRUE;
}

SATIN_OBJECT_TYPE_DEFINE (satin_cache, .is_in_place = TRUE, .unpack = cache_unpack,
                          .pack = cache_pack, .copy = cache_copy, .clear = cache_clear,
                          .merge = cache_merge, .combine = cache_combine)

SATIN_METHOD_BODY (satin_cache, put, (array_long, keys), (array_long, data))
{
  put_all (state, keys, data, MIN (n_keys, n_data));
}
