/* store.h - a checkpoint as its coordinator has it: what blocks, for the writer thread
 *
 * A storage that failed is closed, and opened again with the next call. What was written before
 * counts all the same: the index stays, and what follows goes into a new log.
 *
 * Threads: the writer thread's for everything but store_new().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint.h>
#include <satin/ft/lease.h>

#include "writer-thread.h"

typedef struct _Store Store;

/* A result to be stored, or an object. */
typedef struct
{
  const SatinCheckpointResult *result; /* (nullable) one of the two is */
  const SatinCheckpointObject *object; /* (nullable) */
  const guint8 *bytes;                 /* (nullable) encoded */
  gsize n_bytes;
} StoreItem;

/* What is in it. */
typedef struct
{
  guint n_results; /* that count */
  guint n_objects; /* likewise */
  guint64 result_bytes;
  guint64 log_bytes; /* about */
  guint n_logs;
  guint n_damaged;
  guint64 n_damaged_bytes;
} StoreFigures;

/* A result that counts, for who tells others of it. */
typedef struct
{
  guint64 number;
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  SatinNodeId node; /* 0: of another run */
  GBytes *lineage;  /* (owned) (nullable) */
  GBytes *path;     /* (owned) */
} StoreEntry;

/* @writer thread, @thread_ops: borrowed. */
Store *store_new (WriterThread *writer_thread, const SatinThreadOps *thread_ops, const char *uri,
                  const char *params);
/* Logs of another build, or with other inputs, are read all the same. Before anything else. */
void store_take_any (Store *self, gboolean is_anyway);
/* When no task of it runs. */
void store_free (Store *self);

/**
 * store_time:
 * @ret_write_us: (out): how long a small write took
 * @ret_log_bytes: (out): how much is there, 0 when that cannot be read; also on failure
 *
 * Tries whether this node can write there.
 *
 * Returns: FALSE with @error
 */
gboolean store_time (Store *self, SatinNodeId node, gint64 *ret_write_us, gint64 *ret_log_bytes,
                     GError **error);
/* As satin_lease_acquire(). */
gboolean store_acquire (Store *self, SatinLease *lease, gint64 now_us, gboolean *ret_is_ours,
                        GError **error);
/* Reads what there is; errors as of satin_checkpoint_read(). */
gboolean store_read (Store *self, const SatinCheckpointHead *head, GError **error);
/* The inputs of what is there and of this run, once it was read: of some names there may be more
 * than one. Returns: (transfer full) (element-type SatinCheckpointInput) */
GArray *store_list_inputs (Store *self);
/* What is written from now on was made with these, too. */
void store_name_inputs (Store *self, const SatinCheckpointInput *inputs, gsize n);
/* When it returns TRUE all @items are safe. @ret_n_too_large: (inout): so many more that no storage
 * takes were left out. */
gboolean store_write (Store *self, const StoreItem *items, guint n, gint64 *n_too_large,
                      GError **error);
/* Returns: (nullable): %NULL with @error; a result that is damaged is forgotten */
GBytes *store_fetch (Store *self, guint64 number, GError **error);
/**
 * store_next_object:
 * @after: its id; 0: the first one is wanted
 * @ret_object: (out): clear it
 * @ret_state: (out) (transfer full) (nullable): encoded
 * @ret_n_damaged: (inout): so many more on the way are damaged, and forgotten
 *
 * Reads the next object.
 *
 * Returns: %FALSE when there is none any more, or with @error
 */
gboolean store_next_object (Store *self, gint64 after, SatinCheckpointObject *ret_object,
                            GBytes **ret_state, guint *n_damaged, GError **error);
/* Results that were kept on @node, 0: any; and @with_earlier those of other runs. Returns:
 * (transfer full) (element-type StoreEntry) */
GArray *store_list (Store *self, SatinNodeId node, gboolean with_earlier);
/* Who has written the logs there are. Returns: (transfer full) (element-type SatinNodeId)
 * (nullable): %NULL with @error */
GArray *store_list_writers (Store *self, GError **error);

/**
 * store_compact:
 * @writers: (element-type SatinNodeId): whose logs may be replaced, as they do not write any more
 * @ret_is_over: (out): nothing is left to do
 *
 * One step of making it smaller; what is to be written may be written in between. After an error it
 * begins anew.
 *
 * Returns: FALSE with @error
 */
gboolean store_compact (Store *self, const GArray *writers, gboolean *ret_is_over, GError **error);
/* What is written from now on is of that master's term. */
void store_set_term (Store *self, gint64 term);
/* Removes the logs of this run, up to @term, and those of other runs that were there when it began.
 * %SATIN_ERROR_FENCED: nothing is removed, as logs of a later term are there: the network was
 * parted, and others go on with the run. */
gboolean store_remove (Store *self, gint64 term, GError **error);
StoreFigures store_get_figures (const Store *self);
