/* losses.h - what stealing needs of the room "losses", which acts when nodes crash or leave
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "steal.h"
#include "tables/exports.h"
#include "tables/imports.h"

typedef struct _StealLosses StealLosses;

StealLosses *steal_losses_new (void);
/* Puts the lost jobs that wait back into the queue, and detaches the part that recovers. */
void steal_losses_free (Steal *self);
void steal_losses_figures (const Steal *self, SatinFigureFunc add, gpointer user_data);

/* lineage.c */
GBytes *steal_lineage_new (gboolean is_rooted);
GBytes *steal_lineage_below (const Steal *self, guint64 import_id, guint *ret_n_far);

/* lost-jobs.c */
void steal_lose (Steal *self, const Export *exported, guint index);
/* Drops the job with @handle from the lost jobs that wait, if it was aborted. */
void steal_drop_lost (Steal *self, gpointer handle);
/* Drops all aborted jobs below the imported job @import_id from the lost jobs that wait. */
void steal_drop_lost_under (Steal *self, guint64 import_id);
void steal_orphan_import (Steal *self, Import *import);
void steal_orphan_over (Steal *self, Import *import);
void steal_holder_met (Steal *self, SatinNodeId id);
void steal_on_adopt (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_lineage (Steal *self, SatinNodeId from, gconstpointer data);

/* leaving.c */
/* @hints: (nullable): the hints that this node has of the job. */
void steal_send_back (Steal *self, const Import *import, gpointer hints);
void steal_return_jobs (Steal *self, SatinNodeId from, const StealJobsMessage *message);
/* Returns the imported jobs that did not end here, if this node leaves and has handed over its
 * results. */
void steal_let_go (Steal *self);
gboolean steal_is_saving (const Steal *self);
/* Whether this node leaves and its workers are still reporting their finished jobs. */
gboolean steal_is_gathering (const Steal *self);

/* taking-over.c */
void steal_on_keep (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_returned (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_orphaned (Steal *self, SatinNodeId from, gconstpointer data);

/* kept-results.c */
void steal_tell_ended (Steal *self, const Import *import, GBytes *result);

/* backups.c */
SatinNodeId steal_find_backup_recipient (Steal *self, SatinNodeId owner);
void steal_master_changed (Steal *self);

/* suspects.c */
gboolean steal_give_up (Steal *self, Export *exported, guint index, int signal_number);
/* Suspects the imported job @under and all jobs below it; 0: the root job. */
void steal_suspect_all (Steal *self, guint64 under, guint n_crashes);
/* Counts the nodes that crashed while they had the job at @path (nullable) below @under, or a job
 * above it. */
guint steal_count_crashes (const Steal *self, guint64 under, GBytes *path);
guint steal_count_crashes_of_import (const Steal *self, const Import *import);
void steal_on_running (Steal *self, SatinNodeId from, gconstpointer data);
