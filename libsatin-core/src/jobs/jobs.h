/* jobs.h - the workers as stealing between nodes sees them
 *
 * Crosses between the loop's thread and the workers: what happens on a worker is
 * posted to the loop, at most once until the loop has looked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"
#include "stealing/steal.h"

typedef struct _Jobs Jobs;
typedef struct _JobsSaving JobsSaving;
typedef struct _JobsBackups JobsBackups;

extern const StealJobs jobs_ops;

/* Before any work comes. @workers and @loop are borrowed. */
Jobs *jobs_new (SatinWorkers *workers, SatinLoop *loop);
/* Who hears of idle workers and public jobs; from here on. Threads: the loop's. */
void jobs_connect (Jobs *self, Steal *steal);
/* What stealing calls a job of another node. */
guint64 jobs_get_import_id (const Job *job);
/* When the workers were freed, or when nothing runs on them. */
void jobs_free (Jobs *self);

/* travel.c */
GBytes *jobs_encode_args (const SatinTask *task, gconstpointer args, GError **error);
GBytes *jobs_encode_result (const SatinTask *task, gconstpointer result, GError **error);

/* save.c: what the workers have finished, of which @funcs are told on the loop until it is
 * freed; @is_end: and stops them for good. */
JobsSaving *jobs_saving_new (SatinWorkers *pool, SatinLoop *loop, gboolean is_end,
                             SatinFinishedFilter *filter, const StealSavingFuncs *funcs,
                             gpointer user_data);
void jobs_saving_disconnect (JobsSaving *self);
void jobs_saving_free (JobsSaving *self);

/* An array of StealSaved that clears them, and one of a finished child but for @under. */
GArray *jobs_saved_new (void);
gboolean jobs_saved_fill (StealSaved *self, SatinSlot *slot, const SatinTask *task,
                          gconstpointer result, const GByteArray *path);

/* root-backup.c: what the root's frame has finished. @func: on the loop; what it is shown is valid
 * during the call. What was done in less than @min_us without other nodes is left out. */
typedef void (*JobsBackupsFunc) (const StealSaved *backups, guint n, gpointer user_data);
JobsBackups *jobs_backups_new (SatinWorkers *pool, SatinLoop *loop, gint64 min_us,
                               JobsBackupsFunc func, gpointer user_data);
void jobs_backups_begin (JobsBackups *self);
void jobs_backups_note (JobsBackups *self, SatinSlot *base, SatinSlot *head);
void jobs_backups_hand_over (JobsBackups *self);
void jobs_backups_free (JobsBackups *self);
