/* tls-coder.c - one TLS link: bytes in, bytes out
 *
 * OpenSSL works on a pair of memory rings, so it never touches a socket: what is
 * received is put straight into one, what is to be sent is taken straight from the
 * other. A record is begun only when the ring has room for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tls.h"

#include "foreign.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <string.h>

/* Four full records with their heads, and something small besides. */
#define RING_BYTES (((gsize)64 << 10) + 1024)

/* What TLS adds to a record, generously. */
#define RECORD_EXTRA_BYTES 256

typedef struct
{
  StreamCoder coder;
  TlsParty party;
  SSL *ssl;     /* (owned) */
  BIO *inside;  /* (owned by @ssl): its end of the rings */
  BIO *outside; /* (owned): the socket's end */
} TlsCoder;

/* OpenSSL reports an alert of the other side as this plus its number. */
static int
get_alert (unsigned long number)
{
  int reason = ERR_GET_REASON (number);
  return reason >= SSL_AD_REASON_OFFSET && reason < SSL_AD_REASON_OFFSET + 256
             ? reason - SSL_AD_REASON_OFFSET
             : -1;
}

static gboolean
is_no_tls (unsigned long number)
{
  switch (ERR_GET_REASON (number))
    {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
      return TRUE;
    default:
      return FALSE;
    }
}

/* The other side ended the handshake with @alert. */
static void
set_alert_error (GError **error, int alert)
{
  switch (alert)
    {
    case TCP_MISMATCH_ALERT:
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "the other side is insecure and this one uses a cluster secret: give the other "
                   "side the secret");
      ERR_clear_error ();
      return;
    case SSL_AD_HANDSHAKE_FAILURE:
    case SSL_AD_ILLEGAL_PARAMETER:
    case SSL_AD_DECRYPT_ERROR:
    case SSL_AD_UNKNOWN_PSK_IDENTITY:
      tls_set_error (error, SATIN_ERROR_SECRET,
                     "the other side has another cluster secret: give both the same secret file");
      return;
    default:
      tls_set_error (error, SATIN_ERROR_FORMAT, "the other side refused the TLS handshake");
      return;
    }
}

static void
set_shake_error (TlsCoder *self, GError **error)
{
  unsigned long number = ERR_peek_last_error ();
  int alert = get_alert (number);
  if (alert >= 0)
    set_alert_error (error, alert);
  else if (self->party.is_stranger || ERR_GET_REASON (number) == SSL_R_BINDER_DOES_NOT_VERIFY)
    tls_set_error (error, SATIN_ERROR_SECRET,
                   "the other side has another cluster secret: give both the same secret file");
  else if (is_no_tls (number))
    {
      tls_set_error (error, SATIN_ERROR_FORMAT,
                     "the other side does not speak TLS: it may run insecure, then give it the "
                     "secret");
      /* OpenSSL says nothing to those it does not understand. */
      BIO_write (self->inside, tcp_mismatch, TCP_MISMATCH_BYTES);
    }
  else
    tls_set_error (error, SATIN_ERROR_FORMAT, "the TLS handshake failed");
}

/* OpenSSL was told all of this; it is asked again because everything rests on it. */
static gboolean
is_as_agreed (TlsCoder *self)
{
  return SSL_session_reused (self->ssl) == 1 /* with our key */
         && SSL_version (self->ssl) == TLS1_3_VERSION
         && SSL_CIPHER_get_id (SSL_get_current_cipher (self->ssl)) == TLS1_3_CK_AES_128_GCM_SHA256
         && SSL_get_negotiated_group (self->ssl) != NID_undef;
}

static gboolean
tls_coder_shake (StreamCoder *coder, gboolean *ret_is_done, GError **error)
{
  TlsCoder *self = (TlsCoder *)coder;
  ERR_clear_error ();
  int result = SSL_do_handshake (self->ssl);
  if (result == 1 && !is_as_agreed (self))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "the other side did not prove that it has the cluster secret");
      return FALSE;
    }
  if (result == 1)
    {
      *ret_is_done = TRUE;
      return TRUE;
    }
  if (SSL_get_error (self->ssl, result) == SSL_ERROR_WANT_READ)
    return TRUE;
  set_shake_error (self, error);
  return FALSE;
}

static gsize
tls_coder_input_room (StreamCoder *coder, guint8 **ret_room)
{
  TlsCoder *self = (TlsCoder *)coder;
  char *room = NULL;
  int n_bytes = BIO_nwrite0 (self->outside, &room);
  *ret_room = (guint8 *)room;
  return n_bytes > 0 ? (gsize)n_bytes : 0;
}

static void
tls_coder_input_filled (StreamCoder *coder, gsize n_bytes)
{
  char *room;
  BIO_nwrite (((TlsCoder *)coder)->outside, &room, (int)n_bytes);
}

static gssize
tls_coder_read (StreamCoder *coder, guint8 *into, gsize size_bytes, gboolean *ret_is_end,
                GError **error)
{
  TlsCoder *self = (TlsCoder *)coder;
  size_t n_bytes = 0;
  ERR_clear_error ();
  int result = SSL_read_ex (self->ssl, into, size_bytes, &n_bytes);
  if (result == 1)
    return (gssize)n_bytes;
  switch (SSL_get_error (self->ssl, result))
    {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return 0;
    case SSL_ERROR_ZERO_RETURN:
      *ret_is_end = TRUE;
      return 0;
    default:
      if (get_alert (ERR_peek_last_error ()) >= 0)
        tls_set_error (error, SATIN_ERROR_CLOSED, "the other side gave the link up");
      else
        tls_set_error (error, SATIN_ERROR_FORMAT, "what came is not what the other side sent");
      return -1;
    }
}

static gboolean
tls_coder_write (StreamCoder *coder, const guint8 *bytes, gsize n_bytes, GError **error)
{
  TlsCoder *self = (TlsCoder *)coder;
  size_t n_written = 0;
  if ((gsize)BIO_get_write_guarantee (self->inside) < n_bytes + RECORD_EXTRA_BYTES)
    return FALSE;
  ERR_clear_error ();
  int result = SSL_write_ex (self->ssl, bytes, n_bytes, &n_written);
  if (result == 1)
    return TRUE;
  int problem = SSL_get_error (self->ssl, result);
  if (problem != SSL_ERROR_WANT_READ && problem != SSL_ERROR_WANT_WRITE)
    tls_set_error (error, SATIN_ERROR_IO, "cannot encrypt");
  return FALSE;
}

static gsize
tls_coder_output (StreamCoder *coder, const guint8 **ret_bytes)
{
  TlsCoder *self = (TlsCoder *)coder;
  char *bytes = NULL;
  int n_bytes = BIO_nread0 (self->outside, &bytes);
  *ret_bytes = (guint8 *)bytes;
  return n_bytes > 0 ? (gsize)n_bytes : 0;
}

static void
tls_coder_output_taken (StreamCoder *coder, gsize n_bytes)
{
  char *bytes;
  BIO_nread (((TlsCoder *)coder)->outside, &bytes, (int)n_bytes);
}

/* A second call would wait for the other side's notice instead. */
static void
tls_coder_close (StreamCoder *coder)
{
  TlsCoder *self = (TlsCoder *)coder;
  if ((SSL_get_shutdown (self->ssl) & SSL_SENT_SHUTDOWN) == 0)
    SSL_shutdown (self->ssl);
  ERR_clear_error ();
}

static void
tls_coder_free (StreamCoder *coder)
{
  TlsCoder *self = (TlsCoder *)coder;
  SSL_free (self->ssl);
  BIO_free (self->outside);
  g_free (self);
}

static const StreamCoderFuncs tls_coder_funcs = {
  .shake = tls_coder_shake,
  .input_room = tls_coder_input_room,
  .input_filled = tls_coder_input_filled,
  .read = tls_coder_read,
  .write = tls_coder_write,
  .output = tls_coder_output,
  .output_taken = tls_coder_output_taken,
  .close = tls_coder_close,
  .free = tls_coder_free,
};

StreamCoder *
tls_coder_new (Tls *tls, gboolean is_accepting, GError **error)
{
  TlsCoder *self = g_new0 (TlsCoder, 1);
  self->coder.funcs = &tls_coder_funcs;
  self->party.tls = tls;
  self->ssl = SSL_new (is_accepting ? tls->server : tls->client);
  if (self->ssl == NULL
      || BIO_new_bio_pair (&self->inside, RING_BYTES, &self->outside, RING_BYTES) != 1)
    {
      tls_set_error (error, SATIN_ERROR_IO, "cannot make a TLS link");
      tls_coder_free (&self->coder);
      return NULL;
    }
  SSL_set_app_data (self->ssl, &self->party);
  SSL_set_bio (self->ssl, self->inside, self->inside);
  if (is_accepting)
    SSL_set_accept_state (self->ssl);
  else
    SSL_set_connect_state (self->ssl);
  return &self->coder;
}
