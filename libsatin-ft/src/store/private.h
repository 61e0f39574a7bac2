/* private.h - the inside of a checkpoint as its coordinator has it
 *
 *   store.c             reading, writing, listing, removing
 *   trial.c       how long a write takes
 *   compact.c  fewer and smaller logs
 *   remove.c      the end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store.h"

#include "log/private.h"

struct _Store
{
  WriterThread *writer_thread;      /* (borrowed) */
  const SatinThreadOps *thread_ops; /* (borrowed) */
  char *uri;                        /* (owned) */
  char *params;                     /* (owned) (nullable) */
  gboolean is_anyway;               /* what is there may be of another build, and of other inputs */
  gboolean has_head;
  SatinCheckpointHead head;              /* (owned) */
  SatinCheckpointIndex *index;           /* (owned) (nullable) until it was read */
  SatinCheckpointWriter *writer;         /* (owned) (nullable) none, or what it wrote to failed */
  SatinCheckpointCompaction *compaction; /* (owned) (nullable) under way */
  GHashTable *sizes;                     /* (owned) name of a log to (owned) bytes that were read */
  guint64 last_number;                   /* of a log */
  guint64 old_log_bytes;                 /* of logs that the writer has not written */
  guint n_old_logs;
  guint n_damaged;
  guint64 n_damaged_bytes;
};

/* Returns: (transfer none) (nullable): the open storage; NULL with @error */
SatinStorage *store_get_storage (Store *self, GError **error);
/* The storage has failed. Returns: %FALSE */
gboolean store_give_up (Store *self);
/* Also learns the last number of a log. @ret_n_bytes: of all logs */
gboolean store_count_logs (Store *self, SatinStorage *storage, guint64 *ret_n_bytes,
                           GError **error);
/* What is behind these sizes was not read. */
gboolean store_note_sizes (Store *self, SatinStorage *storage, GError **error);
gboolean store_ensure_writer (Store *self, GError **error);
/* Its logs are as others' from now on. */
void store_drop_writer (Store *self);
/* Nodes that were lost in their trials have left them. */
gboolean store_remove_trials (SatinStorage *storage, GError **error);
/* Whether a log is of this run, and of a later term than @term. */
gboolean store_is_later (Store *self, SatinStorage *storage, const SatinCheckpointLog *log,
                         gint64 term, gboolean *ret_is_later, GError **error);
