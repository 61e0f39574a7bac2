/* sim.c - `satin sim`: runs a program as many nodes in simulated time
 *
 * This process sets SATIN_WORLD and becomes the program. Then the program's satin_main() hands over
 * to the plugin world-sim.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sim.h"
#include "programs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The options, in the order of the keys below. */
enum
{
  CLUSTERS,
  WORKERS,
  LAN,
  WAN,
  LAN_BANDWIDTH,
  WAN_BANDWIDTH,
  JITTER,
  SPEEDS,
  SEED,
  SPAWN_NS,
  STACK,
  DEQUE,
  DEADLINE,
  CSV,
  POLICY,
  FAULTS,
  PLOT,
  TRACE,
  LOG,
  WORK,
  VIEW,
  QUEUE,
  EVENTS,
  FIGURES,
  POOL,
  LEAST,
  MOST,
  START_DELAY,
  JOURNAL,
  MESSAGE_NS,
  N_VALUES,
};

static char *values[N_VALUES];

static const char *const keys[N_VALUES] = {
  "clusters", "workers", "lan",    "wan",         "lan-bandwidth", "wan-bandwidth",
  "jitter",   "speeds",  "seed",   "spawn-ns",    "stack",         "deque",
  "deadline", "csv",     "policy", "faults",      "plot",          "trace",
  "log",      "work",    "view",   "queue",       "events",        "figures",
  "pool",     "least",   "most",   "start-delay", "journal",       "message-ns",
};

/* The parts of --with, which every node loads in addition to its usual parts. */
static char **parts;
static gboolean has_no_recovery;

const GOptionEntry sim_options[] = {
  { "clusters", 'c', 0, G_OPTION_ARG_STRING, &values[CLUSTERS],
    "Clusters and their nodes: 5x64, or sizes 60,20,4 (1x4)", "SHAPE" },
  { "workers", 'w', 0, G_OPTION_ARG_STRING, &values[WORKERS], "Workers of a node (1)", "N" },
  { "lan", 0, 0, G_OPTION_ARG_STRING, &values[LAN], "Latency in a cluster, one way (50us)",
    "TIME" },
  { "wan", 0, 0, G_OPTION_ARG_STRING, &values[WAN], "Latency between clusters, one way (5ms)",
    "TIME" },
  { "lan-bandwidth", 0, 0, G_OPTION_ARG_STRING, &values[LAN_BANDWIDTH],
    "Bytes a second of a node's link (1G); 0: no limit", "SIZE" },
  { "wan-bandwidth", 0, 0, G_OPTION_ARG_STRING, &values[WAN_BANDWIDTH],
    "Bytes a second of a cluster's uplink (100M); 0: no limit", "SIZE" },
  { "jitter", 0, 0, G_OPTION_ARG_STRING, &values[JITTER],
    "Largest random share that is added to a latency (0.1)", "X" },
  { "speeds", 0, 0, G_OPTION_ARG_STRING, &values[SPEEDS],
    "Speed of each cluster's nodes: 1,0.5,2 (1)", "LIST" },
  { "pool", 0, 0, G_OPTION_ARG_STRING, &values[POOL],
    "Machines of each cluster that the part adapt can have, those of --clusters included: 4x12, "
    "or sizes (none)",
    "SHAPE" },
  { "least", 0, 0, G_OPTION_ARG_STRING, &values[LEAST],
    "With --pool: nodes that the run should have at least (1)", "N" },
  { "most", 0, 0, G_OPTION_ARG_STRING, &values[MOST],
    "With --pool: nodes that the run should have at most (all)", "N" },
  { "start-delay", 0, 0, G_OPTION_ARG_STRING, &values[START_DELAY],
    "With --pool: time until a machine that was asked for runs (1s)", "TIME" },
  { "policy", 'p', 0, G_OPTION_ARG_STRING, &values[POLICY], "Victim policy (crs)",
    "NAME[:PARAMETERS]" },
  { "view", 0, 0, G_OPTION_ARG_STRING, &values[VIEW],
    "How many other nodes a node of a larger run knows (256; of more than 1,024 nodes 64)", "N" },
  { "queue", 0, 0, G_OPTION_ARG_STRING, &values[QUEUE],
    "Bytes that may wait to be sent to one node (64M)", "SIZE" },
  { "seed", 's', 0, G_OPTION_ARG_STRING, &values[SEED], "Seed of all random numbers (1)", "N" },
  { "spawn-ns", 0, 0, G_OPTION_ARG_STRING, &values[SPAWN_NS],
    "Nanoseconds that a job takes beside its charge (1000)", "N" },
  { "message-ns", 0, 0, G_OPTION_ARG_STRING, &values[MESSAGE_NS],
    "Nanoseconds of a node's processors for each message that it sends or receives (0)", "N" },
  { "stack", 0, 0, G_OPTION_ARG_STRING, &values[STACK], "Stack of a worker (64K)", "SIZE" },
  { "deque", 0, 0, G_OPTION_ARG_STRING, &values[DEQUE], "Most jobs in a worker's deque (65536)",
    "N" },
  { "deadline", 0, 0, G_OPTION_ARG_STRING, &values[DEADLINE],
    "Simulated time after which a run has failed (100000s)", "TIME" },
  { "work", 0, 0, G_OPTION_ARG_STRING, &values[WORK],
    "All work of the program: with it, a run that takes far longer than one node would has failed",
    "TIME" },
  { "faults", 'f', 0, G_OPTION_ARG_STRING, &values[FAULTS],
    "Faults: none, swarm, or kinds with numbers, crash:3,join, of crash, join, restart, storm, "
    "leave, leave-storm, pause, slow, skew, suspect, break, reset, half-open, clog, partition, "
    "one-way, hub, master, memory, total, stop, stall, standstill, hub-stall, jump, cut-off, "
    "hub-lost, bad-job, bad-address; early (none)",
    "LIST" },
  { "events", 'e', 0, G_OPTION_ARG_FILENAME, &values[EVENTS],
    "Events after the root job began: '50s crash cluster c1; 60s join 4 cluster c2', of crash, "
    "restart, leave, pause, resume, join, stop, speed, bandwidth, latency, offer",
    "LIST|@FILE" },
  { "with", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &parts, "Load a part on each node; may be repeated",
    "PART[:KEY=VALUE,...]" },
  { "no-recovery", 0, 0, G_OPTION_ARG_NONE, &has_no_recovery, "Without the part ft", NULL },
  { "csv", 0, 0, G_OPTION_ARG_FILENAME, &values[CSV], "Write a header line and a line of figures",
    "FILE" },
  { "figures", 0, 0, G_OPTION_ARG_FILENAME, &values[FIGURES],
    "Write all figures of the nodes, summed, in lines of a name and a number", "FILE" },
  { "plot", 0, 0, G_OPTION_ARG_FILENAME, &values[PLOT],
    "Draw how busy each node was over time, as SVG; needs gnuplot", "FILE" },
  { "journal", 0, 0, G_OPTION_ARG_FILENAME, &values[JOURNAL],
    "Write the journal of the run, for satin report", "FILE" },
  { "trace", 0, 0, G_OPTION_ARG_FILENAME, &values[TRACE],
    "Write all work, waits and messages as JSON for Perfetto or chrome://tracing", "FILE" },
  { "log", 0, 0, G_OPTION_ARG_FILENAME, &values[LOG],
    "Write the same as text, a line for each event", "FILE" },
  G_OPTION_ENTRY_NULL,
};

static const CommandSyntax syntax = {
  .name = "sim",
  .usage = "PROGRAM [ARGUMENT...]",
  .summary = "Runs a program on many nodes in one process, in simulated time.",
  .details =
      "The program, the libraries and the plugins are those of real runs; only the clock, the\n"
      "network and the threads are simulated. A job takes the time that it reports with\n"
      "satin_charge(), and --spawn-ns beside that. The same options and the same seed give the "
      "same\n"
      "run, to the last message; the line at the end has a digest of it.\n\n"
      "The line also has the makespan and the efficiency: the work that was done, as a share of\n"
      "what all workers could have done in that time.\n\n"
      "Examples:\n"
      "  satin sim --clusters 4x16 --wan 10ms nqueens 12\n"
      "  satin sim --clusters 8,2 --speeds 1,4 --policy rs fib 25\n"
      "  satin sim --faults crash:2,break:3 nqueens 10\n"
      "  satin sim --clusters 2x16 --events '10s crash cluster c2' tree 640s\n"
      "  satin sim --events '9s crash all' --with ft:checkpoint=sim:disk,every=1s tree 99s\n\n"
      "satin sim sweep --help: many seeds, looking for one that goes wrong.",
  .options = sim_options,
  .n_words_min = 1,
  .n_words_max = G_MAXINT,
  .is_strict = TRUE,
};

char *
sim_world_text (void)
{
  g_autoptr (GString) text = g_string_new ("sim:");
  for (guint i = 0; i < N_VALUES; i++)
    if (values[i] != NULL)
      satin_params_append (text, keys[i], values[i]);
  if (parts != NULL)
    {
      g_autofree char *joined = g_strjoinv (";", parts);
      satin_params_append (text, "with", joined);
    }
  if (has_no_recovery)
    satin_params_append (text, "recovery", "no");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
sim_append_word (GString *text, const char *word)
{
  gboolean is_plain =
      strspn (word, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_-+=:,./@%") == strlen (word);
  g_autofree char *quoted = is_plain && *word != '\0' ? NULL : g_shell_quote (word);
  g_string_append (text, quoted != NULL ? quoted : word);
}

/* Appends "--key value ", quoted for a shell. */
static void
add_option (GString *text, const char *key, const char *value)
{
  g_string_append_printf (text, "--%s ", key);
  sim_append_word (text, value);
  g_string_append_c (text, ' ');
}

char *
sim_options_text (guint64 seed)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < N_VALUES; i++)
    if (values[i] != NULL && i != SEED)
      add_option (text, keys[i], values[i]);
  for (char **part = parts; part != NULL && *part != NULL; part++)
    add_option (text, "with", *part);
  g_string_append (text, has_no_recovery ? "--no-recovery " : "");
  g_string_append_printf (text, "--seed %" G_GUINT64_FORMAT, seed);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
sim_option_exchange (const char *key, char *value)
{
  for (guint i = 0; i < N_VALUES; i++)
    if (g_str_equal (keys[i], key))
      {
        char *old = values[i];
        values[i] = value;
        return old;
      }
  g_assert_not_reached ();
}

gboolean
sim_option_clear (const char *key)
{
  g_autofree char *old = sim_option_exchange (key, NULL);
  return old != NULL;
}

gboolean
command_sim (int argc, char **argv, int *ret_status, GError **error)
{
  if (argc > 1 && g_str_equal (argv[1], "sweep"))
    return command_sim_sweep (argc - 1, argv + 1, ret_status, error);
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  g_autofree char *path = program_find (argv[1], error);
  if (path == NULL)
    return FALSE;
  g_autofree char *world = sim_world_text ();
  g_setenv ("SATIN_WORLD", world, TRUE);
  /* The events of the simulation are spread over the whole heap. Huge pages make access to them
   * faster. */
  g_setenv ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", FALSE);
  execv (path, argv + 1);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot start %s: %s", path, g_strerror (errno));
  return FALSE;
}
