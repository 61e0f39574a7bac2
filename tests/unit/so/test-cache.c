/* test-cache.c - tests the type satin_cache
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "agree.h"

#include <string.h>

#define N_ENTRIES    64
#define SHARED_DEPTH 4

static const satin_cache_packed start = { .n_entries = N_ENTRIES, .shared_depth = SHARED_DEPTH };

typedef struct
{
  SatinWorkers *workers;
  SatinObjects *objects;
  SatinReader *reader;
  SatinObject id;
  const satin_cache_state *state;
  guint n_changed;
} Cache;

static void
cache_changed (gpointer host)
{
  ((Cache *)host)->n_changed++;
}

static void
cache_init (Cache *self)
{
  static const SatinObjectsHost ops = { .struct_size = sizeof ops, .changed = cache_changed };
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = 1,
                                  .deque_slots = 1024 };
  memset (self, 0, sizeof *self);
  self->workers = satin_workers_new (&options, NULL);
  self->objects = satin_objects_of (self->workers);
  satin_objects_set_host (self->objects, &ops, self, 1);
  self->reader = satin_reader_new (self->objects);
  self->id = satin_objects_create (self->objects, &satin_cache_type, "c", &start, NULL);
  self->state = satin_reader_read (self->reader, self->id, &satin_cache_type);
}

static void
cache_done (Cache *self)
{
  satin_reader_free (self->reader);
  satin_workers_free (self->workers);
}

static gboolean
has (const satin_cache_state *state, guint64 key, gint64 value, gint32 depth)
{
  gint64 found = 0;
  gint32 found_depth = 0;
  return satin_cache_get (state, key, &found, &found_depth) && found == value
         && found_depth == depth;
}

static void
test_finds (void)
{
  Cache cache;
  cache_init (&cache);
  g_assert_false (has (cache.state, 0, 0, 0));
  satin_cache_put (cache.state, 0, 0, 0);
  g_assert_true (has (cache.state, 0, 0, 0));
  satin_cache_put (cache.state, 77, -SATIN_CACHE_MAX_VALUE, SATIN_CACHE_MAX_DEPTH);
  g_assert_true (has (cache.state, 77, -SATIN_CACHE_MAX_VALUE, SATIN_CACHE_MAX_DEPTH));
  cache_done (&cache);
}

/* Returns: the first key from @from on that shares a place in the table with @key */
static guint64
find_rival (const satin_cache_state *state, guint64 key, guint64 from)
{
  gint64 value;
  gint32 depth;
  for (guint64 rival = from;; rival++)
    {
      satin_cache_state fresh = { state->n_entries, 0, g_new0 (SatinCacheEntry, N_ENTRIES) };
      satin_cache_put (&fresh, key, 1, 0);
      satin_cache_put (&fresh, rival, 2, 0);
      satin_cache_put (&fresh, rival, 2, 0);
      gboolean is_rival = rival != key && !satin_cache_get (&fresh, key, &value, &depth);
      g_free (fresh.entries);
      if (is_rival)
        return rival;
    }
}

static void
test_deeper_stays (void)
{
  Cache cache;
  cache_init (&cache);
  guint64 first = find_rival (cache.state, 5, 6), second = find_rival (cache.state, 5, first + 1);
  satin_cache_put (cache.state, 5, 1, 9);
  satin_cache_put (cache.state, first, 2, 3);
  satin_cache_put (cache.state, second, 3, 1);
  g_assert_true (has (cache.state, 5, 1, 9));
  g_assert_true (has (cache.state, second, 3, 1)); /* the newest key has the other entry */
  g_assert_false (has (cache.state, first, 2, 3));
  cache_done (&cache);
}

static void
test_torn (void)
{
  Cache cache;
  cache_init (&cache);
  satin_cache_put (cache.state, 5, 1, 9);
  for (guint i = 0; i < N_ENTRIES; i++)
    cache.state->entries[i].data ^= 1 << 9;
  g_assert_false (has (cache.state, 5, 1, 9));
  gint64 value;
  gint32 depth;
  g_assert_false (satin_cache_get (cache.state, 5, &value, &depth));
  cache_done (&cache);
}

SATIN_TASK (put, (boolean), (object, id), (long, key), (int, depth))
{
  SATIN_CACHE_PUT (id, (guint64)key, 3, depth);
  return has (SATIN_READ (satin_cache, id), (guint64)key, 3, depth);
}

static void
test_seen_at_once (void)
{
  Cache cache;
  gboolean is_seen = FALSE;
  cache_init (&cache);
  g_assert_true (satin_run (cache.workers, &is_seen, put, NULL, cache.id, 5, SHARED_DEPTH));
  g_assert_true (is_seen);
  cache_done (&cache);
}

static void
test_deep_is_told (void)
{
  Cache cache;
  gboolean is_seen;
  cache_init (&cache);
  satin_run (cache.workers, &is_seen, put, NULL, cache.id, 5, SHARED_DEPTH - 1);
  g_assert_cmpuint (cache.n_changed, ==, 0);
  satin_run (cache.workers, &is_seen, put, NULL, cache.id, 6, SHARED_DEPTH);
  g_assert_cmpuint (cache.n_changed, ==, 1);
  cache_done (&cache);
}

static void
test_travels (void)
{
  Cache from, to;
  gboolean is_seen;
  cache_init (&from);
  cache_init (&to);
  for (gint64 key = 1; key <= 2; key++)
    satin_run (from.workers, &is_seen, put, NULL, from.id, key, SHARED_DEPTH);
  g_autoptr (GArray) updates = satin_objects_take_updates (from.objects);
  g_assert_cmpuint (updates->len, ==, 1);
  const SatinUpdate *update = &g_array_index (updates, SatinUpdate, 0);
  g_assert_true (satin_objects_apply (to.objects, to.id, update->method->name, update->args, NULL));
  g_assert_true (has (to.state, 1, 3, SHARED_DEPTH));
  g_assert_true (has (to.state, 2, 3, SHARED_DEPTH));
  cache_done (&from);
  cache_done (&to);
}

static void
test_replica_begins (void)
{
  Cache from;
  cache_init (&from);
  satin_cache_put (from.state, 5, 1, SHARED_DEPTH);
  satin_cache_put (from.state, 6, 2, SHARED_DEPTH - 1);
  g_autoptr (GBytes) packed = satin_objects_pack (from.objects, from.id, NULL, NULL);
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  g_assert_true (satin_objects_install (objects, from.id, "satin_cache", packed, NULL));
  const satin_cache_state *state = satin_reader_read (reader, from.id, &satin_cache_type);
  g_assert_true (has (state, 5, 1, SHARED_DEPTH));
  g_assert_false (has (state, 6, 2, SHARED_DEPTH - 1));
  satin_reader_free (g_steal_pointer (&reader));
  cache_done (&from);
}

static void
test_too_large (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (GError) error = NULL;
  satin_cache_packed record = { .n_entries = SATIN_CACHE_MAX_ENTRIES + 1 };
  g_assert_cmpint (satin_objects_create (objects, &satin_cache_type, "c", &record, &error), ==, 0);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/cache/finds-what-was-put", test_finds);
  g_test_add_func ("/so/cache/keeps-the-deeper-and-the-newest", test_deeper_stays);
  g_test_add_func ("/so/cache/a-torn-entry-is-none", test_torn);
  g_test_add_func ("/so/cache/is-seen-at-once", test_seen_at_once);
  g_test_add_func ("/so/cache/tells-others-what-is-deep", test_deep_is_told);
  g_test_add_func ("/so/cache/what-is-deep-travels-together", test_travels);
  g_test_add_func ("/so/cache/a-replica-begins-with-what-is-deep", test_replica_begins);
  g_test_add_func ("/so/cache/too-large-is-refused", test_too_large);
  return g_test_run ();
}
