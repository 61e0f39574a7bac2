/* storage-common.h - what storages outside this process share: interrupts, calls that fail on
 * demand
 *
 * A *call* is whatever may fail in a storage's world: a system call, a request to a server. The
 * parameters let the suite of the rules (satin conformance) choose one.
 *
 * Threads: one at a time for a handle's calls, but storage_calls_interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

/* clang-format off */
#define STORAGE_CALL_PARAMS \
  { "fail-call", SATIN_PARAM_INT, "0", \
    "for tests: which call of this handle fails, once, counted from 1; 0 for none" }, \
  { "hang-call", SATIN_PARAM_INT, "0", \
    "for tests: which call hangs until it is interrupted; 0 for none" }, \
  { "crash-call", SATIN_PARAM_INT, "0", \
    "for tests: in which call this handle's process dies, before or after the call's work is done; " \
    "it and all later ones fail; 0 for none" }, \
  { "seed", SATIN_PARAM_INT, "1", "for tests: before when it is even, after when it is odd" }

#define STORAGE_CAPACITY_PARAM \
  { "capacity", SATIN_PARAM_SIZE, "0", \
    "bytes that all files of the folder may have, looked at when this handle appends; 0 for no " \
    "bound" }
/* clang-format on */

typedef struct _StorageCalls StorageCalls;

/* @where: what messages name. Returns: (transfer full) (nullable): %NULL with @error when the
 * process has no descriptor left */
StorageCalls *storage_calls_new (const SatinParams *params, const char *where, GError **error);
void storage_calls_free (StorageCalls *self);

/* Calls count from now on: the storage is open. */
void storage_calls_arm (StorageCalls *self);

/* From any thread: the running operation is to fail, or else the next one. */
void storage_calls_interrupt (StorageCalls *self);
/* Can be read when it was interrupted; for poll, and for nothing else. */
int storage_calls_get_fd (const StorageCalls *self);
/* Returns: %FALSE with %SATIN_ERROR_TIMEOUT when it was interrupted, once for each time */
gboolean storage_calls_check (StorageCalls *self, GError **error);

/* Counts a call. Returns: %FALSE with @error when it is to fail, or was interrupted */
gboolean storage_calls_begin (StorageCalls *self, const char *what, GError **error);
/* When the call's work is done. Returns: %FALSE with @error when the process dies now */
gboolean storage_calls_end (StorageCalls *self, const char *what, GError **error);

/* Returns: %FALSE with %SATIN_ERROR_INVALID when @name cannot name a file */
gboolean storage_check_name (const char *name, GError **error);
/* @length: of the file. Returns: %FALSE with %SATIN_ERROR_INVALID when it is not @offset */
gboolean storage_check_length (const char *where, const char *name, guint64 length, guint64 offset,
                               GError **error);
/* @list: the storage's own operation. @capacity_bytes: 0 for no bound. Returns: %FALSE with
 * %SATIN_ERROR_LIMIT when @n_bytes more than what all files have are too many */
gboolean storage_check_room (gpointer storage,
                             gboolean (*list) (gpointer storage, SatinStorageEntryFunc func,
                                               gpointer user_data, GError **error),
                             const char *where, guint64 capacity_bytes, gsize n_bytes,
                             GError **error);
