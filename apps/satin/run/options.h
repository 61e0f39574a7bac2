/* options.h - what `satin run` was asked for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "options/fleet.h"
#include "options/registry.h"

#include <satin/net.h>

G_BEGIN_DECLS

/* A hub admits no more members. */
#define RUN_MAX_NODES   4096
#define RUN_MAX_WORKERS 1024

/**
 * RunOptions:
 * @labels: (element-type utf8): the cluster of each node; its length is the number of nodes
 * @hub_uri: (nullable): a hub that others hold; %NULL when this command holds it
 * @registry: its URI is %NULL when a hub is the registry
 * @registry_plugin: (nullable): with parameters
 * @listen_uri: (nullable): where the hub of this command is to be; %NULL for a private place
 * @private_scheme: of the private place, "unix", or that of another transport whose addresses are
 *   paths
 * @is_open: others may join it at any time
 * @is_announced: and are told how
 * @is_between_hosts: links need the secret
 * @fleet: where machines come from, if any do
 * @has_workers: how many threads a node has was said
 * @parts: (array zero-terminated=1): parts beside "net", with parameters
 * @gateways: (nullable) (array zero-terminated=1): "CLUSTER=URI[,KEY=VALUE...]"
 * @has_no_recovery: without the part "ft"
 * @has_checkpoint: the part "ft" stores what is finished
 * @journal: (nullable): the folder for the journal; %NULL for a new one among those of all runs
 * @has_no_journal: without a journal
 * @timeout_us: 0 for no limit
 * @program: the path of the program
 * @arguments: (array zero-terminated=1): its command line, from its name on
 *
 * Read once from the command line, then constant.
 */
typedef struct
{
  GPtrArray *labels; /* (owned) */
  int n_workers;
  char *hub_uri; /* (owned) (nullable) */
  RegistryOptions registry;
  char *registry_plugin;      /* (owned) (nullable) */
  char *listen_uri;           /* (owned) (nullable) */
  const char *private_scheme; /* (borrowed from the plugin, or static) */
  gboolean is_open;
  gboolean is_announced;
  gboolean is_between_hosts;
  FleetOptions fleet;
  gboolean has_workers;
  char **parts;    /* (owned) (nullable) */
  char **gateways; /* (owned) (nullable) */
  gboolean has_no_recovery;
  gboolean has_checkpoint;
  char *policy;      /* (owned) (nullable) */
  char *secret_file; /* (owned) (nullable) */
  gboolean is_insecure;
  gboolean has_stats;
  char *stats_file; /* (owned) (nullable) */
  char *journal; /* (owned) (nullable) */
  gboolean has_no_journal;
  gint64 timeout_us;
  gboolean is_quiet;
  char *program;    /* (owned) */
  char **arguments; /* (owned) */
} RunOptions;

/**
 * run_options_parse:
 * @argv: from "run" on
 * @error: %SATIN_ERROR_INVALID with the cure; %SATIN_ERROR_NOT_FOUND for program, parts, policy
 *
 * Returns: (transfer full): all checked as far as it can be before anything is started
 */
RunOptions *run_options_parse (int argc, char **argv, GError **error);
void run_options_free (RunOptions *self);

/**
 * run_labels_parse:
 * @text: "a:4,b:4": so many nodes with these cluster labels
 * @error: %SATIN_ERROR_INVALID
 *
 * Returns: (transfer full) (element-type utf8): one label a node
 */
GPtrArray *run_labels_parse (const char *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunOptions, run_options_free)

G_END_DECLS
