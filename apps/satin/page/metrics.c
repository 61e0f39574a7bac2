/* metrics.c - the figures of a run for Prometheus and other collectors, as OpenMetrics text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "metrics.h"

#include <string.h>

/* Figures that go up and down. All others only grow while their node lives. */
static const char *const gauges[] = {
  "memory-bytes",       "memory-limit-bytes", "workers",          "progress-permille",
  "net.links",          "ft.kept-bytes",      "ft.orphan-bytes",  "checkpoint.waiting-bytes",
  "checkpoint.results", "checkpoint.objects", "checkpoint.bytes", "recovery.kept",
  "objects.kept",       "ft.table",           "ft.table-bytes",   "adapt.efficiency-permille",
  "adapt.benchmark-us",
};

typedef struct
{
  gint32 number;
  char *labels;        /* (owned): node="3",cluster="a",host="h" */
  char *state;         /* (owned) */
  GHashTable *figures; /* (owned) name (borrowed from PageMetrics.names) to gint64* (owned) */
} Node;

struct _PageMetrics
{
  SatinJournalReader *reader; /* (owned) */
  GHashTable *names;          /* (owned) set of (owned) names of figures */
  GHashTable *nodes;          /* (owned) number to (owned) Node */
  char *program;              /* (owned) */
  gint64 time_us;
  gint64 master, term;
  gint64 exit_status; /* -1: the run has not ended */
};

static void
node_free (gpointer data)
{
  Node *self = data;
  g_free (self->labels);
  g_free (self->state);
  g_hash_table_unref (self->figures);
  g_free (self);
}

PageMetrics *
page_metrics_new (const char *path, GError **error)
{
  SatinJournalReader *reader = satin_journal_reader_new (path, error);
  if (reader == NULL)
    return NULL;
  PageMetrics *self = g_new0 (PageMetrics, 1);
  self->reader = reader;
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->nodes = g_hash_table_new_full (NULL, NULL, NULL, node_free);
  self->program = g_strdup ("");
  self->exit_status = -1;
  return self;
}

/* Returns: (transfer full): a text as the value of a label */
static char *
escape (const char *text)
{
  GString *out = g_string_new (NULL);
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\n')
      g_string_append (out, "\\n");
    else
      {
        if (*c == '"' || *c == '\\')
          g_string_append_c (out, '\\');
        g_string_append_c (out, *c);
      }
  return g_string_free (out, FALSE);
}

/* ---- reading ---- */

static Node *
find_node (PageMetrics *self, gint32 number)
{
  Node *node = g_hash_table_lookup (self->nodes, GINT_TO_POINTER (number));
  if (node != NULL)
    return node;
  node = g_new0 (Node, 1);
  node->number = number;
  node->labels = g_strdup_printf ("node=\"%d\"", number);
  node->state = g_strdup ("");
  node->figures = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_hash_table_insert (self->nodes, GINT_TO_POINTER (number), node);
  return node;
}

/* @text: "CLUSTER HOST" */
static void
label (Node *self, const char *text)
{
  const char *space = strchr (text, ' ');
  g_autofree char *cluster = g_strndup (text, space != NULL ? (gsize)(space - text) : 0);
  g_autofree char *cluster_text = escape (cluster);
  g_autofree char *host = escape (space != NULL ? space + 1 : text);
  g_free (self->labels);
  self->labels =
      g_strdup_printf ("node=\"%d\",cluster=\"%s\",host=\"%s\"", self->number, cluster_text, host);
}

static void
take_figure (PageMetrics *self, Node *node, const SatinJournalValue *value)
{
  /* The names of these figures have a cluster or a time in them, and would make many metrics. */
  if (strstr (value->name, ".within-") != NULL || g_str_has_prefix (value->name, "steals-from."))
    return;
  gint64 *number = g_hash_table_lookup (node->figures, value->name);
  if (number == NULL)
    {
      gpointer name;
      if (!g_hash_table_lookup_extended (self->names, value->name, &name, NULL))
        {
          name = g_strdup (value->name);
          g_hash_table_add (self->names, name);
        }
      number = g_new (gint64, 1);
      g_hash_table_insert (node->figures, name, number);
    }
  *number = value->value;
}

static void
take_of_node (PageMetrics *self, const SatinJournalEvent *event)
{
  Node *node = find_node (self, event->node);
  if (g_str_equal (event->kind, SATIN_JOURNAL_JOINED))
    label (node, event->text);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_STATE))
    {
      g_free (node->state);
      node->state = g_strdup (event->text);
    }
  else if (g_str_equal (event->kind, SATIN_JOURNAL_MASTER))
    {
      self->master = event->node;
      self->term = satin_journal_event_get (event, "term", 0);
    }
  else if (g_str_equal (event->kind, SATIN_JOURNAL_SUMMARY))
    for (gsize i = 0; i < event->n_values; i++)
      take_figure (self, node, &event->values[i]);
}

static void
take (PageMetrics *self, const SatinJournalEvent *event)
{
  self->time_us = MAX (self->time_us, event->time_us);
  if (event->node != 0)
    take_of_node (self, event);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_RUN))
    {
      g_free (self->program);
      self->program = escape (event->text);
    }
  else if (g_str_equal (event->kind, SATIN_JOURNAL_END))
    self->exit_status = satin_journal_event_get (event, "exit_status", 0);
}

static void
read_all (PageMetrics *self)
{
  SatinJournalEvent event;
  satin_journal_reader_refresh (self->reader, NULL);
  while (satin_journal_reader_next (self->reader, &event))
    take (self, &event);
}

/* ---- writing ---- */

static void
add_run (const PageMetrics *self, GString *out)
{
  g_string_append_printf (out,
                          "# TYPE satin_run info\n# HELP satin_run The program of the run.\n"
                          "satin_run_info{program=\"%s\"} 1\n",
                          self->program);
  g_string_append_printf (out,
                          "# TYPE satin_run_seconds gauge\n# UNIT satin_run_seconds seconds\n"
                          "# HELP satin_run_seconds The age of the run.\nsatin_run_seconds %.6f\n",
                          (double)self->time_us / G_USEC_PER_SEC);
  g_string_append_printf (out,
                          "# TYPE satin_run_term gauge\n# HELP satin_run_term The term of the "
                          "master.\nsatin_run_term %" G_GINT64_FORMAT "\n",
                          self->term);
  g_string_append_printf (out,
                          "# TYPE satin_run_master gauge\n# HELP satin_run_master The node that is "
                          "the master.\nsatin_run_master %" G_GINT64_FORMAT "\n",
                          self->master);
  if (self->exit_status >= 0)
    g_string_append_printf (out,
                            "# TYPE satin_run_exit_status gauge\n# HELP satin_run_exit_status How "
                            "the run ended.\nsatin_run_exit_status %" G_GINT64_FORMAT "\n",
                            self->exit_status);
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  gint32 x = ((const Node *)a)->number, y = ((const Node *)b)->number;
  return (x > y) - (x < y);
}

static void
add_states (GList *nodes, GString *out)
{
  static const char *const states[] = { "member", "suspected", "lost", "leaving", "left", "died" };
  g_string_append (out, "# TYPE satin_nodes gauge\n# HELP satin_nodes Nodes in each state.\n");
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      guint n = 0;
      for (const GList *item = nodes; item != NULL; item = item->next)
        n += g_str_equal (((const Node *)item->data)->state, states[i]);
      g_string_append_printf (out, "satin_nodes{state=\"%s\"} %u\n", states[i], n);
    }
}

static gboolean
is_gauge (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (gauges); i++)
    if (g_str_equal (name, gauges[i]))
      return TRUE;
  return FALSE;
}

/* Returns: (transfer full): the name of the metric for a figure */
static char *
name_metric (const char *figure, gboolean is_time)
{
  gsize n_bytes = strlen (figure) - (is_time ? strlen ("-us") : 0);
  GString *out = g_string_new ("satin_");
  g_string_append_len (out, figure, (gssize)n_bytes);
  for (gsize i = 0; i < out->len; i++)
    if (!g_ascii_isalnum (out->str[i]))
      out->str[i] = '_';
  return g_string_free (g_string_append (out, is_time ? "_seconds" : ""), FALSE);
}

static void
add_figure (GList *nodes, const char *figure, GString *out)
{
  gboolean is_time = g_str_has_suffix (figure, "-us");
  gboolean is_counter = !is_gauge (figure);
  g_autofree char *name = name_metric (figure, is_time);
  g_string_append_printf (out, "# TYPE %s %s\n", name, is_counter ? "counter" : "gauge");
  if (is_time)
    g_string_append_printf (out, "# UNIT %s seconds\n", name);
  g_string_append_printf (out, "# HELP %s The figure %s of a node.\n", name, figure);
  for (const GList *item = nodes; item != NULL; item = item->next)
    {
      const Node *node = item->data;
      const gint64 *value = g_hash_table_lookup (node->figures, figure);
      if (value == NULL)
        continue;
      g_string_append_printf (out, "%s%s{%s} ", name, is_counter ? "_total" : "", node->labels);
      if (is_time)
        g_string_append_printf (out, "%.6f\n", (double)*value / G_USEC_PER_SEC);
      else
        g_string_append_printf (out, "%" G_GINT64_FORMAT "\n", *value);
    }
}

char *
page_metrics_format (PageMetrics *self)
{
  GString *out = g_string_new (NULL);
  read_all (self);
  GList *nodes = g_list_sort (g_hash_table_get_values (self->nodes), compare_nodes);
  GList *names = g_list_sort (g_hash_table_get_keys (self->names), (GCompareFunc)g_strcmp0);
  add_run (self, out);
  add_states (nodes, out);
  for (const GList *name = names; name != NULL; name = name->next)
    add_figure (nodes, name->data, out);
  g_string_append (out, "# EOF\n");
  g_list_free (nodes);
  g_list_free (names);
  return g_string_free (out, FALSE);
}

void
page_metrics_free (PageMetrics *self)
{
  if (self == NULL)
    return;
  satin_journal_reader_free (self->reader);
  g_hash_table_unref (self->nodes);
  g_hash_table_unref (self->names);
  g_free (self->program);
  g_free (self);
}
