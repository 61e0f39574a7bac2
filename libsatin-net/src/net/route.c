/* route.c - chooses how a peer is dialed: directly, or through its cluster's gateway
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "route.h"

#include <string.h>

/* ---- gateways that the user named ---- */

static void
route_free (gpointer data)
{
  NetRoute *self = data;

  g_free (self->cluster);
  g_free (self->gateway);
  g_free (self->params);
  g_free (self);
}

/* Parses "CLUSTER=URI[,KEY=VALUE...]". Returns: (transfer full) (nullable): %NULL when @text is
 * malformed */
static NetRoute *
route_parse (const char *text)
{
  const char *equals = strchr (text, '=');
  const char *comma = strchr (text, ',');
  const char *uri = equals != NULL ? equals + 1 : NULL;
  gsize n_uri;
  NetRoute *self;

  if (uri == NULL || equals == text || (comma != NULL && comma < uri))
    return NULL;
  n_uri = comma != NULL ? (gsize)(comma - uri) : strlen (uri);
  while (n_uri > 0 && uri[n_uri - 1] == '/')
    n_uri--;
  if (n_uri == 0 || memchr (uri, ':', n_uri) == NULL)
    return NULL;
  self = g_new0 (NetRoute, 1);
  self->cluster = g_strndup (text, (gsize)(equals - text));
  self->gateway = g_strndup (uri, n_uri);
  self->params = g_strdup (comma != NULL ? comma + 1 : "");
  return self;
}

GPtrArray *
net_routes_parse (const char *text, GError **error)
{
  g_autoptr (GPtrArray) routes = g_ptr_array_new_with_free_func (route_free);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);

  for (char **word = words; *word != NULL; word++)
    {
      NetRoute *route = **word != '\0' ? route_parse (*word) : NULL;

      if (**word == '\0')
        continue;
      if (route != NULL && net_routes_find (routes, route->cluster) == NULL)
        {
          g_ptr_array_add (routes, route);
          continue;
        }
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" %s", *word,
                   route != NULL ? "names another gateway of one cluster: give one"
                                 : "is no gateway: write CLUSTER=ssh://user@host[,KEY=VALUE...]");
      if (route != NULL)
        route_free (route);
      return NULL;
    }
  return g_steal_pointer (&routes);
}

NetRoute *
net_routes_find (GPtrArray *routes, const char *cluster)
{
  for (guint i = 0; i < routes->len; i++)
    {
      NetRoute *route = g_ptr_array_index (routes, i);

      if (strcmp (route->cluster, cluster) == 0)
        return route;
    }
  return NULL;
}

NetRoute *
net_routes_find_through (GPtrArray *routes, const char *uri)
{
  for (guint i = 0; i < routes->len; i++)
    {
      NetRoute *route = g_ptr_array_index (routes, i);

      if (g_str_has_prefix (uri, route->gateway) && uri[strlen (route->gateway)] == '/')
        return route;
    }
  return NULL;
}

/* ---- ways ---- */

/* A gateway can reach "host:port", but no path and no address behind another gateway. */
char *
net_route_join (const NetRoute *self, NetWay *way, const char *address)
{
  const char *colon = strchr (address, ':');
  const char *behind = colon != NULL ? colon + 1 : "/";

  if (g_str_has_prefix (behind, "//"))
    behind += strlen ("//");
  if (self == NULL || behind[0] == '\0' || strchr (behind, '/') != NULL)
    *way = NET_WAY_DIRECT;
  if (*way == NET_WAY_DIRECT)
    return g_strdup (address);
  return g_strdup_printf ("%s/%s", self->gateway, behind);
}

NetWay
net_route_begin (const NetRoute *self, NetTry *attempt)
{
  if (!attempt->is_other)
    attempt->way = self->first;
  return attempt->way;
}

void
net_route_opened (NetRoute *self, NetTry *attempt, NetWay way)
{
  self->first = way;
  attempt->is_other = FALSE;
}

gboolean
net_route_failed (const NetRoute *self, NetTry *attempt, NetWay way)
{
  attempt->is_other = !attempt->is_other;
  attempt->way = way == NET_WAY_DIRECT ? NET_WAY_GATEWAY : NET_WAY_DIRECT;
  return attempt->is_other;
}
