/* figures.c - reads the figures in a status: by name, as sums, as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "figures.h"

#include <math.h>
#include <string.h>

/* Returns: (nullable) */
static const SatinFigure *
find (const SatinNodeStatus *node, const char *name)
{
  for (gsize i = 0; i < node->n_figures; i++)
    if (g_str_equal (node->figures[i].name, name))
      return &node->figures[i];
  return NULL;
}

gboolean
figure_is_known (const SatinRunStatus *status, const char *name)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    if (figure_is_member (&status->nodes[i]) && find (&status->nodes[i], name) != NULL)
      return TRUE;
  return FALSE;
}

gint64
figure_get (const SatinNodeStatus *node, const char *name)
{
  const SatinFigure *figure = find (node, name);
  return figure != NULL ? figure->value : 0;
}

gint64
figure_sum (const SatinRunStatus *status, const char *name)
{
  gint64 sum = 0;
  for (gsize i = 0; i < status->n_nodes; i++)
    sum += figure_get (&status->nodes[i], name);
  return sum;
}

gboolean
figure_is_member (const SatinNodeStatus *node)
{
  return !g_str_equal (node->state, "left") && !g_str_equal (node->state, "died");
}

gboolean
figure_is_staying (const SatinNodeStatus *node)
{
  return figure_is_member (node) && !g_str_equal (node->state, "leaving");
}

gboolean
figure_is_of_process (const SatinNodeStatus *node, gint64 pid)
{
  return node->pid == pid && g_str_equal (node->host, g_get_host_name ());
}

guint
figure_count_members (const SatinRunStatus *status)
{
  guint n_members = 0;
  for (gsize i = 0; i < status->n_nodes; i++)
    n_members += figure_is_member (&status->nodes[i]);
  return n_members;
}

char *
figure_format (double value)
{
  static const char *const letters[] = { "", " k", " M", " G", " T", " P" };
  guint power = 0;
  while (value >= 999.5 && power + 1 < G_N_ELEMENTS (letters))
    {
      value /= 1000;
      power++;
    }
  int n_digits = power == 0 || value >= 99.95 ? 0 : 1;
  return g_strdup_printf ("%.*f%s", n_digits, value, letters[power]);
}

char *
figure_format_bytes (double n_bytes)
{
  g_autofree char *figure = figure_format (n_bytes);
  gboolean has_letter = !g_ascii_isdigit (figure[strlen (figure) - 1]);
  return g_strdup_printf (has_letter ? "%sB" : "%s B", figure);
}

const char *
figure_plural (gint64 n)
{
  return n == 1 ? "" : "s";
}

/* ---- recovery ---- */

static void
describe_jobs (const SatinRunStatus *status, GString *text)
{
  g_autofree char *bytes = figure_format ((double)figure_sum (status, FIGURE_ORPHAN_BYTES));
  gint64 n_found = figure_sum (status, FIGURE_FOUND);
  gint64 n_again = figure_sum (status, FIGURE_RESTARTED) - n_found;
  gint64 n_orphans = figure_sum (status, FIGURE_ORPHANS);
  gint64 n_kept = figure_sum (status, FIGURE_KEPT);
  g_string_append_printf (text,
                          "recovery: %" G_GINT64_FORMAT
                          " job%s ran again, another node had %" G_GINT64_FORMAT
                          "; %" G_GINT64_FORMAT " orphan%s, %" G_GINT64_FORMAT
                          " used again, %sB of results; %" G_GINT64_FORMAT
                          " asked for in vain; %" G_GINT64_FORMAT " result%s kept for leavers\n",
                          n_again, figure_plural (n_again), n_found, n_orphans,
                          figure_plural (n_orphans), figure_sum (status, FIGURE_ADOPTED), bytes,
                          figure_sum (status, FIGURE_IN_VAIN), n_kept, figure_plural (n_kept));
}

static void
describe_times (const SatinRunStatus *status, GString *text)
{
  gint64 n_losses = figure_sum (status, FIGURE_LOSSES);
  double queued_us = (double)figure_sum (status, FIGURE_QUEUED_US);
  double done_us = (double)figure_sum (status, FIGURE_DONE_US);
  gint64 n_messages = figure_sum (status, FIGURE_FT_MESSAGES);
  g_autofree char *bytes = figure_format ((double)figure_sum (status, FIGURE_FT_BYTES));
  g_string_append_printf (
      text,
      "recovery: queued again in %.1f ms, done in %.1f ms (mean of %" G_GINT64_FORMAT
      "); %.3f s of work done again; %" G_GINT64_FORMAT " message%s, %sB\n",
      queued_us / 1000 / (double)n_losses, done_us / 1000 / (double)n_losses, n_losses,
      (double)figure_sum (status, FIGURE_AGAIN_US) / G_USEC_PER_SEC, n_messages,
      figure_plural (n_messages), bytes);
}

static void
describe_stored (const SatinRunStatus *status, GString *text)
{
  gint64 n_told = figure_sum (status, FIGURE_TOLD);
  g_string_append_printf (text,
                          "recovery: %" G_GINT64_FORMAT
                          " result%s in the checkpoint that no node had, %" G_GINT64_FORMAT
                          " used\n",
                          n_told, figure_plural (n_told), figure_sum (status, FIGURE_FETCHED));
}

char *
figures_describe_recovery (const SatinRunStatus *status)
{
  GString *text = g_string_new (NULL);
  if (figure_sum (status, FIGURE_RESTARTED) > 0 || figure_sum (status, FIGURE_ORPHANS) > 0)
    describe_jobs (status, text);
  if (figure_sum (status, FIGURE_TOLD) > 0)
    describe_stored (status, text);
  if (figure_sum (status, FIGURE_LOSSES) > 0)
    describe_times (status, text);
  return g_string_free (text, FALSE);
}

/* ---- JSON ---- */

static void
add_figures (JsonBuilder *builder, const SatinNodeStatus *node)
{
  json_builder_set_member_name (builder, "figures");
  json_builder_begin_object (builder);
  for (gsize i = 0; i < node->n_figures; i++)
    {
      json_builder_set_member_name (builder, node->figures[i].name);
      json_builder_add_int_value (builder, node->figures[i].value);
    }
  json_builder_end_object (builder);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value != NULL ? value : "");
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_node (JsonBuilder *builder, const SatinNodeStatus *node)
{
  json_builder_begin_object (builder);
  add_int (builder, "node", node->node);
  add_string (builder, "cluster", node->cluster);
  add_string (builder, "host", node->host);
  add_int (builder, "pid", node->pid);
  add_string (builder, "address", node->address);
  json_builder_set_member_name (builder, "master");
  json_builder_add_boolean_value (builder, node->is_master);
  add_string (builder, "state", node->state);
  add_int (builder, "heard-us-ago", node->heard_us_ago);
  add_figures (builder, node);
  json_builder_end_object (builder);
}

/* Adds the sum of each figure that a node reported, except the progress, which is a share. */
static void
add_totals (JsonBuilder *builder, const SatinRunStatus *status)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  json_builder_set_member_name (builder, "totals");
  json_builder_begin_object (builder);
  for (gsize i = 0; i < status->n_nodes; i++)
    for (gsize j = 0; j < status->nodes[i].n_figures; j++)
      {
        const char *name = status->nodes[i].figures[j].name;
        if (g_str_equal (name, FIGURE_PROGRESS) || !g_hash_table_add (seen, (gpointer)name))
          continue;
        add_int (builder, name, figure_sum (status, name));
      }
  json_builder_end_object (builder);
}

void
figures_add_json (JsonBuilder *builder, const SatinRunStatus *status)
{
  add_string (builder, "program", status->program);
  add_string (builder, "run", status->run);
  add_int (builder, "up-us", status->up_us);
  add_int (builder, "left", status->n_left);
  add_int (builder, "died", status->n_died);
  json_builder_set_member_name (builder, "nodes");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < status->n_nodes; i++)
    add_node (builder, &status->nodes[i]);
  json_builder_end_array (builder);
  add_totals (builder, status);
}
