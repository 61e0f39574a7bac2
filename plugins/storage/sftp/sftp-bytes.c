/* sftp-bytes.c - writes and reads many blocks of an open file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sftp-private.h"

#include <string.h>

/* How many bytes are on their way to the server at most. This fills a link of 1 Gbit/s with a round
 * trip of 8 ms; sshd would take twice as much. */
#define WRITE_AHEAD 1048576u
/* libssh2 writes in requests of WRITE_BLOCK bytes; each adds at most WRITE_HEAD bytes around
 * them. */
#define WRITE_BLOCK 30000u
#define WRITE_HEAD  300u

/* libssh2 requests READ_AHEAD times the room that a read gets, in blocks of READ_BLOCK bytes. */
#define READ_AHEAD 4u
#define READ_BLOCK 30000u

/* ---- writing ---- */

/* Returns how many bytes may be on their way, when @n_sent are already: at most WRITE_AHEAD, and no
 * more than the server's current window takes. Then no request is sent in two parts. (After a
 * failed block, libssh2 would forget the second part.) */
static gsize
get_write_ahead (Sftp *self, gsize n_sent)
{
  gsize room = libssh2_channel_window_write (libssh2_sftp_get_channel (self->subsystem));
  gsize n = MIN (n_sent + room / (WRITE_BLOCK + WRITE_HEAD) * WRITE_BLOCK, WRITE_AHEAD);
  return n > 0 ? n : MAX (room / 2, 1);
}

/* Writes all bytes. @ret_n_bytes: how many bytes are written without a gap, also when it fails.
 * Returns: the result of libssh2 */
static gssize
write_blocks (Sftp *self, const guint8 *bytes, gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  gsize done = 0, ahead = 0;
  gssize n = 0;
  while (n >= 0 && done < n_bytes)
    {
      ahead = MIN (n_bytes - done, get_write_ahead (self, ahead));
      do
        n = libssh2_sftp_write (self->handle, (const char *)bytes + done, ahead);
      while (ssh_session_again (self->session, n, error));
      done += (gsize)MAX (n, 0);
      ahead -= (gsize)MAX (n, 0);
    }
  *ret_n_bytes = done;
  return n;
}

/* Whether the server says that the disk of @path has no room for @n_bytes, or for one more file. */
static gboolean
is_full (Sftp *self, const char *path, gsize n_bytes)
{
  LIBSSH2_SFTP_STATVFS room;
  int status;
  if (!sftp_begin (self, NULL))
    return FALSE;
  do
    status = libssh2_sftp_statvfs (self->subsystem, path, strlen (path), &room);
  while (ssh_session_again (self->session, status, NULL));
  return sftp_end (self, status, "look at", path, NULL)
         && ((room.f_files > 0 && room.f_favail == 0)
             || room.f_bavail <= n_bytes / MAX (room.f_frsize, 1));
}

/* Cuts the open file to @size_bytes. */
static gboolean
truncate_open (Sftp *self, guint64 size_bytes, const char *name, GError **error)
{
  LIBSSH2_SFTP_ATTRIBUTES attrs = { .flags = LIBSSH2_SFTP_ATTR_SIZE, .filesize = size_bytes };
  int status;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    status = libssh2_sftp_fstat_ex (self->handle, &attrs, 1);
  while (ssh_session_again (self->session, status, error));
  return sftp_end (self, status, "cut", name, error);
}

gboolean
sftp_write (Sftp *self, const char *path, const char *name, guint64 offset, const guint8 *bytes,
            gsize n_bytes, GError **error)
{
  gsize n_done = 0;
  gulong reason;
  if (!sftp_begin (self, error))
    return FALSE;
  libssh2_sftp_seek64 (self->handle, offset);
  gssize status = write_blocks (self, bytes, n_bytes, &n_done, error);
  if (!sftp_take_answer (self, status, "write", &reason, error))
    return FALSE;
  if (reason == 0)
    return TRUE;
  gboolean has_no_room = is_full (self, path, n_bytes - n_done);
  /* A later block may have been written though an earlier one failed. The bytes behind such a gap
   * are cut off. */
  truncate_open (self, offset + n_done, name, NULL);
  if (!has_no_room)
    return sftp_fail (self, reason, "write", name, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s: no room is left on the server's disk to write %s", self->server->address->uri,
               name);
  return FALSE;
}

/* ---- reading ---- */

/* Reads @n_bytes, or fewer at the end of the file. Each call of libssh2 gets room for only a part
 * of the missing bytes. libssh2 requests READ_AHEAD times the room: so it requests just the missing
 * bytes, while many are missing. */
static gssize
read_blocks (Sftp *self, guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  gsize done = 0;
  gssize n = 1;
  while (n > 0 && done < n_bytes)
    {
      gsize left = n_bytes - done, room = MIN (left, MAX (left / READ_AHEAD, READ_BLOCK));
      do
        n = libssh2_sftp_read (self->handle, (char *)buffer + done, room);
      while (ssh_session_again (self->session, n, error));
      done += (gsize)MAX (n, 0);
    }
  *ret_n_bytes = done;
  return n;
}

gboolean
sftp_read (Sftp *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
           gsize *ret_n_bytes, GError **error)
{
  gsize n_done = 0;
  gulong reason;
  if (!sftp_begin (self, error))
    return FALSE;
  libssh2_sftp_seek64 (self->handle, offset);
  gssize status = read_blocks (self, buffer, n_bytes, &n_done, error);
  if (!sftp_take_answer (self, status, "read", &reason, error))
    return FALSE;
  /* If libssh2 rejects an answer itself, the recorded reason belongs to an earlier call, so it is
   * not used. */
  if (reason != 0)
    return sftp_fail (self, LIBSSH2_FX_FAILURE, "read", name, error);
  *ret_n_bytes = n_done;
  return TRUE;
}
