/* coordinator.h - what the sides of a coordinator share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store/store.h"
#include "checkpoint.h"

typedef struct _Holding Holding;

/* A STORE. */
typedef struct
{
  SatinNodeId from;
  CheckpointStoreMessage store; /* (owned) */
  gsize n_bytes;
} Pending;

struct _Coordinator
{
  CheckpointClient *client;    /* (borrowed) */
  WriterThread *writer_thread; /* (owned) */
  Store *store;                /* (owned) the writer thread's */
  Holding *holding;            /* (owned) (nullable) of its folder, from when it was chosen */
  gboolean is_opening;
  gboolean is_open;
  guint opening; /* which of this node's: each numbers its results from 1 */
  SatinNodeId master;
  gint64 number; /* of the election that it won */
  SatinTimerId reading_timer;
  GQueue pending; /* of (owned) Pending, the oldest first */
  gsize pending_bytes;
  gboolean is_writing;
  SatinTimerId retry_timer;
  gint64 retry_us;
  GError *trial_error; /* (owned) (nullable) why it could not write when that was tried */
  gboolean has_warned;
  gboolean is_full;
  gboolean is_lost;     /* another run has the folder */
  gboolean is_removing; /* the run is over, nothing is written any more */
  gboolean is_compacting;
  gint64 compact_us; /* not sooner */
  GArray *fetching;  /* (owned) of guint64: import ids of results that are being read */
  GArray *inputs; /* (owned) of SatinCheckpointInput: of this run, and once it is open of all that
                     is there */
  StoreFigures figures;
  guint n_ending;     /* threads that have not ended yet */
  SatinLoopFunc over; /* (nullable) then */
  gpointer over_data; /* (borrowed) */
  gint64 n_compactions;
  gint64 n_found_bytes; /* of logs, when it began */
  gint64 n_told;        /* results that nobody else has any more, which others were told of */
  gint64 n_too_large, n_fetched, n_fetched_bytes, n_writes, n_failed;
};

/* What a task of the writer thread works on, whatever it does; each uses some of it. */
typedef struct
{
  WriterTask task; /* first */
  Coordinator *coordinator;
  SatinNodeId node;
  gint64 number;
  guint64 import_id;
  SatinCheckpointHead head; /* (owned) */
  GPtrArray *batch;         /* (owned) (nullable) of (owned) Pending */
  gint64 write_us, log_bytes, n_too_large;
  GBytes *result;   /* (owned) (nullable) */
  GArray *entries;  /* (owned) (nullable) of StoreEntry */
  GArray *writers;  /* (owned) (nullable) of SatinNodeId */
  GArray *inputs;   /* (owned) (nullable) of SatinCheckpointInput */
  gboolean is_over; /* of a compaction; of a list, whether those of other runs are in it; of
                       objects, whether READY follows the last */
  gboolean has_object;
  SatinCheckpointObject object; /* (owned) */
  guint n_damaged;
  StoreFigures figures;
  GError *error; /* (owned) (nullable) */
} CoordinatorTask;

/* coordinator.c */
CoordinatorTask *coordinator_task_new (Coordinator *self, void (*work) (WriterTask *),
                                       void (*done) (WriterTask *));
/* @task: (transfer full) */
void coordinator_do (Coordinator *self, CoordinatorTask *task);

/* The master is told that all is read, and told of. */
void coordinator_ready_soon (Coordinator *self);
/* Until then it is told that this takes time. */
void coordinator_is_reading (Coordinator *self);

/* results.c: others are told of results that no node has any more.
 * @entries: (element-type StoreEntry) */
void coordinator_tell_of_entries (Coordinator *self, const GArray *entries);

/* objects.c: all objects go to the master, and then READY. Returns: FALSE when there are
 * none
 */
gboolean coordinator_tell_objects_first (Coordinator *self);

/* writing.c */
void coordinator_pending_free (gpointer data);
void coordinator_write_pending (Coordinator *self);

/* compaction.c: after a write */
void coordinator_compact_if_large (Coordinator *self);

/* folder-lease.c: the folder is this run's alone. Begins to see to that. */
Holding *holding_new (Coordinator *coordinator);
/* Returns: FALSE when there is no thread, and @over does not come */
gboolean holding_end (Holding *self, SatinLoopFunc over, gpointer user_data);
/* After holding_end(). Returns: FALSE when its thread hangs: then it keeps all that it uses */
gboolean holding_free (Holding *self, gint64 timeout_us);
/* coordinator.c: @error: (nullable): it is not */
void coordinator_folder_is_ours (Coordinator *self, const GError *error);
/* It is no more. */
void coordinator_folder_is_lost (Coordinator *self, const GError *error);
