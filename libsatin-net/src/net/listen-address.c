/* listen-address.c - picks the address to listen at when the user named none, and takes addresses
 * apart
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

char *
net_uri_scheme (const char *uri, GError **error)
{
  const char *colon = strchr (uri, ':');

  if (colon != NULL && colon != uri)
    return g_strndup (uri, (gsize)(colon - uri));
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s is not an address: write tcp://host:port or unix:/path", uri);
  return NULL;
}

char *
net_uri_way (const char *uri)
{
  const char *colon = strchr (uri, ':');
  const char *slash;

  if (colon == NULL)
    return NULL;
  slash = g_str_has_prefix (colon, "://") ? strchr (colon + strlen ("://"), '/') : NULL;
  return g_strndup (uri, (gsize)((slash != NULL ? slash : colon) + 1 - uri));
}

/* Whether the host in @place is loopback. @place: "[user@]host[:port]"; a numeric IPv6 host stands
 * in brackets */
static gboolean
is_loopback_host (const char *place)
{
  const char *at = strrchr (place, '@');
  const char *begin = at != NULL ? at + 1 : place;
  gsize n_host = strcspn (begin, begin[0] == '[' ? "]" : ":");
  gsize n_bracket = begin[0] == '[';
  g_autofree char *host = g_strndup (begin + n_bracket, n_host - n_bracket);

  return satin_address_is_loopback (host);
}

/* Whether all hosts of @authority are loopback. A registry may have several hosts,
 * "etcd://host:port,host:port/name". */
static gboolean
is_loopback (const char *authority)
{
  g_autofree char *list = g_strndup (authority, strcspn (authority, "/"));
  g_auto (GStrv) hosts = g_strsplit (list, ",", -1);

  for (char **host = hosts; *host != NULL; host++)
    if (!is_loopback_host (*host))
      return FALSE;
  return TRUE;
}

/* Whether @uri is a path like "unix:/path", not a host like "tcp://host:port". */
static gboolean
is_path (const char *uri, const char *scheme)
{
  const char *rest = uri + strlen (scheme) + 1;

  return rest[0] == '/' && rest[1] != '/';
}

static char *
pick_beside (SatinLoop *loop, const char *registry_uri, const char *scheme, gint64 pid)
{
  g_autofree char *folder = g_path_get_dirname (registry_uri + strlen (scheme) + 1);

  return g_strdup_printf ("%s:%s/node-%" G_GINT64_FORMAT "-%08x", scheme,
                          strcmp (folder, "/") == 0 ? "" : folder, pid,
                          satin_loop_random_below (loop, G_MAXUINT32));
}

/* If the registry's address is a path, the node listens at a path in the same folder. If the
 * registry is on loopback, the node listens on loopback. Otherwise, also with a registry behind a
 * gateway, the node listens at every interface. */
char *
net_pick_listen_uri (SatinLoop *loop, const char *registry_uri, gint64 pid, GError **error)
{
  g_autofree char *scheme = net_uri_scheme (registry_uri, error);

  if (scheme == NULL)
    return NULL;
  if (is_path (registry_uri, scheme))
    return pick_beside (loop, registry_uri, scheme, pid);
  if (strcmp (scheme, "ssh") == 0)
    return g_strdup ("tcp://0.0.0.0:0");
  if (g_str_has_prefix (registry_uri + strlen (scheme), "://"))
    return g_strdup (is_loopback (registry_uri + strlen (scheme) + strlen ("://"))
                         ? "tcp://127.0.0.1:0"
                         : "tcp://0.0.0.0:0");
  g_set_error (
      error, SATIN_ERROR, SATIN_ERROR_INVALID,
      "the registry at %s does not tell where to accept links: give an address to listen at",
      registry_uri);
  return NULL;
}
