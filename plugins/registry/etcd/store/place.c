/* place.c - parses the address of a run in a store: etcd://HOST:PORT,HOST:PORT/RUN
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "place.h"
#include "../keys.h"

#include <satin/net/address.h>

#include <string.h>

#define DEFAULT_PORT 2379

static gboolean
refuse (const char *uri, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s: %s; write etcd://HOST:PORT,HOST:PORT/RUN, or etcds:// for TLS", uri, why);
  return FALSE;
}

/* Returns: FALSE when @text is not a host with or without a port */
static gboolean
take_server (Place *self, const char *text, char **ret_url)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_strconcat (self->has_tls ? "https://" : "http://", text, NULL);
  g_autoptr (GUri) parsed = g_uri_parse (uri, G_URI_FLAGS_NONE, &error);

  if (parsed == NULL || g_uri_get_host (parsed) == NULL || g_uri_get_host (parsed)[0] == '\0'
      || g_uri_get_userinfo (parsed) != NULL || g_uri_get_query (parsed) != NULL
      || g_uri_get_fragment (parsed) != NULL)
    return FALSE;
  self->is_loopback &= satin_address_is_loopback (g_uri_get_host (parsed));
  *ret_url = g_uri_join (
      G_URI_FLAGS_NONE, self->has_tls ? "https" : "http", NULL, g_uri_get_host (parsed),
      g_uri_get_port (parsed) > 0 ? g_uri_get_port (parsed) : DEFAULT_PORT, "", NULL, NULL);
  return TRUE;
}

static gboolean
take_servers (Place *self, const char *uri, const char *list, GError **error)
{
  g_auto (GStrv) texts = g_strsplit (list, ",", -1);
  guint n_servers = g_strv_length (texts);

  self->urls = g_new0 (char *, n_servers + 1);
  self->is_loopback = TRUE;
  for (guint i = 0; i < n_servers; i++)
    if (!take_server (self, texts[i], &self->urls[i]))
      return refuse (uri, "a server is no HOST:PORT", error);
  return n_servers > 0 || refuse (uri, "it names no server", error);
}

gboolean
place_parse (const char *uri, Place *ret_place, GError **error)
{
  Place self = { .has_tls = g_str_has_prefix (uri, "etcds://") };
  const char *rest = strstr (uri, "://");
  const char *slash = rest != NULL ? strchr (rest + strlen ("://"), '/') : NULL;
  gboolean is_right;

  if (!self.has_tls && !g_str_has_prefix (uri, "etcd://"))
    return refuse (uri, "it is no address of etcd", error);
  if (slash == NULL)
    return refuse (uri, "it names no run", error);
  rest += strlen ("://");
  g_autofree char *list = g_strndup (rest, (gsize)(slash - rest));
  is_right = take_servers (&self, uri, list, error) && key_check_run_name (slash + 1, error);
  self.run = g_strdup (slash + 1);
  if (!is_right)
    {
      place_clear (&self);
      return FALSE;
    }
  *ret_place = self;
  return TRUE;
}

void
place_clear (Place *self)
{
  g_clear_pointer (&self->urls, g_strfreev);
  g_clear_pointer (&self->run, g_free);
}
