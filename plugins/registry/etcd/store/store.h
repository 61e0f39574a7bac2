/* store.h - what the registry needs of a replicated store: etcd's concepts, without its protocol
 *
 * A store holds keys with values. Each commit that changes something raises the store's revision by
 * one. A watch reports all revisions in order. A key that was put with a lease is deleted when the
 * lease expires. store-http.h is a store with etcd over HTTP; tests have a store in memory.
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
  STORE_GRANT,     /* makes a lease of @ttl_s */
  STORE_RENEW,     /* restarts the lease's time */
  STORE_TIME_LEFT, /* asks how much time a lease has left */
  STORE_REVOKE,    /* ends a lease, and deletes its keys */
  STORE_READ,      /* reads all keys that begin with @prefix, at one revision */
  STORE_COMMIT,    /* does all writes at one revision if all compares hold, else none */
  STORE_N_CALLS,
} StoreCallKind;

/* A condition of a commit: the last change of the key was at this revision. 0: the key does not
 * exist. */
typedef struct
{
  const char *key;
  gint64 revision;
} StoreCompare;

/* For StoreWrite.lease: the key keeps the lease that it has. */
#define STORE_SAME_LEASE ((gint64)-1)

typedef struct
{
  const char *key;
  GBytes *value;      /* (nullable): %NULL deletes */
  gint64 lease;       /* 0: none */
  gboolean is_prefix; /* deletes all keys that begin with @key */
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

/* A key and its value; in a watch, after the change. */
typedef struct
{
  char *key;
  GBytes *value; /* (nullable): %NULL when the key was deleted */
  gint64 revision;
} StoreItem;

typedef struct
{
  gint64 revision; /* of the store */
  gint64 lease;
  gint64 ttl_s;     /* RENEW, TIME_LEFT: seconds left; 0: the lease does not exist */
  gint64 granted_s; /* TIME_LEFT: seconds that the lease has when it is renewed */
  gboolean is_committed;
  gboolean is_lease_lost; /* COMMIT, REVOKE: nothing was done, because a lease does not exist */
  const StoreItem *items; /* (nullable) (array length=n_items): READ: the keys, sorted by name */
  guint n_items;
} StoreAnswer;

/* @answer: (nullable): %NULL with @error when no server answered, or the store refused
 * (%SATIN_ERROR_SECRET, %SATIN_ERROR_PROTOCOL). A call without an answer may still have been
 * done. */
typedef void (*StoreDone) (const StoreAnswer *answer, const GError *error, gpointer user_data);

typedef struct
{
  /* All changes of one revision, or of several revisions in order. */
  void (*changed) (const StoreItem *items, guint n_items, gpointer user_data);
  /* The watch has ended. @is_compacted: the store no longer keeps the revision to start from. */
  void (*lost) (gboolean is_compacted, const GError *error, gpointer user_data);
} StoreWatchFuncs;

typedef struct
{
  /* @call: valid during the call. @done runs once, unless the store is closed before. */
  void (*call) (gpointer store, const StoreCall *call, StoreDone done, gpointer user_data);
  /* Watches all keys that begin with @prefix, from @from_revision on. An earlier watch ends without
   * a callback. */
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
