/* remote.h - a folder on an SFTP server, with files that are replaced whole
 *
 * A server that can rename over a file replaces in one step. One that cannot refuses a name that is
 * taken, and removing the old file first would leave a moment, or after a crash much more, without
 * one. There a file's replacements are *versions*: ".NAME~N", of which the one with
 * the highest N is the file, before any that is just called NAME:
 *
 *     NAME              .NAME~1             replace renames the new file to .NAME~1, a free name:
 *     old               new                 from this step on it is the file, for everybody
 *     -                 .NAME~1             the old one is removed
 *     NAME              -                   and the new one gets the plain name
 *
 * Readers only look, and look again when a file had gone between look and open. What a crash leaves
 * is cleared away by the next replace or remove. So each step, and a crash after each, has one
 * whole file. Two who replace one file at once lose nothing but the order in which they did.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sftp.h"

typedef struct
{
  Server server;       /* (owned) its fields */
  StorageCalls *calls; /* (owned) */
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
gboolean remote_open_file (Remote *self, const char *name, guint32 flags, SftpHandle *ret_handle,
                           guint64 *ret_length, GError **error);
/* The bytes of the file, and the names in the folder, are on the server's disk. */
gboolean remote_sync (Remote *self, const char *name, GError **error);
gboolean remote_sync_names (Remote *self, GError **error);
/* Tells of each file once. @func may use the storage. */
gboolean remote_list (Remote *self, SatinStorageEntryFunc func, gpointer user_data, GError **error);
gboolean remote_replace (Remote *self, const char *from, const char *to, GError **error);
gboolean remote_remove (Remote *self, const char *name, GError **error);

/* "FOLDER/FILE". Returns: (transfer full) */
char *remote_path (const Remote *self, const char *file);

/* versions.c: the file that has the name now, "NAME" or ".NAME~N". @ret_is_version: whether it is
 * the latter. Returns: %FALSE with @error */
gboolean versions_find (Remote *self, const char *name, char **ret_file, gboolean *ret_is_version,
                        GError **error);
/* In several steps, when the server cannot rename over a file. */
gboolean versions_replace (Remote *self, const char *from, const char *to, GError **error);
gboolean versions_remove (Remote *self, const char *name, GError **error);
/* Finishes what was begun through a server that could not rename over a file; this one can. */
gboolean versions_finish (Remote *self, GError **error);
/* @file: in the folder. @ret_number: 0 when it is no version. Returns: (transfer full) (nullable):
 * the name that users see, %NULL for what is no file of the storage */
char *versions_parse (const char *file, guint *ret_number);
