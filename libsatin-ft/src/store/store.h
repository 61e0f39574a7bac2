/* store.h - the coordinator's checkpoint: blocking calls for the writer thread
 *
 * A storage that has failed is closed, and the next call opens it again. Records that were written
 * before still count: the index stays, and later records go into a new log.
 *
 * Threads: the writer thread's. Functions that must be called before all others, and store_free(),
 * are called on the loop while the writer thread has no task of the store.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint-program.h>
#include <satin/ft/folder-lease.h>

#include "writer-thread.h"

typedef struct _Store Store;

/* A result or an object to be stored: either @stored or @object is set. */
typedef struct
{
  const SatinCheckpointStored *stored; /* (nullable) */
  const SatinCheckpointObject *object; /* (nullable) */
  const guint8 *bytes;                 /* (nullable): the result or the state, encoded */
  gsize n_bytes;
} StoreItem;

/* The contents of the checkpoint. */
typedef struct
{
  guint n_results; /* results that count */
  guint n_objects; /* objects that count */
  guint64 result_bytes;
  guint64 log_bytes; /* approximate */
  guint n_logs;
  guint n_damaged;
  guint64 n_damaged_bytes;
  SatinCheckpointConversion conversion; /* its reason is (borrowed), until store_read() */
} StoreFigures;

/* A result that counts, with all that is needed to announce it. */
typedef struct
{
  guint64 number;
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  SatinNodeId node; /* the node that had it; 0: it is from another run */
  GBytes *lineage;  /* (owned) (nullable) */
  GBytes *path;     /* (owned) */
} StoreEntry;

/* @writer_thread, @thread_ops: borrowed. */
Store *store_new (WriterThread *writer_thread, const SatinThreadOps *thread_ops, const char *uri,
                  const char *params);
/* With %TRUE, logs of another build or with other inputs are read too. Call this function before
 * all others of the store. */
void store_take_any (Store *self, gboolean is_anyway);
/* With %TRUE, store_read() first carries the results of earlier builds with other tasks over. Call
 * this function before all others of the store. */
void store_convert (Store *self, gboolean is_converting);
/* The tasks of the program, for new logs and to compare logs with. @tasks: copied. Call this
 * function before all others of the store. */
void store_set_tasks (Store *self, const SatinTaskTable *tasks);
/* Frees the store. No task that uses it may be running. */
void store_free (Store *self);

/**
 * store_time:
 * @ret_write_us: (out): how long a small write took
 * @ret_log_bytes: (out): size of the logs, 0 when they cannot be listed; set on failure too
 *
 * Times a small write to the storage.
 *
 * Returns: FALSE with @error when this node cannot write
 */
gboolean store_time (Store *self, SatinNodeId node, gint64 *ret_write_us, gint64 *ret_log_bytes,
                     GError **error);
/* Like satin_folder_lease_acquire(), with the store's storage. */
gboolean store_acquire (Store *self, SatinFolderLease *lease, gint64 now_us, gboolean *ret_is_ours,
                        GError **error);
/* Reads all logs. Errors are those of satin_checkpoint_read_for() and of opening the storage; with
 * store_convert() also those of satin_checkpoint_convert(). */
gboolean store_read (Store *self, const SatinCheckpointHead *head, GError **error);
/* The inputs of this run and, after store_read(), of all logs. A name may occur more than once.
 * Returns: (transfer full) (element-type SatinCheckpointInput) */
GArray *store_list_inputs (Store *self);
/* Adds inputs to the HEADs of logs that begin from now on, in place of inputs with the same name.
 */
void store_name_inputs (Store *self, const SatinCheckpointInput *inputs, gsize n);
/* Writes and syncs @items. They are safe when it returns TRUE. @n_too_large: (inout): raised by the
 * number of items that are too large for a checkpoint or the storage, and were left out */
gboolean store_write (Store *self, const StoreItem *items, guint n, gint64 *n_too_large,
                      GError **error);
/* Reads a result, or the state of an object. If it is damaged, removes it from the index. Returns:
 * (nullable): %NULL with @error */
GBytes *store_fetch (Store *self, guint64 number, GError **error);
/**
 * store_next_object:
 * @after: the id of the object before; 0 for the first object
 * @ret_object: (out): the caller clears it
 * @ret_state: (out) (transfer full) (nullable): encoded
 * @n_damaged: (inout): raised by the number of damaged objects, which are left out
 *
 * Reads the object with the next higher id.
 *
 * Returns: %FALSE when there is no further object, or with @error
 */
gboolean store_next_object (Store *self, gint64 after, SatinCheckpointObject *ret_object,
                            GBytes **ret_state, guint *n_damaged, GError **error);
/* Lists the results that @node had; with @node 0, the results of all nodes of this run. With
 * @with_earlier also lists results of other runs. Returns: (transfer full) (element-type
 * StoreEntry) */
GArray *store_list (Store *self, SatinNodeId node, gboolean with_earlier);
/* Lists the node of each log in the folder. Returns: (transfer full) (element-type SatinNodeId)
 * (nullable): %NULL with @error */
GArray *store_list_writers (Store *self, GError **error);

/**
 * store_compact:
 * @writers: (element-type SatinNodeId): the nodes whose logs of this run may be replaced: nodes
 * that do not write any more, and this node
 * @ret_is_over: (out): the compaction is over
 *
 * Does one step of a compaction, and begins one if none is running. store_write() may be called
 * between the steps. After an error, the next call begins a new compaction.
 *
 * Returns: FALSE with @error
 */
gboolean store_compact (Store *self, const GArray *writers, gboolean *ret_is_over, GError **error);
/* Sets the term of logs that begin from now on, if @term is higher than the present one. */
void store_set_term (Store *self, gint64 term);
/* Removes the logs of this run up to @term, logs of other runs that were there when this run read
 * the folder, logs without a HEAD, and files of trials. %SATIN_ERROR_FENCED: nothing is removed,
 * because there are logs of a later term: the network was parted, and other nodes continue the
 * run. */
gboolean store_remove (Store *self, gint64 term, GError **error);
StoreFigures store_get_figures (const Store *self);
