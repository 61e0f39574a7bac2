/* storage-handle.h - opens a storage plugin directly, for tests of that plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

/* Opens storage-@plugin; the test fails when that fails. @assignments: (nullable): "key=value,...".
 * @ret_ops: its operations */
gpointer storage_handle_open (const char *plugin, const char *uri, const char *assignments,
                              SatinStorageOps *ret_ops);

/* Returns: names and sizes of the files, "NAME SIZE;...", valid until the next call */
const char *storage_handle_list (const SatinStorageOps *ops, gpointer storage);
