/* sftp.h - requests to an SFTP server, and its answers
 *
 * A request is one call that can be made to fail, and each waits for its answer but for those of a
 * transfer (transfer.c). After an error that leaves answers on the way, or a broken link, the
 * connection is given up, and the next request makes a new one.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "packet.h"
#include "session.h"

/* The longest message of a server: what OpenSSH has for a bound, and more than we ask for. */
#define SFTP_MESSAGE_MAX (256u * 1024)

/* How much of a file one request is about: what every server takes, and what is worth it; with what
 * is around it, four packets of SSH. */
#define SFTP_BLOCK_MIN 32768u
#define SFTP_BLOCK_MAX 130048u

typedef struct
{
  Server *server;      /* (borrowed) */
  StorageCalls *calls; /* (borrowed) */
  Session *session;    /* (owned) (nullable): when there is no connection */
  gboolean is_ready;   /* the server has told what it can */
  guint32 last_id;
  guint n_awaited; /* answers */
  GByteArray
      *in;      /* (owned): received and not yet read; begins with the message that was read last */
  gsize n_read; /* of @in, by the last message */

  /* What the server can beyond version 3. */
  gboolean has_posix_rename;
  gboolean has_fsync;
  gboolean has_statvfs;
  gboolean has_limits;
  guint32 block_bytes; /* of a read or write */
} Sftp;

/* An answer; its body is valid until the next one is received. */
typedef struct
{
  guint8 type;
  guint32 id;
  PacketReader body;
} SftpAnswer;

void sftp_init (Sftp *self, Server *server, StorageCalls *calls);
void sftp_done (Sftp *self);

/* Makes a connection when there is none, or it broke meanwhile. */
gboolean sftp_connect (Sftp *self, GError **error);
/* Gives the connection up. */
void sftp_disconnect (Sftp *self);

/* A request of @type, with its number; to be sent. Returns: (transfer full) */
GByteArray *sftp_begin (Sftp *self, PacketType type);
/* Sends a request and counts one call. @request: (transfer full) */
gboolean sftp_send (Sftp *self, GByteArray *request, const char *what, GError **error);
/* When a call's answer was received. Returns: %FALSE with @error when this process dies now */
gboolean sftp_end (Sftp *self, const char *what, GError **error);
/* The next answer, whichever it is. */
gboolean sftp_receive (Sftp *self, SftpAnswer *ret_answer, GError **error);
/* Sends @request and waits for an answer of type @wanted. An answer that tells of a failure is
 * @error, naming @what and @name. @request: (transfer full) */
gboolean sftp_ask (Sftp *self, GByteArray *request, PacketType wanted, const char *what,
                   const char *name, SftpAnswer *ret_answer, GError **error);
/* The same for a request that is answered by success or failure. */
gboolean sftp_order (Sftp *self, GByteArray *request, const char *what, const char *name,
                     GError **error);
/* Sets @error from a status. Returns: %FALSE */
gboolean sftp_fail (Sftp *self, guint32 status, const char *what, const char *name, GError **error);
/* An answer that is none: the connection is given up. Returns: %FALSE */
gboolean sftp_fail_format (Sftp *self, GError **error);

/* An open file or folder on the server. */
typedef struct
{
  guint8 bytes[256];
  gsize n_bytes;
} SftpHandle;

gboolean sftp_open (Sftp *self, const char *path, guint32 flags, const char *name,
                    SftpHandle *ret_handle, GError **error);
gboolean sftp_open_folder (Sftp *self, const char *path, SftpHandle *ret_handle, GError **error);
/* When an operation has failed already, the result is of no interest. */
gboolean sftp_close (Sftp *self, const SftpHandle *handle, const char *name, GError **error);
gboolean sftp_fsync (Sftp *self, const SftpHandle *handle, const char *name, GError **error);
gboolean sftp_stat (Sftp *self, const char *path, PacketAttrs *ret_attrs, GError **error);
/* The same of an open file. */
gboolean sftp_stat_open (Sftp *self, const SftpHandle *handle, const char *name,
                         PacketAttrs *ret_attrs, GError **error);
/* Cuts an open file. */
gboolean sftp_truncate (Sftp *self, const SftpHandle *handle, guint64 size_bytes, const char *name,
                        GError **error);
gboolean sftp_make_folder (Sftp *self, const char *path, GError **error);
gboolean sftp_remove (Sftp *self, const char *path, const char *name, GError **error);
/* Only when nothing has the name @to. */
gboolean sftp_rename (Sftp *self, const char *from, const char *to, const char *name,
                      GError **error);
/* In place of what has the name @to; needs has_posix_rename. */
gboolean sftp_rename_over (Sftp *self, const char *from, const char *to, const char *name,
                           GError **error);
/* Calls @func with all names in the folder, also "." and hidden ones; @attrs is valid meanwhile. */
typedef void (*SftpNameFunc) (const char *name, const PacketAttrs *attrs, gpointer user_data);
gboolean sftp_list (Sftp *self, const char *path, SftpNameFunc func, gpointer user_data,
                    GError **error);
/* Adds to an open file, of which the server is asked to write many blocks at once. When it fails,
 * what was written is cut to what has no gap; %SATIN_ERROR_LIMIT when the disk is full. @path: of
 * the folder */
gboolean sftp_write (Sftp *self, const SftpHandle *handle, const char *path, const char *name,
                     guint64 offset, const guint8 *bytes, gsize n_bytes, GError **error);
/* Reads @n_bytes of an open file, or up to its end. */
gboolean sftp_read (Sftp *self, const SftpHandle *handle, const char *name, guint64 offset,
                    guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes, GError **error);
/* Asks how large a block may be, when the server can tell. */
gboolean sftp_learn_limits (Sftp *self, GError **error);
/* Whether the disk below @path is known to have less than @n_bytes. */
gboolean sftp_is_full (Sftp *self, const char *path, gsize n_bytes);
