/* storage-common.h - the checks of names, lengths and room that storages share
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "interrupt.h"

#include <satin/ft/storage.h>

/* clang-format off */
#define STORAGE_CAPACITY_PARAM \
  { "capacity", SATIN_PARAM_SIZE, "0", \
    "bytes that all files of the folder may have, looked at when this handle appends; 0 for no " \
    "bound" }
/* clang-format on */

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
