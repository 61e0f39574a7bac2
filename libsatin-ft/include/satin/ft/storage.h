/* storage.h - what a storage plugin provides: files that outlive every node
 *
 * A storage is a folder somewhere, named by a URI ("file:/path", "sftp://host/path"),
 * with plain files in it. Filters may stand before it ("fault+file:/path", satin/ft/filter.h).
 * Writers only append, make sure, and put a new file in the place of an old one; that is all a
 * checkpoint log needs, and what a file server, a copy over ssh and an archive can all do.
 *
 * What a storage promises:
 * - What was appended may be lost, whole or from any byte on, until sync has returned TRUE. After
 *   that it is there, unchanged, whatever happens to writer and storage.
 * - Nobody reads bytes that were never appended there: a lost end is absent, not wrong. (A reader
 *   checks all the same.)
 * - replace is atomic: whoever opens the name finds the old file or the new one, whole, also after
 *   a crash in between; once replace has returned TRUE it is the new one.
 *
 * Operations block. The host calls them on a thread of its own, one at a time for a
 * handle (SATIN_THREAD_ONE), and gives each a deadline by `interrupt`.
 *
 * Names: 1 to 100 bytes, letters, digits, '.', '-' and '_', not beginning with '.'. With
 * another name an operation fails with SATIN_ERROR_INVALID.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* What a kind of storage can do; what it cannot, the host does without. */
typedef enum
{
  SATIN_STORAGE_CAN_APPEND = 1,  /* append to a file that is there; else only whole new files */
  SATIN_STORAGE_CAN_REPLACE = 2, /* replace is atomic */
  SATIN_STORAGE_CAN_RANGE = 4,   /* read from the middle without reading what is before */
} SatinStorageCan;

/* The longest name of a file, and the most bytes of one append or read. */
#define SATIN_STORAGE_NAME_MAX  100
#define SATIN_STORAGE_BLOCK_MAX ((gsize)16 << 20)

/* One file, as list tells of it; @name is valid during the call. */
typedef void (*SatinStorageEntryFunc) (const char *name, guint64 size_bytes, gpointer user_data);

/**
 * SatinStorageOps:
 * @open: a handle on the folder at @uri, made if it is not there; %SATIN_ERROR_UNREACHABLE,
 *   %SATIN_ERROR_SECRET, %SATIN_ERROR_NOT_FOUND (a part of the path), naming the URI without its
 *   password
 * @close: the handle is gone; what was not synced may be lost
 * @can: (type SatinStorageCan): what this handle can do; constant
 * @append: adds @n_bytes, 1 to %SATIN_STORAGE_BLOCK_MAX, to the file, which must be
 *   @offset bytes long: 0 makes it. %SATIN_ERROR_INVALID when its length is another;
 *   %SATIN_ERROR_LIMIT when there is no room. After an error the length is unknown, list says it
 * @sync: all that was appended to the file is safe when this returns %TRUE
 * @read: up to @n_bytes from @offset into @buffer, 1 to %SATIN_STORAGE_BLOCK_MAX; *@ret_n_bytes is
 *   less at the end of the file only, 0 there and behind it. %SATIN_ERROR_NOT_FOUND when there is
 *   no such file
 * @list: calls @func for each file, in no order
 * @replace: gives the file @from the name @to, in place of what has it; both are safe then as by
 *   sync. %SATIN_ERROR_NOT_FOUND when @from is not there
 * @remove: %TRUE also when there is no such file
 * @interrupt: from any thread, at any time between open and close: a running operation fails soon
 *   with %SATIN_ERROR_TIMEOUT. When none runs, the next may fail so, once; the handle can be used
 *   after it
 *
 * The operations of a plugin of kind "storage".
 */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const char *uri, const SatinParams *params, GError **error);
  void (*close) (gpointer storage);
  guint (*can) (gpointer storage);
  gboolean (*append) (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                      gsize n_bytes, GError **error);
  gboolean (*sync) (gpointer storage, const char *name, GError **error);
  gboolean (*read) (gpointer storage, const char *name, guint64 offset, guint8 *buffer,
                    gsize n_bytes, gsize *ret_n_bytes, GError **error);
  gboolean (*list) (gpointer storage, SatinStorageEntryFunc func, gpointer user_data,
                    GError **error);
  gboolean (*replace) (gpointer storage, const char *from, const char *to, GError **error);
  gboolean (*remove) (gpointer storage, const char *name, GError **error);
  void (*interrupt) (gpointer storage);
} SatinStorageOps;

/* What each storage must have; the host looks when it loads the plugin. */
static const SatinRequired satin_storage_required[] = { SATIN_REQUIRED (SatinStorageOps, open),
                                                        SATIN_REQUIRED (SatinStorageOps, close),
                                                        SATIN_REQUIRED (SatinStorageOps, can),
                                                        SATIN_REQUIRED (SatinStorageOps, append),
                                                        SATIN_REQUIRED (SatinStorageOps, sync),
                                                        SATIN_REQUIRED (SatinStorageOps, read),
                                                        SATIN_REQUIRED (SatinStorageOps, list),
                                                        SATIN_REQUIRED (SatinStorageOps, replace),
                                                        SATIN_REQUIRED (SatinStorageOps, remove),
                                                        SATIN_REQUIRED (SatinStorageOps, interrupt),
                                                        { NULL, 0 } };

/* Whether @name may name a file. */
SATIN_API gboolean satin_storage_name_is_valid (const char *name);

/**
 * SatinStorage:
 * @ops: complete: what the plugin does not have is %NULL
 * @handle: (owned): what @ops are called with
 * @can: (type SatinStorageCan)
 *
 * An open storage.
 *
 * Threads: one at a time, but interrupt from any.
 */
typedef struct
{
  SatinStorageOps ops;
  gpointer handle;
  guint can;
} SatinStorage;

/**
 * satin_storage_check:
 * @uri: of a folder, with filters before it or without: "fault+file:/path"
 * @params: (nullable): "key=value,..." for the plugin that its scheme names; "FILTER.key=value" for
 *   a filter
 * @error: what is wrong with the scheme, a filter, the plugin or @params
 *
 * Whether satin_storage_open() would get as far as opening it; opens nothing.
 *
 * Threads: any.
 */
SATIN_API gboolean satin_storage_check (const char *uri, const char *params, GError **error);

/**
 * satin_storage_find_plugins:
 * @uri: as for satin_storage_check()
 * @error: what is wrong with the scheme, a filter or the plugin
 *
 * Which plugins satin_storage_open() would use. Threads: any.
 *
 * Returns: (transfer container) (nullable) (element-type SatinPlugin): the filters, the outermost
 * first, then the storage; free with g_ptr_array_unref(). %NULL with @error
 */
SATIN_API GPtrArray *satin_storage_find_plugins (const char *uri, GError **error);

/**
 * satin_storage_open_plugin:
 * @plugin: of kind "storage"
 * @uri: of a folder, without filters
 * @params: (transfer none): for its open, of the plugin's table
 * @error: as for open; %SATIN_ERROR_INVALID when the plugin lacks an operation
 *
 * Opens a folder with a plugin that the caller has found. Blocks.
 *
 * Returns: (transfer full) (nullable): %NULL with @error; free with satin_storage_close()
 */
SATIN_API SatinStorage *satin_storage_open_plugin (const SatinPlugin *plugin, const char *uri,
                                                   const SatinParams *params, GError **error);

/**
 * satin_storage_open:
 * @uri: as for satin_storage_check()
 * @params: (nullable): as for satin_storage_check()
 * @may_make: the folder is made when it is not there
 * @error: as for open, and what is wrong with a plugin or @params, naming the plugin
 *
 * Blocks. Returns: (transfer full) (nullable): %NULL with @error; free with satin_storage_close()
 */
SATIN_API SatinStorage *satin_storage_open (const char *uri, const char *params, gboolean may_make,
                                            GError **error);
/* @self: (nullable). What was not synced may be lost. */
SATIN_API void satin_storage_close (SatinStorage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinStorage, satin_storage_close)

G_END_DECLS
