/* fake-recovery.h - a part that recovers, as the core sees it, for protocol code under test
 *
 * It notes what the core tells it and says what the test wants.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/recovery.h>

/* The hints it makes; each is freed when the core gives it up. */
typedef struct
{
  struct _FakeRecovery *recovery; /* (borrowed) */
  SatinLook self;                 /* what is known of the job itself */
} FakeHints;

typedef struct _FakeRecovery
{
  SatinRecovery base;
  SatinRecoveryOps ops;
  const SatinRecoveryHost *host_ops; /* (borrowed) */
  gpointer host;                     /* (borrowed) (nullable) */
  gint64 grace_us;
  SatinLook self; /* what the next hints know of their job */
  guint n_lost, n_packed, n_unpacked, n_ended, n_returned, n_given_back;
  guint n_hints;     /* that nobody gave up yet */
  SatinNodeId thief; /* of the last job of whose loss it was told */
  gint64 away_us;
  guint n_queued;
  /* orphans */
  guint n_orphans, n_over, n_gone;
  guint64 import_id; /* of the last orphan */
  SatinJobRef ref;
  SatinLineage lineage; /* (owned) */
  GBytes *path;         /* (owned) (nullable) */
  gboolean is_over;     /* when it was told of */
  gsize n_bytes;        /* of the last one that has ended */
  GArray *drop;         /* (owned) of guint64: to be dropped when the next orphan is told of */
  /* of one that wants results */
  guint n_told, n_saved, n_described;
  SatinJobRef told_ref, told_under; /* of the last job that has ended: its name, and who is above */
  gint32 told_levels;
  gint32 n_levels; /* of the last that was described */
  /* of one that stores them */
  guint n_finished, n_walked, n_walked_last, n_fetched;
  guint64 fetch_import_id; /* of the last fetch */
  gboolean has_stored;     /* what is no orphan is stored */
  gint32 finished;         /* the result of the last that was finished */
} FakeRecovery;

void fake_recovery_init (FakeRecovery *self);
/* It is one that wants results. */
void fake_recovery_want_results (FakeRecovery *self);
/* It is one that stores them. */
void fake_recovery_store_results (FakeRecovery *self);
/* Checks that all hints were given up. */
void fake_recovery_clear (FakeRecovery *self);
FakeHints *fake_recovery_make_hints (FakeRecovery *self);
