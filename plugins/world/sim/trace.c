/* trace.c - writes what happened in a simulated run, for a trace viewer and for people
 *
 * For a viewer (Perfetto, chrome://tracing) it writes JSON in the format of trace events. Each
 * cluster is a process, each worker of a node is a lane (a thread), and time is in virtual
 * microseconds. Work and waits are slices. A message is an arrow from a slice without length at its
 * sender to a slice without length at its receiver. Both slices are on the lanes of the nodes'
 * first workers. Crashes and notes are marks there.
 *
 * For people it writes a line for each event, in the order in which the events began.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <errno.h>
#include <stdio.h>

/* The most events in a file. An event takes about 200 bytes, and viewers are slow with more than
 * 100 MB. */
#define MAX_EVENTS ((gsize)500000)

/* A file that is being written. */
typedef struct
{
  World *world;     /* (borrowed) */
  FILE *file;       /* (owned) */
  GArray *node_ids; /* (owned) of guint: the number of the node on each host; 0: the host has the
                     * registry or no node */
  const SatinSimEvent *events;
  gsize n_events;
  guint64 n_lost;
  gboolean is_any; /* the list in the file has an element already */
} Writer;

void
world_trace_begin (World *self)
{
  if (self->options.trace_path != NULL || self->options.log_path != NULL)
    satin_sim_keep_events (self->sim, MAX_EVENTS);
}

static guint
node_of (const Writer *self, guint host)
{
  return host < self->node_ids->len ? g_array_index (self->node_ids, guint, host) : 0;
}

/* Finds the numbers of the process and of the lane of a worker, both above 0. The registry (node 0)
 * has the process after those of the clusters. */
static void
find_lane (const Writer *self, guint node, guint fiber, guint *ret_process, guint *ret_lane)
{
  const World *world = self->world;
  guint place = node > 0 ? node : world->n_started + 1;
  *ret_process = node > 0 ? world->nodes[node - 1].cluster + 1 : world->options.sizes->len + 1;
  *ret_lane = place * world->options.n_workers + fiber;
}

/* ---- JSON ---- */

/* Writes the beginning of an event: type, time, process and lane. */
static void
begin_json (Writer *self, const char *type, gint64 at_us, guint host, guint fiber)
{
  guint process, lane;
  find_lane (self, node_of (self, host), fiber, &process, &lane);
  fprintf (self->file, ",\n{\"ph\":\"%s\",\"ts\":%" G_GINT64_FORMAT ",\"pid\":%u,\"tid\":%u", type,
           at_us, process, lane);
}

static void
write_slice (Writer *self, const SatinSimEvent *event, const char *name)
{
  gint64 now_us = satin_sim_now_us (self->world->sim);
  gint64 end_us = MIN (event->end_us, now_us);
  begin_json (self, "X", event->begin_us, event->host, event->fiber);
  fprintf (self->file, ",\"dur\":%" G_GINT64_FORMAT ",\"name\":\"%s\",\"cat\":\"%s\"}",
           MAX (end_us - event->begin_us, 0), name, name);
}

/* Writes one end of a message: a slice without length, and one end of the arrow. */
static void
write_message_end (Writer *self, const SatinSimEvent *event, gsize number, gboolean is_sent)
{
  gint64 at_us = is_sent ? event->begin_us : event->end_us;
  guint host = is_sent ? event->host : event->to;
  begin_json (self, "X", at_us, host, 0);
  fprintf (self->file,
           ",\"dur\":0,\"name\":\"%s\",\"cat\":\"message\",\"args\":{\"bytes\":%" G_GUINT64_FORMAT
           ",\"%s\":%u}}",
           is_sent ? "send" : "receive", event->n_bytes, is_sent ? "to" : "from",
           node_of (self, is_sent ? event->to : event->host));
  begin_json (self, is_sent ? "s" : "f", at_us, host, 0);
  fprintf (self->file, ",\"id\":%" G_GSIZE_FORMAT ",\"name\":\"message\",\"cat\":\"message\"%s}",
           number, is_sent ? "" : ",\"bp\":\"e\"");
}

static void
write_note (Writer *self, const SatinSimEvent *event)
{
  g_autofree char *text = g_strescape (event->text, NULL);
  begin_json (self, "i", event->begin_us, event->host, 0);
  fprintf (self->file, ",\"s\":\"t\",\"name\":\"%s\",\"cat\":\"note\"}", text);
}

static void
write_event (Writer *self, const SatinSimEvent *event, gsize number)
{
  switch (event->kind)
    {
    case SATIN_SIM_WORK:
      write_slice (self, event, "work");
      break;
    case SATIN_SIM_WAIT:
      write_slice (self, event, "wait");
      break;
    case SATIN_SIM_MESSAGE:
      write_message_end (self, event, number, TRUE);
      write_message_end (self, event, number, FALSE);
      break;
    case SATIN_SIM_CRASH:
      begin_json (self, "i", event->begin_us, event->host, 0);
      fprintf (self->file, ",\"s\":\"t\",\"name\":\"crash\",\"cat\":\"fault\"}");
      break;
    case SATIN_SIM_NOTE:
      write_note (self, event);
      break;
    }
}

/* Writes the name and the sort order of a process or lane. @what: "process" or "thread" */
static void
write_name (Writer *self, const char *what, guint process, guint lane, const char *name)
{
  fprintf (
      self->file,
      "%s{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s_name\",\"args\":{\"name\":\"%s\"}},\n"
      "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s_sort_index\",\"args\":"
      "{\"sort_index\":%u}}",
      self->is_any ? ",\n" : "", process, lane, what, name, process, lane, what,
      what[0] == 'p' ? process : lane);
  self->is_any = TRUE;
}

static void
write_lane_name (Writer *self, guint node, guint worker)
{
  guint process, lane;
  find_lane (self, node, worker, &process, &lane);
  g_autofree char *host = node > 0 ? g_strdup_printf ("node %u", node) : g_strdup ("registry");
  g_autofree char *name = self->world->options.n_workers > 1 && node > 0
                              ? g_strdup_printf ("%s, worker %u", host, worker + 1)
                              : g_strdup (host);
  write_name (self, "thread", process, lane, name);
}

static void
write_names (Writer *self)
{
  const World *world = self->world;
  guint n_clusters = world->options.sizes->len;
  for (guint c = 0; c < n_clusters; c++)
    {
      g_autofree char *name = g_strdup_printf ("cluster %u", c + 1);
      write_name (self, "process", c + 1, 0, name);
    }
  write_name (self, "process", n_clusters + 1, 0, "registry");
  write_lane_name (self, 0, 0);
  for (guint node = 1; node <= world->n_started; node++)
    for (guint w = 0; w < world->options.n_workers; w++)
      write_lane_name (self, node, w);
}

static void
write_json (Writer *self)
{
  fprintf (self->file,
           "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"lost\":%" G_GUINT64_FORMAT "},\n"
           "\"traceEvents\":[\n",
           self->n_lost);
  write_names (self);
  for (gsize i = 0; i < self->n_events; i++)
    write_event (self, &self->events[i], i);
  fprintf (self->file, "\n]}\n");
}

/* ---- lines ---- */

static char *
host_name (const Writer *self, guint host, guint fiber)
{
  guint node = node_of (self, host);
  if (node == 0)
    return g_strdup ("registry");
  if (self->world->options.n_workers > 1)
    return g_strdup_printf ("node%u.%u", node, fiber + 1);
  return g_strdup_printf ("node%u", node);
}

static void
write_line (Writer *self, const SatinSimEvent *event)
{
  static const char *const names[] = { [SATIN_SIM_WORK] = "work",
                                       [SATIN_SIM_WAIT] = "wait",
                                       [SATIN_SIM_MESSAGE] = "send",
                                       [SATIN_SIM_CRASH] = "crash",
                                       [SATIN_SIM_NOTE] = "says" };
  g_autofree char *host = host_name (self, event->host, event->fiber);
  fprintf (self->file, "%.6f %s %s", (double)event->begin_us / 1e6, host, names[event->kind]);
  if (event->kind == SATIN_SIM_NOTE)
    fprintf (self->file, " %s", event->text);
  else if (event->kind == SATIN_SIM_MESSAGE)
    {
      g_autofree char *to = host_name (self, event->to, 0);
      fprintf (self->file, " %" G_GUINT64_FORMAT " bytes to %s, there at %.6f", event->n_bytes, to,
               (double)event->end_us / 1e6);
    }
  else if (event->end_us == G_MAXINT64)
    fprintf (self->file, " to the end");
  else if (event->kind != SATIN_SIM_CRASH)
    fprintf (self->file, " until %.6f", (double)event->end_us / 1e6);
  fprintf (self->file, "\n");
}

static void
write_lines (Writer *self)
{
  for (gsize i = 0; i < self->n_events; i++)
    write_line (self, &self->events[i]);
  if (self->n_lost > 0)
    fprintf (self->file, "%" G_GUINT64_FORMAT " more events are not here\n", self->n_lost);
}

/* ---- files ---- */

static gboolean
write_file (Writer *self, const char *path, void (*write) (Writer *self), GError **error)
{
  self->file = fopen (path, "we");
  gboolean is_good = self->file != NULL;
  if (is_good)
    {
      write (self);
      is_good = !ferror (self->file);
      is_good &= fclose (self->file) == 0;
    }
  if (!is_good)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write %s: %s", path,
                 g_strerror (errno));
  return is_good;
}

static void
index_nodes (Writer *self)
{
  self->node_ids = g_array_new (FALSE, TRUE, sizeof (guint));
  for (guint i = 0; i < self->world->n_started; i++)
    {
      guint host = satin_sim_host_get_number (self->world->nodes[i].host);
      if (host >= self->node_ids->len)
        g_array_set_size (self->node_ids, host + 1);
      g_array_index (self->node_ids, guint, host) = i + 1;
    }
}

gboolean
world_trace_end (World *self, GError **error)
{
  const WorldOptions *options = &self->options;
  Writer writer = { .world = self };
  if (self->sim == NULL || (options->trace_path == NULL && options->log_path == NULL))
    return TRUE;
  writer.events = satin_sim_get_events (self->sim, &writer.n_events, &writer.n_lost);
  index_nodes (&writer);
  gboolean is_good =
      options->trace_path == NULL || write_file (&writer, options->trace_path, write_json, error);
  if (is_good && options->log_path != NULL)
    is_good = write_file (&writer, options->log_path, write_lines, error);
  if (writer.n_lost > 0)
    g_printerr ("the trace has the first %" G_GSIZE_FORMAT " events; %" G_GUINT64_FORMAT
                " later ones are not in it: trace a smaller run\n",
                writer.n_events, writer.n_lost);
  g_array_unref (writer.node_ids);
  return is_good;
}
