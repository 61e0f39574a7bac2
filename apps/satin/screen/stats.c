/* stats.c - the figures of each node, as a table and as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stats.h"
#include "runs/figures.h"

#include <satin/base/file.h>
#include <string.h>

/* The numbers in one line of the table: those of a node, or the totals. */
typedef struct
{
  gint64 n_jobs;
  gint64 n_local;
  gint64 n_local_tried;
  gint64 n_remote;
  gint64 n_remote_tried;
  gint64 lan_bytes;
  gint64 wan_bytes;
  gint64 busy_us;
  gint64 idle_us;
  gint64 comm_us;
} Row;

static void
add_node (Row *row, const SatinNodeStatus *node)
{
  row->n_jobs += figure_get (node, FIGURE_JOBS);
  row->n_local += figure_get (node, FIGURE_LOCAL);
  row->n_local_tried += figure_get (node, FIGURE_LOCAL_TRIED);
  row->n_remote += figure_get (node, FIGURE_REMOTE);
  row->n_remote_tried += figure_get (node, FIGURE_REMOTE_TRIED);
  row->lan_bytes += figure_get (node, FIGURE_SENT_LAN);
  row->wan_bytes += figure_get (node, FIGURE_SENT_WAN);
  row->busy_us += figure_get (node, FIGURE_BUSY_US);
  row->idle_us += figure_get (node, FIGURE_IDLE_US);
  row->comm_us += figure_get (node, FIGURE_COMM_US);
}

static char *
format_pair (gint64 n_won, gint64 n_tried)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, n_won, n_tried);
}

static double
seconds (gint64 time_us)
{
  return (double)time_us / G_USEC_PER_SEC;
}

static void
add_line (GString *table, const char *name, const char *cluster, const Row *row, const char *state)
{
  g_autofree char *local = format_pair (row->n_local, row->n_local_tried);
  g_autofree char *remote = format_pair (row->n_remote, row->n_remote_tried);
  g_autofree char *lan = figure_format ((double)row->lan_bytes);
  g_autofree char *wan = figure_format ((double)row->wan_bytes);
  g_string_append_printf (
      table, "%5s  %-8s %14" G_GINT64_FORMAT " %15s %15s %8s %8s %9.3f %9.3f %9.3f%s%s\n", name,
      cluster, row->n_jobs, local, remote, lan, wan, seconds (row->busy_us), seconds (row->idle_us),
      seconds (row->comm_us), *state != '\0' ? "  " : "", state);
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  const SatinNodeStatus *left = *(const SatinNodeStatus *const *)a;
  const SatinNodeStatus *right = *(const SatinNodeStatus *const *)b;
  return (left->node > right->node) - (left->node < right->node);
}

static GPtrArray *
sort_nodes (const SatinRunStatus *status)
{
  GPtrArray *nodes = g_ptr_array_new ();
  for (gsize i = 0; i < status->n_nodes; i++)
    g_ptr_array_add (nodes, (gpointer)&status->nodes[i]);
  g_ptr_array_sort (nodes, compare_nodes);
  return nodes;
}

char *
run_stats_table (const SatinRunStatus *status, gint64 elapsed_us)
{
  GString *table = g_string_new (NULL);
  g_autoptr (GPtrArray) nodes = sort_nodes (status);
  Row total = { 0 };

  g_string_append_printf (table, "%5s  %-8s %14s %15s %15s %8s %8s %9s %9s %9s\n", "node",
                          "cluster", "jobs", "local steals", "remote steals", "LAN out", "WAN out",
                          "busy s", "idle s", "comm s");
  for (guint i = 0; i < nodes->len; i++)
    {
      const SatinNodeStatus *node = g_ptr_array_index (nodes, i);
      g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT, node->node);
      Row row = { 0 };
      add_node (&row, node);
      add_node (&total, node);
      add_line (table, name, *node->cluster != '\0' ? node->cluster : "-", &row,
                g_str_equal (node->state, "left") ? "" : node->state);
    }
  add_line (table, "total", "", &total, "");
  g_string_append_printf (table, "steals: won/tried; out: bytes sent; wall time %.3f s\n",
                          seconds (elapsed_us));
  g_autofree char *recovery = figures_describe_recovery (status);
  g_string_append (table, recovery);
  return g_string_free (table, FALSE);
}

gboolean
run_stats_write_json (const char *path, const SatinRunStatus *status, int exit_status,
                      gint64 elapsed_us, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "exit-status");
  json_builder_add_int_value (builder, exit_status);
  json_builder_set_member_name (builder, "elapsed-us");
  json_builder_add_int_value (builder, elapsed_us);
  figures_add_json (builder, status);
  json_builder_end_object (builder);

  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  return satin_output_file_write (path, "figures", line, strlen (line), error);
}
