/* sftp.c - the exchange of requests and answers with an SFTP server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sftp.h"

#include <string.h>

#define PROTOCOL_VERSION 3
#define LENGTH_BYTES     4
#define RECEIVE_BYTES    65536u

/* What was read is thrown away when it is so much. */
#define COMPACT_BYTES (1u << 20)

void
sftp_init (Sftp *self, Server *server, StorageCalls *calls)
{
  *self = (Sftp){ .server = server, .calls = calls, .in = g_byte_array_new () };
}

void
sftp_done (Sftp *self)
{
  sftp_disconnect (self);
  g_byte_array_unref (self->in);
}

void
sftp_disconnect (Sftp *self)
{
  g_clear_pointer (&self->session, session_close);
  self->is_ready = FALSE;
  self->n_awaited = 0;
  self->n_read = 0;
  g_byte_array_set_size (self->in, 0);
}

/* ---- messages ---- */

/* Receives until there are @n_bytes behind the last message. */
static gboolean
fill (Sftp *self, gsize n_bytes, GError **error)
{
  while (self->in->len - self->n_read < n_bytes)
    {
      guint length = self->in->len;
      g_byte_array_set_size (self->in, length + RECEIVE_BYTES);
      gsize n = session_receive (self->session, self->in->data + length, RECEIVE_BYTES, error);
      g_byte_array_set_size (self->in, length + (guint)n);
      if (n == 0)
        return FALSE;
    }
  return TRUE;
}

/* The next message. Returns: %FALSE with @error, and then there is no connection any more */
static gboolean
receive_message (Sftp *self, PacketReader *ret_message, GError **error)
{
  if (self->n_read == self->in->len || self->n_read >= COMPACT_BYTES)
    {
      g_byte_array_remove_range (self->in, 0, (guint)self->n_read);
      self->n_read = 0;
    }
  if (!fill (self, LENGTH_BYTES, error))
    {
      sftp_disconnect (self);
      return FALSE;
    }
  PacketReader head = { .at = self->in->data + self->n_read, .n_left = LENGTH_BYTES };
  guint32 length = packet_read_u32 (&head);
  if (length == 0 || length > SFTP_MESSAGE_MAX)
    return sftp_fail_format (self, error);
  if (!fill (self, LENGTH_BYTES + length, error))
    {
      sftp_disconnect (self);
      return FALSE;
    }
  *ret_message =
      (PacketReader){ .at = self->in->data + self->n_read + LENGTH_BYTES, .n_left = length };
  self->n_read += LENGTH_BYTES + length;
  return TRUE;
}

/* Sends without being counted. @request: (transfer full) */
static gboolean
send_message (Sftp *self, GByteArray *request, GError **error)
{
  packet_end (request);
  gboolean is_sent = session_send (self->session, request->data, request->len, error);
  g_byte_array_unref (request);
  if (!is_sent)
    sftp_disconnect (self);
  return is_sent;
}

/* ---- connections ---- */

static void
take_extension (Sftp *self, const char *name, const char *version)
{
  if (g_str_equal (name, "posix-rename@openssh.com"))
    self->has_posix_rename = g_str_equal (version, "1");
  else if (g_str_equal (name, "fsync@openssh.com"))
    self->has_fsync = g_str_equal (version, "1");
  else if (g_str_equal (name, "statvfs@openssh.com"))
    self->has_statvfs = g_str_equal (version, "2");
  else if (g_str_equal (name, "limits@openssh.com"))
    self->has_limits = g_str_equal (version, "1");
}

/* The first exchange. */
static gboolean
agree (Sftp *self, GError **error)
{
  PacketReader message;
  GByteArray *request = packet_begin (PACKET_INIT);
  packet_add_u32 (request, PROTOCOL_VERSION);
  if (!send_message (self, request, error) || !receive_message (self, &message, error))
    return FALSE;
  guint8 type = packet_read_u8 (&message);
  guint32 version = packet_read_u32 (&message);
  self->has_posix_rename = self->has_fsync = self->has_statvfs = self->has_limits = FALSE;
  while (message.n_left > 0 && !message.is_bad)
    {
      g_autofree char *name = packet_read_text (&message);
      g_autofree char *value = packet_read_text (&message);
      take_extension (self, name, value);
    }
  if (type != PACKET_VERSION || message.is_bad)
    return sftp_fail_format (self, error);
  if (version == PROTOCOL_VERSION)
    return TRUE;
  sftp_disconnect (self);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
               "%s: the server speaks version %u of SFTP, not %d", self->server->address->known,
               version, PROTOCOL_VERSION);
  return FALSE;
}

gboolean
sftp_connect (Sftp *self, GError **error)
{
  if (self->session != NULL && (!self->is_ready || !session_is_alive (self->session)))
    sftp_disconnect (self);
  if (self->session != NULL)
    return TRUE;
  if (!storage_calls_begin (self->calls, "connect", error))
    return FALSE;
  self->session = session_open (self->server, self->calls, error);
  if (self->session == NULL || !agree (self, error))
    return FALSE;
  self->is_ready = TRUE;
  session_let_work (self->session);
  if (!sftp_learn_limits (self, error))
    return FALSE;
  return sftp_end (self, "connect", error);
}

/* ---- requests ---- */

GByteArray *
sftp_begin (Sftp *self, PacketType type)
{
  GByteArray *request = packet_begin (type);
  packet_add_u32 (request, ++self->last_id);
  return request;
}

gboolean
sftp_send (Sftp *self, GByteArray *request, const char *what, GError **error)
{
  if (self->session == NULL || !storage_calls_begin (self->calls, what, error))
    {
      if (self->session == NULL)
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED, "%s: the link is broken",
                     self->server->address->known);
      g_byte_array_unref (request);
      return FALSE;
    }
  if (!send_message (self, request, error))
    return FALSE;
  self->n_awaited++;
  return TRUE;
}

/* A process that dies takes its connection with it. */
gboolean
sftp_end (Sftp *self, const char *what, GError **error)
{
  if (storage_calls_end (self->calls, what, error))
    return TRUE;
  sftp_disconnect (self);
  return FALSE;
}

gboolean
sftp_receive (Sftp *self, SftpAnswer *ret_answer, GError **error)
{
  PacketReader message;
  if (!receive_message (self, &message, error))
    return FALSE;
  ret_answer->type = packet_read_u8 (&message);
  ret_answer->id = packet_read_u32 (&message);
  ret_answer->body = message;
  if (message.is_bad || self->n_awaited == 0)
    return sftp_fail_format (self, error);
  self->n_awaited--;
  return TRUE;
}

gboolean
sftp_ask (Sftp *self, GByteArray *request, PacketType wanted, const char *what, const char *name,
          SftpAnswer *ret_answer, GError **error)
{
  guint32 id = self->last_id;
  if (!sftp_send (self, request, what, error) || !sftp_receive (self, ret_answer, error)
      || !sftp_end (self, what, error))
    return FALSE;
  if (ret_answer->id != id)
    return sftp_fail_format (self, error);
  if (ret_answer->type == wanted)
    return TRUE;
  if (ret_answer->type != PACKET_STATUS)
    return sftp_fail_format (self, error);
  guint32 status = packet_read_u32 (&ret_answer->body);
  return sftp_fail (self, status, what, name, error);
}

gboolean
sftp_order (Sftp *self, GByteArray *request, const char *what, const char *name, GError **error)
{
  SftpAnswer answer;
  if (!sftp_ask (self, request, PACKET_STATUS, what, name, &answer, error))
    return FALSE;
  guint32 status = packet_read_u32 (&answer.body);
  if (answer.body.is_bad)
    return sftp_fail_format (self, error);
  return status == STATUS_OK || sftp_fail (self, status, what, name, error);
}

/* ---- failures ---- */

gboolean
sftp_fail_format (Sftp *self, GError **error)
{
  sftp_disconnect (self);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s: the server's answer is none of SFTP; does it print something at login?",
               self->server->address->known);
  return FALSE;
}

gboolean
sftp_fail (Sftp *self, guint32 status, const char *what, const char *name, GError **error)
{
  static const struct
  {
    guint32 status;
    SatinErrorCode code;
    const char *words;
  } meanings[] = {
    { STATUS_NO_SUCH_FILE, SATIN_ERROR_NOT_FOUND, "there is no such file" },
    { STATUS_PERMISSION_DENIED, SATIN_ERROR_IO, "permission denied" },
    { STATUS_NO_CONNECTION, SATIN_ERROR_CLOSED, "the server lost its connection" },
    { STATUS_CONNECTION_LOST, SATIN_ERROR_CLOSED, "the server lost its connection" },
    { STATUS_UNSUPPORTED, SATIN_ERROR_PROTOCOL, "the server cannot do that" },
  };
  SatinErrorCode code = SATIN_ERROR_IO;
  const char *words = "the server refused, without a reason";
  for (gsize i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (meanings[i].status == status)
      {
        code = meanings[i].code;
        words = meanings[i].words;
      }
  g_set_error (error, SATIN_ERROR, code, "%s: cannot %s %s: %s", self->server->address->uri, what,
               name, words);
  return FALSE;
}
