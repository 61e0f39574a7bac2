/* ssh-address.c - parses the URI of an SSH server: user, host, port and path
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ssh-address.h"

#include <string.h>

#define DEFAULT_PORT 22

/* Returns: (transfer full): @uri, with "..." for a password */
static char *
hide_password (const char *uri)
{
  const char *host = strstr (uri, "://");
  host = host != NULL ? host + strlen ("://") : uri;
  const char *end = host + strcspn (host, "/");
  const char *sign = memrchr (host, '@', (gsize)(end - host));
  const char *colon = sign != NULL ? memchr (host, ':', (gsize)(sign - host)) : NULL;
  return colon == NULL ? g_strdup (uri)
                       : g_strdup_printf ("%.*s...%s", (int)(colon + 1 - uri), uri, sign);
}

gboolean
ssh_address_refuse (const char *uri, const char *what, const char *shape, GError **error)
{
  g_autofree char *shown = hide_password (uri);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" %s: write %s", shown, what, shape);
  return FALSE;
}

/* Takes the user before an '@'. A password there is refused, because everybody who lists the
 * processes could read it. */
static gboolean
take_user (SshAddress *self, const char **at, const char *end, const char *shape, GError **error)
{
  const char *sign = memrchr (*at, '@', (gsize)(end - *at));
  if (sign == NULL)
    {
      self->user = g_strdup (g_get_user_name ());
      return TRUE;
    }
  if (memchr (*at, ':', (gsize)(sign - *at)) != NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "a password does not belong into a URI, where others see it: use a key, "
                           "or password-file=FILE");
      return FALSE;
    }
  self->user = g_uri_unescape_segment (*at, sign, NULL);
  *at = sign + 1;
  if (self->user != NULL && self->user[0] != '\0')
    return TRUE;
  return ssh_address_refuse (self->uri, "names no user before its @", shape, error);
}

static gboolean
take_port (SshAddress *self, const char *at, const char *end, const char *shape, GError **error)
{
  g_autofree char *digits = g_strndup (at, (gsize)(end - at));
  guint64 port = 0;
  if (!g_ascii_string_to_unsigned (digits, 10, 1, 65535, &port, NULL))
    return ssh_address_refuse (self->uri, "has no port from 1 to 65535 behind its colon", shape,
                               error);
  self->port = (guint)port;
  return TRUE;
}

/* Takes "host", "host:port" or "[address]:port". */
static gboolean
take_host (SshAddress *self, const char *at, const char *end, const char *shape, GError **error)
{
  const char *last = at;
  if (*at == '[')
    {
      at++;
      last = memchr (at, ']', (gsize)(end - at));
      if (last == NULL)
        return ssh_address_refuse (self->uri, "has a [ without its ]", shape, error);
      self->host = g_strndup (at, (gsize)(last - at));
      last++;
    }
  else
    {
      last = memchr (at, ':', (gsize)(end - at));
      last = last != NULL ? last : end;
      self->host = g_uri_unescape_segment (at, last, NULL);
    }
  if (self->host == NULL || self->host[0] == '\0')
    return ssh_address_refuse (self->uri, "names no host", shape, error);
  if (last == end)
    return TRUE;
  return *last == ':'
             ? take_port (self, last + 1, end, shape, error)
             : ssh_address_refuse (self->uri, "has more than a port behind its host", shape, error);
}

SshAddress *
ssh_address_parse (const char *uri, const char *scheme, const char *shape, GError **error)
{
  g_autoptr (SshAddress) self = g_new0 (SshAddress, 1);
  self->uri = g_strdup (uri);
  self->port = DEFAULT_PORT;
  if (!g_str_has_prefix (uri, scheme))
    {
      ssh_address_refuse (uri, "is of another kind", shape, error);
      return NULL;
    }
  const char *at = uri + strlen (scheme), *path = strchr (at, '/');
  path = path != NULL ? path : at + strlen (at);
  self->path = g_strdup (path);
  if (!take_user (self, &at, path, shape, error) || !take_host (self, at, path, shape, error))
    return NULL;
  self->known = self->port == DEFAULT_PORT ? g_strdup (self->host)
                                           : g_strdup_printf ("[%s]:%u", self->host, self->port);
  return g_steal_pointer (&self);
}

void
ssh_address_free (SshAddress *self)
{
  if (self == NULL)
    return;
  g_free (self->uri);
  g_free (self->user);
  g_free (self->host);
  g_free (self->path);
  g_free (self->known);
  g_free (self);
}
