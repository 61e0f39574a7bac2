/* tls.h - authenticated and encrypted links: TLS 1.3 with the cluster secret
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream.h"

#include <openssl/ssl.h>

/* Name of a key in a handshake: tells nothing of the key. */
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

/* StreamOptions.coder_new; @tls is the Tls. */
StreamCoder *tls_coder_new (Tls *tls, gboolean is_accepting, GError **error);

/* The session object stored with an SSL (SSL_set_app_data); the key callbacks write to it. */
typedef struct
{
  Tls *tls;             /* (borrowed) */
  gboolean is_stranger; /* the client named a key that is not ours */
} TlsParty;

/* Goes on with the handshake. @inside: where @ssl writes what is to be sent. Returns: %FALSE with
 * @error when the other side does not have the secret, or is no TLS */
gboolean tls_shake (SSL *ssl, const TlsParty *party, BIO *inside, gboolean *ret_is_done,
                    GError **error);

/* @number: of OpenSSL's queue. Returns: the alert of the other side, or -1 */
int tls_get_alert (unsigned long number);

/* An error out of OpenSSL's queue, which is emptied. */
void tls_set_error (GError **error, SatinErrorCode code, const char *what);
