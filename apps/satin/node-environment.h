/* node-environment.h - how a program learns that it is a node, and of which run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The descriptor that a node reads its secret from. */
#define NODE_SECRET_FD 3
/* The descriptor that a node which ends in good order says so to, when it has a parent who wants to
 * know. */
#define NODE_END_FD 4

/**
 * NodeEnvironment:
 * @hub_uri: where the node's registry is
 * @registry: (nullable): the registry plugin and its parameters; %NULL for a hub
 * @registry_timeout: (nullable): how long it goes on without that; %NULL for the part's default
 * @cluster: its label, "" for none
 * @host: (nullable): the machine's name; %NULL for the one that the system gives it
 * @has_secret: it can read the secret from %NODE_SECRET_FD
 * @is_insecure: links without secret
 * @gateways: (nullable) (array zero-terminated=1): "CLUSTER=URI[,KEY=VALUE...]"
 * @n_workers: its threads; 0 for what is in the environment
 * @policy: (nullable): %NULL for what is in the environment
 * @parts: (nullable) (array zero-terminated=1): parts beside "net"; "net:KEY=VALUE" adds to its
 *   parameters
 * @has_no_recovery: without the part "ft", which is there otherwise
 * @is_hub_here: the process that starts the node holds the hub, and prints why a run ends
 */
typedef struct
{
  const char *hub_uri;
  const char *registry;
  const char *registry_timeout;
  const char *cluster;
  const char *host;
  gboolean has_secret;
  gboolean is_insecure;
  char **gateways;
  int n_workers;
  const char *policy;
  char **parts;
  gboolean has_no_recovery;
  gboolean is_hub_here;
} NodeEnvironment;

/* Returns: (transfer full): the text for SATIN_PARTS */
char *node_environment_parts (const NodeEnvironment *self);

/* Returns: (transfer full) (array zero-terminated=1): this process's environment with the node's
 * variables */
char **node_environment_make (const NodeEnvironment *self);

G_END_DECLS
