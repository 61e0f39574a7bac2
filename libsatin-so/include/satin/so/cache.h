/* cache.h - satin_cache: a table of computed values, which may forget entries
 *
 *   SatinObject positions = SATIN_NEW_CACHE ("positions", 1 << 20, 6);
 *   ...
 *   if (satin_cache_get (SATIN_READ (satin_cache, positions), key, &value, &depth))
 *     ...
 *   SATIN_CACHE_PUT (positions, key, value, depth);
 *
 * A cache has a fixed number of entries. An entry has a key of 64 bits, a value of 56 bits and a
 * depth, which says how much work it was to compute the value. Two places of the table form a pair.
 * A new entry takes the first place of its pair if it is at least as deep as the entry there, else
 * the second place. Entries that are deep enough go to the tables of all nodes, the others only to
 * the table of this node.
 *
 * All workers of a node change one state, so a new entry is visible on its node at once. An entry
 * may be lost: do not store anything that must be found again. But each value that is found was put
 * under that key. Keys must be well mixed, and the cache cannot tell two things with the same key
 * apart: use a good hash of 64 bits.
 *
 * Threads: any.
 * Source: R. Hyatt, T. Mann, A lock-less transposition table implementation for parallel search,
 * 2002.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/so/share.h>

G_BEGIN_DECLS

/* The most entries of one cache. */
#define SATIN_CACHE_MAX_ENTRIES ((gint64)1 << 24)
/* The largest depth and the largest value of an entry; the smallest value is the negative of the
 * largest. */
#define SATIN_CACHE_MAX_DEPTH 254
#define SATIN_CACHE_MAX_VALUE (((gint64)1 << 55) - 1)

/* An entry. @check combines the key and @data, so that a reader notices when the two words were not
 * written together. */
typedef struct
{
  guint64 check; /* atomic */
  guint64 data;  /* atomic; 0 in an empty entry */
} SatinCacheEntry;

/* clang-format off */
/* @n_entries is rounded up to a power of two. Entries of at least @shared_depth go to all nodes.
 * @keys and @data are the keys and packed words of these shared entries. */
SATIN_OBJECT_PACKED (satin_cache, (long, n_entries), (int, shared_depth), (array_long, keys), (array_long, data))
SATIN_METHOD_DECLARE (satin_cache, put, (array_long, keys), (array_long, data))
/* clang-format on */

/* The table of one node. */
typedef struct
{
  guint64 n_entries; /* a power of two */
  gint32 shared_depth;
  SatinCacheEntry *entries; /* (owned) */
} satin_cache_state;

/**
 * SATIN_NEW_CACHE:
 * @NAME: as for SATIN_NEW
 * @N_ENTRIES: the number of entries, at most %SATIN_CACHE_MAX_ENTRIES; rounded up to a power of
 *   two. Each takes 16 bytes
 * @SHARED_DEPTH: entries of at least this depth go to all nodes. Choose a depth that some hundred
 *   entries per second and node have, so that sending them takes little time
 *
 * Makes a cache. Use it inside a task.
 */
#define SATIN_NEW_CACHE(NAME, N_ENTRIES, SHARED_DEPTH)                                             \
  SATIN_NEW (satin_cache, NAME, N_ENTRIES, SHARED_DEPTH, NULL, 0, NULL, 0)

/**
 * SATIN_CACHE_PUT:
 * @KEY: a guint64
 * @VALUE: of 56 bits, in [-%SATIN_CACHE_MAX_VALUE, %SATIN_CACHE_MAX_VALUE]
 * @DEPTH: 0 to %SATIN_CACHE_MAX_DEPTH
 *
 * Puts an entry into the cache. Use it inside a task. Cost: some nanoseconds for an entry that
 * stays on this node.
 */
#define SATIN_CACHE_PUT(ID, KEY, VALUE, DEPTH)                                                     \
  satin_worker_cache_put (satin_worker_, ID, KEY, VALUE, DEPTH)

/* Looks an entry up. @ret_value, @ret_depth: unchanged when there is no entry with the key @key.
 * Returns: %TRUE when there is one */
SATIN_API gboolean satin_cache_get (const satin_cache_state *state, guint64 key, gint64 *ret_value,
                                    gint32 *ret_depth);

/* Like SATIN_CACHE_PUT, but puts the entry into the table of this node only. */
SATIN_API void satin_cache_put (const satin_cache_state *state, guint64 key, gint64 value,
                                gint32 depth);

/* Implements SATIN_CACHE_PUT. */
SATIN_API void satin_worker_cache_put (SatinWorker *worker, SatinObject id, guint64 key,
                                       gint64 value, gint32 depth);

G_END_DECLS
