/* place.c - parses the URI of a folder on a server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "place.h"

#include <string.h>

/* Sets the error without the URI, because the URI may contain a password. Only the scheme is safe
 * to show. */
static gboolean
refuse (const char *scheme, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s://... is no folder on a server: %s",
               scheme, why);
  return FALSE;
}

/* Whether @encoded has a control character, such as the end of a line, which would end an FTP
 * command. %TRUE also when @encoded has a wrong escape. */
static gboolean
has_control (const char *encoded)
{
  g_autofree char *text = g_uri_unescape_string (encoded, NULL);
  for (const char *c = text; c != NULL && *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return TRUE;
  return text == NULL;
}

static char *
without_slash (const char *path)
{
  char *copy = g_strdup (path);
  for (gsize length = strlen (copy); length > 0 && copy[length - 1] == '/'; length--)
    copy[length - 1] = '\0';
  return copy;
}

static gboolean
take (Place *self, GUri *uri, GError **error)
{
  const char *scheme = g_uri_get_scheme (uri), *host = g_uri_get_host (uri);
  if (g_uri_get_password (uri) != NULL)
    return refuse (scheme, "a password in it could be seen by others, put it into a file", error);
  if (host == NULL || host[0] == '\0')
    return refuse (scheme, "write SCHEME://HOST/PATH", error);
  if (g_uri_get_query (uri) != NULL || g_uri_get_fragment (uri) != NULL)
    return refuse (scheme, "write ? and # in its path as %3F and %23", error);
  if (has_control (g_uri_get_path (uri)) || has_control (host)
      || (g_uri_get_user (uri) != NULL && has_control (g_uri_get_user (uri))))
    return refuse (scheme, "it has control characters", error);
  self->scheme = g_strdup (scheme);
  self->user = g_uri_unescape_string (g_uri_get_user (uri), NULL);
  self->host = strchr (host, ':') != NULL ? g_strdup_printf ("[%s]", host) : g_strdup (host);
  self->port = g_uri_get_port (uri);
  self->path = without_slash (g_uri_get_path (uri));
  return TRUE;
}

gboolean
place_parse (Place *self, const char *uri, const char *const *schemes, GError **error)
{
  g_autofree char *scheme = g_uri_parse_scheme (uri);
  if (scheme == NULL || !g_strv_contains (schemes, scheme))
    {
      g_autofree char *all = g_strjoinv ("://, ", (char **)schemes);
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "the scheme \"%s\" is none of %s://",
                   scheme != NULL ? scheme : "", all);
      return FALSE;
    }
  g_autoptr (GUri) parsed = g_uri_parse (
      uri, G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_ENCODED_PATH | G_URI_FLAGS_ENCODED_QUERY, NULL);
  if (parsed == NULL)
    return refuse (scheme, "write SCHEME://HOST/PATH", error);
  return take (self, parsed, error);
}

void
place_clear (Place *self)
{
  g_free (self->scheme);
  g_free (self->user);
  g_free (self->host);
  g_free (self->path);
}

char *
place_join (const Place *self, const char *scheme, const char *name)
{
  g_autofree char *port = self->port >= 0 ? g_strdup_printf (":%d", self->port) : g_strdup ("");
  return g_strconcat (scheme, "://", self->host, port, self->path, "/", name, NULL);
}
