/* options.c - reads and checks the command line of `satin run`
 *
 * All errors that can be found early are found here, before a process is started. So the user reads
 * them once, and not from every node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "options.h"
#include "options/checkpoint.h"
#include "options/parts.h"
#include "page/server.h"
#include "command.h"
#include "why/stall.h"

#include <limits.h>
#include <satin/core/workers.h>
#include <string.h>

/* The value of a number that the user did not give. */
#define NO_NUMBER G_MININT

/* The values that GOption reads and that are converted or checked before they are used. */
typedef struct
{
  int n_nodes;
  int n_workers;
  char *clusters;
  char *hub;
  char *listen;
  char *transport;
  char *timeout;
  char *stall;
  char *page;
  char *launcher;
  CheckpointOptions checkpoint;
} Words;

static const char details[] =
    "PROGRAM is a path if it has a slash; otherwise a name that satin apps lists, or a program in\n"
    "PATH. The command has the output and the exit status of the program. The first node has the\n"
    "command's standard input, unless that is a terminal.\n\n"
    "Examples:\n"
    "  satin run fib 40                     one node for each processor\n"
    "  satin run -n 1 --workers 4 fib 40    one node with four threads\n"
    "  satin run -n 4 --stats ./mine x.dat  and a table of what each node did\n"
    "  satin run --clusters a:2,b:2 fib 40  two clusters of two nodes\n"
    "  satin run --transport tcp fib 40     TLS between the nodes, as between machines\n"
    "  satin run --checkpoint file:/tmp/ck fib 50   a second run continues where it stopped\n\n"
    "  satin run --provision slurm:partition=p --min 8 nqueens 20      a node here, eight from "
    "Slurm\n"
    "  satin run --provision local --max 8 --adapt --period 5s fib 50  as many as it can use\n\n"
    "  satin run --wrap 'apptainer exec img.sif' /opt/mine x.dat        each node in a container\n"
    "  satin run --before 'module load gcc/12' ./mine x.dat            or after a command\n\n"
    "  satin hub --nodes 8 --new-secret key      on several machines: one holds the hub,\n"
    "  satin run --hub tcp://h:7000 --secret-file key -n 4 fib 40    each brings nodes\n"
    "  satin run --registry etcds://e1,e2,e3/q18 --secret-file key nqueens 18\n\n"
    "  srun -n 8 satin run nqueens 18            eight nodes of one run, on the hosts of a job\n"
    "  mpirun -n 8 satin run nqueens 18          the same\n\n"
    "Exit status: that of the program; 2 for wrong usage, 130 after Ctrl-C, else see\n"
    "satin-run(1).";

static RunOptions *
parse_words (int *argc, char ***argv, Words *words, GError **error)
{
  static char adapt[] = FLEET_ADAPT_DEFAULT, page[] = "--page=any";
  static char *bare[] = { adapt, page, NULL };
  g_autoptr (RunOptions) self = g_new0 (RunOptions, 1);
  self->fleet = (FleetOptions)FLEET_OPTIONS_INIT;
  /* clang-format off */
  const GOptionEntry entries[] = {
    { "nodes", 'n', 0, G_OPTION_ARG_INT, &words->n_nodes, "Start N nodes here (default: processors / workers; 1 with --provision)", "N" },
    { "workers", 'w', 0, G_OPTION_ARG_INT, &words->n_workers, "Threads of each node (default: 1)", "W" },
    { "clusters", 0, 0, G_OPTION_ARG_STRING, &words->clusters, "Start N nodes with each of these cluster labels", "a:N,b:N" },
    { "hub", 0, 0, G_OPTION_ARG_FILENAME, &words->hub, "Join the run of this hub instead of making one", "URI" },
    REGISTRY_OPTIONS (&self->registry),
    { "launcher", 0, 0, G_OPTION_ARG_FILENAME, &words->launcher, "How the commands that srun or mpirun started meet: pmix, slurm; none: each runs alone (default: found out)", "NAME[:KEY=VALUE,...]" },
    { "listen", 0, 0, G_OPTION_ARG_FILENAME, &words->listen, "Address at which other machines reach the hub, tcp://0.0.0.0:7000", "URI" },
    { "transport", 0, 0, G_OPTION_ARG_STRING, &words->transport, "Transport between the nodes: unix (default), tcp or another plugin", "NAME" },
    { "secret-file", 0, 0, G_OPTION_ARG_FILENAME, &self->secret_file, "The cluster secret (default: a new one for each run)", "FILE" },
    { "insecure", 0, 0, G_OPTION_ARG_NONE, &self->is_insecure, "Links without secret and encryption", NULL },
    { "gateway", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->gateways, "Gateway to nodes of CLUSTER that accept no direct connections; may be repeated", "CLUSTER=ssh://USER@HOST[,KEY=VALUE...]" },
    FLEET_OPTIONS (&self->fleet),
    PARTS_OPTION (&self->parts),
    { "no-recovery", 0, 0, G_OPTION_ARG_NONE, &self->has_no_recovery, "Without the part ft: a lost node's work is done again, a lost master ends the run", NULL },
    CHECKPOINT_OPTIONS (&words->checkpoint),
    WRAP_OPTIONS (&self->wrap),
    { "policy", 0, 0, G_OPTION_ARG_STRING, &self->policy, "Whom to steal from (default: crs)", "NAME" },
    { "timeout", 0, 0, G_OPTION_ARG_STRING, &words->timeout, "End the run after this time, 90s or 5m", "TIME" },
    { "page", 0, 0, G_OPTION_ARG_STRING, &words->page, "Show the run in the browser, at an address that is printed (--page: any free port)", "PORT" },
    { "picture", 0, 0, G_OPTION_ARG_FILENAME, &self->picture, "On the page, show this PNG or JPEG file, which the program writes while it runs", "FILE" },
    STALL_OPTION (&words->stall),
    { "stats", 0, 0, G_OPTION_ARG_NONE, &self->has_stats, "At the end, print a table of the figures of each node", NULL },
    { "stats-json", 0, 0, G_OPTION_ARG_FILENAME, &self->stats_file, "At the end, write these figures as JSON", "FILE" },
    { "journal", 0, 0, G_OPTION_ARG_FILENAME, &self->journal, "Keep the journal there (default: see satin journal --help)", "FOLDER|none" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "No line of progress", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "run",
    .usage = "PROGRAM [ARGUMENT...]",
    .summary = "Runs a Satin program on several nodes of this machine.",
    .details = details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = INT_MAX,
    .is_strict = TRUE,
    .bare = bare,
  };

  return command_parse (&syntax, argc, argv, error) ? g_steal_pointer (&self) : NULL;
}

/* Sets where a private hub listens: with tcp, on the loopback address; with another transport, on a
 * path in the run's folder. So the addresses of such a transport must be paths, as in "unix:/x". */
static gboolean
check_transport (RunOptions *self, const char *name, GError **error)
{
  if (g_str_equal (name, "tcp"))
    {
      self->listen_uri = g_strdup ("tcp://127.0.0.1:0");
      return TRUE;
    }
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_TRANSPORT, name, error);
  if (plugin == NULL)
    return FALSE;
  const char *const *schemes = satin_plugin_get_desc (plugin)->schemes;
  if (schemes == NULL || schemes[0] == NULL)
    return command_refuse (error, "run", "--transport %s: the plugin names no scheme", name);
  self->private_scheme = schemes[0];
  return TRUE;
}

/* Finds out whether this command is one of several that were started together. If it joins a hub
 * or another registry, it need not know. */
static gboolean
check_rank (RunOptions *self, const Words *words, GError **error)
{
  if (words->hub != NULL || self->registry.uri != NULL)
    return words->launcher == NULL
           || command_refuse (
               error, "run",
               "choose one of --launcher and --hub or --registry: commands that join "
               "a run need not meet");
  if (!run_rank_find (words->launcher, &self->rank, error))
    return FALSE;
  if (self->rank == NULL)
    return TRUE;
  const SatinLauncherPlace *place = run_rank_get_place (self->rank);
  const char *given = words->n_nodes != NO_NUMBER     ? "--nodes"
                      : words->clusters != NULL       ? "--clusters"
                      : words->transport != NULL      ? "--transport"
                      : self->fleet.provision != NULL ? "--provision"
                                                      : NULL;
  self->is_follower = place->rank > 0;
  return given == NULL
         || command_refuse (error, "run",
                            "this command was started %u times together, and each is one node of "
                            "the run: leave %s out, or give --launcher none",
                            place->n_ranks, given);
}

/* Makes the hub listen on all addresses of this host, because machines cannot reach a private
 * hub. */
static gboolean
place_for_machines (RunOptions *self, gboolean is_private, GError **error)
{
  if (is_private || (self->listen_uri != NULL && g_str_has_prefix (self->listen_uri, "unix:")))
    return command_refuse (
        error, "run",
        "machines of --provision %s cannot reach a hub that is for this machine alone: "
        "do not give --transport or --listen unix:",
        self->fleet.provision);
  if (self->listen_uri == NULL)
    self->listen_uri = g_strdup ("tcp://*:0");
  return TRUE;
}

static gboolean
check_place (RunOptions *self, Words *words, GError **error)
{
  gboolean has_security = self->secret_file != NULL || self->is_insecure;
  gboolean is_import = words->hub != NULL || self->registry.uri != NULL;
  if (!fleet_options_check (&self->fleet, is_import, error))
    return FALSE;
  if ((words->transport != NULL) + (words->listen != NULL) + is_import > 1)
    return command_refuse (error, "run",
                           "choose one of --hub or --registry (join a run), --listen (a hub that "
                           "others reach) and --transport (a private hub)");
  if (is_import && (self->has_stats || self->stats_file != NULL))
    return command_refuse (error, "run",
                           "the figures of all nodes are with the hub: give --stats to satin hub");
  if (!registry_options_apply (&self->registry, "run", words->hub, has_security,
                               &self->registry_plugin, error))
    return FALSE;
  self->hub_uri = g_steal_pointer (&words->hub);
  self->is_announced = words->listen != NULL;
  self->is_open = self->is_announced || self->fleet.provision != NULL;
  self->listen_uri = g_steal_pointer (&words->listen);
  self->private_scheme = "unix";
  if (words->transport != NULL && !check_transport (self, words->transport, error))
    return FALSE;
  if (self->fleet.provision != NULL && !self->fleet.is_local
      && !place_for_machines (self, words->transport != NULL, error))
    return FALSE;
  if (self->rank != NULL)
    {
      self->is_open = self->is_announced = FALSE;
      if (self->listen_uri == NULL)
        self->listen_uri = g_strdup ("tcp://*:0");
    }
  const char *uri = self->hub_uri != NULL ? self->hub_uri : self->listen_uri;
  self->is_between_hosts = uri != NULL && !g_str_has_prefix (uri, "unix:");
  return TRUE;
}

static gboolean
check_number (int *number, const char *option, int fallback, int limit, GError **error)
{
  if (*number == NO_NUMBER)
    *number = fallback;
  if (*number >= 1 && *number <= limit)
    return TRUE;
  return command_refuse (error, "run", "%s wants a whole number from 1 to %d, not %d", option,
                         limit, *number);
}

static gboolean
check_clusters (RunOptions *self, const Words *words, GError **error)
{
  self->labels = run_labels_parse (words->clusters, error);
  if (self->labels == NULL)
    return FALSE;
  if (words->n_nodes != NO_NUMBER && words->n_nodes != (int)self->labels->len)
    return command_refuse (error, "run",
                           "--clusters %s makes %u nodes and --nodes %d: leave --nodes out",
                           words->clusters, self->labels->len, words->n_nodes);
  return TRUE;
}

static gboolean
check_nodes (RunOptions *self, Words *words, GError **error)
{
  int n_workers =
      self->rank != NULL ? (int)MIN (run_rank_count_workers (self->rank), RUN_MAX_WORKERS) : 1;
  self->has_workers = words->n_workers != NO_NUMBER;
  if (!check_number (&words->n_workers, "--workers", n_workers, RUN_MAX_WORKERS, error))
    return FALSE;
  self->n_workers = words->n_workers;
  if (self->rank != NULL)
    {
      self->labels = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (self->labels, g_strdup (run_rank_get_place (self->rank)->cluster));
      return TRUE;
    }
  if (words->clusters != NULL)
    return check_clusters (self, words, error);
  int fallback =
      self->fleet.provision != NULL ? 1 : MAX ((int)satin_count_processors () / self->n_workers, 1);
  if (!check_number (&words->n_nodes, "--nodes", fallback, RUN_MAX_NODES, error))
    return FALSE;
  self->labels = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; i < words->n_nodes; i++)
    g_ptr_array_add (self->labels, g_strdup (""));
  return TRUE;
}

static gboolean
check_parts (RunOptions *self, const CheckpointOptions *checkpoint, GError **error)
{
  g_auto (GStrv) given = parts_option_split (self->parts, "run", self->has_no_recovery, error);
  if (given == NULL)
    return FALSE;
  for (char **part = given; *part != NULL; part++)
    if (self->fleet.adaptation != NULL && parts_option_is (*part, "adapt"))
      return command_refuse (error, "run", "choose one of --adapt and --with %s", *part);
  g_clear_pointer (&self->parts, g_strfreev);
  return checkpoint_options_apply (checkpoint, "run", given, self->has_no_recovery, &self->parts,
                                   &self->has_checkpoint, error);
}

static gboolean
check_page (RunOptions *self, const char *text, GError **error)
{
  if (text == NULL && self->picture != NULL)
    return command_refuse (error, "run", "--picture shows a file on the page: add --page");
  if (text == NULL)
    return TRUE;
  self->has_page = TRUE;
  if (g_strcmp0 (self->journal, "none") == 0)
    return command_refuse (error, "run", "--page shows the journal: leave --journal none out");
  if (self->hub_uri != NULL || self->registry.uri != NULL)
    return command_refuse (error, "run", "--page belongs to the command that holds the hub");
  if (page_option_read (text, &self->page_port, error))
    return TRUE;
  g_prefix_error (error, "--page: ");
  return FALSE;
}

static gboolean
check_all (RunOptions *self, Words *words, GError **error)
{
  if (!check_rank (self, words, error) || !check_place (self, words, error)
      || !check_nodes (self, words, error) || !check_parts (self, &words->checkpoint, error))
    return FALSE;
  if (self->policy != NULL
      && satin_plugin_load_spec (SATIN_PLUGIN_POLICY, self->policy, NULL, error) == NULL)
    return FALSE;
  if (words->timeout != NULL && !satin_parse_duration (words->timeout, &self->timeout_us, error))
    {
      g_prefix_error (error, "--timeout: ");
      return FALSE;
    }
  return wrap_options_check (&self->wrap, "run", error) && check_page (self, words->page, error)
         && stall_option_read (words->stall, &self->stall_us, error);
}

RunOptions *
run_options_parse (int argc, char **argv, GError **error)
{
  Words words = { .n_nodes = NO_NUMBER, .n_workers = NO_NUMBER };
  g_autoptr (RunOptions) self = parse_words (&argc, &argv, &words, error);
  gboolean is_right = self != NULL && check_all (self, &words, error);
  if (is_right)
    {
      self->program = wrap_options_find_program (&self->wrap, argv[1], error);
      self->arguments = g_strdupv (argv + 1);
    }
  g_free (words.clusters);
  g_free (words.hub);
  g_free (words.listen);
  g_free (words.transport);
  g_free (words.timeout);
  g_free (words.stall);
  g_free (words.page);
  g_free (words.launcher);
  checkpoint_options_clear (&words.checkpoint);
  return is_right && self->program != NULL ? g_steal_pointer (&self) : NULL;
}

gboolean
run_options_follow (RunOptions *self, GError **error)
{
  if (!run_rank_take (self->rank, &self->hub_uri, &self->hub_secret, error))
    return FALSE;
  run_rank_release (self->rank);
  g_clear_pointer (&self->listen_uri, g_free);
  self->has_stats = self->has_page = FALSE;
  g_clear_pointer (&self->stats_file, g_free);
  self->timeout_us = 0;
  self->is_quiet = TRUE;
  return TRUE;
}

guint
run_options_count_members (const RunOptions *self)
{
  return self->rank != NULL ? run_rank_get_place (self->rank)->n_ranks : self->labels->len;
}

void
run_options_free (RunOptions *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_free (self->hub_uri);
  run_rank_free (self->rank);
  satin_secret_free (self->hub_secret);
  registry_options_clear (&self->registry);
  fleet_options_clear (&self->fleet);
  wrap_options_clear (&self->wrap);
  g_free (self->registry_plugin);
  g_free (self->listen_uri);
  g_strfreev (self->parts);
  g_strfreev (self->gateways);
  g_free (self->policy);
  g_free (self->secret_file);
  g_free (self->stats_file);
  g_free (self->journal);
  g_free (self->picture);
  g_free (self->program);
  g_strfreev (self->arguments);
  g_free (self);
}
