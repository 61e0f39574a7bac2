/* node-environment.h - the environment variables that make a program a node of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The descriptor from which a node reads its secret. */
#define NODE_SECRET_FD 3
/* The descriptor to which a node reports that it ends in good order, if its parent opened a pipe at
 * this descriptor. */
#define NODE_END_FD 4

/**
 * NodeEnvironment:
 * @hub_uri: the URI of the hub, or of another registry
 * @registry: (nullable): the registry plugin and its parameters; %NULL for a hub
 * @registry_timeout: (nullable): how long the node continues without its registry; %NULL for the
 *   default of the part net
 * @cluster: the node's cluster label, "" for none
 * @host: (nullable): the machine's name; %NULL for the host name of the system
 * @has_secret: the node can read the secret from %NODE_SECRET_FD
 * @is_insecure: links have neither secret nor encryption
 * @gateways: (nullable) (array zero-terminated=1): "CLUSTER=URI[,KEY=VALUE...]"
 * @n_workers: the number of workers; 0 leaves SATIN_WORKERS as it is
 * @policy: (nullable): the victim policy; %NULL leaves SATIN_POLICY as it is
 * @parts: (nullable) (array zero-terminated=1): parts beside "net"; "net:KEY=VALUE" adds parameters
 *   to "net" itself
 * @has_no_recovery: do not add the part "ft", which is added otherwise
 * @is_hub_here: the hub runs in the process that starts the node. That process prints why a run
 *   ended before it began, so the node does not
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
 * variables, and without those of a launcher (launched_forget()) */
char **node_environment_make (const NodeEnvironment *self);

G_END_DECLS
