/* report.c - writes the results of a simulated run to files and to standard error
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <satin/base/file.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>

/* The results of a run. */
typedef struct
{
  const WorldFigures *figures; /* (borrowed) */
  double makespan_s;
  SatinSimFigures sim;
  gsize heap_bytes;   /* memory that malloc() has taken from the system; stacks and deques are not
                       * included */
  guint64 peak_bytes; /* the most memory that this process has had, with stacks and deques */
} Report;

static void
fill (Report *self, const World *world)
{
  self->figures = &world->figures;
  satin_sim_get_figures (world->sim, &self->sim);
  for (const World *i = world->earlier; i != NULL; i = i->earlier)
    {
      SatinSimFigures earlier;
      satin_sim_get_figures (i->sim, &earlier);
      self->sim.hash = self->sim.hash * 31 + earlier.hash;
      self->sim.n_events += earlier.n_events;
    }
  struct mallinfo2 heap = mallinfo2 ();
  self->heap_bytes = heap.arena + heap.hblkhd;
  struct rusage usage;
  if (getrusage (RUSAGE_SELF, &usage) == 0)
    self->peak_bytes = (guint64)usage.ru_maxrss * 1024;
  if (world->ended_us > 0)
    self->makespan_s = (double)(world->ended_us - world->started_us) / 1e6;
}

static double
efficiency (const Report *self)
{
  const WorldFigures *figures = self->figures;
  return self->makespan_s > 0 ? figures->work_s / figures->available_s : 0;
}

static gboolean
write_csv (const World *world, const Report *self, GError **error)
{
  const WorldFigures *figures = self->figures;
  g_autofree char *text = g_strdup_printf (
      "makespan_s,efficiency,work_s,jobs,steals_lan,steals_wan,steals_tried,"
      "bytes_lan,bytes_wan,available_s,lost_s,events,hash,heap_bytes,earlier_work_s,earlier_s,"
      "message_s,peak_bytes\n"
      "%.6f,%.4f,%.6f,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
      ",%" G_GINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
      ",%.6f,%.6f,%" G_GUINT64_FORMAT ",%016" G_GINT64_MODIFIER "x,%" G_GSIZE_FORMAT ",%.6f,%.6f,"
      "%.6f,%" G_GUINT64_FORMAT "\n",
      self->makespan_s, efficiency (self), figures->work_s, world_figure (world, "jobs"),
      world_figure (world, "steals.near"), world_figure (world, "steals.far"),
      world_figure (world, "steals.remote-tried"), self->sim.lan_bytes, self->sim.wan_bytes,
      figures->available_s, figures->lost_s, self->sim.n_events, self->sim.hash, self->heap_bytes,
      world_earlier_work_s (world), world_earlier_s (world), figures->message_s, self->peak_bytes);
  return satin_output_file_write (world->options.csv_path, "figures", text, strlen (text), error);
}

static gboolean
add_sum (gpointer name, gpointer value, gpointer user_data)
{
  g_string_append_printf (user_data, "%s %" G_GINT64_FORMAT "\n", (const char *)name,
                          *(const gint64 *)value);
  return FALSE;
}

static gboolean
write_figures (const World *world, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_tree_foreach (world->figures.sums, add_sum, text);
  return satin_output_file_write (world->options.figures_path, "figures", text->str, text->len,
                                  error);
}

static void
add_probe (const char *what, guint64 n, gpointer user_data)
{
  g_string_append_printf (user_data, "%s %" G_GUINT64_FORMAT "\n", what, n);
}

/* Writes the report: how often each kind of fault, event and probe occurred, the trace hash, and
 * the work of the nodes. */
static gboolean
write_report (World *world, const Report *report, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  world_faults_report (world, text);
  world_events_report (world, text);
  for (const World *i = world; i != NULL; i = i->earlier)
    satin_sim_foreach_probe (i->sim, add_probe, text);
  g_string_append_printf (text, "hash %" G_GUINT64_FORMAT "\nwork-us %.0f\n", report->sim.hash,
                          report->figures->work_s * 1e6);
  return satin_output_file_write (world->options.report_path, "report", text->str, text->len,
                                  error);
}

gboolean
world_report (World *world, GError **error)
{
  const WorldOptions *options = &world->options;
  Report report = { 0 };
  fill (&report, world);
  world_events_warn (world);
  gint64 n_jobs = world_figure (world, "jobs");
  g_printerr ("%u node%s in %u cluster%s: %.6f s, efficiency %.4f, %" G_GINT64_FORMAT
              " job%s, %.1f KB in clusters, %.1f KB between, %" G_GUINT64_FORMAT
              " event%s, trace %016" G_GINT64_MODIFIER "x\n",
              options->n_nodes, options->n_nodes == 1 ? "" : "s", options->sizes->len,
              options->sizes->len == 1 ? "" : "s", report.makespan_s, efficiency (&report), n_jobs,
              n_jobs == 1 ? "" : "s", (double)report.sim.lan_bytes / 1e3,
              (double)report.sim.wan_bytes / 1e3, report.sim.n_events,
              report.sim.n_events == 1 ? "" : "s", report.sim.hash);
  if (options->report_path != NULL && !write_report (world, &report, error))
    return FALSE;
  if (options->csv_path != NULL && !write_csv (world, &report, error))
    return FALSE;
  if (options->figures_path != NULL && !write_figures (world, error))
    return FALSE;
  return world_plot_end (world, efficiency (&report), error);
}
