/* fuzz-sftp.c - the SFTP client of storage-sftp with a hostile server
 *
 * The server here knows which answers are awaited, because one with another number is refused at
 * once; all else of an answer comes from the input: a byte for its type, one for its length, and
 * its body. When the input is at its end the server hangs up. Whatever it says, an operation ends,
 * with an error when it fails, and never says that it read more than was asked for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "sftp.h"

#include <string.h>

/* Two blocks. */
#define FILE_BYTES 33000u

/* Types of answers, by the first byte; behind them, one that means raw bytes without a frame. */
static const guint8 types[] = { PACKET_STATUS, PACKET_HANDLE,  PACKET_DATA,          PACKET_NAME,
                                PACKET_ATTRS,  PACKET_VERSION, PACKET_EXTENDED_REPLY };

/* The server's side of the connection. */
struct _Session
{
  GArray *awaited; /* (owned) guint32: numbers of requests without an answer; 0 for the first one */
  GByteArray *answer; /* (owned): not yet received */
};

/* What is left of the input. */
static const guint8 *input;
static gsize n_input;

static guint8
take_byte (void)
{
  if (n_input == 0)
    return 0;
  n_input--;
  return *input++;
}

Session *
session_open (const Server *server, StorageCalls *calls, GError **error)
{
  Session *self = g_new0 (Session, 1);
  self->awaited = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->answer = g_byte_array_new ();
  return self;
}

void
session_close (Session *self)
{
  g_array_unref (self->awaited);
  g_byte_array_unref (self->answer);
  g_free (self);
}

gboolean
session_is_alive (const Session *self)
{
  return TRUE;
}

void
session_let_work (Session *self)
{
}

gboolean
session_send (Session *self, const guint8 *bytes, gsize n_bytes, GError **error)
{
  PacketReader reader = { .at = bytes, .n_left = n_bytes };
  packet_read_u32 (&reader);
  guint8 type = packet_read_u8 (&reader);
  guint32 id = type == PACKET_INIT ? 0 : packet_read_u32 (&reader);
  g_assert_false (reader.is_bad);
  g_array_append_val (self->awaited, id);
  return TRUE;
}

/* The next answer: to a request that waits, not always the first. */
static void
make_answer (Session *self)
{
  guint8 choice = take_byte ();
  guint8 length = take_byte ();
  gsize n_body = MIN (length, n_input);
  if (choice % (G_N_ELEMENTS (types) + 1) == G_N_ELEMENTS (types))
    {
      g_byte_array_append (self->answer, input, (guint)n_body);
    }
  else
    {
      guint at = choice >= 0xf0 ? self->awaited->len - 1 : 0;
      guint32 id = g_array_index (self->awaited, guint32, at);
      g_autoptr (GByteArray) packet = packet_begin (types[choice % G_N_ELEMENTS (types)]);
      g_array_remove_index (self->awaited, at);
      if (id != 0)
        packet_add_u32 (packet, id);
      g_byte_array_append (packet, input, (guint)n_body);
      packet_end (packet);
      g_byte_array_append (self->answer, packet->data, packet->len);
    }
  input += n_body;
  n_input -= n_body;
}

gsize
session_receive (Session *self, guint8 *buffer, gsize n_bytes, GError **error)
{
  while (self->answer->len == 0 && n_input > 0 && self->awaited->len > 0)
    make_answer (self);
  gsize n = MIN (n_bytes, self->answer->len);
  if (n == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED, "the server hung up");
      return 0;
    }
  memcpy (buffer, self->answer->data, n);
  g_byte_array_remove_range (self->answer, 0, (guint)n);
  return n;
}

static void
ignore_name (const char *name, const PacketAttrs *attrs, gpointer user_data)
{
  g_assert_nonnull (name);
}

/* Returns: whether the connection goes on */
static gboolean
check (Sftp *sftp, gboolean is_done, GError *error)
{
  g_autoptr (GError) taken = error;
  g_assert_true (is_done == (taken == NULL));
  return sftp->session != NULL && sftp->n_awaited == 0;
}

static gboolean
use_file (Sftp *sftp)
{
  static guint8 bytes[FILE_BYTES];
  SftpHandle handle;
  PacketAttrs attrs;
  GError *error = NULL;
  gsize n_read = 0;
  gboolean is_open = sftp_open (sftp, "/f/x", PACKET_OPEN_READ, "x", &handle, &error);
  if (!check (sftp, is_open, error) || !is_open)
    return sftp->session != NULL;
  error = NULL;
  gboolean is_done = sftp_stat_open (sftp, &handle, "x", &attrs, &error);
  if (!check (sftp, is_done, error))
    return FALSE;
  error = NULL;
  is_done = sftp_read (sftp, &handle, "x", 0, bytes, FILE_BYTES, &n_read, &error);
  g_assert_cmpuint (n_read, <=, FILE_BYTES);
  if (!check (sftp, is_done, error))
    return FALSE;
  error = NULL;
  is_done = sftp_write (sftp, &handle, "/f", "x", 0, bytes, FILE_BYTES, &error);
  if (!check (sftp, is_done, error))
    return FALSE;
  error = NULL;
  is_done = sftp_close (sftp, &handle, "x", &error);
  return check (sftp, is_done, error);
}

/* One for all inputs. */
static StorageCalls *
get_calls (void)
{
  static const SatinParam table[] = { STORAGE_CALL_PARAMS,
                                      { NULL, SATIN_PARAM_STRING, NULL, NULL } };
  static StorageCalls *calls;
  g_autoptr (SatinParams) params = calls == NULL ? satin_params_parse (table, NULL, NULL) : NULL;
  if (calls == NULL)
    calls = storage_calls_new (params, "fuzz", NULL);
  return calls;
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  static char uri[] = "sftp://h/f", known[] = "h";
  Address address = { .uri = uri, .known = known };
  Server server = { .address = &address };
  Sftp sftp;
  input = bytes;
  n_input = n_bytes;
  sftp_init (&sftp, &server, get_calls ());
  GError *error = NULL;
  gboolean is_up = sftp_connect (&sftp, &error);
  if (check (&sftp, is_up, error) && is_up && use_file (&sftp))
    {
      error = NULL;
      gboolean is_done = sftp_list (&sftp, "/f", ignore_name, NULL, &error);
      check (&sftp, is_done, error);
      sftp_is_full (&sftp, "/f", 1);
    }
  sftp_done (&sftp);
  return 0;
}

static void
add_answer (GByteArray *out, PacketType type, GByteArray *body)
{
  guint8 head[] = { 0, (guint8)(body->len - 5) };
  while (types[head[0]] != type)
    head[0]++;
  g_byte_array_append (out, head, sizeof head);
  g_byte_array_append (out, body->data + 5, body->len - 5);
  g_byte_array_unref (body);
}

static void
add_status (GByteArray *out, guint32 status)
{
  GByteArray *body = packet_begin (PACKET_STATUS);
  packet_add_u32 (body, status);
  add_answer (out, PACKET_STATUS, body);
}

/* A server as it should be: the first exchange, a file that is read and written, a list. */
void
fuzz_example (GByteArray *out)
{
  GByteArray *body = packet_begin (PACKET_VERSION);
  packet_add_u32 (body, 3);
  packet_add_text (body, "statvfs@openssh.com");
  packet_add_text (body, "2");
  add_answer (out, PACKET_VERSION, body);
  body = packet_begin (PACKET_HANDLE);
  packet_add_text (body, "1234");
  add_answer (out, PACKET_HANDLE, body);
  body = packet_begin (PACKET_ATTRS);
  packet_add_u32 (body, PACKET_ATTR_SIZE | PACKET_ATTR_PERMISSIONS);
  packet_add_u64 (body, FILE_BYTES);
  packet_add_u32 (body, 0100600);
  add_answer (out, PACKET_ATTRS, body);
  body = packet_begin (PACKET_DATA);
  packet_add_bytes (body, "0123456789012345678901234567890123456789", 40);
  add_answer (out, PACKET_DATA, body);
  for (guint i = 0; i < 4; i++)
    add_status (out, STATUS_EOF);
  for (guint i = 0; i < 5; i++)
    add_status (out, STATUS_OK);
  body = packet_begin (PACKET_HANDLE);
  packet_add_text (body, "folder");
  add_answer (out, PACKET_HANDLE, body);
  body = packet_begin (PACKET_NAME);
  packet_add_u32 (body, 1);
  packet_add_text (body, "name");
  packet_add_text (body, "-rw------- name");
  packet_add_u32 (body, 0);
  add_answer (out, PACKET_NAME, body);
  add_status (out, STATUS_EOF);
  add_status (out, STATUS_OK);
}
