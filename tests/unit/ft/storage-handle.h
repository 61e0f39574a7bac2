/* storage-handle.h - a handle on a storage plugin, for the tests of what one plugin does
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

/* Opens storage-@plugin. @assignments: (nullable): "key=value,..." @ret_ops: its operations. The
 * test ends when it does not open. */
gpointer storage_handle_open (const char *plugin, const char *uri, const char *assignments,
                              SatinStorageOps *ret_ops);

/* The names and sizes of the files, "NAME SIZE;...". The text is valid until the next call. */
const char *storage_handle_list (const SatinStorageOps *ops, gpointer storage);
