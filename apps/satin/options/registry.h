/* registry.h - the options that name a registry other than a hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * RegistryOptions:
 * @uri: (nullable): where the run is kept; %NULL when a hub is the registry
 * @params: (nullable): of the plugin, "KEY=VALUE,..."
 * @timeout: (nullable): how long a node goes on without its registry or hub
 *
 * The words of the command line.
 */
typedef struct
{
  char *uri;     /* (owned) (nullable) */
  char *params;  /* (owned) (nullable) */
  char *timeout; /* (owned) (nullable) */
} RegistryOptions;

/* For the table of a command that brings nodes. */
/* clang-format off */
#define REGISTRY_OPTIONS(self) \
    { "registry", 0, 0, G_OPTION_ARG_STRING, &(self)->uri, "The nodes meet there instead of at a hub, etcd://host:2379/run", "URI" }, \
    { "registry-with", 0, 0, G_OPTION_ARG_STRING, &(self)->params, "Parameters of the registry", "KEY=VALUE,..." }, \
    { "registry-timeout", 0, 0, G_OPTION_ARG_STRING, &(self)->timeout, "How long a node goes on without hub or registry when others cannot be reached either (default: 10m)", "TIME" }
/* clang-format on */

/**
 * registry_options_apply:
 * @command: the subcommand, for its errors
 * @hub: (nullable): that was given, too
 * @has_security: a secret or --insecure was given
 * @ret_plugin: (out) (transfer full) (nullable): the plugin and its parameters, as the part net
 *   takes them; %NULL when a hub is the registry
 * @error: %SATIN_ERROR_INVALID with the cure, also of a wrong @timeout, and %SATIN_ERROR_NOT_FOUND
 * when no plugin serves the scheme
 */
gboolean registry_options_apply (const RegistryOptions *self, const char *command, const char *hub,
                                 gboolean has_security, char **ret_plugin, GError **error);

void registry_options_clear (RegistryOptions *self);

G_END_DECLS
