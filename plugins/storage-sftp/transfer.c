/* transfer.c - many blocks of a file on their way to or from the server at once
 *
 * So many requests are out as sshd takes without having handled one: 2 MiB, which fills a link of
 * 1 Gbit/s with a round trip of 16 ms; more costs processor time and fills nothing. A block is what
 * every server takes, or more when the server says that it may be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sftp.h"

#include <string.h>

#define WINDOW_BYTES (64u * SFTP_BLOCK_MIN)
#define N_AWAITED    (WINDOW_BYTES / SFTP_BLOCK_MIN)
#define NO_FAILURE   G_MAXSIZE

/* ---- writing ---- */

static gboolean
send_block (Sftp *self, const SftpHandle *handle, guint64 offset, const guint8 *bytes,
            gsize n_bytes, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_WRITE);
  packet_add_bytes (request, handle->bytes, handle->n_bytes);
  packet_add_u64 (request, offset);
  packet_add_bytes (request, bytes, n_bytes);
  return sftp_send (self, request, "write", error) && sftp_end (self, "write", error);
}

/* Takes an answer to a block. @first_id: of the first block's request. @failed_at: (inout): where
 * the first block that failed begins. @status: (inout): why */
static gboolean
take_written (Sftp *self, guint32 first_id, gsize *failed_at, guint32 *status, GError **error)
{
  SftpAnswer answer;
  if (!sftp_receive (self, &answer, error))
    return FALSE;
  guint32 result = packet_read_u32 (&answer.body), block = answer.id - first_id;
  if (answer.type != PACKET_STATUS || answer.body.is_bad || block > self->last_id - first_id)
    return sftp_fail_format (self, error);
  if (result != STATUS_OK && (gsize)block * self->block_bytes < *failed_at)
    {
      *failed_at = (gsize)block * self->block_bytes;
      *status = result;
    }
  return TRUE;
}

/* Sends all blocks and takes all answers; after a block that failed no more are sent. */
static gboolean
write_blocks (Sftp *self, const SftpHandle *handle, guint64 offset, const guint8 *bytes,
              gsize n_bytes, gsize *failed_at, guint32 *status, GError **error)
{
  guint32 first_id = self->last_id + 1;
  gsize sent = 0;
  while ((sent < n_bytes && *failed_at == NO_FAILURE) || self->n_awaited > 0)
    {
      gsize n = MIN (n_bytes - sent, self->block_bytes);
      if (n > 0 && *failed_at == NO_FAILURE && self->n_awaited * self->block_bytes < WINDOW_BYTES)
        {
          if (!send_block (self, handle, offset + sent, bytes + sent, n, error))
            return FALSE;
          sent += n;
        }
      else if (!take_written (self, first_id, failed_at, status, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
sftp_write (Sftp *self, const SftpHandle *handle, const char *path, const char *name,
            guint64 offset, const guint8 *bytes, gsize n_bytes, GError **error)
{
  gsize failed_at = NO_FAILURE;
  guint32 status = STATUS_OK;
  if (!write_blocks (self, handle, offset, bytes, n_bytes, &failed_at, &status, error))
    {
      if (self->n_awaited > 0)
        sftp_disconnect (self);
      return FALSE;
    }
  if (failed_at == NO_FAILURE)
    return TRUE;
  gboolean is_full = sftp_is_full (self, path, n_bytes - failed_at);
  /* A later block may have found room: what is behind the gap was not appended there. */
  sftp_truncate (self, handle, offset + failed_at, name, NULL);
  if (!is_full)
    return sftp_fail (self, status, "write", name, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s: no room is left on the server's disk to write %s", self->server->address->uri,
               name);
  return FALSE;
}

/* ---- reading ---- */

/* A part that was asked for. */
typedef struct
{
  guint32 id;
  gsize at;
  gsize n_bytes; /* 0: none */
} Part;

typedef struct
{
  Sftp *sftp;
  const SftpHandle *handle;
  const char *name;
  guint64 offset;
  guint8 *buffer;
  gsize end;   /* of what is wanted; lowered when the file ends before */
  gsize asked; /* up to there */
  Part parts[N_AWAITED];
} Reading;

static gboolean
ask_part (Reading *self, Part *part, gsize at, gsize n_bytes, GError **error)
{
  GByteArray *request = sftp_begin (self->sftp, PACKET_READ);
  packet_add_bytes (request, self->handle->bytes, self->handle->n_bytes);
  packet_add_u64 (request, self->offset + at);
  packet_add_u32 (request, (guint32)n_bytes);
  *part = (Part){ .id = self->sftp->last_id, .at = at, .n_bytes = n_bytes };
  return sftp_send (self->sftp, request, "read", error);
}

/* Returns: (nullable): the part with @id, or a free one for 0 */
static Part *
find_part (Reading *self, guint32 id)
{
  for (gsize i = 0; i < N_AWAITED; i++)
    if (id == 0 ? self->parts[i].n_bytes == 0
                : self->parts[i].n_bytes > 0 && self->parts[i].id == id)
      return &self->parts[i];
  return NULL;
}

/* A server may send less than was asked for: the rest is asked for again. */
static gboolean
take_data (Reading *self, Part *part, PacketReader *body, GError **error)
{
  gsize n_bytes;
  const guint8 *bytes = packet_read_bytes (body, &n_bytes);
  if (bytes == NULL || n_bytes == 0 || n_bytes > part->n_bytes)
    return sftp_fail_format (self->sftp, error);
  memcpy (self->buffer + part->at, bytes, n_bytes);
  gsize rest = part->n_bytes - n_bytes, at = part->at + n_bytes;
  part->n_bytes = 0;
  return rest == 0 || at >= self->end || ask_part (self, part, at, rest, error);
}

static gboolean
take_part (Reading *self, GError **error)
{
  SftpAnswer answer;
  if (!sftp_receive (self->sftp, &answer, error) || !sftp_end (self->sftp, "read", error))
    return FALSE;
  Part *part = find_part (self, answer.id);
  if (part == NULL)
    return sftp_fail_format (self->sftp, error);
  if (answer.type == PACKET_DATA)
    return take_data (self, part, &answer.body, error);
  guint32 status = packet_read_u32 (&answer.body);
  if (answer.type != PACKET_STATUS || answer.body.is_bad)
    return sftp_fail_format (self->sftp, error);
  part->n_bytes = 0;
  if (status != STATUS_EOF)
    return sftp_fail (self->sftp, status, "read", self->name, error);
  self->end = MIN (self->end, part->at);
  return TRUE;
}

gboolean
sftp_read (Sftp *self, const SftpHandle *handle, const char *name, guint64 offset, guint8 *buffer,
           gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  Reading reading = {
    .sftp = self, .handle = handle, .name = name, .offset = offset, .buffer = buffer, .end = n_bytes
  };
  gboolean is_right = TRUE;
  while (is_right && (reading.asked < reading.end || self->n_awaited > 0))
    {
      gsize at = reading.asked;
      gboolean has_room = self->n_awaited * self->block_bytes < WINDOW_BYTES;
      Part *free_part = at < reading.end && has_room ? find_part (&reading, 0) : NULL;
      if (free_part == NULL)
        is_right = take_part (&reading, error);
      else
        {
          gsize n = MIN (reading.end - at, self->block_bytes);
          reading.asked += n;
          is_right = ask_part (&reading, free_part, at, n, error);
        }
    }
  if (!is_right && self->n_awaited > 0)
    sftp_disconnect (self);
  if (is_right)
    *ret_n_bytes = reading.end;
  return is_right;
}
