/* address.c - what an sftp:// URI says
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"

#include <string.h>

#define SCHEME       "sftp://"
#define DEFAULT_PORT 22

#define SHAPE "write sftp://user@host:port/path"

static gboolean
refuse (GError **error, const char *uri, const char *what)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" %s: " SHAPE, uri, what);
  return FALSE;
}

/* "user" in front of an '@'. A password there would be seen by all who list the processes. */
static gboolean
take_user (Address *self, const char **at, const char *end, GError **error)
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
  return refuse (error, self->uri, "names no user before its @");
}

static gboolean
take_port (Address *self, const char *at, const char *end, GError **error)
{
  g_autofree char *digits = g_strndup (at, (gsize)(end - at));
  guint64 port = 0;
  if (!g_ascii_string_to_unsigned (digits, 10, 1, 65535, &port, NULL))
    return refuse (error, self->uri, "has no port from 1 to 65535 behind its colon");
  self->port = (guint)port;
  return TRUE;
}

/* "host", "host:port" or "[address]:port" */
static gboolean
take_host (Address *self, const char *at, const char *end, GError **error)
{
  const char *last = at;
  if (*at == '[')
    {
      at++;
      last = memchr (at, ']', (gsize)(end - at));
      if (last == NULL)
        return refuse (error, self->uri, "has a [ without its ]");
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
    return refuse (error, self->uri, "names no host");
  if (last == end)
    return TRUE;
  return *last == ':' ? take_port (self, last + 1, end, error)
                      : refuse (error, self->uri, "has more than a port behind its host");
}

static gboolean
take_path (Address *self, const char *at, GError **error)
{
  g_autofree char *path = g_uri_unescape_string (at, NULL);
  if (path == NULL)
    return refuse (error, self->uri, "has a path with a wrong %");
  gsize length = strlen (path);
  while (length > 1 && path[length - 1] == '/')
    path[--length] = '\0';
  if (g_str_has_prefix (path, "/~/"))
    self->path = g_strdup (path + strlen ("/~/"));
  else if (g_str_equal (path, "/~"))
    self->path = g_strdup (".");
  else
    self->path = g_steal_pointer (&path);
  return TRUE;
}

Address *
address_parse (const char *uri, GError **error)
{
  g_autoptr (Address) self = g_new0 (Address, 1);
  self->uri = g_strdup (uri);
  self->port = DEFAULT_PORT;
  if (!g_str_has_prefix (uri, SCHEME))
    {
      refuse (error, uri, "is no folder on an SFTP server");
      return NULL;
    }
  const char *at = uri + strlen (SCHEME), *path = strchr (at, '/');
  if (path == NULL)
    {
      path = at + strlen (at);
      if (take_user (self, &at, path, error))
        refuse (error, uri, "names no folder");
      return NULL;
    }
  if (!take_user (self, &at, path, error) || !take_host (self, at, path, error)
      || !take_path (self, path, error))
    return NULL;
  self->known = self->port == DEFAULT_PORT ? g_strdup (self->host)
                                           : g_strdup_printf ("[%s]:%u", self->host, self->port);
  return g_steal_pointer (&self);
}

void
address_free (Address *self)
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
