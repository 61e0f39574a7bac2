/* registry.c - the options that name a registry other than a hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"
#include "command.h"

static gboolean
check_words (const char *command, const char *hub, gboolean has_security, GError **error)
{
  if (hub != NULL)
    return command_refuse (error, command, "choose one of --hub and --registry");
  if (!has_security)
    return command_refuse (error, command,
                           "nodes that meet at a registry know each other by a secret: give "
                           "--secret-file FILE (satin hub --new-secret FILE makes one), or "
                           "--insecure");
  return TRUE;
}

static gboolean
check_timeout (const RegistryOptions *self, const char *command, GError **error)
{
  gint64 timeout_us;
  if (self->timeout == NULL)
    return TRUE;
  if (!satin_parse_duration (self->timeout, &timeout_us, error))
    {
      g_prefix_error (error, "--registry-timeout: ");
      return FALSE;
    }
  return timeout_us > 0
         || command_refuse (error, command,
                            "--registry-timeout %s ends a node at once: give more, 10m for ten "
                            "minutes",
                            self->timeout);
}

gboolean
registry_options_apply (const RegistryOptions *self, const char *command, const char *hub,
                        gboolean has_security, char **ret_plugin, GError **error)
{
  *ret_plugin = NULL;
  if (!check_timeout (self, command, error))
    return FALSE;
  if (self->uri == NULL)
    return self->params == NULL
           || command_refuse (error, command, "where is the registry? Give --registry URI too");
  if (!check_words (command, hub, has_security, error))
    return FALSE;
  const SatinPlugin *plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_REGISTRY, self->uri, error);
  if (plugin == NULL)
    {
      g_prefix_error (error, "--registry %s: ", self->uri);
      return FALSE;
    }
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  g_autoptr (SatinParams) params = satin_params_parse_text (desc->params, self->params, error);
  if (params == NULL)
    {
      g_prefix_error (error, "--registry-with: ");
      return FALSE;
    }
  gboolean has_params = self->params != NULL && *self->params != '\0';
  *ret_plugin = g_strconcat (desc->name, has_params ? ":" : NULL, self->params, NULL);
  return TRUE;
}

void
registry_options_clear (RegistryOptions *self)
{
  g_free (self->uri);
  g_free (self->params);
  g_free (self->timeout);
}
