/* coordinator.h - the state of a coordinator, and the functions that its sources share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store/store.h"
#include "checkpoint.h"

typedef struct _Holding Holding;

/* A STORE that waits to be written. */
typedef struct
{
  SatinNodeId from;
  gint64 stored_us;             /* when it came, wall clock */
  CheckpointStoreMessage store; /* (owned) */
  gsize n_bytes;
} Pending;

struct _Coordinator
{
  CheckpointClient *client;    /* (borrowed) */
  WriterThread *writer_thread; /* (owned) */
  Store *store;                /* (owned) belongs to the writer thread */
  Holding *holding;            /* (owned) (nullable): has the folder's lease; made at BE */
  gboolean is_opening;
  gboolean is_open;
  guint opening; /* the client's n_openings: a part of results' names, because each store counts
                    from 1 */
  SatinNodeId master;
  gint64 number; /* the number of the election that this node won */
  SatinTimerId reading_timer;
  GQueue pending; /* of (owned) Pending, the oldest first */
  gsize pending_bytes;
  gboolean is_writing;
  SatinTimerId retry_timer;
  gint64 retry_us;
  GError *trial_error; /* (owned) (nullable): why the timed write failed */
  gboolean has_warned;
  gboolean is_full;
  gboolean is_lost;     /* atomic: another run has taken the folder */
  gboolean is_removing; /* the run is over, nothing is written any more */
  gboolean is_compacting;
  gint64 compact_us;  /* no compaction begins before this time */
  guint64 left_bytes; /* size of the checkpoint after the last compaction */
  guint n_left_logs;  /* number of logs after the last compaction */
  GArray *fetching;   /* (owned) of guint64: import ids of results that are being read */
  GArray *inputs; /* (owned) of SatinCheckpointInput: of this run; once open, also of all logs */
  StoreFigures figures;
  guint n_ending;     /* threads that have not ended yet */
  SatinLoopFunc over; /* (nullable): runs when all threads have ended */
  gpointer over_data; /* (borrowed) */
  gint64 n_compactions;
  gint64 n_found_bytes; /* size of the logs that were there at the beginning */
  gint64 n_told;        /* stored results that were announced, because no node has them any more */
  gint64 n_too_large, n_fetched, n_fetched_bytes, n_writes, n_failed;
};

/* The arguments and results of a task of the writer thread. Each kind of task uses some fields. */
typedef struct
{
  WriterTask task; /* must be the first field */
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
  gboolean is_over; /* compaction: it is over; list: results of other runs are wanted too; objects:
                       READY follows the last one */
  gboolean has_object;
  SatinCheckpointObject object; /* (owned) */
  guint n_damaged;
  StoreFigures figures;
  GError *error; /* (owned) (nullable) */
} CoordinatorTask;

/* coordinator.c */
CoordinatorTask *coordinator_task_new (Coordinator *self, void (*work) (WriterTask *),
                                       void (*done) (WriterTask *));
/* Gives @task (transfer full) to the writer thread. */
void coordinator_do (Coordinator *self, CoordinatorTask *task);

/* Sends READY to the master, on the loop: all is read and announced. */
void coordinator_ready_soon (Coordinator *self);
/* Tells the master once a second that this node is still reading, until coordinator_ready_soon() is
 * called. */
void coordinator_is_reading (Coordinator *self);

/* results.c: announces the results in @entries that no node has any more.
 * @entries: (element-type StoreEntry) */
void coordinator_tell_of_entries (Coordinator *self, const GArray *entries);

/* objects.c: sends all objects to the master, and then READY. Returns: FALSE when there are no
 * objects; then nothing is sent */
gboolean coordinator_tell_objects_first (Coordinator *self);

/* writing.c */
void coordinator_pending_free (gpointer data);
void coordinator_write_pending (Coordinator *self);
/* Answers all STOREs that wait that another run has taken the folder. */
void coordinator_refuse_pending (Coordinator *self);

/* compaction.c: begins a compaction if one is needed; call this function after a write */
void coordinator_compact_if_large (Coordinator *self);

/* lease.c */
/* Begins to acquire the lease of the folder, and then renews it. */
Holding *holding_new (Coordinator *coordinator);
/* Stops renewing. @over: runs on the loop when the lease's thread has ended. Returns: FALSE when
 * there is no thread, so that @over does not run */
gboolean holding_end (Holding *self, SatinLoopFunc over, gpointer user_data);
/* Frees @self, after holding_end(). Returns: FALSE when the lease's thread hangs. Then nothing that
 * the thread uses is freed */
gboolean holding_free (Holding *self, gint64 timeout_us);
/* coordinator.c: reads the logs, because the lease was acquired; or gives up, because of @error
 * (nullable). */
void coordinator_folder_is_ours (Coordinator *self, const GError *error);
/* Stores nothing more, because another run has taken the folder. */
void coordinator_folder_is_lost (Coordinator *self, const GError *error);
/* Whether no other run has taken the folder. A task that changes the folder asks this first. Runs
 * on any thread. Returns: %FALSE with @error */
gboolean coordinator_has_folder (Coordinator *self, GError **error);
