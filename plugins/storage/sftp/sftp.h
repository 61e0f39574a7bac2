/* sftp.h - requests to an SFTP server
 *
 * libssh2 speaks the protocol; here its calls are waited for, and their failures become errors that
 * say what was asked of whom. After an error that leaves answers on the way, or a broken link, the
 * connection is given up, and the next operation makes a new one.
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
  SshInterrupt interrupt;      /* ends what waits, and what is to begin */
  SshSession *session;         /* (owned) (nullable): when there is no connection */
  LIBSSH2_SFTP *subsystem;     /* (owned) (nullable): until it has begun */
  LIBSSH2_SFTP_HANDLE *handle; /* (owned) (nullable): what is open */
} Sftp;

/* Makes a connection when there is none, or it broke meanwhile. */
gboolean sftp_connect (Sftp *self, GError **error);
/* Gives the connection up, and what is open there. */
void sftp_disconnect (Sftp *self);

/* @flags: LIBSSH2_FXF_READ and its like. @name: what messages call it. Nothing else may be open. */
gboolean sftp_open (Sftp *self, const char *path, gulong flags, const char *name, GError **error);
gboolean sftp_open_folder (Sftp *self, const char *path, GError **error);
/* What is open, if it still is. When an operation has failed already, the result is of no
 * interest. */
gboolean sftp_close (Sftp *self, const char *name, GError **error);

/* What is open is on the server's disk. @ret_can: whether the server can be told so */
gboolean sftp_fsync (Sftp *self, const char *name, gboolean *ret_can, GError **error);
gboolean sftp_stat_open (Sftp *self, const char *name, LIBSSH2_SFTP_ATTRIBUTES *ret_attrs,
                         GError **error);
/* Adds to the open file, of which the server is asked to write many blocks at once. When it fails,
 * what was written is cut to what has no gap; %SATIN_ERROR_LIMIT when the disk is full. @path: of
 * the folder */
gboolean sftp_write (Sftp *self, const char *path, const char *name, guint64 offset,
                     const guint8 *bytes, gsize n_bytes, GError **error);
/* Reads @n_bytes of the open file, or up to its end. */
gboolean sftp_read (Sftp *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
                    gsize *ret_n_bytes, GError **error);
/* Calls @func with all names in the open folder, also "." and hidden ones; @attrs is valid
 * meanwhile. */
typedef void (*SftpNameFunc) (const char *name, const LIBSSH2_SFTP_ATTRIBUTES *attrs,
                              gpointer user_data);
gboolean sftp_read_names (Sftp *self, const char *path, SftpNameFunc func, gpointer user_data,
                          GError **error);

gboolean sftp_stat (Sftp *self, const char *path, const char *name,
                    LIBSSH2_SFTP_ATTRIBUTES *ret_attrs, GError **error);
gboolean sftp_make_folder (Sftp *self, const char *path, GError **error);
gboolean sftp_remove (Sftp *self, const char *path, const char *name, GError **error);
/* Only when nothing has the name @to. */
gboolean sftp_rename (Sftp *self, const char *from, const char *to, const char *name,
                      GError **error);
