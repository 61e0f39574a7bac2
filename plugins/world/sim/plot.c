/* plot.c - draws a picture of a simulated run: how busy each node was at each time
 *
 * The upper part is a map: each node has a row, in the order of the clusters, and each bin of time
 * has a column. In a world of many nodes, a row is the mean of several nodes. The lower part shows
 * the number of busy workers of all nodes together. The program gnuplot draws the picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <satin/base/file.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define MAX_ROWS 1000

/* Columns and rows of the map are repeated until it has about this size, or is larger. */
#define MAP_WIDTH  1000
#define MAP_HEIGHT 500

/* The content of the picture. */
typedef struct
{
  World *world; /* (borrowed) */
  double efficiency;
  guint *order;  /* (owned) array: indices of the nodes, sorted by cluster */
  guint *ends;   /* (owned) array: for each cluster, the number of nodes in it and in the clusters
                  * before */
  guint per_row; /* how many nodes share a row */
  gint64 bin_us;
  guint first_bin, end_bin; /* the bins that are drawn; @end_bin is the first bin after them */
  guint n_columns, n_rows;  /* how often each column and each row is repeated */
  double unit_us;           /* the unit of the time axis, in microseconds */
  const char *unit;
} Plot;

gboolean
world_plot_begin (World *self, GError **error)
{
  if (self->options.plot_path == NULL)
    return TRUE;
  g_autofree char *gnuplot = g_find_program_in_path ("gnuplot");
  if (gnuplot == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                           "plot: there is no gnuplot here: install it (Debian: gnuplot-nox), or "
                           "leave plot out");
      return FALSE;
    }
  satin_sim_keep_busy (self->sim);
  return TRUE;
}

/* ---- the content ---- */

/* Sorts all nodes, also those that joined later, by cluster. */
static void
put_in_order (Plot *self)
{
  const World *world = self->world;
  guint n_clusters = world->options.sizes->len, n = 0;
  self->order = g_new (guint, world->n_started);
  self->ends = g_new (guint, n_clusters);
  for (guint c = 0; c < n_clusters; c++)
    {
      for (guint i = 0; i < world->n_started; i++)
        if (world->nodes[i].cluster == c)
          self->order[n++] = i;
      self->ends[c] = n;
    }
}

static void
choose_unit (Plot *self)
{
  gint64 makespan_us = self->world->ended_us - self->world->started_us;
  self->unit_us = makespan_us < 10000 ? 1 : makespan_us < 10000000 ? 1e3 : 1e6;
  self->unit = makespan_us < 10000 ? "us" : makespan_us < 10000000 ? "ms" : "s";
}

static void
plot_init (Plot *self, World *world, double efficiency)
{
  *self = (Plot){ .world = world,
                  .efficiency = efficiency,
                  .per_row = (world->n_started + MAX_ROWS - 1) / MAX_ROWS };
  put_in_order (self);
  choose_unit (self);
  self->bin_us = satin_sim_get_bin_us (world->sim, world->ended_us);
  self->first_bin = (guint)(world->started_us / self->bin_us);
  self->end_bin =
      MAX (self->first_bin + 1, (guint)((world->ended_us + self->bin_us - 1) / self->bin_us));
  self->n_columns = MAX (MAP_WIDTH / (self->end_bin - self->first_bin), 1);
  self->n_rows = MAX (MAP_HEIGHT / (world->n_started / self->per_row), 1);
}

static void
plot_done (Plot *self)
{
  g_free (self->order);
  g_free (self->ends);
}

/* How long the root job ran in the bin, in microseconds. */
static double
bin_length_us (const Plot *self, guint bin)
{
  gint64 begin_us = MAX (bin * self->bin_us, self->world->started_us);
  gint64 end_us = MIN ((bin + 1) * self->bin_us, self->world->ended_us);
  return (double)MAX (end_us - begin_us, 1);
}

/* How many workers of the @n nodes from @first on (in @order) were busy, on average over the
 * bin. */
static double
busy_workers (const Plot *self, guint first, guint n, guint bin)
{
  double n_most = (double)n * self->world->options.n_workers, busy_us = 0;
  for (guint i = first; i < first + n; i++)
    {
      const gint64 *busy = satin_sim_host_get_busy (self->world->nodes[self->order[i]].host);
      busy_us += busy != NULL ? (double)busy[bin] : 0;
    }
  return MIN (busy_us / bin_length_us (self, bin), n_most);
}

/* Adds the map as a block of numbers: a row for each group of nodes, a column for each bin. Rows
 * and columns are repeated, because viewers blur the edges when they enlarge a small picture. */
static void
add_map (const Plot *self, GString *script)
{
  guint n_nodes = self->world->n_started;
  g_string_append (script, "$map << EOD\n");
  for (guint first = 0; first < n_nodes; first += self->per_row)
    {
      g_autoptr (GString) row = g_string_new (NULL);
      guint n = MIN (self->per_row, n_nodes - first);
      double n_most = (double)n * self->world->options.n_workers;
      for (guint bin = self->first_bin; bin < self->end_bin; bin++)
        {
          double share = busy_workers (self, first, n, bin) / n_most;
          for (guint i = 0; i < self->n_columns; i++)
            g_string_append_printf (row, "%.3g ", share);
        }
      g_string_append_c (row, '\n');
      for (guint i = 0; i < self->n_rows; i++)
        g_string_append (script, row->str);
    }
  g_string_append (script, "EOD\n");
}

static double
time_of (const Plot *self, gint64 at_us)
{
  return (double)(at_us - self->world->started_us) / self->unit_us;
}

/* Adds the number of busy workers: two points for each bin, at its beginning and its end, so that
 * the curve has steps. */
static void
add_sum (const Plot *self, GString *script)
{
  g_string_append (script, "$sum << EOD\n");
  for (guint bin = self->first_bin; bin < self->end_bin; bin++)
    {
      double n_busy = busy_workers (self, 0, self->world->n_started, bin);
      gint64 begin_us = MAX (bin * self->bin_us, self->world->started_us);
      gint64 end_us = MIN ((bin + 1) * self->bin_us, self->world->ended_us);
      g_string_append_printf (script, "%.9g %.6g\n%.9g %.6g\n", time_of (self, begin_us), n_busy,
                              time_of (self, end_us), n_busy);
    }
  g_string_append (script, "EOD\n");
}

/* ---- texts ---- */

/* Returns: (transfer full): the clusters as a text, "4x16 nodes" or "60,20,4 nodes" */
static char *
shape_text (const World *world)
{
  const GArray *sizes = world->options.sizes;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_even = TRUE;
  for (guint c = 0; c < sizes->len; c++)
    {
      is_even &= g_array_index (sizes, guint, c) == g_array_index (sizes, guint, 0);
      if (c < 12)
        g_string_append_printf (text, "%s%u", c > 0 ? "," : "", g_array_index (sizes, guint, c));
    }
  if (is_even)
    g_string_printf (text, "%ux%u", sizes->len, g_array_index (sizes, guint, 0));
  else if (sizes->len > 12)
    g_string_append (text, ",...");
  g_string_append (text, " nodes");
  if (world->options.n_workers > 1)
    g_string_append_printf (text, " of %u workers", world->options.n_workers);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns: (transfer full): the time as a text; 1500 is "1.5 ms" */
static char *
time_text (gint64 time_us)
{
  if (time_us < 1000)
    return g_strdup_printf ("%" G_GINT64_FORMAT " us", time_us);
  if (time_us < 1000000)
    return g_strdup_printf ("%.4g ms", (double)time_us / 1e3);
  return g_strdup_printf ("%.4g s", (double)time_us / 1e6);
}

/* Returns: (transfer full): the text as a single-quoted string of gnuplot, in which only the quote
 * is special */
static char *
quote (const char *text)
{
  g_auto (GStrv) pieces = g_strsplit (text, "'", -1);
  g_autofree char *doubled = g_strjoinv ("''", pieces);
  g_strdelimit (doubled, "\n\r", ' ');
  return g_strdup_printf ("'%s'", doubled);
}

static void
add_title (const Plot *self, GString *script)
{
  const World *world = self->world;
  const WorldOptions *options = &world->options;
  g_autofree char *shape = shape_text (world);
  g_autofree char *lan = time_text (options->sim.lan_us);
  g_autofree char *wan = time_text (options->sim.wan_us);
  g_autofree char *makespan = time_text (world->ended_us - world->started_us);
  g_autofree char *policy =
      options->policy != NULL ? g_strdup_printf (", policy %s", options->policy) : g_strdup ("");
  g_autofree char *first =
      options->sizes->len > 1
          ? g_strdup_printf ("%s on %s, latency %s in a cluster, %s between%s", world->entry->name,
                             shape, lan, wan, policy)
          : g_strdup_printf ("%s on %s, latency %s%s", world->entry->name, shape, lan, policy);
  g_autofree char *second =
      g_strdup_printf ("makespan %s, efficiency %.1f %%", makespan, self->efficiency * 100);
  g_autofree char *quoted_first = quote (first);
  g_autofree char *quoted_second = quote (second);
  g_string_append_printf (script, "set title %s.\"\\n\".%s noenhanced\n", quoted_first,
                          quoted_second);
}

/* ---- the script ---- */

/* Adds the names of the clusters, at most 16 of them, and lines between up to 64 clusters. */
static void
add_clusters (const Plot *self, GString *script)
{
  guint n_clusters = self->world->options.sizes->len;
  guint step = (n_clusters + 15) / 16;
  g_string_append (script, "set ytics scale 0 (");
  for (guint c = 0; c < n_clusters; c += step)
    {
      guint begin = c > 0 ? self->ends[c - 1] : 0;
      g_string_append_printf (script, "%s'cluster %u' %.1f", c > 0 ? "," : "", c + 1,
                              (begin + self->ends[c]) / 2.0);
    }
  g_string_append (script, ")\n");
  for (guint c = 0; c + 1 < n_clusters && n_clusters <= 64; c++)
    g_string_append_printf (script,
                            "set arrow from graph 0, first %u to graph 1, first %u nohead front "
                            "lc rgb '#404040' lw 1\n",
                            self->ends[c], self->ends[c]);
}

/* Makes the script for gnuplot. The map and the curve below it have the same time axis. */
static char *
make_script (const Plot *self)
{
  GString *script = g_string_new ("set terminal svg size 1000,700 font 'sans,13' background "
                                  "'white'\nset encoding utf8\n");
  const World *world = self->world;
  guint n_nodes = world->n_started;
  double bin = (double)self->bin_us / self->unit_us;
  add_map (self, script);
  add_sum (self, script);
  g_string_append_printf (script,
                          "set multiplot\nset lmargin at screen 0.13\nset rmargin at screen 0.88\n"
                          "set xrange [0:%.9g]\nset tics out nomirror\nunset key\n",
                          MAX (time_of (self, world->ended_us), 1 / self->unit_us));
  add_title (self, script);
  add_clusters (self, script);
  g_string_append_printf (
      script,
      "set tmargin at screen 0.90\nset bmargin at screen 0.36\nset yrange [%u:0]\n"
      "set format x ''\nset cbrange [0:1]\nset cbtics ('0 %%%%' 0, '50 %%%%' 0.5, '100 %%%%' 1)\n"
      "set cblabel 'share of time in work'\n"
      "set palette defined (0 '#f7f7f2', 0.5 '#7fb6c9', 1 '#0b4a6f')\n"
      "set ylabel '%u nodes, by cluster'\n"
      "plot $map matrix using (%.9g+($1+0.5)*%.9g):(($2+0.5)*%.9g):3 with image\n",
      n_nodes, n_nodes, time_of (self, self->first_bin * self->bin_us), bin / self->n_columns,
      (double)self->per_row / self->n_rows);
  g_string_append_printf (script,
                          "unset title\nunset arrow\nunset colorbox\nset tmargin at screen 0.32\n"
                          "set bmargin at screen 0.10\nset format x '%%g'\nset format y '%%g'\n"
                          "set ytics scale 1 autofreq\nset yrange [0:%u]\n"
                          "set xlabel 'time since the root began (%s)'\nset ylabel 'busy workers'\n"
                          "plot $sum with filledcurves y1=0 fc rgb '#7fb6c9', $sum with lines "
                          "lc rgb '#0b4a6f'\nunset multiplot\n",
                          n_nodes * world->options.n_workers, self->unit);
  return g_string_free (script, FALSE);
}

/* Returns: (transfer full) (nullable): the picture that gnuplot drew, as SVG; %NULL with @error */
static char *
run_gnuplot (const char *script_path, GError **error)
{
  char *argv[] = { "gnuplot", "-d", (char *)script_path, NULL };
  g_autofree char *picture = NULL;
  g_autofree char *complaint = NULL;
  int wait_status;
  if (!g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &picture, &complaint,
                     &wait_status, error))
    return NULL;
  if (g_spawn_check_wait_status (wait_status, NULL) && strstr (picture, "</svg>") != NULL)
    return g_steal_pointer (&picture);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "gnuplot failed: %s", g_strstrip (complaint));
  return NULL;
}

static gboolean
draw (const Plot *self, GError **error)
{
  g_autofree char *script = make_script (self);
  g_autofree char *script_path = NULL;
  int file = g_file_open_tmp ("satin-plot-XXXXXX", &script_path, error);
  if (file < 0)
    return FALSE;
  g_close (file, NULL);
  g_autofree char *picture = NULL;
  if (g_file_set_contents (script_path, script, -1, error))
    picture = run_gnuplot (script_path, error);
  g_unlink (script_path);
  return picture != NULL
         && satin_output_file_write (self->world->options.plot_path, "picture", picture,
                                     strlen (picture), error);
}

gboolean
world_plot_end (World *self, double efficiency, GError **error)
{
  if (self->options.plot_path == NULL)
    return TRUE;
  Plot plot;
  plot_init (&plot, self, efficiency);
  gboolean is_drawn = draw (&plot, error);
  if (!is_drawn)
    g_prefix_error (error, "plot: ");
  plot_done (&plot);
  return is_drawn;
}
