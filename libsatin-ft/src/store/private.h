/* private.h - the state of the coordinator's checkpoint, and the functions that its sources share
 *
 *   store.c    reading, writing, listing
 *   trial.c    times a small write
 *   compact.c  the steps of a compaction
 *   remove.c   removes the logs at the end of the run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store.h"

#include "log/private.h"

struct _Store
{
  WriterThread *writer_thread;          /* (borrowed) */
  const SatinThreadOps *thread_ops;     /* (borrowed) */
  char *uri;                            /* (owned) */
  char *params;                         /* (owned) (nullable) */
  gboolean is_anyway;                   /* read logs of another build or with other inputs too */
  gboolean is_converting;               /* carry results of other tasks over before reading */
  SatinCheckpointConversion conversion; /* (owned): what the last conversion did */
  SatinTaskTable tasks;                 /* (owned): of the program */
  gboolean has_head;
  SatinCheckpointHead head;              /* (owned) the HEAD of the next log */
  SatinCheckpointIndex *index;           /* (owned) (nullable): %NULL until the logs were read */
  SatinCheckpointWriter *writer;         /* (owned) (nullable): %NULL: the next write makes one */
  SatinCheckpointCompaction *compaction; /* (owned) (nullable): the running compaction */
  GHashTable *sizes;                     /* (owned) from a log's name to its (owned) size when this
                                          * node last read it */
  guint64 last_number;                   /* the highest number of a log */
  guint64 old_log_bytes;                 /* size of the logs that @writer has not written */
  guint n_old_logs;
  guint n_damaged;
  guint64 n_damaged_bytes;
};

/* The run and the term in the HEAD of a log. */
typedef struct
{
  const SatinCheckpointHead *own; /* (borrowed) */
  gboolean has_head; /* FALSE: the HEAD is damaged; or the writer had no room, or ended too early */
  gboolean is_own_run;
  gint64 term; /* set when @is_own_run */
} StoreOwner;

/* Returns: (transfer none) (nullable): the storage, opened if needed; NULL with @error */
SatinStorage *store_get_storage (Store *self, GError **error);
/* Closes the storage after an error. Returns: %FALSE */
gboolean store_give_up (Store *self);
/* Lists the logs, and raises last_number. @ret_n_bytes: the size of all logs. @ret_n_logs:
 * (nullable) */
gboolean store_count_logs (Store *self, SatinStorage *storage, guint64 *ret_n_bytes,
                           guint *ret_n_logs, GError **error);
/* Notes the present size of a log that is read now. Bytes that are added later are not read. */
void store_note_size (Store *self, const SatinCheckpointLog *log);
gboolean store_ensure_writer (Store *self, GError **error);
/* Frees the writer. Its logs count as old logs from now on. */
void store_drop_writer (Store *self);
/* Removes the files of timed writes. Nodes that were lost during their trial have left them. */
gboolean store_remove_trials (SatinStorage *storage, GError **error);
/* Reads from the HEAD of @log which run has written it. */
gboolean store_read_owner (Store *self, SatinStorage *storage, const SatinCheckpointLog *log,
                           StoreOwner *ret_owner, GError **error);
