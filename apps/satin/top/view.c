/* view.c - the text of `satin top`
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "view.h"
#include "runs/figures.h"

#include <string.h>

/* What a node did in the period. */
typedef struct
{
  const SatinNodeStatus *node; /* (borrowed) */
  double busy;                 /* shares of the time of its workers, in [0, 1] */
  double protocol;
  double idle;
  double near; /* shares of the period in which an answer was overdue: of this cluster, of others */
  double far;
  double jobs_a_second;
  gint64 n_steals; /* these two: since the node began */
  gint64 n_tried;
} Row;

static const char *const order_names[] = {
  [TOP_BY_NODE] = "node",
  [TOP_BY_BUSY] = "busy",
  [TOP_BY_JOBS] = "jobs",
  [TOP_BY_STEALS] = "steals",
};

const char *
top_order_name (TopOrder order)
{
  return order_names[order];
}

/* ---- rows ---- */

static const SatinNodeStatus *
find_before (const TopView *self, gint64 node)
{
  for (gsize i = 0; self->before != NULL && i < self->before->n_nodes; i++)
    if (self->before->nodes[i].node == node)
      return &self->before->nodes[i];
  return NULL;
}

static double
grown (const SatinNodeStatus *now, const SatinNodeStatus *before, const char *name)
{
  gint64 old = before != NULL ? figure_get (before, name) : 0;
  return (double)MAX (figure_get (now, name) - old, 0);
}

/* Returns: @time_us as a share of the period, at most 1. Without an earlier status the period is
 * the age of the run, so the share of a node that joined late is too small. */
static double
share_of_period (const TopView *self, double time_us)
{
  return MIN (time_us / (double)self->period_us, 1);
}

static Row
make_row (const TopView *self, const SatinNodeStatus *node)
{
  const SatinNodeStatus *before = find_before (self, node->node);
  double busy = grown (node, before, FIGURE_BUSY_US),
         protocol = grown (node, before, FIGURE_COMM_US);
  double idle = grown (node, before, FIGURE_IDLE_US);
  double whole = MAX (busy + protocol + idle, 1);
  return (Row){ .node = node,
                .busy = busy / whole,
                .protocol = protocol / whole,
                .idle = idle / whole,
                .near = share_of_period (self, grown (node, before, FIGURE_NEAR_US)),
                .far = share_of_period (self, grown (node, before, FIGURE_FAR_US)),
                .jobs_a_second =
                    grown (node, before, FIGURE_JOBS) * G_USEC_PER_SEC / (double)self->period_us,
                .n_steals = figure_get (node, FIGURE_REMOTE),
                .n_tried = figure_get (node, FIGURE_REMOTE_TRIED) };
}

static double
get_key (const Row *row, TopOrder order)
{
  switch (order)
    {
    case TOP_BY_NODE:
      return -(double)row->node->node;
    case TOP_BY_BUSY:
      return row->busy;
    case TOP_BY_JOBS:
      return row->jobs_a_second;
    case TOP_BY_STEALS:
      return (double)row->n_steals;
    }
  return 0;
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer order)
{
  double x = get_key (a, GPOINTER_TO_INT (order)), y = get_key (b, GPOINTER_TO_INT (order));
  const Row *first = a, *second = b;
  return x != y ? (x < y) - (x > y) : (int)(first->node->node - second->node->node);
}

/* Returns: (transfer full) (element-type Row): the members, sorted */
static GArray *
make_rows (const TopView *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));
  for (gsize i = 0; i < self->now->n_nodes; i++)
    if (figure_is_member (&self->now->nodes[i]))
      {
        Row row = make_row (self, &self->now->nodes[i]);
        g_array_append_val (rows, row);
      }
  g_array_sort_with_data (rows, compare_rows, GINT_TO_POINTER (self->order));
  return rows;
}

/* ---- lines ---- */

static void
add_head (const TopView *self, const GArray *rows, GString *out)
{
  const SatinRunStatus *now = self->now;
  double busy = 0, jobs = 0;
  gint64 master = 0, permille = -1;
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);
      busy += row->busy;
      jobs += row->jobs_a_second;
      if (!row->node->is_master)
        continue;
      master = row->node->node;
      permille = figure_get (row->node, FIGURE_PROGRESS);
    }
  g_autofree char *rate = figure_format (jobs);
  g_string_append_printf (
      out, "%s  %d:%02d  ", *now->program != '\0' ? now->program : "(no node yet)",
      (int)(now->up_us / G_USEC_PER_SEC / 60), (int)(now->up_us / G_USEC_PER_SEC % 60));
  if (permille >= 0)
    g_string_append_printf (out, "%d %% done%s%s  ", (int)(permille / 10),
                            self->left != NULL ? ", " : "", self->left != NULL ? self->left : "");
  g_string_append_printf (out, "master: node %d, term %d\n", (int)master, (int)now->term);
  g_string_append_printf (out, "%u nodes, %d left, %d died; %.0f %% in jobs, %s jobs/s\n",
                          rows->len, now->n_left, now->n_died,
                          rows->len > 0 ? 100 * busy / rows->len : 0, rate);
}

static void
add_row (const Row *row, GString *out)
{
  const SatinNodeStatus *node = row->node;
  g_autofree char *rate = figure_format (row->jobs_a_second);
  g_autofree char *cluster =
      g_utf8_substring (node->cluster, 0, MIN (g_utf8_strlen (node->cluster, -1), 8));
  g_string_append_printf (
      out,
      "%5" G_GINT64_FORMAT "%c %-8s %-8s %5.1f %5.1f %5.1f %5.0f %4.0f %6s %6" G_GINT64_FORMAT
      " %6" G_GINT64_FORMAT " %5.1f\n",
      node->node, node->is_master ? '*' : ' ', *cluster != '\0' ? cluster : "-", node->state,
      100 * row->busy, 100 * row->protocol, 100 * row->idle, 100 * row->near, 100 * row->far, rate,
      row->n_steals, row->n_tried, (double)node->heard_us_ago / G_USEC_PER_SEC);
}

/* Cuts each line to the width of the screen. */
static char *
cut_lines (const char *text, guint n_columns)
{
  GString *out = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    {
      glong length = MIN (g_utf8_strlen (lines[i], -1), (glong)n_columns);
      g_autofree char *line = g_utf8_substring (lines[i], 0, length);
      g_string_append_printf (out, "%s\n", line);
    }
  return g_string_free (out, FALSE);
}

#define HEAD_ROWS 4

char *
top_view_format (const TopView *self)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GArray) rows = make_rows (self);
  guint n_shown = self->n_rows == 0 ? rows->len : MAX (self->n_rows, HEAD_ROWS + 1) - HEAD_ROWS;
  guint first = MIN (self->first, rows->len > 0 ? rows->len - 1 : 0);
  add_head (self, rows, out);
  g_string_append_printf (out, "%s\n%5s  %-8s %-8s %5s %5s %5s %5s %4s %6s %6s %6s %5s\n",
                          self->notice != NULL ? self->notice : "", "node", "cluster", "state",
                          "jobs%", "prot%", "idle%", "near%", "far%", "jobs/s", "steals", "tried",
                          "heard");
  for (guint i = first; i < MIN (rows->len, first + n_shown); i++)
    add_row (&g_array_index (rows, Row, i), out);
  return cut_lines (out->str, self->n_columns);
}
