/* sftp.h - requests to an SFTP server
 *
 * libssh2 speaks the protocol. The functions here repeat its calls until they are done. If the
 * server refuses a request, the error names the server, the action and the file. If the link
 * breaks, or an error leaves answers on their way, the connection is closed, and the next operation
 * of the storage makes a new one.
 *
 * One file or folder is open at a time.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-session.h"
#include "storage-common.h"

#include <libssh2_sftp.h>

typedef struct
{
  const SshServer *server;     /* (borrowed) */
  SshInterrupt interrupt;      /* ends a running wait and stops the next request */
  SshSession *session;         /* (owned) (nullable): %NULL without a connection */
  LIBSSH2_SFTP *subsystem;     /* (owned) (nullable): %NULL until it has begun */
  LIBSSH2_SFTP_HANDLE *handle; /* (owned) (nullable): the open file or folder */
} Sftp;

/* Connects, if there is no connection or it has broken. */
gboolean sftp_connect (Sftp *self, GError **error);
/* Closes the connection and the file or folder that is open on it. */
void sftp_disconnect (Sftp *self);

/* @flags: for example LIBSSH2_FXF_READ. @name: the name for messages. No file or folder may be
 * open. */
gboolean sftp_open (Sftp *self, const char *path, gulong flags, const char *name, GError **error);
gboolean sftp_open_folder (Sftp *self, const char *path, GError **error);
/* Closes the open file or folder. Returns: %FALSE without @error when none is open, as after a
 * broken connection */
gboolean sftp_close (Sftp *self, const char *name, GError **error);

/* Puts the open file or folder on the server's disk. @ret_can: whether the server can do so.
 * Returns: %TRUE also when it cannot */
gboolean sftp_fsync (Sftp *self, const char *name, gboolean *ret_can, GError **error);
gboolean sftp_stat_open (Sftp *self, const char *name, LIBSSH2_SFTP_ATTRIBUTES *ret_attrs,
                         GError **error);
/* Writes to the open file, with many blocks on their way at once. If the server refuses a block,
 * the file is cut before that block. %SATIN_ERROR_LIMIT when the disk is full. @path: the folder */
gboolean sftp_write (Sftp *self, const char *path, const char *name, guint64 offset,
                     const guint8 *bytes, gsize n_bytes, GError **error);
/* Reads @n_bytes of the open file, or fewer if it ends before. */
gboolean sftp_read (Sftp *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
                    gsize *ret_n_bytes, GError **error);
/* Receives a name in a folder. @name and @attrs are valid during the call. */
typedef void (*SftpNameFunc) (const char *name, const LIBSSH2_SFTP_ATTRIBUTES *attrs,
                              gpointer user_data);
/* Calls @func with all names in the open folder, including "." and hidden names. */
gboolean sftp_read_names (Sftp *self, const char *path, SftpNameFunc func, gpointer user_data,
                          GError **error);

gboolean sftp_stat (Sftp *self, const char *path, const char *name,
                    LIBSSH2_SFTP_ATTRIBUTES *ret_attrs, GError **error);
gboolean sftp_make_folder (Sftp *self, const char *path, GError **error);
gboolean sftp_remove (Sftp *self, const char *path, const char *name, GError **error);
/* Fails if the name @to exists. */
gboolean sftp_rename (Sftp *self, const char *from, const char *to, const char *name,
                      GError **error);
