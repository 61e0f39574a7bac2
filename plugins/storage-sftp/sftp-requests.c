/* sftp-requests.c - the requests to an SFTP server, but for reading and writing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sftp.h"

#include <string.h>

#define FILE_MODE   0600u
#define FOLDER_MODE 0700u

/* A folder with more of them is none of ours. */
#define NAMES_MAX 1000000u

/* Sends a request that is answered by a handle. @request: (transfer full) */
static gboolean
ask_handle (Sftp *self, GByteArray *request, const char *what, const char *name,
            SftpHandle *ret_handle, GError **error)
{
  SftpAnswer answer;
  if (!sftp_ask (self, request, PACKET_HANDLE, what, name, &answer, error))
    return FALSE;
  gsize n_bytes;
  const guint8 *bytes = packet_read_bytes (&answer.body, &n_bytes);
  if (bytes == NULL || n_bytes > sizeof ret_handle->bytes)
    return sftp_fail_format (self, error);
  memcpy (ret_handle->bytes, bytes, n_bytes);
  ret_handle->n_bytes = n_bytes;
  return TRUE;
}

gboolean
sftp_open (Sftp *self, const char *path, guint32 flags, const char *name, SftpHandle *ret_handle,
           GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_OPEN);
  packet_add_text (request, path);
  packet_add_u32 (request, flags);
  packet_add_u32 (request, PACKET_ATTR_PERMISSIONS);
  packet_add_u32 (request, FILE_MODE);
  return ask_handle (self, request, "open", name, ret_handle, error);
}

gboolean
sftp_open_folder (Sftp *self, const char *path, SftpHandle *ret_handle, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_OPENDIR);
  packet_add_text (request, path);
  return ask_handle (self, request, "list", path, ret_handle, error);
}

gboolean
sftp_close (Sftp *self, const SftpHandle *handle, const char *name, GError **error)
{
  if (self->session == NULL)
    return FALSE;
  GByteArray *request = sftp_begin (self, PACKET_CLOSE);
  packet_add_bytes (request, handle->bytes, handle->n_bytes);
  return sftp_order (self, request, "close", name, error);
}

gboolean
sftp_fsync (Sftp *self, const SftpHandle *handle, const char *name, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_EXTENDED);
  packet_add_text (request, "fsync@openssh.com");
  packet_add_bytes (request, handle->bytes, handle->n_bytes);
  return sftp_order (self, request, "make sure of", name, error);
}

/* @request: (transfer full) */
static gboolean
ask_attrs (Sftp *self, GByteArray *request, const char *name, PacketAttrs *ret_attrs,
           GError **error)
{
  SftpAnswer answer;
  if (!sftp_ask (self, request, PACKET_ATTRS, "look at", name, &answer, error))
    return FALSE;
  *ret_attrs = packet_read_attrs (&answer.body);
  return !answer.body.is_bad || sftp_fail_format (self, error);
}

gboolean
sftp_stat (Sftp *self, const char *path, PacketAttrs *ret_attrs, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_STAT);
  packet_add_text (request, path);
  return ask_attrs (self, request, path, ret_attrs, error);
}

gboolean
sftp_stat_open (Sftp *self, const SftpHandle *handle, const char *name, PacketAttrs *ret_attrs,
                GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_FSTAT);
  packet_add_bytes (request, handle->bytes, handle->n_bytes);
  return ask_attrs (self, request, name, ret_attrs, error);
}

gboolean
sftp_truncate (Sftp *self, const SftpHandle *handle, guint64 size_bytes, const char *name,
               GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_FSETSTAT);
  packet_add_bytes (request, handle->bytes, handle->n_bytes);
  packet_add_u32 (request, PACKET_ATTR_SIZE);
  packet_add_u64 (request, size_bytes);
  return sftp_order (self, request, "cut", name, error);
}

gboolean
sftp_make_folder (Sftp *self, const char *path, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_MKDIR);
  packet_add_text (request, path);
  packet_add_u32 (request, PACKET_ATTR_PERMISSIONS);
  packet_add_u32 (request, FOLDER_MODE);
  return sftp_order (self, request, "make the folder", path, error);
}

gboolean
sftp_remove (Sftp *self, const char *path, const char *name, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_REMOVE);
  packet_add_text (request, path);
  return sftp_order (self, request, "remove", name, error);
}

gboolean
sftp_rename (Sftp *self, const char *from, const char *to, const char *name, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_RENAME);
  packet_add_text (request, from);
  packet_add_text (request, to);
  return sftp_order (self, request, "rename", name, error);
}

gboolean
sftp_rename_over (Sftp *self, const char *from, const char *to, const char *name, GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_EXTENDED);
  packet_add_text (request, "posix-rename@openssh.com");
  packet_add_text (request, from);
  packet_add_text (request, to);
  return sftp_order (self, request, "rename", name, error);
}

/* One answer's names. Returns: %FALSE when it makes no sense */
static gboolean
tell_names (PacketReader *body, guint *n_names, SftpNameFunc func, gpointer user_data)
{
  guint32 n_here = packet_read_u32 (body);
  for (guint32 i = 0; i < n_here && !body->is_bad && *n_names <= NAMES_MAX; i++, ++*n_names)
    {
      g_autofree char *name = packet_read_text (body);
      gsize n_long;
      packet_read_bytes (body, &n_long);
      PacketAttrs attrs = packet_read_attrs (body);
      if (!body->is_bad)
        func (name, &attrs, user_data);
    }
  return !body->is_bad && *n_names <= NAMES_MAX;
}

/* Asks for more names. Returns: %FALSE with @error, or without one at the end */
static gboolean
list_more (Sftp *self, const SftpHandle *handle, const char *path, SftpAnswer *ret_answer,
           GError **error)
{
  GByteArray *request = sftp_begin (self, PACKET_READDIR);
  guint32 id = self->last_id;
  packet_add_bytes (request, handle->bytes, handle->n_bytes);
  if (!sftp_send (self, request, "list", error) || !sftp_receive (self, ret_answer, error)
      || !sftp_end (self, "list", error))
    return FALSE;
  if (ret_answer->id != id
      || (ret_answer->type != PACKET_STATUS && ret_answer->type != PACKET_NAME))
    return sftp_fail_format (self, error);
  if (ret_answer->type == PACKET_NAME)
    return TRUE;
  guint32 status = packet_read_u32 (&ret_answer->body);
  return status == STATUS_EOF ? FALSE : sftp_fail (self, status, "list", path, error);
}

gboolean
sftp_list (Sftp *self, const char *path, SftpNameFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GError) local = NULL;
  SftpHandle handle;
  SftpAnswer answer;
  guint n_names = 0;
  if (!sftp_open_folder (self, path, &handle, error))
    return FALSE;
  while (list_more (self, &handle, path, &answer, &local))
    if (!tell_names (&answer.body, &n_names, func, user_data))
      return sftp_fail_format (self, error);
  if (local == NULL)
    return sftp_close (self, &handle, path, error);
  sftp_close (self, &handle, path, NULL);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
sftp_learn_limits (Sftp *self, GError **error)
{
  SftpAnswer answer;
  self->block_bytes = SFTP_BLOCK_MIN;
  if (!self->has_limits)
    return TRUE;
  GByteArray *request = sftp_begin (self, PACKET_EXTENDED);
  packet_add_text (request, "limits@openssh.com");
  if (!sftp_ask (self, request, PACKET_EXTENDED_REPLY, "look at", "limits", &answer, error))
    return FALSE;
  packet_read_u64 (&answer.body); /* the longest message */
  guint64 read_bytes = packet_read_u64 (&answer.body);
  guint64 write_bytes = packet_read_u64 (&answer.body);
  self->block_bytes =
      (guint32)CLAMP (MIN (read_bytes, write_bytes), SFTP_BLOCK_MIN, SFTP_BLOCK_MAX);
  return !answer.body.is_bad || sftp_fail_format (self, error);
}

gboolean
sftp_is_full (Sftp *self, const char *path, gsize n_bytes)
{
  SftpAnswer answer;
  if (!self->has_statvfs || self->session == NULL)
    return FALSE;
  GByteArray *request = sftp_begin (self, PACKET_EXTENDED);
  packet_add_text (request, "statvfs@openssh.com");
  packet_add_text (request, path);
  if (!sftp_ask (self, request, PACKET_EXTENDED_REPLY, "look at", path, &answer, NULL))
    return FALSE;
  packet_read_u64 (&answer.body); /* the block size that is best */
  guint64 block_bytes = packet_read_u64 (&answer.body);
  packet_read_u64 (&answer.body); /* blocks in all */
  packet_read_u64 (&answer.body); /* free for root */
  guint64 n_blocks = packet_read_u64 (&answer.body);
  guint64 n_files_max = packet_read_u64 (&answer.body); /* 0 where they are not counted */
  packet_read_u64 (&answer.body);                       /* free for root */
  guint64 n_files = packet_read_u64 (&answer.body);
  return !answer.body.is_bad
         && ((n_files_max > 0 && n_files == 0) || n_blocks <= n_bytes / MAX (block_bytes, 1));
}
