/* cache.h - satin_cache: a table of what was computed, which may forget
 *
 *   SatinObject positions = SATIN_NEW_CACHE ("positions", 1 << 20, 6);
 *   ...
 *   if (satin_cache_get (SATIN_READ (satin_cache, positions), key, &value, &depth))
 *     ...
 *   SATIN_CACHE_PUT (positions, key, value, depth);
 *
 * A table of a fixed number of entries: a key of 64 bits, a value of 56 and a depth, which says how
 * much work it was. Two entries share a place: the deeper one stays in the first, the newest is in
 * the second. What is deep enough is put into the tables of all nodes, the rest into that of this
 * node.
 *
 * There is one state, which all change at once: what was put is there for the next one who asks.
 * An entry may be lost, so ask for nothing that has to be there; but what is found is what was put
 * under that key. Keys are to be well mixed, and two things of one key are one: hash with 64 bits.
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

/* Entries of one cache. */
#define SATIN_CACHE_MAX_ENTRIES ((gint64)1 << 24)
/* The deepest, and the largest value; the smallest is its negative. */
#define SATIN_CACHE_MAX_DEPTH 254
#define SATIN_CACHE_MAX_VALUE (((gint64)1 << 55) - 1)

/* A torn entry is found out: @check is the key and @data together. */
typedef struct
{
  guint64 check; /* atomic */
  guint64 data;  /* atomic; 0: none */
} SatinCacheEntry;

/* clang-format off */
/* @n_entries is made a power of two; what is @shared_depth deep or deeper goes to all nodes, and
 * @keys and @data are such ones. */
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
 * @N_ENTRIES: at most %SATIN_CACHE_MAX_ENTRIES, made a power of two; 16 bytes each
 * @SHARED_DEPTH: what is so deep goes to all nodes. Choose it so that this takes little of the
 *   time: some hundred a second and node
 *
 * Makes a cache. Inside a task.
 */
#define SATIN_NEW_CACHE(NAME, N_ENTRIES, SHARED_DEPTH)                                             \
  SATIN_NEW (satin_cache, NAME, N_ENTRIES, SHARED_DEPTH, NULL, 0, NULL, 0)

/**
 * SATIN_CACHE_PUT:
 * @KEY: a guint64
 * @VALUE: of 56 bits
 * @DEPTH: 0 to %SATIN_CACHE_MAX_DEPTH
 *
 * Inside a task. Cost: some nanoseconds, for what stays here.
 */
#define SATIN_CACHE_PUT(ID, KEY, VALUE, DEPTH)                                                     \
  satin_worker_cache_put (satin_worker_, ID, KEY, VALUE, DEPTH)

/* Returns: whether something is there under @key. @ret_value, @ret_depth: untouched otherwise */
SATIN_API gboolean satin_cache_get (const satin_cache_state *state, guint64 key, gint64 *ret_value,
                                    gint32 *ret_depth);

/* Puts it into the table of this node only; as SATIN_CACHE_PUT. */
SATIN_API void satin_cache_put (const satin_cache_state *state, guint64 key, gint64 value,
                                gint32 depth);

/* Behind SATIN_CACHE_PUT. */
SATIN_API void satin_worker_cache_put (SatinWorker *worker, SatinObject id, guint64 key,
                                       gint64 value, gint32 depth);

G_END_DECLS
