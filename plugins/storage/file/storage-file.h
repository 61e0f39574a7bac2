/* storage-file.h - a handle on a folder of this machine, and its system calls
 *
 * A function that fails in a system call sets an error that names the action and the file. Each
 * operation on an open folder first checks for an interrupt, and fails if it was raised.
 *
 * Threads: one at a time for a handle.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "storage-common.h"

#include <sys/stat.h>

typedef struct
{
  char *path;                  /* (owned): absolute */
  int folder_fd;               /* (owned) */
  StorageInterrupt *interrupt; /* (owned) */
  guint64 capacity_bytes;      /* 0: no bound */
} Folder;

/* Returns: (transfer full) (nullable): free with folder_close() */
Folder *folder_open (const char *uri, const SatinParams *params, GError **error);
void folder_close (Folder *self);

/* Opens a plain file of the folder, and does not follow a symbolic link. @flags: for open(2).
 * Returns: -1 with @error */
int folder_open_file (Folder *self, const char *name, int flags, GError **error);
gboolean folder_get_length (Folder *self, int file, const char *name, guint64 *ret_length,
                            GError **error);
/* Writes all bytes, in several calls if the system takes fewer. */
gboolean folder_write (Folder *self, int file, const char *name, guint64 offset,
                       const guint8 *bytes, gsize n_bytes, GError **error);
gboolean folder_read (Folder *self, int file, const char *name, guint64 offset, guint8 *buffer,
                      gsize n_bytes, gsize *ret_n_bytes, GError **error);
/* Puts the bytes of @file on the disk. */
gboolean folder_sync_file (Folder *self, int file, const char *name, GError **error);
/* Puts the names in the folder on the disk. */
gboolean folder_sync_names (Folder *self, GError **error);
gboolean folder_rename (Folder *self, const char *from, const char *to, GError **error);
/* Removes the file. Returns: %TRUE also when it does not exist */
gboolean folder_unlink (Folder *self, const char *name, GError **error);
/* Locks @file against other writers until @file is closed. Returns: %FALSE with
 * %SATIN_ERROR_INVALID, at once, when another writer has the lock */
gboolean folder_lock (Folder *self, int file, const char *name, GError **error);
gboolean folder_list (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error);
