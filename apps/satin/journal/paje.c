/* paje.c - a journal as a trace in the Paje format, which ViTE shows
 *
 * The run is a container; each cluster is a container in the run, and each node a container in its
 * cluster. A node has states, and variables for its figures. A summary is about the time since the
 * previous summary, so a variable changes before the event that reports it. Paje wants all lines in
 * the order of their times. So lines wait in a list, which is sorted when it is long.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "paje.h"

#include <string.h>

/* When this many lines wait, the older half is written. In a run of a thousand nodes these are the
 * lines of some summaries of each node. */
#define MAX_WAITING 40000u

typedef struct
{
  gint64 time_us;
  guint64 number; /* lines of equal times stay in their order */
  char *text;     /* (owned): the kind of the line, a tab, and what comes after the time */
} Line;

typedef struct
{
  gint32 number;
  gboolean is_there; /* its container was created */
  gint64 at_us;      /* the time of the last summary; before that, of the first event */
  gint64 busy_us, protocol_us, idle_us, jobs;
} Node;

typedef struct
{
  FILE *file;
  GHashTable *nodes;    /* (owned) number to (owned) Node */
  GHashTable *clusters; /* (owned) set of (owned) labels */
  GArray *waiting;      /* (owned) of Line */
  guint64 n_lines;
  gint64 written_us; /* of the last line that was written */
  gint64 end_us;
  gint32 master; /* 0: none */
} Paje;

/* The kinds of lines, with their numbers in @definitions. */
enum
{
  DEFINE_CONTAINER,
  DEFINE_STATE,
  DEFINE_VARIABLE,
  DEFINE_EVENT,
  CREATE,
  DESTROY,
  SET_STATE,
  SET_VARIABLE,
  NEW_EVENT,
};

static const char definitions[] = "%EventDef PajeDefineContainerType 0\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDefineStateType 1\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDefineVariableType 2\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDefineEventType 3\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeCreateContainer 4\n"
                                  "% Time date\n% Alias string\n% Type string\n% Container string\n"
                                  "% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDestroyContainer 5\n"
                                  "% Time date\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeSetState 6\n"
                                  "% Time date\n% Type string\n% Container string\n% Value string\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeSetVariable 7\n"
                                  "% Time date\n% Type string\n% Container string\n% Value double\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeNewEvent 8\n"
                                  "% Time date\n% Type string\n% Container string\n% Value string\n"
                                  "%EndEventDef\n";

static const struct
{
  int kind;
  const char *alias, *container, *name;
} types[] = {
  { DEFINE_CONTAINER, "Run", "0", "run" },
  { DEFINE_CONTAINER, "Cluster", "Run", "cluster" },
  { DEFINE_CONTAINER, "Node", "Cluster", "node" },
  { DEFINE_STATE, "State", "Node", "state" },
  { DEFINE_STATE, "Role", "Node", "role" },
  { DEFINE_VARIABLE, "Jobs", "Node", "time in jobs, %" },
  { DEFINE_VARIABLE, "Protocol", "Node", "time in messages and steals, %" },
  { DEFINE_VARIABLE, "Rate", "Node", "jobs per second" },
  { DEFINE_VARIABLE, "Memory", "Node", "memory, bytes" },
  { DEFINE_EVENT, "Note", "Run", "message" },
};

/* ---- lines ---- */

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *x = a, *y = b;
  if (x->time_us != y->time_us)
    return x->time_us < y->time_us ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

/* Sorts the lines that wait, and writes the first @n of them. */
static void
write_waiting (Paje *self, guint n)
{
  g_array_sort (self->waiting, compare_lines);
  for (guint i = 0; i < n; i++)
    {
      Line *line = &g_array_index (self->waiting, Line, i);
      const char *rest = strchr (line->text, '\t');
      self->written_us = MAX (self->written_us, line->time_us);
      fprintf (self->file, "%.*s %" G_GINT64_FORMAT ".%06d %s\n", (int)(rest - line->text),
               line->text, self->written_us / G_USEC_PER_SEC,
               (int)(self->written_us % G_USEC_PER_SEC), rest + 1);
      g_free (line->text);
    }
  g_array_remove_range (self->waiting, 0, n);
}

static void add_line (Paje *self, gint64 time_us, int kind, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
add_line (Paje *self, gint64 time_us, int kind, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  Line line = { time_us, self->n_lines++, g_strdup_printf ("%d\t%s", kind, rest) };
  g_array_append_val (self->waiting, line);
  if (self->waiting->len >= MAX_WAITING)
    write_waiting (self, MAX_WAITING / 2);
}

/* Returns: (transfer full): a text between quotation marks. Paje has no escapes, so blanks replace
 * quotation marks, tabs and ends of lines in the text. */
static char *
quote (const char *text)
{
  g_autofree char *plain = g_strdelimit (g_strdup (text), "\"\n\r\t", ' ');
  return g_strdup_printf ("\"%s\"", plain);
}

static void
set_variable (Paje *self, gint64 time_us, const Node *node, const char *variable, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (text, sizeof text, "%.3f", value);
  add_line (self, time_us, SET_VARIABLE, "%s n%d %s", variable, node->number, text);
}

/* ---- nodes ---- */

static Node *
find_node (Paje *self, const SatinJournalEvent *event)
{
  Node *node = g_hash_table_lookup (self->nodes, GINT_TO_POINTER (event->node));
  if (node != NULL)
    return node;
  node = g_new0 (Node, 1);
  node->number = event->node;
  node->at_us = event->time_us;
  g_hash_table_insert (self->nodes, GINT_TO_POINTER (event->node), node);
  return node;
}

/* The text of the event is "CLUSTER HOST". */
static void
take_joined (Paje *self, Node *node, const SatinJournalEvent *event)
{
  g_autofree char *cluster = g_strndup (event->text, strcspn (event->text, " "));
  const char *host = event->text + strlen (cluster);
  g_autofree char *alias = g_strconcat ("c-", cluster, NULL);
  g_autofree char *quoted = quote (alias);
  g_autofree char *title = quote (*cluster != '\0' ? cluster : "nodes");
  g_autofree char *name = g_strdup_printf ("node %d on%s", node->number, host);
  g_autofree char *node_title = quote (name);
  if (g_hash_table_add (self->clusters, g_strdup (cluster)))
    add_line (self, event->time_us, CREATE, "%s Cluster run %s", quoted, title);
  if (!node->is_there)
    add_line (self, event->time_us, CREATE, "n%d Node %s %s", node->number, quoted, node_title);
  node->is_there = TRUE;
}

static void
take_state (Paje *self, Node *node, const SatinJournalEvent *event)
{
  g_autofree char *state = quote (event->text);
  add_line (self, event->time_us, SET_STATE, "State n%d %s", node->number, state);
}

static void
take_master (Paje *self, const Node *node, const SatinJournalEvent *event)
{
  if (self->master != 0 && self->master != node->number)
    add_line (self, event->time_us, SET_STATE, "Role n%d \"worker\"", self->master);
  add_line (self, event->time_us, SET_STATE, "Role n%d \"master, term %" G_GINT64_FORMAT "\"",
            node->number, satin_journal_event_get (event, "term", 0));
  self->master = node->number;
}

/* Shares and rates are those of the time since the last summary. So their variables change at the
 * time of that summary. */
static void
take_summary (Paje *self, Node *node, const SatinJournalEvent *event)
{
  gint64 busy_us = satin_journal_event_get (event, "busy-us", node->busy_us);
  gint64 protocol_us = satin_journal_event_get (event, "comm-us", node->protocol_us);
  gint64 idle_us = satin_journal_event_get (event, "idle-us", node->idle_us);
  gint64 jobs = satin_journal_event_get (event, "jobs", node->jobs);
  gint64 memory_bytes = satin_journal_event_get (event, "memory-bytes", -1);
  gint64 in_jobs_us = busy_us - node->busy_us, in_protocol_us = protocol_us - node->protocol_us;
  gint64 whole_us = in_jobs_us + in_protocol_us + idle_us - node->idle_us;
  if (whole_us > 0)
    {
      set_variable (self, node->at_us, node, "Jobs", 100.0 * (double)in_jobs_us / (double)whole_us);
      set_variable (self, node->at_us, node, "Protocol",
                    100.0 * (double)in_protocol_us / (double)whole_us);
    }
  if (event->time_us > node->at_us)
    set_variable (self, node->at_us, node, "Rate",
                  (double)(jobs - node->jobs) * G_USEC_PER_SEC
                      / (double)(event->time_us - node->at_us));
  if (memory_bytes >= 0)
    set_variable (self, event->time_us, node, "Memory", (double)memory_bytes);
  *node =
      (Node){ node->number, node->is_there, event->time_us, busy_us, protocol_us, idle_us, jobs };
}

/* ---- the whole trace ---- */

static void
take_of_node (Paje *self, const SatinJournalEvent *event)
{
  Node *node = find_node (self, event);
  if (g_str_equal (event->kind, SATIN_JOURNAL_JOINED))
    take_joined (self, node, event);
  else if (!node->is_there)
    return;
  else if (g_str_equal (event->kind, SATIN_JOURNAL_STATE))
    take_state (self, node, event);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_MASTER))
    take_master (self, node, event);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_SUMMARY))
    take_summary (self, node, event);
}

static void
take (Paje *self, const SatinJournalEvent *event)
{
  self->end_us = MAX (self->end_us, event->time_us);
  g_autofree char *text = quote (event->text);
  if (event->node != 0)
    take_of_node (self, event);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_RUN))
    add_line (self, event->time_us, CREATE, "run Run 0 %s", text);
  if (g_str_equal (event->kind, SATIN_JOURNAL_NOTE)
      || g_str_equal (event->kind, SATIN_JOURNAL_OUTPUT))
    add_line (self, event->time_us, NEW_EVENT, "Note run %s", text);
}

void
paje_write (SatinJournalReader *reader, FILE *file)
{
  SatinJournalEvent event;
  Paje self = { .file = file,
                .nodes = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                .clusters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                .waiting = g_array_new (FALSE, FALSE, sizeof (Line)) };
  fputs (definitions, file);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    fprintf (file, "%d %s %s \"%s\"\n", types[i].kind, types[i].alias, types[i].container,
             types[i].name);
  while (satin_journal_reader_next (reader, &event))
    take (&self, &event);
  add_line (&self, self.end_us, DESTROY, "Run run");
  write_waiting (&self, self.waiting->len);
  g_array_unref (self.waiting);
  g_hash_table_unref (self.clusters);
  g_hash_table_unref (self.nodes);
}
