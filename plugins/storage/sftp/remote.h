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
 * Before the first step the new file gets a time of its last change that is later than the old
 * one's: whoever opened the name twice, and sees one length and one time, has one file open.
 *
 * A large new file has a fourth name until its first sync, `.NAME~BYTES`, for two logins write into
 * it at once, and a link that breaks would leave a gap. So many of its bytes have none: it is that
 * long for everybody but who makes it. The name is changed before each append, and sync gives it
 * the plain one. Who finds one that nobody makes any more, and wants to append, cuts it.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sftp.h"

typedef struct
{
  SshServer server;    /* (owned) its fields */
  char *path;          /* (owned): of the folder on the server */
  StorageCalls *calls; /* (owned) */
  Sftp sftp;
  guint64 capacity_bytes;
  gboolean may_go_without_fsync;
  gboolean can_sync_names; /* the server can be told to write names to its disk */
  char *made;              /* (owned) (nullable): the new file that this handle makes */
  guint64 sure_bytes;      /* of it, as its name tells */
  guint64 made_bytes;      /* of it are written, without a gap */
} Remote;

/* Returns: (transfer full) (nullable): free with remote_close() */
Remote *remote_open (const char *uri, const SatinParams *params, GError **error);
void remote_close (Remote *self);
/* Its requests are made by a login that is yet to come. @calls: (borrowed) */
void remote_init_login (Remote *self, StorageCalls *calls);

/* Opens the plain file that has the name now. Returns: %FALSE with %SATIN_ERROR_NOT_FOUND when none
 * has */
gboolean remote_open_file (Remote *self, const char *name, gulong flags,
                           LIBSSH2_SFTP_ATTRIBUTES *ret_attrs, GError **error);
/* The bytes of the file, and the names in the folder, are on the server's disk. */
gboolean remote_sync (Remote *self, const char *name, GError **error);
gboolean remote_sync_names (Remote *self, GError **error);
/* Tells of each file once. @func may use the storage. */
gboolean remote_list (Remote *self, SatinStorageEntryFunc func, gpointer user_data, GError **error);
gboolean remote_replace (Remote *self, const char *from, const char *to, GError **error);

/* versions.c: opens what has the name now; with LIBSSH2_FXF_CREAT in @flags it is made when nothing
 * has. @ret_most_bytes: what is behind them is not the file's */
gboolean versions_open (Remote *self, const char *name, gulong flags, guint64 *ret_most_bytes,
                        GError **error);
gboolean versions_replace (Remote *self, const char *from, const char *to, GError **error);
gboolean versions_remove (Remote *self, const char *name, GError **error);
/* @file: in the folder. @ret_rank: of two with one name, the one with the lower rank is the file.
 * Returns: (transfer full) (nullable): the name that users see, %NULL for what is no file of the
 * storage */
char *versions_parse (const char *file, guint *ret_rank);

/* making.c: makes and opens the file @name; nothing has that name. */
gboolean making_begin (Remote *self, const char *name, GError **error);
/* Whether this handle makes @name. Then it has the name that these give it: */
gboolean making_is_ours (const Remote *self, const char *name);
gboolean making_open (Remote *self, gulong flags, GError **error);
/* All that was written is sure from now on. */
gboolean making_go_on (Remote *self, GError **error);
/* It is synced, and gets its plain name. */
gboolean making_end (Remote *self, GError **error);
/* Something failed: it is nobody's now. */
void making_forget (Remote *self);

/* Of a file that somebody makes, or has made up to there: opens it to read. */
gboolean making_open_found (Remote *self, const char *name, gboolean *ret_is_there,
                            guint64 *ret_sure_bytes, GError **error);
/* Cuts what is not sure and gives it its plain name, if there is one. */
gboolean making_heal (Remote *self, const char *name, GError **error);
gboolean making_drop (Remote *self, const char *name, GError **error);
/* As versions_parse(), of such a file. */
char *making_parse (const char *file, guint64 *ret_sure_bytes);
