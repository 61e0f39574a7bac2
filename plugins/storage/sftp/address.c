/* address.c - parses an sftp:// URI
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"

#include <string.h>

#define SCHEME "sftp://"
#define SHAPE  "sftp://user@host:port/path"

/* Returns: (transfer full) (nullable): %NULL with @error */
static char *
decode_path (const SshAddress *address, GError **error)
{
  g_autofree char *path = g_uri_unescape_string (address->path, NULL);
  if (path == NULL || path[0] == '\0')
    {
      ssh_address_refuse (address->uri,
                          path == NULL ? "has a path with a wrong %" : "names no folder", SHAPE,
                          error);
      return NULL;
    }
  gsize length = strlen (path);
  while (length > 1 && path[length - 1] == '/')
    path[--length] = '\0';
  if (g_str_has_prefix (path, "/~/"))
    return g_strdup (path + strlen ("/~/"));
  return g_str_equal (path, "/~") ? g_strdup (".") : g_steal_pointer (&path);
}

SshAddress *
address_parse (const char *uri, char **ret_path, GError **error)
{
  g_autoptr (SshAddress) self = ssh_address_parse (uri, SCHEME, SHAPE, error);
  char *path = self != NULL ? decode_path (self, error) : NULL;
  if (path == NULL)
    return NULL;
  *ret_path = path;
  return g_steal_pointer (&self);
}
