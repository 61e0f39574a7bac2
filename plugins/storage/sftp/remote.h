/* remote.h - a folder on an SFTP server, with files that are replaced whole
 *
 * SFTP renames only to a name that is free, and removing the old file first would leave a moment,
 * or after a crash much more, without one. So three names stand for a file, and the first of them
 * that is there is the file, for everybody:
 *
 *     .NAME~new   NAME   .NAME~old
 *     -           old    -            replace renames the new file to .NAME~new, a free name:
 *     new         old    -            from this step on it is the file
 *     new         -      old          the old one goes out of the way,
 *     -           new    old          the new one gets the plain name,
 *     -           new    -            and the old one is removed
 *
 * So each step, and a crash after each, has one whole file; what a crash leaves is
 * cleared away by the next replace or remove. Readers only look, and look again when they found
 * nothing, for a file may have gone on between two looks.
 *
 * No step removes what may be the file: a writer that was believed dead and goes on, while another
 * has replaced the file, moves that one out of the way, where it is found, and fails at
 * the next step.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sftp.h"

typedef struct
{
  SshServer server;            /* (owned) its fields */
  char *path;                  /* (owned): of the folder on the server */
  StorageInterrupt *interrupt; /* (owned) */
  Sftp sftp;
  guint64 capacity_bytes;
  gboolean may_go_without_fsync;
  gboolean can_sync_names; /* the server can be told to write names to its disk */
} Remote;

/* Returns: (transfer full) (nullable): free with remote_close() */
Remote *remote_open (const char *uri, const SatinParams *params, GError **error);
void remote_close (Remote *self);

/* Opens the plain file that has the name now. Returns: %FALSE with %SATIN_ERROR_NOT_FOUND when none
 * has */
gboolean remote_open_file (Remote *self, const char *name, gulong flags, guint64 *ret_size_bytes,
                           GError **error);
/* The bytes of the file, and the names in the folder, are on the server's disk. */
gboolean remote_sync (Remote *self, const char *name, GError **error);
gboolean remote_sync_names (Remote *self, GError **error);
/* Tells of each file once. @func may use the storage. */
gboolean remote_list (Remote *self, SatinStorageEntryFunc func, gpointer user_data, GError **error);
gboolean remote_replace (Remote *self, const char *from, const char *to, GError **error);

/* versions.c: opens what has the name now; with LIBSSH2_FXF_CREAT in @flags it is made when nothing
 * has */
gboolean versions_open (Remote *self, const char *name, gulong flags, GError **error);
gboolean versions_replace (Remote *self, const char *from, const char *to, GError **error);
gboolean versions_remove (Remote *self, const char *name, GError **error);
/* @file: in the folder. @ret_rank: of two with one name, the one with the lower rank is the file.
 * Returns: (transfer full) (nullable): the name that users see, %NULL for what is no file of the
 * storage */
char *versions_parse (const char *file, guint *ret_rank);
