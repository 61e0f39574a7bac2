/* address.h - where a bucket is: parses the URI of a folder in it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

typedef struct
{
  char *bucket;      /* (owned) */
  char *prefix;      /* (owned): what the keys of the folder begin with: "", or "a/b/" */
  char *host;        /* (owned) (nullable): HOST[:PORT] of the server; %NULL for Amazon's */
  gboolean has_tls;  /* connections are encrypted */
  gboolean is_clean; /* the bucket's name can be a part of a host name under a TLS certificate */
} Address;

/**
 * address_parse:
 * @self: (out): set on success; clear it with address_clear()
 * @uri: s3://BUCKET/PATH, s3+http://HOST[:PORT]/BUCKET/PATH or s3+https://...
 * @error: %SATIN_ERROR_INVALID; the message has no password that was in @uri
 *
 * Returns: %TRUE on success
 */
gboolean address_parse (Address *self, const char *uri, GError **error);

void address_clear (Address *self);

/**
 * address_use_endpoint:
 * @url: http://HOST[:PORT] or https://HOST[:PORT], as AWS_ENDPOINT_URL has it
 *
 * Sets the server of an address that names none.
 *
 * Returns: %FALSE with %SATIN_ERROR_INVALID when @url is of another form
 */
gboolean address_use_endpoint (Address *self, const char *url, GError **error);

/* Returns: (transfer full): the host for requests, as in a URL. @region: for Amazon's servers */
char *address_get_host (const Address *self, const char *region);

/* Returns: (transfer full): the path of an object for requests, encoded. @key: (nullable): %NULL
 * for the bucket */
char *address_get_path (const Address *self, const char *key);

G_END_DECLS
