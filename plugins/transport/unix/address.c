/* address.c - converts "unix:/path" to a socket address
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"

#include <string.h>
#include <sys/socket.h>

gboolean
unix_address_set (struct sockaddr_un *ret_address, const char *path, GError **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  if (strlen (path) >= sizeof address.sun_path)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "the socket path %s has %" G_GSIZE_FORMAT
                   " bytes, the system allows %" G_GSIZE_FORMAT ": choose a shorter folder",
                   path, strlen (path), sizeof address.sun_path - 1);
      return FALSE;
    }
  strcpy (address.sun_path, path);
  *ret_address = address;
  return TRUE;
}

gboolean
unix_address_parse (const char *uri, struct sockaddr_un *ret_address, GError **error)
{
  if (!g_str_has_prefix (uri, "unix:/") || g_str_has_suffix (uri, "/"))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is not an address of a unix socket: write unix:/absolute/path", uri);
      return FALSE;
    }
  return unix_address_set (ret_address, uri + strlen ("unix:"), error);
}
