/* fake-store.h - a store in memory: revisions, commits, leases and watches as etcd has them
 *
 * Each client has a connection of its own. A call is done, and answered, in a later turn of the
 * loop.
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store/store.h"

/* What becomes of calls. */
typedef enum
{
  FAKE_UP,
  FAKE_DOWN, /* nothing is done, and no lease runs: there is no quorum */
  FAKE_DEAF, /* all is done, but nobody hears the answer */
} FakeMood;

typedef struct
{
  SatinLoop *loop; /* (borrowed) */
  FakeMood mood;
  gint64 revision;
  gint64 compacted;  /* revisions up to this are not kept */
  GPtrArray *items;  /* (owned) (element-type FakeItem): by key */
  GArray *history;   /* (owned) (element-type StoreItem) */
  GPtrArray *leases; /* (owned) (element-type FakeLease) */
  gint64 last_lease;
  GPtrArray *connections; /* (element-type FakeConnection) */
  guint n_commits;        /* that wrote something */
} FakeStore;

extern const StoreOps fake_store_ops;

FakeStore *fake_store_new (SatinLoop *loop);
void fake_store_free (FakeStore *self);
/* Returns: (transfer full): for fake_store_ops */
gpointer fake_store_connect (FakeStore *self);

/* Leases run for their whole time again, as with a new leader. */
void fake_store_set_mood (FakeStore *self, FakeMood mood);
/* All watches break. */
void fake_store_break_watches (FakeStore *self);
/* Only the present is kept. */
void fake_store_compact (FakeStore *self);
/* Whether there is such a key. */
gboolean fake_store_has (FakeStore *self, const char *key);
/* Returns: (transfer full): the value of a key that is there */
GBytes *fake_store_get (FakeStore *self, const char *key);
/* A stranger changes a key. @value: (nullable): %NULL deletes it */
void fake_store_put (FakeStore *self, const char *key, GBytes *value);
/* The connection that was made as number @place, from 0, reaches nothing any more, or does again.
 */
void fake_store_cut (FakeStore *self, guint place, gboolean is_cut);
/* The lease of who says so runs out now: that of the @number-th that was made, from 1. */
void fake_store_expire (FakeStore *self, gint64 number);
