/* report.c - what a simulated run came to
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <stdio.h>
#include <string.h>

/* What is told of a run. */
typedef struct
{
  const WorldFigures *figures; /* (borrowed) */
  double work_s;               /* at speed 1 */
  double speed;                /* of all workers */
  double makespan_s;
  SatinSimFigures sim;
} Report;

static void
add_figure (const char *name, gint64 value, gpointer user_data)
{
  WorldFigures *self = user_data;
  if (strcmp (name, "jobs") == 0)
    self->n_jobs += value;
  else if (strcmp (name, "steals.near") == 0)
    self->n_near += value;
  else if (strcmp (name, "steals.far") == 0)
    self->n_far += value;
  else if (strcmp (name, "steals.remote-tried") == 0)
    self->n_tried += value;
}

/* Adds up what the members say of themselves. */
void
world_count (World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].member != NULL && !self->nodes[i].is_over)
      satin_node_figures (satin_membership_get_node (self->nodes[i].member), add_figure,
                          &self->figures);
}

static void
fill (Report *self, World *world)
{
  const WorldOptions *options = &world->options;
  self->figures = &world->figures;
  for (guint c = 0; c < options->sizes->len; c++)
    {
      guint size = g_array_index (options->sizes, guint, c);
      guint last = MIN (c, options->speeds->len - 1);
      self->speed += size * options->n_workers * g_array_index (options->speeds, double, last);
    }
  for (guint i = 0; i < world->n_started; i++)
    self->work_s += (double)satin_sim_host_get_work_ns (world->nodes[i].host) / 1e9;
  satin_sim_get_figures (world->sim, &self->sim);
  if (world->ended_us > 0)
    self->makespan_s = (double)(world->ended_us - world->started_us) / 1e6;
}

static double
efficiency (const Report *self)
{
  return self->makespan_s > 0 ? self->work_s / (self->makespan_s * self->speed) : 0;
}

static gboolean
write_csv (const Report *self, const char *path, GError **error)
{
  g_autofree char *text = g_strdup_printf (
      "makespan_s,efficiency,work_s,jobs,steals_lan,steals_wan,steals_tried,"
      "bytes_lan,bytes_wan,events,hash\n"
      "%.6f,%.4f,%.6f,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
      ",%" G_GINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
      ",%016" G_GINT64_MODIFIER "x\n",
      self->makespan_s, efficiency (self), self->work_s, self->figures->n_jobs,
      self->figures->n_near, self->figures->n_far, self->figures->n_tried, self->sim.lan_bytes,
      self->sim.wan_bytes, self->sim.n_events, self->sim.hash);
  return g_file_set_contents (path, text, -1, error);
}

static void
add_probe (const char *what, guint64 n, gpointer user_data)
{
  g_string_append_printf (user_data, "%s %" G_GUINT64_FORMAT "\n", what, n);
}

/* For a sweep: what happened, of all kinds that did. */
static gboolean
write_report (World *world, const Report *report, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  world_faults_report (world, text);
  satin_sim_foreach_probe (world->sim, add_probe, text);
  g_string_append_printf (text, "hash %" G_GUINT64_FORMAT "\nwork-us %.0f\n", report->sim.hash,
                          report->work_s * 1e6);
  return g_file_set_contents (world->options.report_path, text->str, -1, error);
}

gboolean
world_report (World *world, GError **error)
{
  const WorldOptions *options = &world->options;
  Report report = { 0 };
  fill (&report, world);
  g_printerr ("%u nodes in %u clusters: %.6f s, efficiency %.4f, %" G_GINT64_FORMAT
              " jobs, %.1f KB in clusters, %.1f KB between, %" G_GUINT64_FORMAT
              " events, trace %016" G_GINT64_MODIFIER "x\n",
              options->n_nodes, options->sizes->len, report.makespan_s, efficiency (&report),
              report.figures->n_jobs, (double)report.sim.lan_bytes / 1e3,
              (double)report.sim.wan_bytes / 1e3, report.sim.n_events, report.sim.hash);
  if (options->report_path != NULL && !write_report (world, &report, error))
    return FALSE;
  if (options->csv_path != NULL && !write_csv (&report, options->csv_path, error))
    return FALSE;
  return world_plot_end (world, efficiency (&report), error);
}
