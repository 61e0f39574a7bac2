/* options.h - the command line of `satin run`, read and checked
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "options/fleet.h"
#include "options/registry.h"
#include "options/wrap.h"
#include "rank.h"

#include <satin/net.h>

G_BEGIN_DECLS

/* The largest number of nodes that one option can ask for, and of workers that a node can have. */
#define RUN_MAX_NODES   4096
#define RUN_MAX_WORKERS 1024

/**
 * RunOptions:
 * @labels: (element-type utf8): the cluster label of each node that this command starts; its length
 *   is the number of these nodes
 * @hub_uri: (nullable): another command's hub, which the nodes join; %NULL when this command holds
 *   the hub, or when @registry names another registry
 * @rank: (nullable): the place of this command among those that a launcher has started together;
 *   %NULL if this command is alone
 * @is_follower: this command is a rank other than 0: rank 0 reports what happens to the run, and
 *   ends the run
 * @hub_secret: (nullable): the secret that rank 0 has given with the address of its hub
 * @registry: its URI is %NULL when a hub is the registry
 * @registry_plugin: (nullable): the registry plugin, with parameters
 * @listen_uri: (nullable): where the hub of this command listens; %NULL for a private path in the
 *   run's folder
 * @private_scheme: the scheme of that path: "unix", or that of another transport whose addresses
 *   are paths
 * @is_open: nodes of other commands may join the run at any time
 * @is_announced: the user gave --listen, so the command prints how others join
 * @is_between_hosts: the hub's address is neither a unix socket nor a private path, so links need a
 *   secret or --insecure
 * @fleet: where the run gets machines from, if it gets any
 * @has_workers: the user gave the number of workers of a node
 * @parts: (array zero-terminated=1): parts beside "net", with parameters
 * @gateways: (nullable) (array zero-terminated=1): "CLUSTER=URI[,KEY=VALUE...]"
 * @has_no_recovery: nodes do not load the part "ft"
 * @has_checkpoint: the part "ft" stores finished results
 * @journal: (nullable): the folder for the journal, or "none"; %NULL for a new folder beside those
 *   of other runs
 * @has_page: serve a page about the run at @page_port of 127.0.0.1; 0: any free port
 * @picture: (nullable): the file of a picture that the program writes, for the page
 * @stall_us: how long no job may end before the user is told; 0: the user is never told
 * @timeout_us: how long the run may take; 0 for no limit
 * @wrap: words in front of each node's program, and a command that runs first
 * @program: the path of the program. Behind a wrapper it may be a path in a container
 * @arguments: (array zero-terminated=1): the command line of the program, beginning with its name
 *
 * Read from the command line. Only run_options_follow() changes them afterwards.
 */
typedef struct
{
  GPtrArray *labels; /* (owned) */
  int n_workers;
  char *hub_uri; /* (owned) (nullable) */
  RunRank *rank; /* (owned) (nullable) */
  gboolean is_follower;
  SatinSecret *hub_secret; /* (owned) (nullable) */
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
  char *journal;    /* (owned) (nullable) */
  gboolean has_page;
  guint16 page_port;
  char *picture; /* (owned) (nullable) */
  gint64 stall_us;
  gint64 timeout_us;
  gboolean is_quiet;
  WrapOptions wrap;
  char *program;    /* (owned) */
  char **arguments; /* (owned) */
} RunOptions;

/**
 * run_options_parse:
 * @argv: the words of the command line, from "run" on
 * @error: %SATIN_ERROR_INVALID, with a message that says what to change; %SATIN_ERROR_NOT_FOUND
 *   when the program or a plugin is missing
 *
 * Returns: (transfer full): options that are checked as far as possible before a process is started
 */
RunOptions *run_options_parse (int argc, char **argv, GError **error);
void run_options_free (RunOptions *self);

/* For a rank other than 0: waits until rank 0 says where its hub is. From then on the options are
 * those of a command that joins this hub, and leaves it to rank 0 to report. */
gboolean run_options_follow (RunOptions *self, GError **error);

/* The number of nodes that make the run complete, unless it is open. */
guint run_options_count_members (const RunOptions *self);

/**
 * run_labels_parse:
 * @text: "a:4,b:4" for four nodes with the cluster label a and four with b
 * @error: %SATIN_ERROR_INVALID
 *
 * Returns: (transfer full) (element-type utf8): the label of each node
 */
GPtrArray *run_labels_parse (const char *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunOptions, run_options_free)

G_END_DECLS
