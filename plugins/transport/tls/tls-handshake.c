/* tls-handshake.c - the handshake proves that both sides have the cluster secret
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tls.h"

#include "foreign.h"

#include <openssl/bio.h>
#include <openssl/err.h>

int
tls_get_alert (unsigned long number)
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

/* Replaces OpenSSL's own text, which would mislead: "sslv3 alert handshake failure". */
static void
set_other_secret (GError **error)
{
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                       "the other side has another cluster secret: give both the same secret file");
  ERR_clear_error ();
}

/* Sets the error for a handshake that the peer ended with @alert. */
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
      set_other_secret (error);
      return;
    default:
      tls_set_error (error, SATIN_ERROR_FORMAT, "the other side refused the TLS handshake");
      return;
    }
}

static void
set_shake_error (const TlsParty *party, BIO *inside, GError **error)
{
  unsigned long number = ERR_peek_last_error ();
  int alert = tls_get_alert (number);
  if (alert >= 0)
    set_alert_error (error, alert);
  else if (party->is_stranger || ERR_GET_REASON (number) == SSL_R_BINDER_DOES_NOT_VERIFY)
    set_other_secret (error);
  else if (is_no_tls (number))
    {
      tls_set_error (error, SATIN_ERROR_FORMAT,
                     "the other side does not speak TLS: it may run insecure, then give it the "
                     "secret");
      /* OpenSSL sends no alert to a peer that does not speak TLS. */
      BIO_write (inside, tcp_mismatch, TCP_MISMATCH_BYTES);
    }
  else
    tls_set_error (error, SATIN_ERROR_FORMAT, "the TLS handshake failed");
}

/* Whether the handshake has kept our rules. OpenSSL is configured with these rules already; they
 * are checked again because the security of the links depends on them. */
static gboolean
is_as_agreed (SSL *ssl)
{
  return SSL_session_reused (ssl) == 1 /* the pre-shared key was used */
         && SSL_version (ssl) == TLS1_3_VERSION
         && SSL_CIPHER_get_id (SSL_get_current_cipher (ssl)) == TLS1_3_CK_AES_128_GCM_SHA256
         && SSL_get_negotiated_group (ssl) != NID_undef;
}

gboolean
tls_shake (SSL *ssl, const TlsParty *party, BIO *inside, gboolean *ret_is_done, GError **error)
{
  ERR_clear_error ();
  int result = SSL_do_handshake (ssl);
  if (result == 1 && !is_as_agreed (ssl))
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
  if (SSL_get_error (ssl, result) == SSL_ERROR_WANT_READ)
    return TRUE;
  set_shake_error (party, inside, error);
  return FALSE;
}
