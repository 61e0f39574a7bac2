/* target.c - parses an ssh:// URI: the gateway, and the host and port behind it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "target.h"

#include <string.h>

#define SCHEME "ssh://"
#define SHAPE                                                                                      \
  "ssh://user@gateway:port/host:port, with a port for the host and IPv6 numbers in brackets"

Target *
target_parse (const char *uri, GError **error)
{
  g_autoptr (Target) self = g_new0 (Target, 1);
  self->gateway = ssh_address_parse (uri, SCHEME, SHAPE, error);
  if (self->gateway == NULL)
    return NULL;
  const char *path = self->gateway->path;
  g_autofree char *behind = g_strconcat ("tcp://", path[0] == '/' ? path + 1 : path, NULL);
  if (!tcp_address_parse (behind, &self->host, &self->port, NULL))
    {
      ssh_address_refuse (uri, "names nobody behind its gateway", SHAPE, error);
      return NULL;
    }
  self->login = g_strdup_printf ("%s@%s", self->gateway->user, self->gateway->known);
  return g_steal_pointer (&self);
}

char *
target_join (const char *uri, const char *reach_uri)
{
  gsize n_gateway = (gsize)(strchr (uri + strlen (SCHEME), '/') - uri);
  return g_strdup_printf ("%.*s/%s", (int)n_gateway, uri, reach_uri + strlen ("tcp://"));
}

void
target_free (Target *self)
{
  if (self == NULL)
    return;
  ssh_address_free (self->gateway);
  g_free (self->login);
  g_free (self->host);
  g_free (self);
}
