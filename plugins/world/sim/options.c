/* options.c - the parameters of a simulated world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <satin/core/sharing.h>
#include <string.h>

#define MAX_NODES 100000

/* How many other nodes a node is told of if the user does not say. In real runs the hub has the
 * first number. Runs of more than LARGE_NODES nodes have the second one: what a node knows of
 * another takes most of its memory. */
#define VIEW_MAX       256
#define LARGE_NODES    1024
#define LARGE_VIEW_MAX 64

const SatinParam world_params[] = {
  { "clusters", SATIN_PARAM_STRING, "1x4", "clusters and their nodes, 5x64, or sizes 60,20,4" },
  { "workers", SATIN_PARAM_INT, "1", "workers of a node" },
  { "lan", SATIN_PARAM_DURATION, "50us", "latency within a cluster, one way" },
  { "wan", SATIN_PARAM_DURATION, "5ms", "latency between clusters, one way" },
  { "lan-bandwidth", SATIN_PARAM_SIZE, "1G", "bytes a second of a node's link, 0: no limit" },
  { "wan-bandwidth", SATIN_PARAM_SIZE, "100M",
    "bytes a second of a cluster's uplink, 0: no limit" },
  { "jitter", SATIN_PARAM_DOUBLE, "0.1", "up to this share of a latency is added to it" },
  { "speeds", SATIN_PARAM_STRING, "1", "speed of each cluster's nodes, 1,0.5,2" },
  { "pool", SATIN_PARAM_STRING, "",
    "machines of each cluster that can be had, the nodes it begins with included, 4x12 or 12,12" },
  { "least", SATIN_PARAM_INT, "1", "with a pool: nodes that the run should have at least" },
  { "most", SATIN_PARAM_INT, "0", "with a pool: nodes that the run should have at most, 0: all" },
  { "start-delay", SATIN_PARAM_DURATION, "1s", "time until a machine that was asked for runs" },
  { "view", SATIN_PARAM_INT, "0",
    "how many other nodes a node of a larger run knows, 0: 256, of more than 1024 nodes 64" },
  { "queue", SATIN_PARAM_SIZE, "64M", "bytes that may wait to be sent to one node" },
  { "policy", SATIN_PARAM_STRING, "", "victim policy, NAME or NAME:key=value" },
  { "seed", SATIN_PARAM_INT, "1", "seed of all random numbers" },
  { "spawn-ns", SATIN_PARAM_INT, "1000", "nanoseconds that a spawned job takes beside its charge" },
  { "message-ns", SATIN_PARAM_INT, "0",
    "nanoseconds of a node's processors for each message that it sends or receives" },
  { "stack", SATIN_PARAM_SIZE, "64K", "stack of a worker" },
  { "deque", SATIN_PARAM_INT, "65536", "most jobs in a worker's deque" },
  { "deadline", SATIN_PARAM_DURATION, "100000s", "virtual time after which a run has failed" },
  { "work", SATIN_PARAM_DURATION, "0s",
    "all work of the program: with it a run has failed when it does not end in time, 0s: unknown" },
  { "csv", SATIN_PARAM_STRING, "", "file for a header line and a line of figures" },
  { "plot", SATIN_PARAM_STRING, "", "file for a picture, SVG: how busy each node was over time" },
  { "trace", SATIN_PARAM_STRING, "", "file for all events, JSON for a viewer of traces" },
  { "log", SATIN_PARAM_STRING, "", "file for all events, a line each" },
  { "journal", SATIN_PARAM_STRING, "", "file for the journal of the run" },
  { "faults", SATIN_PARAM_STRING, "none", "none, swarm, or kinds with numbers, crash:3,clog:2" },
  { "events", SATIN_PARAM_STRING, "",
    "events, 50s crash cluster c1; 60s join 4 cluster c2, or @FILE" },
  { "with", SATIN_PARAM_STRING, "", "parts of each node beside net, with semicolons between" },
  { "recovery", SATIN_PARAM_BOOLEAN, "yes", "each node has the part ft" },
  { "figures", SATIN_PARAM_STRING, "",
    "file for the figures of all nodes, in lines of a name and a number" },
  { "report", SATIN_PARAM_STRING, "", "file for what happened, in lines of a name and a number" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* Reads "5x64" or "60,20,4". */
static gboolean
read_sizes (const char *key, const char *text, GArray *sizes, guint *ret_n_nodes, GError **error)
{
  guint n_nodes = 0;
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) both = g_strsplit (*word, "x", 2);
      guint64 n = 1, size;
      if (!g_ascii_string_to_unsigned (both[both[1] != NULL], 10, 1, MAX_NODES, &size, NULL)
          || (both[1] != NULL && !g_ascii_string_to_unsigned (both[0], 10, 1, MAX_NODES, &n, NULL)))
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "%s=%s is not of the form 5x64 or 60,20,4, with 1 to %d nodes", key, text,
                       MAX_NODES);
          return FALSE;
        }
      if (n_nodes + n * size > MAX_NODES)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s=%s: more than %d nodes", key,
                       text, MAX_NODES);
          return FALSE;
        }
      guint size_of_each = (guint)size;
      for (guint64 i = 0; i < n; i++)
        g_array_append_val (sizes, size_of_each);
      n_nodes += (guint)(n * size);
    }
  *ret_n_nodes = n_nodes;
  return TRUE;
}

static gboolean
read_speeds (WorldOptions *self, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  for (char **word = words; *word != NULL; word++)
    {
      char *end;
      double speed = g_ascii_strtod (*word, &end);
      if (end == *word || *end != '\0' || !(speed > 0.000999 && speed < 1001))
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "speeds=%s: give numbers from 0.001 to 1000 with commas between", text);
          return FALSE;
        }
      g_array_append_val (self->speeds, speed);
    }
  return TRUE;
}

static gboolean
read_number (const SatinParams *params, const char *key, gint64 min, gint64 max, gint64 *ret_number,
             GError **error)
{
  *ret_number = satin_params_get_int (params, key);
  if (*ret_number >= min && *ret_number <= max)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s=%" G_GINT64_FORMAT ": give %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, key,
               *ret_number, min, max);
  return FALSE;
}

/* Reads the parameters of a pool. The sizes of the clusters were read before. */
static gboolean
read_pool (WorldOptions *self, const SatinParams *params, GError **error)
{
  const char *text = satin_params_get_string (params, "pool");
  guint n_machines = 0;
  gint64 n_least, n_most;
  if (*text != '\0' && !read_sizes ("pool", text, self->pool, &n_machines, error))
    return FALSE;
  for (guint i = 0; i < self->sizes->len && self->pool->len > 0; i++)
    if (i >= self->pool->len
        || g_array_index (self->sizes, guint, i) > g_array_index (self->pool, guint, i))
      {
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                     "pool=%s has fewer machines in cluster c%u than the run begins with", text,
                     i + 1);
        return FALSE;
      }
  const guint none = 0;
  while (self->sizes->len < self->pool->len)
    g_array_append_val (self->sizes, none);
  if (!read_number (params, "least", 1, MAX_NODES, &n_least, error)
      || !read_number (params, "most", 0, MAX_NODES, &n_most, error))
    return FALSE;
  self->n_least = (guint)n_least;
  self->n_most = n_most > 0 ? (guint)n_most : MAX_NODES;
  self->start_delay_us = satin_params_get_duration_us (params, "start-delay");
  if (self->n_most >= MAX (self->n_nodes, self->n_least) || self->pool->len == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "most=%u is less than the run should have, or begins with", self->n_most);
  return FALSE;
}

static const char *
or_null (const char *text)
{
  return *text != '\0' ? text : NULL;
}

/* Whether the part @name is among @parts, with or without parameters of its own. */
static gboolean
is_given (char **parts, const char *name)
{
  for (guint i = 0; parts[i] != NULL; i++)
    if (g_str_has_prefix (parts[i], name) && strchr (":", parts[i][strlen (name)]) != NULL)
      return TRUE;
  return FALSE;
}

static void
read_parts (WorldOptions *self, const SatinParams *params)
{
  const char *given = satin_params_get_string (params, "with");
  g_auto (GStrv) parts = satin_params_split (given);
  gboolean is_recovery_given = is_given (parts, "ft");
  self->has_recovery = is_recovery_given || satin_params_get_boolean (params, "recovery");
  self->has_checkpoint = strstr (given, "checkpoint=") != NULL;
  gboolean has_objects = satin_program_has_objects () && !is_given (parts, "so");
  self->parts = g_strdup_printf ("%s%s%s", self->has_recovery && !is_recovery_given ? "ft;" : "",
                                 has_objects ? "so;" : "", given);
}

gboolean
world_options_read (WorldOptions *self, const SatinParams *params, GError **error)
{
  gint64 n_workers, n_slots, seed, view;
  self->sizes = g_array_new (FALSE, FALSE, sizeof (guint));
  self->speeds = g_array_new (FALSE, FALSE, sizeof (double));
  self->pool = g_array_new (FALSE, FALSE, sizeof (guint));
  if (!read_sizes ("clusters", satin_params_get_string (params, "clusters"), self->sizes,
                   &self->n_nodes, error)
      || !read_pool (self, params, error)
      || !read_speeds (self, satin_params_get_string (params, "speeds"), error)
      || !read_number (params, "workers", 1, 1024, &n_workers, error)
      || !read_number (params, "deque", 64, 1 << 24, &n_slots, error)
      || !read_number (params, "view", 0, MAX_NODES, &view, error)
      || !read_number (params, "seed", 0, G_MAXINT64, &seed, error)
      || !read_number (params, "spawn-ns", 1, G_MAXINT32, &self->spawn_ns, error)
      || !read_number (params, "message-ns", 0, G_USEC_PER_SEC * 1000, &self->message_ns, error))
    return FALSE;
  double jitter = satin_params_get_double (params, "jitter");
  if (!(jitter >= 0 && jitter <= 1))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "jitter=%g: give 0 to 1", jitter);
      return FALSE;
    }
  self->n_workers = (guint)n_workers;
  self->deque_slots = (gsize)n_slots;
  self->view_max = (guint)view;
  if (view == 0)
    self->view_max = self->n_nodes > LARGE_NODES ? LARGE_VIEW_MAX : VIEW_MAX;
  self->max_queue_bytes = satin_params_get_size_bytes (params, "queue");
  self->deadline_us = satin_params_get_duration_us (params, "deadline");
  self->work_us = satin_params_get_duration_us (params, "work");
  self->policy = or_null (satin_params_get_string (params, "policy"));
  self->faults = satin_params_get_string (params, "faults");
  self->events = satin_params_get_string (params, "events");
  read_parts (self, params);
  self->figures_path = or_null (satin_params_get_string (params, "figures"));
  self->report_path = or_null (satin_params_get_string (params, "report"));
  self->plot_path = or_null (satin_params_get_string (params, "plot"));
  self->trace_path = or_null (satin_params_get_string (params, "trace"));
  self->log_path = or_null (satin_params_get_string (params, "log"));
  self->journal_path = or_null (satin_params_get_string (params, "journal"));
  self->csv_path = or_null (satin_params_get_string (params, "csv"));
  self->sim = (SatinSimOptions){
    .seed = (guint64)seed,
    .lan_us = satin_params_get_duration_us (params, "lan"),
    .wan_us = satin_params_get_duration_us (params, "wan"),
    .lan_bandwidth = satin_params_get_size_bytes (params, "lan-bandwidth"),
    .wan_bandwidth = satin_params_get_size_bytes (params, "wan-bandwidth"),
    .jitter = jitter,
    .stack_bytes = satin_params_get_size_bytes (params, "stack"),
    .is_guarded = self->n_nodes * self->n_workers <= 10000,
  };
  return TRUE;
}

void
world_options_done (WorldOptions *self)
{
  g_free (self->parts);
  g_clear_pointer (&self->sizes, g_array_unref);
  g_clear_pointer (&self->speeds, g_array_unref);
  g_clear_pointer (&self->pool, g_array_unref);
}
