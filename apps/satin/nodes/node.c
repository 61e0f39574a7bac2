/* node.c - `satin node`: turns this process into a node of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "options/checkpoint.h"
#include "command.h"
#include "node-environment.h"
#include "options/parts.h"
#include "options/registry.h"
#include "run/options.h"
#include "options/secret.h"
#include "options/wrap.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

static const char details[] =
    "All nodes of a run must run the same program; the hub refuses another one.\n\n"
    "Examples:\n"
    "  satin node --hub tcp://10.0.0.1:7000 --secret-file key fib 40\n"
    "  satin node --hub unix:/run/user/1000/satin-run-x3fYq1/hub --cluster b fib 40\n"
    "  satin node --hub tcp://h:7000 --secret-file key --wrap 'apptainer exec img.sif' "
    "/opt/mine\n\n"
    "Give all nodes of a run the same checkpoint.\n\n"
    "satin status shows the hubs of this machine.";

/* The values from the command line. */
typedef struct
{
  char *hub; /* (owned) (nullable) */
  RegistryOptions registry;
  char *plugin;      /* (owned) (nullable): the registry plugin, with parameters */
  char *secret_file; /* (owned) (nullable) */
  int secret_fd;
  gboolean is_insecure;
  char *cluster;   /* (owned) (nullable) */
  char **gateways; /* (owned) (nullable) */
  int n_workers;
  gboolean has_no_recovery;
  CheckpointOptions checkpoint;
  char **with;  /* (owned) (nullable): the values of --with */
  char **parts; /* (owned) */
  WrapOptions wrap;
} NodeOptions;

static gboolean
parse (NodeOptions *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    { "hub", 0, 0, G_OPTION_ARG_FILENAME, &self->hub, "The run's hub", "URI" },
    REGISTRY_OPTIONS (&self->registry),
    { "secret-file", 0, 0, G_OPTION_ARG_FILENAME, &self->secret_file, "The cluster secret", "FILE" },
    { "secret-fd", 0, 0, G_OPTION_ARG_INT, &self->secret_fd, "The cluster secret, from this descriptor", "N" },
    { "insecure", 0, 0, G_OPTION_ARG_NONE, &self->is_insecure, "Links without secret and encryption", NULL },
    { "cluster", 0, 0, G_OPTION_ARG_STRING, &self->cluster, "The node's cluster label", "LABEL" },
    { "gateway", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->gateways, "Gateway to nodes of CLUSTER that accept no direct connections; may be repeated", "CLUSTER=ssh://USER@HOST[,KEY=VALUE...]" },
    { "workers", 'w', 0, G_OPTION_ARG_INT, &self->n_workers, "Threads (default: one for each processor)", "W" },
    { "no-recovery", 0, 0, G_OPTION_ARG_NONE, &self->has_no_recovery, "Without the part ft, if the other nodes have none", NULL },
    CHECKPOINT_OPTIONS (&self->checkpoint),
    PARTS_OPTION (&self->with),
    WRAP_OPTIONS (&self->wrap),
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "node",
    .usage = "PROGRAM [ARGUMENT...]",
    .summary = "Joins the run of a hub with one node, in this process.",
    .details = details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = INT_MAX,
    .is_strict = TRUE,
  };

  if (!command_parse (&syntax, argc, argv, error))
    return FALSE;
  if (self->hub == NULL && self->registry.uri == NULL)
    return command_refuse (error, "node",
                           "--hub is missing: give the URI that satin hub or satin run --listen "
                           "printed, or --registry");
  gboolean has_security =
      self->secret_file != NULL || self->secret_fd != SECRET_FD_NONE || self->is_insecure;
  if (!registry_options_apply (&self->registry, syntax.name, self->hub, has_security, &self->plugin,
                               error))
    return FALSE;
  if (self->n_workers < 0 || self->n_workers > RUN_MAX_WORKERS)
    return command_refuse (error, "node", "--workers wants a whole number from 1 to %d",
                           RUN_MAX_WORKERS);
  gboolean has_checkpoint;
  if (!wrap_options_check (&self->wrap, syntax.name, error))
    return FALSE;
  g_auto (GStrv) given = parts_option_split (self->with, syntax.name, self->has_no_recovery, error);
  if (given == NULL)
    return FALSE;
  return checkpoint_options_apply (&self->checkpoint, syntax.name, given, self->has_no_recovery,
                                   &self->parts, &has_checkpoint, error);
}

/* Puts the secret into a pipe, at the descriptor from which a node reads it. */
static gboolean
hand_over_secret (const SatinSecret *secret, GError **error)
{
  int fd = secret_to_pipe (secret, error);
  if (fd < 0)
    return FALSE;
  /* dup2() of a descriptor to itself does nothing, and exec would close the descriptor. */
  int inherited = fd == NODE_SECRET_FD ? dup (fd) : fd;
  if (inherited < 0 || dup2 (inherited, NODE_SECRET_FD) < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot hand the secret over: %s",
                   g_strerror (errno));
      return FALSE;
    }
  close (inherited);
  return TRUE;
}

/* Replaces this process by the program, or by its wrapper. Returns: only when that failed */
static void
execute (const NodeOptions *self, const char *program, char **command, char **variables)
{
  if (!wrap_options_are_set (&self->wrap))
    {
      execve (program, command, variables);
      return;
    }
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();
  g_strv_builder_add (line, program);
  g_strv_builder_addv (line, (const char **)command + 1);
  g_auto (GStrv) plain = g_strv_builder_end (line);
  g_auto (GStrv) words = wrap_options_make (&self->wrap, self->cluster != NULL ? self->cluster : "",
                                            (guint64)getpid (), (const char *const *)plain);
  execve (words[0], words, variables);
}

/* Makes this process the node. Returns: only when that failed */
static gboolean
become (const NodeOptions *self, char **command, GError **error)
{
  g_autoptr (SatinSecret) secret = NULL;
  g_autofree char *program = wrap_options_find_program (&self->wrap, command[0], error);
  if (program == NULL
      || !secret_options_read (self->secret_file, self->secret_fd, self->is_insecure, &secret,
                               error)
      || (secret != NULL && !hand_over_secret (secret, error)))
    return FALSE;
  const NodeEnvironment environment = {
    .hub_uri = self->hub != NULL ? self->hub : self->registry.uri,
    .registry = self->plugin,
    .registry_timeout = self->registry.timeout,
    .cluster = self->cluster != NULL ? self->cluster : "",
    .host = wrap_options_are_set (&self->wrap) ? g_get_host_name () : NULL,
    .has_secret = secret != NULL,
    .is_insecure = self->is_insecure,
    .gateways = self->gateways,
    .n_workers = self->n_workers,
    .parts = self->parts,
    .has_no_recovery = self->has_no_recovery
  };
  g_auto (GStrv) variables = node_environment_make (&environment);
  execute (self, program, command, variables);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot start %s: %s", program,
               g_strerror (errno));
  return FALSE;
}

gboolean
command_node (int argc, char **argv, int *ret_status, GError **error)
{
  NodeOptions options = { .secret_fd = SECRET_FD_NONE };
  gboolean is_done = parse (&options, &argc, &argv, error) && become (&options, argv + 1, error);
  g_free (options.hub);
  g_free (options.plugin);
  registry_options_clear (&options.registry);
  g_free (options.secret_file);
  g_free (options.cluster);
  g_strfreev (options.gateways);
  checkpoint_options_clear (&options.checkpoint);
  g_strfreev (options.with);
  g_strfreev (options.parts);
  wrap_options_clear (&options.wrap);
  return is_done;
}
