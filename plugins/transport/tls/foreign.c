/* foreign.c - notices when only one of two sides uses TLS
 *
 * This check only serves to give an error message that names the cure. Without the check, the
 * message would only say that the peer is no Satin peer. A stream of frames (satin/net) does not
 * begin with the bytes that are looked for. The first four of them, as the length of a frame, are
 * above the limit of a first frame (64 KiB): they give 66,000 or more, because TLS clients write
 * the version 3.1 or a later one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "foreign.h"

#include <string.h>

#define RECORD_ALERT     0x15
#define RECORD_HANDSHAKE 0x16
#define CLIENT_HELLO     0x01

/* type, version (two bytes), length (two bytes), level: fatal, alert */
const guint8 tcp_mismatch[TCP_MISMATCH_BYTES] = { RECORD_ALERT,      0x03, 0x03, 0x00, 0x02, 0x02,
                                                  TCP_MISMATCH_ALERT };

static gboolean
is_client_hello (const guint8 *bytes, gsize n_bytes)
{
  return n_bytes >= 6 && bytes[0] == RECORD_HANDSHAKE && bytes[1] == 0x03 && bytes[2] >= 0x01
         && bytes[2] <= 0x04 && bytes[5] == CLIENT_HELLO;
}

gboolean
tcp_check_first (gpointer data, gboolean is_accepting, const guint8 *bytes, gsize n_bytes,
                 GBytes **ret_answer, GError **error)
{
  if (is_accepting && is_client_hello (bytes, n_bytes))
    {
      *ret_answer = g_bytes_new_static (tcp_mismatch, TCP_MISMATCH_BYTES);
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "the other side uses a cluster secret and this one is insecure: give this one "
                   "the secret");
      return FALSE;
    }
  if (!is_accepting && n_bytes == TCP_MISMATCH_BYTES
      && memcmp (bytes, tcp_mismatch, TCP_MISMATCH_BYTES) == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "the other side wants the cluster secret and this one is insecure: give this "
                   "one the secret");
      return FALSE;
    }
  return TRUE;
}
