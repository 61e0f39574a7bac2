/* sign.h - signs requests: AWS Signature Version 4
 *
 * The signature proves that the sender has the secret. It is valid only with the method, the path,
 * the query, the headers and the body that were signed (without the body for SIGN_UNSIGNED). See
 * "Signature Version 4 signing process" in Amazon's documentation. These functions use no clock:
 * the caller gives the time.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is signed in place of a body's hash, where TLS protects the body. */
#define SIGN_UNSIGNED "UNSIGNED-PAYLOAD"

typedef struct
{
  const char *name;
  const char *value;
} SignField;

/* What is signed. */
typedef struct
{
  const char *method;
  const char *path;       /* encoded */
  const SignField *query; /* (array length=n_query): not encoded, in any order */
  guint n_query;
  const SignField *headers; /* (array length=n_headers): names in lower case, in any order */
  guint n_headers;
  const char *body_hash; /* SHA-256 of the body in hexadecimal digits, or SIGN_UNSIGNED */
} SignRequest;

/* Who signs, when and for what. */
typedef struct
{
  const char *key_id;
  const char *secret;
  const char *region;
  const char *service;
  const char *time; /* "20130524T000000Z" */
} SignScope;

/* Returns: (transfer full): @text with everything but letters, digits and "-._~" as %XX.
 * @keeps_slash: slashes stay, too */
char *sign_encode (const char *text, gboolean keeps_slash);

/* Returns: (transfer full): the query as it is signed and sent, without a question mark */
char *sign_query (const SignField *query, guint n_query);

/* Returns: (transfer full): the canonical request, the text whose hash is signed */
char *sign_canonical (const SignRequest *request);

/* Returns: (transfer full): the value of the header Authorization */
char *sign_authorization (const SignRequest *request, const SignScope *scope);

G_END_DECLS
