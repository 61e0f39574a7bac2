/* fake-recovery.h - a part that recovers, as the core sees it, for protocol code under test
 *
 * It notes the calls of the core, and answers as the test wants.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/recovery.h>

/* Hints that a FakeRecovery makes. When the core releases them, they are freed. */
typedef struct
{
  struct _FakeRecovery *recovery; /* (borrowed) */
  SatinLook self;                 /* what they know of the job itself */
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
  guint n_hints;     /* that are not freed yet */
  SatinNodeId thief; /* of the job that was lost last */
  gint64 away_us;
  guint n_queued;
  /* orphans */
  guint n_orphans, n_over, n_gone;
  guint64 import_id; /* of the last orphan */
  SatinJobRef ref;
  SatinLineage lineage; /* (owned) */
  GBytes *path;         /* (owned) (nullable) */
  gboolean is_over;     /* whether that orphan had ended when it was announced */
  gsize n_bytes;        /* of the result of the orphan that was reported last */
  GArray *drop;         /* (owned) of guint64: imports to drop when the next orphan is announced */
  /* for a part that wants results */
  guint n_told, n_saved, n_described;
  SatinJobRef told_ref, told_under; /* of the last job that ended: its name, its parent's */
  gint32 told_levels;
  gint32 n_levels; /* of the last lost job that was described */
  /* for a part that stores results */
  guint n_finished, n_walked, n_walked_last, n_fetched;
  guint64 fetch_import_id; /* of the last fetch */
  gboolean has_stored;     /* results of jobs that are no orphans are stored */
  gint32 finished;         /* the result that was reported last */
} FakeRecovery;

void fake_recovery_init (FakeRecovery *self);
/* Makes @self a part that wants the results of jobs. */
void fake_recovery_want_results (FakeRecovery *self);
/* Makes @self a part that stores results. */
void fake_recovery_store_results (FakeRecovery *self);
/* Checks that all hints were freed. */
void fake_recovery_clear (FakeRecovery *self);
FakeHints *fake_recovery_make_hints (FakeRecovery *self);
