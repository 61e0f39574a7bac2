/* tls-coder.c - encrypts and decrypts the bytes of one link
 *
 * OpenSSL works on a pair of ring buffers in memory, so it never touches a socket. Received bytes
 * are written directly into one ring, and bytes to send are read directly from the other. A record
 * is begun only if the ring has room for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tls.h"

#include "foreign.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <string.h>

/* Four full records with their headers, and some room for small records. */
#define RING_BYTES (((gsize)64 << 10) + 1024)

/* An upper bound for the bytes that TLS adds to a record. */
#define RECORD_EXTRA_BYTES 256

typedef struct
{
  StreamCoder coder;
  TlsParty party;
  SSL *ssl;     /* (owned) */
  BIO *inside;  /* (owned by @ssl): OpenSSL's end of the rings */
  BIO *outside; /* (owned): the socket's end */
} TlsCoder;

static gboolean
tls_coder_shake (StreamCoder *coder, gboolean *ret_is_done, GError **error)
{
  TlsCoder *self = (TlsCoder *)coder;
  return tls_shake (self->ssl, &self->party, self->inside, ret_is_done, error);
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
      if (tls_get_alert (ERR_peek_last_error ()) >= 0)
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

/* Calls SSL_shutdown() only once: a second call would wait for the peer's notice. */
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
