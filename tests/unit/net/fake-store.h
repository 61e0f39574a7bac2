/* fake-store.h - a store in memory with revisions, commits, leases and watches, like etcd
 *
 * Each client has a connection of its own. A call is carried out and answered in a later turn of
 * the loop.
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store/store.h"

/* How the store treats calls. */
typedef enum
{
  FAKE_UP,
  FAKE_DOWN, /* no quorum: calls do nothing and fail, watches are silent, leases do not run out */
  FAKE_DEAF, /* calls are carried out, but their answers are lost; watches are silent */
} FakeMood;

typedef struct
{
  SatinLoop *loop; /* (borrowed) */
  FakeMood mood;
  gint64 revision;
  gint64 compacted;  /* revisions up to this one are forgotten */
  GPtrArray *items;  /* (owned) (element-type FakeItem): sorted by key */
  GArray *history;   /* (owned) (element-type StoreItem): all changes, in order */
  GPtrArray *leases; /* (owned) (element-type FakeLease) */
  gint64 last_lease;
  GPtrArray *connections; /* (element-type FakeConnection) */
  guint n_commits;        /* commits that were carried out */
} FakeStore;

extern const StoreOps fake_store_ops;

FakeStore *fake_store_new (SatinLoop *loop);
void fake_store_free (FakeStore *self);
/* Returns: (transfer full): a connection for fake_store_ops */
gpointer fake_store_connect (FakeStore *self);

/* Sets the mood, and gives each lease its whole time again, as etcd does with a new leader. */
void fake_store_set_mood (FakeStore *self, FakeMood mood);
/* Breaks all watches. */
void fake_store_break_watches (FakeStore *self);
/* Forgets all earlier revisions. A watch that still needs one of them is lost. */
void fake_store_compact (FakeStore *self);
/* Returns: whether the key exists */
gboolean fake_store_has (FakeStore *self, const char *key);
/* Returns: (transfer full): the value of @key, which must exist */
GBytes *fake_store_get (FakeStore *self, const char *key);
/* Changes a key, as another client would. @value: (nullable): %NULL deletes the key */
void fake_store_put (FakeStore *self, const char *key, GBytes *value);
/* Cuts the connection number @place off the store, or restores it. Connections count from 0 in the
 * order in which they were made. */
void fake_store_cut (FakeStore *self, guint place, gboolean is_cut);
/* Ends a lease now, as if it ran out. Leases count from 1 in the order in which they were granted.
 */
void fake_store_expire (FakeStore *self, gint64 number);
