/* registry.h - the options that name a registry other than a hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * RegistryOptions:
 * @uri: (nullable): the URI of the registry; %NULL when a hub is the registry
 * @params: (nullable): parameters of the registry plugin, "KEY=VALUE,..."
 * @timeout: (nullable): how long a node continues without its registry or hub
 *
 * The values from the command line.
 */
typedef struct
{
  char *uri;     /* (owned) (nullable) */
  char *params;  /* (owned) (nullable) */
  char *timeout; /* (owned) (nullable) */
} RegistryOptions;

/* The entries for the table of options of a command that starts nodes. */
/* clang-format off */
#define REGISTRY_OPTIONS(self) \
    { "registry", 0, 0, G_OPTION_ARG_FILENAME, &(self)->uri, "Use this registry instead of a hub, etcds://HOST:2379/RUN", "URI" }, \
    { "registry-with", 0, 0, G_OPTION_ARG_FILENAME, &(self)->params, "Parameters of the registry", "KEY=VALUE,..." }, \
    { "registry-timeout", 0, 0, G_OPTION_ARG_STRING, &(self)->timeout, "How long a node goes on without hub or registry when others cannot be reached either (default: 10m)", "TIME" }
/* clang-format on */

/**
 * registry_options_apply:
 * @command: the subcommand, for its errors
 * @hub: (nullable): the value of --hub
 * @has_security: the user gave a secret or --insecure
 * @ret_plugin: (out) (transfer full) (nullable): the plugin and its parameters, in the form that
 *   the part net reads; %NULL when a hub is the registry
 * @error: %SATIN_ERROR_INVALID, with a message that says what to change; %SATIN_ERROR_NOT_FOUND
 *   when no plugin serves the scheme
 *
 * Checks the options, and finds the plugin of the registry.
 */
gboolean registry_options_apply (const RegistryOptions *self, const char *command, const char *hub,
                                 gboolean has_security, char **ret_plugin, GError **error);

void registry_options_clear (RegistryOptions *self);

G_END_DECLS
