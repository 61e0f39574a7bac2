/* filter.h - what a filter plugin provides: it stands before a storage and changes what passes
 *
 * A URI names its filters before the storage's scheme. "delay+fault+file:/path" is the storage
 * file, with the filter fault before it and the filter delay before fault. The user of the storage
 * does not notice them. An operation comes to the outermost filter first. Each filter decides
 * whether it passes the operation on: to the next filter, or at last to the storage.
 *
 * A filter keeps the contract of a storage (satin/ft/storage.h), or breaks it on purpose, as the
 * filter fault does. It may leave out every operation that it does not change.
 *
 * Threads: as for a storage: the operations of one handle are called one at a time
 * (SATIN_THREAD_ONE), but interrupt from any thread at any time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/* The most filters in one URI. */
#define SATIN_FILTER_MAX 8

/**
 * SatinFilterOps:
 * @open: returns a handle on the filter, or %NULL with @error when @params are wrong. @next is open
 *   and stays open until close() has returned
 * @close: frees the handle; @next is closed afterwards
 * @can: (nullable) (type SatinStorageCan): returns the abilities of @next that remain; constant
 * @append: (nullable)
 * @sync: (nullable)
 * @read: (nullable)
 * @list: (nullable)
 * @replace: (nullable)
 * @remove: (nullable)
 * @interrupt: (nullable): may be called from any thread, at any time between open and close. An
 *   operation that waits in this filter soon fails with %SATIN_ERROR_TIMEOUT. The host interrupts
 *   @next afterwards
 *
 * The operations of a plugin of kind "filter". The operations from @append to @remove take the
 * filter's handle and @next (borrowed), and then the arguments of SatinStorageOps. They call the
 * next storage as next->ops.append (next->handle, ...). When an operation is %NULL, the call goes
 * to @next unchanged.
 *
 * An interrupt reaches every filter and the storage, and ends one operation. A filter or storage
 * that was not waiting may fail one later operation with %SATIN_ERROR_TIMEOUT.
 */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const SatinStorage *next, const SatinParams *params, GError **error);
  void (*close) (gpointer filter);
  guint (*can) (gpointer filter, const SatinStorage *next);
  gboolean (*append) (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
                      const guint8 *bytes, gsize n_bytes, GError **error);
  gboolean (*sync) (gpointer filter, const SatinStorage *next, const char *name, GError **error);
  gboolean (*read) (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
                    guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes, GError **error);
  gboolean (*list) (gpointer filter, const SatinStorage *next, SatinStorageEntryFunc func,
                    gpointer user_data, GError **error);
  gboolean (*replace) (gpointer filter, const SatinStorage *next, const char *from, const char *to,
                       GError **error);
  gboolean (*remove) (gpointer filter, const SatinStorage *next, const char *name, GError **error);
  void (*interrupt) (gpointer filter);
} SatinFilterOps;

/* The operations that a filter must have. The host checks them before it calls any of them. */
static const SatinRequired satin_filter_required[] = { SATIN_REQUIRED (SatinFilterOps, open),
                                                       SATIN_REQUIRED (SatinFilterOps, close),
                                                       { NULL, 0 } };

/**
 * satin_filter_wrap:
 * @next: (transfer full): an open storage
 * @filter: a plugin of kind "filter"
 * @params: (transfer none): parameters for open, parsed by the plugin's table
 * @error: the error of the filter's open, or %SATIN_ERROR_INVALID when it lacks an operation
 *
 * Puts a filter before a storage, as satin_storage_open() does for a URI that names a filter.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a storage; free with satin_storage_close(), which closes the
 *   filter, then @next. %NULL with @error, and @next is closed
 */
SATIN_API SatinStorage *satin_filter_wrap (SatinStorage *next, const SatinPlugin *filter,
                                           const SatinParams *params, GError **error);

G_END_DECLS
