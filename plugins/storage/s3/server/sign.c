/* sign.c - signs requests: AWS Signature Version 4
 *
 * libcurl can sign, too (CURLOPT_AWS_SIGV4). Its older versions, among them Debian's, neither sort
 * nor encode a query, so they cannot sign a list of objects.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sign.h"

#include <string.h>

#define ALGORITHM  "AWS4-HMAC-SHA256"
#define HASH_BYTES 32

/* ---- the canonical request ---- */

char *
sign_encode (const char *text, gboolean keeps_slash)
{
  GString *out = g_string_new (NULL);
  for (const guchar *c = (const guchar *)text; *c != '\0'; c++)
    if (g_ascii_isalnum (*c) || strchr ("-._~", *c) != NULL || (*c == '/' && keeps_slash))
      g_string_append_c (out, (char)*c);
    else
      g_string_append_printf (out, "%%%02X", *c);
  return g_string_free (out, FALSE);
}

/* A field, prepared for the signature. */
typedef struct
{
  char *name;  /* (owned) */
  char *value; /* (owned) */
} Prepared;

static void
prepared_clear (gpointer field)
{
  Prepared *self = field;
  g_free (self->name);
  g_free (self->value);
}

/* Names are compared first: "a-b" sorts behind "a", though "a-b=1" is less than "a=1". */
static int
compare_fields (gconstpointer left, gconstpointer right)
{
  const Prepared *a = left, *b = right;
  int order = strcmp (a->name, b->name);
  return order != 0 ? order : strcmp (a->value, b->value);
}

/* Returns: (transfer full): @value without spaces at its ends, and with one space for several */
static char *
trim (const char *value)
{
  GString *out = g_string_new (NULL);
  for (const char *c = value; *c != '\0'; c++)
    if (*c != ' ' || (out->len > 0 && out->str[out->len - 1] != ' '))
      g_string_append_c (out, *c);
  return g_strchomp (g_string_free (out, FALSE));
}

/* Returns: (transfer full) (element-type Prepared): the fields in order. @is_query: they are
 * encoded, else their values are trimmed */
static GArray *
prepare (const SignField *fields, guint n_fields, gboolean is_query)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Prepared));
  g_array_set_clear_func (all, prepared_clear);
  for (guint i = 0; i < n_fields; i++)
    {
      const SignField *field = &fields[i];
      Prepared each = { is_query ? sign_encode (field->name, FALSE) : g_strdup (field->name),
                        is_query ? sign_encode (field->value, FALSE) : trim (field->value) };
      g_array_append_val (all, each);
    }
  g_array_sort (all, compare_fields);
  return all;
}

char *
sign_query (const SignField *query, guint n_query)
{
  g_autoptr (GArray) all = prepare (query, n_query, TRUE);
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < all->len; i++)
    {
      const Prepared *each = &g_array_index (all, Prepared, i);
      g_string_append_printf (out, "%s%s=%s", i > 0 ? "&" : "", each->name, each->value);
    }
  return g_string_free (out, FALSE);
}

/* @with_values: each name with its value on a line of its own; else the names alone, on one line */
static char *
join_headers (const SignRequest *request, gboolean with_values)
{
  g_autoptr (GArray) all = prepare (request->headers, request->n_headers, FALSE);
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < all->len; i++)
    {
      const Prepared *each = &g_array_index (all, Prepared, i);
      if (with_values)
        g_string_append_printf (out, "%s:%s\n", each->name, each->value);
      else
        g_string_append_printf (out, "%s%s", i > 0 ? ";" : "", each->name);
    }
  return g_string_free (out, FALSE);
}

char *
sign_canonical (const SignRequest *request)
{
  g_autofree char *query = sign_query (request->query, request->n_query);
  g_autofree char *headers = join_headers (request, TRUE);
  g_autofree char *names = join_headers (request, FALSE);
  return g_strjoin ("\n", request->method, request->path, query, headers, names, request->body_hash,
                    NULL);
}

/* ---- the signature ---- */

/* @ret_hash: (out): HASH_BYTES bytes */
static void
sign (const guint8 *key, gsize n_key, const char *text, guint8 *ret_hash)
{
  gsize n_bytes = HASH_BYTES;
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, key, n_key);
  g_hmac_update (hmac, (const guchar *)text, (gssize)strlen (text));
  g_hmac_get_digest (hmac, ret_hash, &n_bytes);
  g_hmac_unref (hmac);
}

/* Derives the key that signs requests of one day. Returns: (transfer full): the signature of @text
 */
static char *
sign_text (const SignScope *scope, const char *day, const char *text)
{
  guint8 key[HASH_BYTES];
  g_autofree char *secret = g_strconcat ("AWS4", scope->secret, NULL);
  sign ((const guint8 *)secret, strlen (secret), day, key);
  sign (key, sizeof key, scope->region, key);
  sign (key, sizeof key, scope->service, key);
  sign (key, sizeof key, "aws4_request", key);
  char *signature = g_compute_hmac_for_string (G_CHECKSUM_SHA256, key, sizeof key, text, -1);
  memset (secret, 0, strlen (secret));
  return signature;
}

char *
sign_authorization (const SignRequest *request, const SignScope *scope)
{
  g_autofree char *day = g_strndup (scope->time, 8);
  g_autofree char *where =
      g_strjoin ("/", day, scope->region, scope->service, "aws4_request", NULL);
  g_autofree char *canonical = sign_canonical (request);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  g_autofree char *text = g_strjoin ("\n", ALGORITHM, scope->time, where, hash, NULL);
  g_autofree char *signature = sign_text (scope, day, text);
  g_autofree char *names = join_headers (request, FALSE);
  return g_strdup_printf (ALGORITHM " Credential=%s/%s,SignedHeaders=%s,Signature=%s",
                          scope->key_id, where, names, signature);
}
