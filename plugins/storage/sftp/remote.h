/* remote.h - a folder on an SFTP server, whose files can be replaced in one step
 *
 * SFTP renames a file only to a name that is free. To remove the old file first would leave a
 * moment without any file, or a long time after a crash. So three names stand for a file. The first
 * of them that exists is the file, for every reader and writer:
 *
 *     .NAME~new   NAME   .NAME~old
 *     -           old    -            replace renames the new file to .NAME~new, a free name:
 *     new         old    -            from this step on it is the file
 *     new         -      old          the old file is moved aside,
 *     -           new    old          the new file gets the plain name,
 *     -           new    -            and the old file is removed
 *
 * So after each step, and after a crash at any of them, there is one whole file. The next replace
 * or remove cleans up after a crash. Readers change nothing. A reader that finds none of the names
 * looks again, because the file may have been renamed meanwhile.
 *
 * No step removes a file that may be the current one. A writer that was believed dead may go on
 * after another writer has replaced the file. If its next step is to move the old file aside, it
 * moves the other writer's file to .NAME~old, where readers find it. Its step after that fails,
 * because there is no .NAME~new.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sftp.h"

typedef struct
{
  SshServer server;            /* its fields are (owned) */
  char *path;                  /* (owned): of the folder on the server */
  StorageInterrupt *interrupt; /* (owned) */
  Sftp sftp;
  guint64 capacity_bytes;
  gboolean may_go_without_fsync;
  gboolean can_sync_names; /* the server can write names to its disk on request */
} Remote;

/* Returns: (transfer full) (nullable): free with remote_close() */
Remote *remote_open (const char *uri, const SatinParams *params, GError **error);
void remote_close (Remote *self);

/* Opens the current version of the file; @flags as for versions_open(). Returns: %FALSE with
 * %SATIN_ERROR_NOT_FOUND when there is no file and none is made */
gboolean remote_open_file (Remote *self, const char *name, gulong flags, guint64 *ret_size_bytes,
                           GError **error);
/* Puts the bytes of the file on the server's disk, and all names in the folder if the server can do
 * so. */
gboolean remote_sync (Remote *self, const char *name, GError **error);
gboolean remote_sync_names (Remote *self, GError **error);
/* Calls @func once for each file. @func may use the storage. */
gboolean remote_list (Remote *self, SatinStorageEntryFunc func, gpointer user_data, GError **error);
gboolean remote_replace (Remote *self, const char *from, const char *to, GError **error);

/* versions.c: opens the current version of the file. With LIBSSH2_FXF_CREAT in @flags, makes the
 * file if there is none */
gboolean versions_open (Remote *self, const char *name, gulong flags, GError **error);
gboolean versions_replace (Remote *self, const char *from, const char *to, GError **error);
gboolean versions_remove (Remote *self, const char *name, GError **error);
/* @file: a name in the folder. @ret_rank: if two entries give the same name, the one with the lower
 * rank is the file. Returns: (transfer full) (nullable): the name that users see, %NULL if the
 * entry is no file of the storage */
char *versions_parse (const char *file, guint *ret_rank);
