/* jobs.h - the workers as stealing between nodes sees them
 *
 * An event on a worker is posted to the loop's thread. An event of most kinds is not posted again
 * before the loop has handled the first one.
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

/* Call it before any job comes. @workers and @loop are borrowed. */
Jobs *jobs_new (SatinWorkers *workers, SatinLoop *loop);
/* From now on @steal hears of idle workers and public jobs; %NULL: nobody does. Threads: the
 * loop's. */
void jobs_connect (Jobs *self, Steal *steal);
/* Returns: the import id of an imported job */
guint64 jobs_get_import_id (const Job *job);
/* Like jobs_get_import_id(), for a pointer that may be anything. Returns: 0 when it points to no
 * imported job. Threads: the loop's. Cost: O(imported jobs) */
guint64 jobs_find_import_id (const Jobs *self, const Job *job);
/* When a worker began an imported job, on the clock of the workers; 0: none has. Threads: the
 * loop's */
gint64 jobs_get_begun_us (const Jobs *self, guint64 import_id);
/* Call it when the workers were freed, or when nothing runs on them. */
void jobs_free (Jobs *self);

/* encoding.c */
GBytes *jobs_encode_args (const SatinTask *task, gconstpointer args, GError **error);
GBytes *jobs_encode_result (const SatinTask *task, gconstpointer result, GError **error);

/* save.c: reports the finished jobs of the workers to @funcs, on the loop, until the result of this
 * call is freed. If @is_end, the workers stop for good. */
JobsSaving *jobs_saving_new (SatinWorkers *pool, SatinLoop *loop, gboolean is_end,
                             SatinFinishedFilter *filter, const StealSavingFuncs *funcs,
                             gpointer user_data);
void jobs_saving_disconnect (JobsSaving *self);
void jobs_saving_free (JobsSaving *self);

/* Returns: (transfer full): an empty array of StealSaved that clears its elements */
GArray *jobs_saved_new (void);
/* Fills in all fields but @under. */
gboolean jobs_saved_fill (StealSaved *self, SatinSlot *slot, const SatinTask *task,
                          gconstpointer result, const GByteArray *path);

/* root-backup.c: reports what the root's frame has finished. @func: called on the loop; its array
 * is valid during the call. A sync that took less than @min_us and exported no job is left out. */
typedef void (*JobsBackupsFunc) (const StealSaved *backups, guint n, gpointer user_data);
JobsBackups *jobs_backups_new (SatinWorkers *pool, SatinLoop *loop, gint64 min_us,
                               JobsBackupsFunc func, gpointer user_data);
void jobs_backups_begin (JobsBackups *self);
void jobs_backups_note (JobsBackups *self, SatinSlot *base, SatinSlot *head);
void jobs_backups_hand_over (JobsBackups *self);
void jobs_backups_free (JobsBackups *self);
