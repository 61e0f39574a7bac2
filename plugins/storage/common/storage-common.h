/* storage-common.h - checks of names, lengths and room, for storages outside this process
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
    "most bytes that all files of the folder may have, checked at each append; 0 for no bound" }
/* clang-format on */

/* Returns: %FALSE with %SATIN_ERROR_INVALID when @name is not a valid name of a file */
gboolean storage_check_name (const char *name, GError **error);
/* @where: the folder, for messages. @length: the length of the file. Returns: %FALSE with
 * %SATIN_ERROR_INVALID when @length is not @offset */
gboolean storage_check_length (const char *where, const char *name, guint64 length, guint64 offset,
                               GError **error);
/* Checks the capacity of a folder. @list: the storage's list operation. @capacity_bytes: 0 for
 * no bound. Returns: %FALSE with %SATIN_ERROR_LIMIT when all files and @n_bytes more would
 * exceed the capacity; %FALSE with the error of @list when that fails */
gboolean storage_check_room (gpointer storage,
                             gboolean (*list) (gpointer storage, SatinStorageEntryFunc func,
                                               gpointer user_data, GError **error),
                             const char *where, guint64 capacity_bytes, gsize n_bytes,
                             GError **error);
