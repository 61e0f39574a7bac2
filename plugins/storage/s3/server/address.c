/* address.c - where a bucket is: parses the URI of a folder in it
 *
 * Amazon wants the bucket as a part of the host name. A name with a dot does not fit under its TLS
 * certificates, and a name with an underline fits into no host name. Such buckets are a part of the
 * path, as all buckets of other servers are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"
#include "place.h"
#include "sign.h"

#include <string.h>

#define MAX_BUCKET 255

static const char *const schemes[] = { "s3", "s3+http", "s3+https", NULL };

static gboolean
refuse (const char *scheme, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s://... is no folder in a bucket: %s",
               scheme, why);
  return FALSE;
}

static gboolean
is_bucket (const char *name)
{
  gsize length = strlen (name);
  gsize n_good = strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_");
  return length > 0 && length <= MAX_BUCKET && n_good == length && name[0] != '.';
}

/* @path: decoded, without the first slash and without slashes at the end */
static gboolean
take_prefix (Address *self, const char *scheme, const char *path, GError **error)
{
  if (path[0] == '\0')
    {
      self->prefix = g_strdup ("");
      return TRUE;
    }
  /* GUri has resolved "." and "..". */
  if (!g_utf8_validate (path, -1, NULL) || path[0] == '/' || strstr (path, "//") != NULL)
    return refuse (scheme, "its path has an empty part, or bytes that are not UTF-8", error);
  self->prefix = g_strconcat (path, "/", NULL);
  return TRUE;
}

static gboolean
take_bucket (Address *self, const char *scheme, const char *bucket, GError **error)
{
  if (!is_bucket (bucket))
    return refuse (scheme,
                   "the bucket's name is not made of letters, digits, dots, dashes and underlines",
                   error);
  self->bucket = g_strdup (bucket);
  self->is_clean = strchr (bucket, '.') == NULL && strchr (bucket, '_') == NULL;
  return TRUE;
}

static gboolean
take (Address *self, const Place *place, GError **error)
{
  const char *scheme = place->scheme;
  g_autofree char *path =
      g_uri_unescape_string (place->path[0] == '/' ? place->path + 1 : place->path, NULL);
  if (place->user != NULL)
    return refuse (scheme, "keys do not belong into it; see the plugin's README for where they do",
                   error);
  if (strcmp (scheme, "s3") == 0)
    {
      self->has_tls = TRUE;
      return (place->port < 0
              || refuse (scheme, "write s3+http:// or s3+https:// for a server", error))
             && take_bucket (self, scheme, place->host, error)
             && take_prefix (self, scheme, path, error);
    }
  char *slash = strchr (path, '/');
  if (slash != NULL)
    *slash = '\0';
  self->has_tls = strcmp (scheme, "s3+https") == 0;
  self->host = place->port >= 0 ? g_strdup_printf ("%s:%d", place->host, place->port)
                                : g_strdup (place->host);
  return take_bucket (self, scheme, path, error)
         && take_prefix (self, scheme, slash != NULL ? slash + 1 : "", error);
}

gboolean
address_parse (Address *self, const char *uri, GError **error)
{
  Place place = { 0 };
  Address parsed = { 0 };
  if (!place_parse (&place, uri, schemes, error))
    return FALSE;
  gboolean is_taken = take (&parsed, &place, error);
  place_clear (&place);
  if (is_taken)
    *self = parsed;
  else
    address_clear (&parsed);
  return is_taken;
}

void
address_clear (Address *self)
{
  g_clear_pointer (&self->bucket, g_free);
  g_clear_pointer (&self->prefix, g_free);
  g_clear_pointer (&self->host, g_free);
}

gboolean
address_use_endpoint (Address *self, const char *url, GError **error)
{
  static const char *const web[] = { "http", "https", NULL };
  Place place = { 0 };
  g_autoptr (GError) local = NULL;
  gboolean is_good =
      place_parse (&place, url, web, &local) && place.path[0] == '\0' && place.user == NULL;
  if (is_good)
    {
      self->has_tls = strcmp (place.scheme, "https") == 0;
      self->host = place.port >= 0 ? g_strdup_printf ("%s:%d", place.host, place.port)
                                   : g_strdup (place.host);
    }
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "AWS_ENDPOINT_URL is not http://HOST:PORT or https://HOST:PORT%s%s",
                 local != NULL ? ": " : "", local != NULL ? local->message : "");
  place_clear (&place);
  return is_good;
}

char *
address_get_host (const Address *self, const char *region)
{
  const char *domain = g_str_has_prefix (region, "cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  if (self->host != NULL)
    return g_strdup (self->host);
  if (!self->is_clean)
    return g_strdup_printf ("s3.%s.%s", region, domain);
  return g_strdup_printf ("%s.s3.%s.%s", self->bucket, region, domain);
}

char *
address_get_path (const Address *self, const char *key)
{
  gboolean is_in_host = self->host == NULL && self->is_clean;
  g_autofree char *path =
      is_in_host ? g_strconcat ("/", key, NULL)
                 : g_strconcat ("/", self->bucket, key != NULL ? "/" : NULL, key, NULL);
  return sign_encode (path, TRUE);
}
