/* store.h - what the registry needs of a replicated store: etcd's words, without its protocol
 *
 * A store holds keys with values. Each commit that changes something raises its revision by one,
 * and a watch tells of every revision in order. A key that was put with a lease is deleted when
 * the lease has run out. etcd over HTTP is one (store-http.h); tests have one in memory.
 *
 * Threads: the loop's thread. No callback runs inside an operation, and none after close.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef enum
{
  STORE_GRANT,     /* makes a lease of ttl_s */
  STORE_RENEW,     /* the lease runs for its whole time again */
  STORE_TIME_LEFT, /* of a lease */
  STORE_REVOKE,    /* ends a lease, and deletes its keys */
  STORE_READ,      /* all keys that begin with prefix, at one revision */
  STORE_COMMIT,    /* makes the writes when all compares hold, at one revision, else none */
  STORE_N_CALLS,
} StoreCallKind;

/* Holds when the key was changed last at this revision, 0: when there is no such key. */
typedef struct
{
  const char *key;
  gint64 revision;
} StoreCompare;

/* What a lease is that a key keeps when it is put again. */
#define STORE_SAME_LEASE ((gint64)-1)

typedef struct
{
  const char *key;
  GBytes *value;      /* (nullable): %NULL deletes */
  gint64 lease;       /* 0: none */
  gboolean is_prefix; /* deletes all keys that begin so */
} StoreWrite;

typedef struct
{
  StoreCallKind kind;
  gint64 lease;
  gint64 ttl_s;
  const char *prefix;
  const StoreCompare *compares;
  guint n_compares;
  const StoreWrite *writes;
  guint n_writes;
} StoreCall;

/* A key as it is, or, told by a watch, as it became. */
typedef struct
{
  char *key;
  GBytes *value; /* (nullable): %NULL: it was deleted */
  gint64 revision;
} StoreItem;

typedef struct
{
  gint64 revision; /* of the store */
  gint64 lease;
  gint64 ttl_s;     /* of RENEW and TIME_LEFT: what is left; 0: there is no such lease */
  gint64 granted_s; /* of TIME_LEFT */
  gboolean is_committed;
  gboolean
      is_lease_lost; /* of COMMIT: nothing was written, as a lease that it names is not there */
  const StoreItem *items; /* (nullable) (array length=n_items): of READ, by rising key */
  guint n_items;
} StoreAnswer;

/* @answer: (nullable): %NULL with @error: nobody answered, and what was to be done may have been
 * done all the same; or the store refused (%SATIN_ERROR_SECRET, %SATIN_ERROR_INVALID). */
typedef void (*StoreDone) (const StoreAnswer *answer, const GError *error, gpointer user_data);

typedef struct
{
  /* All that changed, of one revision or of several in order. */
  void (*changed) (const StoreItem *items, guint n_items, gpointer user_data);
  /* The watch is over. @is_compacted: the revision to begin with is not kept any more. */
  void (*lost) (gboolean is_compacted, const GError *error, gpointer user_data);
} StoreWatchFuncs;

typedef struct
{
  /* @call: valid inside; @done runs once, unless the store is closed before. */
  void (*call) (gpointer store, const StoreCall *call, StoreDone done, gpointer user_data);
  /* Of keys that begin with @prefix, from that revision on; the one before it ends without a word.
   */
  void (*watch) (gpointer store, const char *prefix, gint64 from_revision,
                 const StoreWatchFuncs *funcs, gpointer user_data);
  void (*close) (gpointer store);
} StoreOps;

static inline void
store_item_clear (gpointer item)
{
  StoreItem *self = (StoreItem *)item;
  g_free (self->key);
  g_clear_pointer (&self->value, g_bytes_unref);
}

G_END_DECLS
