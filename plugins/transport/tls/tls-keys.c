/* tls-keys.c - the keys and the rules of TLS links
 *
 * Only TLS 1.3 is spoken. The cluster secret is an external pre-shared key. It is always combined
 * with a fresh Diffie-Hellman exchange (psk_dhe_ke), so a secret that leaks later does not decrypt
 * recorded traffic. The only cipher is AES-128-GCM with SHA-256. There are no certificates,
 * tickets, resumption or early data. A client names its key by the first bytes of a digest of the
 * key. A server knows the names of all its keys.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tls.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <satin/base/bytes.h>
#include <string.h>

#define CIPHER "TLS_AES_128_GCM_SHA256"
#define GROUPS "X25519:P-256"

static const guint8 cipher_id[2] = { 0x13, 0x01 };

void
tls_set_error (GError **error, SatinErrorCode code, const char *what)
{
  unsigned long number = ERR_peek_last_error ();
  const char *reason = number != 0 ? ERR_reason_error_string (number) : NULL;
  g_set_error (error, SATIN_ERROR, code, "%s (%s)", what,
               reason != NULL ? reason : "no reason given");
  ERR_clear_error ();
}

static void
name_key (const guint8 *key, char *ret_name)
{
  static const char label[] = "satin psk name";
  guint8 digest[EVP_MAX_MD_SIZE];
  EVP_MD_CTX *context = EVP_MD_CTX_new ();
  gboolean is_done = EVP_DigestInit_ex (context, EVP_sha256 (), NULL) == 1
                     && EVP_DigestUpdate (context, label, sizeof label) == 1
                     && EVP_DigestUpdate (context, key, SATIN_SECRET_KEY_BYTES) == 1
                     && EVP_DigestFinal_ex (context, digest, NULL) == 1;
  g_assert (is_done);
  EVP_MD_CTX_free (context);
  satin_hex_write (digest, TLS_KEY_NAME_BYTES, ret_name);
}

/* OpenSSL wants an external key wrapped in a session object. */
static SSL_SESSION *
session_new (SSL *ssl, const guint8 *key)
{
  const SSL_CIPHER *cipher = SSL_CIPHER_find (ssl, cipher_id);
  SSL_SESSION *session = SSL_SESSION_new ();
  if (session != NULL && cipher != NULL
      && SSL_SESSION_set1_master_key (session, key, SATIN_SECRET_KEY_BYTES) == 1
      && SSL_SESSION_set_cipher (session, cipher) == 1
      && SSL_SESSION_set_protocol_version (session, TLS1_3_VERSION) == 1)
    return session;
  SSL_SESSION_free (session);
  return NULL;
}

/* OpenSSL's callback of a client: offers the first key of the secret. */
static int
offer_key (SSL *ssl, const EVP_MD *digest, const unsigned char **ret_name, size_t *ret_length,
           SSL_SESSION **ret_session)
{
  const Tls *tls = ((TlsParty *)SSL_get_app_data (ssl))->tls;
  *ret_session = session_new (ssl, tls->secret->keys[0]);
  *ret_name = (const unsigned char *)tls->names[0];
  *ret_length = TLS_KEY_NAME_TEXT;
  return *ret_session != NULL;
}

/* OpenSSL's callback of a server: finds the key that a client named, among all keys of the secret.
 * For an unknown name, this function must report success: OpenSSL continues without a key, and
 * fails because there is no certificate. */
static int
find_key (SSL *ssl, const unsigned char *name, size_t length, SSL_SESSION **ret_session)
{
  TlsParty *party = SSL_get_app_data (ssl);
  const Tls *tls = party->tls;
  *ret_session = NULL;
  for (guint i = 0; i < tls->secret->n_keys; i++)
    if (length == TLS_KEY_NAME_TEXT && memcmp (name, tls->names[i], length) == 0)
      {
        *ret_session = session_new (ssl, tls->secret->keys[i]);
        return *ret_session != NULL;
      }
  party->is_stranger = TRUE;
  return 1;
}

static SSL_CTX *
context_new (const SSL_METHOD *method)
{
  SSL_CTX *self = SSL_CTX_new (method);
  if (self == NULL)
    return NULL;
  SSL_CTX_set_options (self, SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_clear_options (self, SSL_OP_ALLOW_NO_DHE_KEX);
  SSL_CTX_set_session_cache_mode (self, SSL_SESS_CACHE_OFF);
  if (SSL_CTX_set_min_proto_version (self, TLS1_3_VERSION) == 1
      && SSL_CTX_set_max_proto_version (self, TLS1_3_VERSION) == 1
      && SSL_CTX_set_ciphersuites (self, CIPHER) == 1
      && SSL_CTX_set1_groups_list (self, GROUPS) == 1 && SSL_CTX_set_num_tickets (self, 0) == 1
      && SSL_CTX_set_max_early_data (self, 0) == 1)
    return self;
  SSL_CTX_free (self);
  return NULL;
}

Tls *
tls_new (const SatinSecret *secret, GError **error)
{
  /* Otherwise OpenSSL cleans up when the process exits, while other threads may still use it. */
  OPENSSL_init_crypto (OPENSSL_INIT_NO_ATEXIT, NULL);
  Tls *self = g_new0 (Tls, 1);
  self->secret = secret;
  for (guint i = 0; i < secret->n_keys; i++)
    name_key (secret->keys[i], self->names[i]);
  self->client = context_new (TLS_client_method ());
  self->server = context_new (TLS_server_method ());
  if (self->client == NULL || self->server == NULL)
    {
      tls_set_error (error, SATIN_ERROR_IO, "cannot set up TLS");
      tls_free (self);
      return NULL;
    }
  /* The client trusts no authority, so it accepts no server by a certificate. The server never asks
   * a client for a certificate. */
  SSL_CTX_set_verify (self->client, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_psk_use_session_callback (self->client, offer_key);
  SSL_CTX_set_psk_find_session_callback (self->server, find_key);
  return self;
}

void
tls_free (Tls *self)
{
  if (self == NULL)
    return;
  SSL_CTX_free (self->client);
  SSL_CTX_free (self->server);
  g_free (self);
}
