/* private.h - the inside of StealLosses: each file here has a state of its own
 *
 * Below the name of a file comes the struct with that file's state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stealing/private.h"

/* lost-jobs.c */
typedef struct
{
  GArray *jobs; /* (owned) of Back: lost jobs that wait, sorted by the end of their wait */
  SatinTimerId timer;
} StealBack;

/* suspects.c */
typedef struct
{
  GArray *places;     /* (owned) of Suspect, the oldest first */
  GArray *last_words; /* (owned) (nullable) of Told: what nodes that crashed have reported */
} StealSuspects;

/* backups.c */
typedef struct
{
  GPtrArray *all; /* (owned) of (owned) Import, sorted by generation; they are in no other table */
  gsize n_bytes;
  guint n_handed_out; /* number of recipients chosen so far */
} StealBackups;

/* leaving.c */
typedef struct
{
  gboolean is_saving;  /* this node leaves, and hands over its results */
  gboolean is_stopped; /* its workers have stopped */
  gboolean has_let_go; /* the imported jobs that did not end here were returned */
} StealLeave;

/* kept-results.c */
typedef struct
{
  GArray *to_save; /* (owned) of guint64: import ids of orphans whose children must be saved */
  /* (owned) (nullable) of guint64: orphans whose children the walk that runs now saves */
  GArray *asked;
} StealSaves;

/* stored-results.c */
typedef struct
{
  SatinFinishedFilter *filter; /* (owned) (nullable) the filter of the walk that runs now */
  gboolean is_last;            /* the workers stop after this walk */
} StealWalk;

struct _StealLosses
{
  StealBack back;
  StealSuspects suspects;
  StealBackups backups;
  StealLeave leave;
  StealSaves saves;
  StealWalk walk;
  gint64 n_restarted, n_orphans, n_adopted, n_vain, n_kept, n_backups;
};

/* lineage.c */
GBytes *steal_lineage_add (GBytes *lineage, SatinNodeId owner, const StealName *name, GBytes *path);

/* lost-jobs.c */
void steal_back_init (StealBack *self);
void steal_back_free (Steal *self);

/* leaving.c */
StealKept steal_name_saved (Steal *self, const StealSaved *saved, GBytes *lineage, gint32 index);
void steal_save_import (Steal *self, const Import *import);

/* kept-results.c */
void steal_saves_init (StealSaves *self);
void steal_saves_free (StealSaves *self);
gpointer steal_tell_lost (Steal *self, gpointer handle, SatinLost *lost);
void steal_save_orphan (Steal *self, guint64 import_id);

/* stored-results.c */
void steal_tell_saved (Steal *self, SatinFinishedWhy why, const StealSaved *saved, GBytes *lineage);
void steal_walk (Steal *self, gboolean is_end, SatinFinishedFilter *filter);
gboolean steal_fetch (Steal *self, SatinNodeId from, const StealAdopt *adopt);
void steal_fetched (Steal *self, guint64 import_id, GBytes *result);
void steal_end_walk (Steal *self);

/* backups.c */
void steal_backups_init (StealBackups *self);
void steal_backups_free (StealBackups *self);
gboolean steal_is_backup (const Steal *self, const StealKept *kept);
/* @backup: (transfer full) */
void steal_add_backup (Steal *self, Import *backup);
void steal_pass_on_backups (Steal *self);

/* suspects.c */
void steal_suspects_init (StealSuspects *self);
void steal_suspects_free (StealSuspects *self);
