/* storage.h - what a storage plugin provides: files that outlive every node
 *
 * A storage is a folder with plain files in it. A URI names it ("file:/path", "sftp://host/path").
 * Filters may stand before it ("fault+file:/path", satin/ft/filter.h). A writer only appends to a
 * file, makes it safe, and replaces an old file by a new one. A checkpoint log needs no more, and a
 * file server, a copy over ssh and an archive can all do this.
 *
 * A storage promises:
 * - Appended bytes may be lost, all of them or from any byte on, until sync has returned TRUE.
 *   After that they are there, unchanged, whatever happens to writer and storage.
 * - A reader never gets bytes that nobody appended: a lost end is absent, not wrong. (Readers check
 *   all the same.)
 * - replace is atomic: a reader that opens the name finds the whole old file or the whole new
 *   file, also after a crash in between. Once replace has returned TRUE, a reader always finds the
 *   new file.
 *
 * Operations block. The host calls one at a time for each handle (SATIN_THREAD_ONE); a node calls
 * them on a separate thread. The host calls `interrupt` from another thread when an operation takes
 * too long.
 *
 * Names have 1 to 100 bytes: letters, digits, '.', '-' and '_'. They do not begin with '.'. With
 * any other name an operation fails with SATIN_ERROR_INVALID.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* Abilities of a storage. The host does without the abilities that a storage lacks. */
typedef enum
{
  SATIN_STORAGE_CAN_APPEND = 1,  /* append to an existing file; else only whole new files */
  SATIN_STORAGE_CAN_REPLACE = 2, /* replace is atomic */
  SATIN_STORAGE_CAN_RANGE = 4,   /* read from the middle without reading what comes before */
} SatinStorageCan;

/* The longest name of a file, and the most bytes of one append or read. */
#define SATIN_STORAGE_NAME_MAX  100
#define SATIN_STORAGE_BLOCK_MAX ((gsize)16 << 20)

/* Receives one file of a list; @name is valid during the call. */
typedef void (*SatinStorageEntryFunc) (const char *name, guint64 size_bytes, gpointer user_data);

/**
 * SatinStorageOps:
 * @open: returns a handle on the folder at @uri, and makes the folder if it does not exist. Refuses
 *   a URI of another scheme than the plugin's with %SATIN_ERROR_INVALID. Fails with
 *   %SATIN_ERROR_UNREACHABLE, %SATIN_ERROR_SECRET or %SATIN_ERROR_NOT_FOUND (when a part of the
 *   path is missing); the message names the URI without its password
 * @close: frees the handle; bytes that were not synced may be lost
 * @can: (type SatinStorageCan): returns the abilities of this handle; constant
 * @append: adds @n_bytes, 1 to %SATIN_STORAGE_BLOCK_MAX, to the file, which must be @offset bytes
 *   long; @offset 0 makes the file. %SATIN_ERROR_INVALID when the file has another length;
 *   %SATIN_ERROR_LIMIT when there is no room. After an error the length of the file is unknown;
 *   @list tells it
 * @sync: when it returns %TRUE, all bytes that were appended to the file are safe
 * @read: reads up to @n_bytes, 1 to %SATIN_STORAGE_BLOCK_MAX, from @offset into @buffer.
 *   *@ret_n_bytes is less only at the end of the file, and 0 at the end and behind it.
 *   %SATIN_ERROR_NOT_FOUND when the file does not exist
 * @list: calls @func for each file, in any order
 * @replace: renames the file @from to @to and replaces the file that has this name. Then the
 *   contents and the name of the file are safe as after @sync. %SATIN_ERROR_NOT_FOUND when @from
 *   does not exist
 * @remove: removes the file; returns %TRUE also when it does not exist
 * @interrupt: may be called from any thread at any time between open and close. A running operation
 *   soon fails with %SATIN_ERROR_TIMEOUT. When no operation is running, the next one may fail in
 *   this way, once. The handle can be used after that
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

/* The operations that a storage must have. The host checks them before it calls any of them. */
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

/* Whether @name is a valid name of a file. */
SATIN_API gboolean satin_storage_name_is_valid (const char *name);

/**
 * SatinStorage:
 * @ops: the operations; an operation that the plugin does not have is %NULL
 * @handle: (owned): the first argument of @ops
 * @can: (type SatinStorageCan): its abilities
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
 * @uri: of a folder, with or without filters: "fault+file:/path"
 * @params: (nullable): "key=value,..." for the storage's plugin; "FILTER.key=value" for a filter
 * @error: what is wrong with the scheme, a filter, the plugin or @params
 *
 * Checks the URI and the parameters like satin_storage_open(), but opens nothing.
 *
 * Threads: any.
 *
 * Returns: %TRUE when satin_storage_open() would go on to open the folder
 */
SATIN_API gboolean satin_storage_check (const char *uri, const char *params, GError **error);

/**
 * satin_storage_find_plugins:
 * @uri: as for satin_storage_check()
 * @error: what is wrong with the scheme, a filter or the plugin
 *
 * Finds the plugins that satin_storage_open() would use. Threads: any.
 *
 * Returns: (transfer container) (nullable) (element-type SatinPlugin): the filters, the outermost
 *   first, then the storage; free with g_ptr_array_unref(). %NULL with @error
 */
SATIN_API GPtrArray *satin_storage_find_plugins (const char *uri, GError **error);

/**
 * satin_storage_open_plugin:
 * @plugin: of kind "storage"
 * @uri: of a folder, without filters
 * @params: (transfer none): parameters for open, parsed by the plugin's table
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
 * @may_make: %FALSE: a storage with the parameter "make" does not make a folder that does not exist
 * @error: as for open, or what is wrong with a plugin or @params; the message names the plugin
 *
 * Opens a folder. Blocks.
 *
 * Returns: (transfer full) (nullable): %NULL with @error; free with satin_storage_close()
 */
SATIN_API SatinStorage *satin_storage_open (const char *uri, const char *params, gboolean may_make,
                                            GError **error);
/* Closes the storage. Bytes that were not synced may be lost. @self: (nullable) */
SATIN_API void satin_storage_close (SatinStorage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinStorage, satin_storage_close)

G_END_DECLS
