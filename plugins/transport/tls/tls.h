/* tls.h - authenticated and encrypted links: TLS 1.3 with the cluster secret
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream.h"

#include <openssl/ssl.h>

/* Length of a key's name in a handshake, in bytes and as text. The name reveals nothing of the key.
 */
#define TLS_KEY_NAME_BYTES 8
#define TLS_KEY_NAME_TEXT  (2 * TLS_KEY_NAME_BYTES)

typedef struct
{
  const SatinSecret *secret; /* (borrowed) */
  char names[2][TLS_KEY_NAME_TEXT + 1];
  SSL_CTX *client; /* (owned) */
  SSL_CTX *server; /* (owned) */
} Tls;

Tls *tls_new (const SatinSecret *secret, GError **error);
void tls_free (Tls *self);

/* Makes the coder of a link; for StreamOptions.coder_new. */
StreamCoder *tls_coder_new (Tls *tls, gboolean is_accepting, GError **error);

/* Data of one link that OpenSSL's key callbacks reach through SSL_get_app_data(). */
typedef struct
{
  Tls *tls;             /* (borrowed) */
  gboolean is_stranger; /* the client named an unknown key */
} TlsParty;

/* Continues the handshake. @inside: the BIO through which @ssl sends. Returns: %FALSE with @error
 * when the handshake failed, for example because the peer does not have the secret */
gboolean tls_shake (SSL *ssl, const TlsParty *party, BIO *inside, gboolean *ret_is_done,
                    GError **error);

/* @number: an entry of OpenSSL's error queue. Returns: the alert that the peer sent, or -1 */
int tls_get_alert (unsigned long number);

/* Sets @error from OpenSSL's error queue, and empties the queue. */
void tls_set_error (GError **error, SatinErrorCode code, const char *what);
