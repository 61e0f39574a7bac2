/* perfetto.c - a journal as a trace for Perfetto and chrome://tracing
 *
 * A cluster is a process of the trace, and a node is a thread. A thread has slices for the states
 * of the node and for the time in which the node was the master, and counters for its figures. Jobs
 * and requests overlap, so they are slices of further threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "perfetto.h"
#include "details.h"

#include <json-glib/json-glib.h>
#include <satin/base/run.h>

#include <string.h>

/* How many thread numbers each node has for its jobs and requests. */
#define THREADS_OF_NODE 1000
/* The numbers of the lanes' threads begin above all numbers of nodes. */
#define LANES_BEGIN ((gint64)100000000)

/* A node, as the events so far describe it. */
typedef struct
{
  gint32 number;
  gint64 cluster; /* the number of its cluster */
  char *state;    /* (owned) (nullable): the name of its state; "left" and "died" get no slice */
  gint64 state_since_us;
  gint64 master_since_us; /* -1: it is not the master */
  gint64 term;
  gint64 at_us; /* the time of the last summary; before that, of the first event */
  gint64 busy_us, protocol_us, idle_us, jobs;
} Node;

typedef struct
{
  FILE *file;
  GHashTable *nodes;       /* (owned) number to (owned) Node */
  GHashTable *clusters;    /* (owned) (owned) name to number, from 1 on */
  JournalDetails *details; /* (owned) */
  GHashTable *lanes;       /* (owned) set of the threads that have a name */
  gint32 master;           /* 0: none */
  gint64 end_us;
  gboolean has_any; /* an event was written, so a comma comes before the next one */
} Trace;

static void
node_free (gpointer data)
{
  g_free (((Node *)data)->state);
  g_free (data);
}

/* ---- events ---- */

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

/* Begins an event of the kind @phase. Returns: (transfer full): for end_event() */
static JsonBuilder *
begin_event (const char *phase, const char *name, gint64 process, gint64 thread, gint64 time_us)
{
  JsonBuilder *builder = json_builder_new ();
  json_builder_begin_object (builder);
  add_text (builder, "ph", phase);
  add_text (builder, "name", name);
  add_int (builder, "pid", process);
  add_int (builder, "tid", thread);
  add_int (builder, "ts", time_us);
  return builder;
}

/* @builder: (transfer full) */
static void
end_event (Trace *self, JsonBuilder *builder)
{
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, FALSE);
  fprintf (self->file, "%s\n%s", self->has_any ? "," : "", text);
  self->has_any = TRUE;
  g_object_unref (builder);
}

static void
add_name (Trace *self, const char *what, gint64 process, gint64 thread, const char *name)
{
  JsonBuilder *builder = begin_event ("M", what, process, thread, 0);
  json_builder_set_member_name (builder, "args");
  json_builder_begin_object (builder);
  add_text (builder, "name", name);
  json_builder_end_object (builder);
  end_event (self, builder);
}

static void
add_slice (Trace *self, const Node *node, const char *name, gint64 since_us, gint64 until_us)
{
  JsonBuilder *builder = begin_event ("X", name, node->cluster, node->number, since_us);
  add_int (builder, "dur", until_us - since_us);
  end_event (self, builder);
}

static void
add_instant (Trace *self, gint64 time_us, const char *text)
{
  JsonBuilder *builder = begin_event ("i", text, 0, 0, time_us);
  add_text (builder, "s", "g");
  end_event (self, builder);
}

/* ---- nodes ---- */

static gint64
find_cluster (Trace *self, const char *name)
{
  gpointer number;
  if (g_hash_table_lookup_extended (self->clusters, name, NULL, &number))
    return GPOINTER_TO_INT (number);
  gint64 next = (gint64)g_hash_table_size (self->clusters) + 1;
  g_hash_table_insert (self->clusters, g_strdup (name), GINT_TO_POINTER ((gint)next));
  g_autofree char *title =
      *name != '\0' ? g_strdup_printf ("cluster %s", name) : g_strdup ("nodes");
  add_name (self, "process_name", next, 0, title);
  return next;
}

static Node *
find_node (Trace *self, const SatinJournalEvent *event)
{
  Node *node = g_hash_table_lookup (self->nodes, GINT_TO_POINTER (event->node));
  if (node != NULL)
    return node;
  node = g_new0 (Node, 1);
  node->number = event->node;
  node->master_since_us = -1;
  node->at_us = event->time_us;
  g_hash_table_insert (self->nodes, GINT_TO_POINTER (event->node), node);
  return node;
}

/* @text: "CLUSTER HOST" */
static void
take_joined (Trace *self, Node *node, const char *text)
{
  g_autofree char *cluster = g_strndup (text, strcspn (text, " "));
  const char *host = text + strlen (cluster);
  g_autofree char *name = g_strdup_printf ("node %d on%s", node->number, host);
  node->cluster = find_cluster (self, cluster);
  add_name (self, "thread_name", node->cluster, node->number, name);
}

static void
end_state (Trace *self, Node *node, gint64 time_us)
{
  if (node->state != NULL && !g_str_equal (node->state, "left")
      && !g_str_equal (node->state, "died"))
    add_slice (self, node, node->state, node->state_since_us, time_us);
  g_clear_pointer (&node->state, g_free);
}

static void
end_master (Trace *self, Node *node, gint64 time_us)
{
  if (node == NULL || node->master_since_us < 0)
    return;
  g_autofree char *name = g_strdup_printf ("master, term %" G_GINT64_FORMAT, node->term);
  add_slice (self, node, name, node->master_since_us, time_us);
  node->master_since_us = -1;
}

static void
take_state (Trace *self, Node *node, const SatinJournalEvent *event)
{
  if (g_str_equal (event->text, "left") || g_str_equal (event->text, "died"))
    end_master (self, node, event->time_us);
  end_state (self, node, event->time_us);
  node->state = g_strdup (event->text);
  node->state_since_us = event->time_us;
}

static void
take_master (Trace *self, Node *node, const SatinJournalEvent *event)
{
  end_master (self, g_hash_table_lookup (self->nodes, GINT_TO_POINTER (self->master)),
              event->time_us);
  self->master = node->number;
  node->master_since_us = event->time_us;
  node->term = satin_journal_event_get (event, "term", 0);
}

/* ---- summaries ---- */

static JsonBuilder *
begin_counter (const Node *node, const char *what, gint64 time_us)
{
  g_autofree char *name = g_strdup_printf ("node %d: %s", node->number, what);
  JsonBuilder *builder = begin_event ("C", name, node->cluster, node->number, time_us);
  json_builder_set_member_name (builder, "args");
  json_builder_begin_object (builder);
  return builder;
}

static void
end_counter (Trace *self, JsonBuilder *builder)
{
  json_builder_end_object (builder);
  end_event (self, builder);
}

static void
add_share (JsonBuilder *builder, const char *name, gint64 part_us, gint64 whole_us)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, 100.0 * (double)part_us / (double)whole_us);
}

/* Shares and rates are those of the time since the last summary. So their counters change at the
 * time of that summary. */
static void
take_summary (Trace *self, Node *node, const SatinJournalEvent *event)
{
  gint64 busy_us = satin_journal_event_get (event, "busy-us", node->busy_us);
  gint64 protocol_us = satin_journal_event_get (event, "comm-us", node->protocol_us);
  gint64 idle_us = satin_journal_event_get (event, "idle-us", node->idle_us);
  gint64 jobs = satin_journal_event_get (event, "jobs", node->jobs);
  gint64 memory_bytes = satin_journal_event_get (event, "memory-bytes", -1);
  gint64 whole_us =
      busy_us + protocol_us + idle_us - node->busy_us - node->protocol_us - node->idle_us;
  if (whole_us > 0)
    {
      JsonBuilder *shares = begin_counter (node, "share of time, %", node->at_us);
      add_share (shares, "jobs", busy_us - node->busy_us, whole_us);
      add_share (shares, "protocol", protocol_us - node->protocol_us, whole_us);
      add_share (shares, "idle", idle_us - node->idle_us, whole_us);
      end_counter (self, shares);
    }
  if (event->time_us > node->at_us)
    {
      JsonBuilder *rate = begin_counter (node, "jobs a second", node->at_us);
      add_int (rate, "jobs", (jobs - node->jobs) * G_USEC_PER_SEC / (event->time_us - node->at_us));
      end_counter (self, rate);
    }
  if (memory_bytes >= 0)
    {
      JsonBuilder *memory = begin_counter (node, "memory, bytes", event->time_us);
      add_int (memory, "bytes", memory_bytes);
      end_counter (self, memory);
    }
  node->busy_us = busy_us;
  node->protocol_us = protocol_us;
  node->idle_us = idle_us;
  node->jobs = jobs;
  node->at_us = event->time_us;
}

/* ---- jobs and requests ---- */

/* Returns: the number of the thread for a lane of a node. The thread of the node itself has the
 * node's number. */
static gint64
get_thread (const JournalDetail *detail)
{
  return LANES_BEGIN + (gint64)detail->node * THREADS_OF_NODE
         + (detail->is_job ? 0 : THREADS_OF_NODE / 2) + detail->lane;
}

static void
name_lane (Trace *self, const Node *node, const JournalDetail *detail)
{
  gint64 thread = get_thread (detail);
  if (!g_hash_table_add (self->lanes, GSIZE_TO_POINTER (thread)))
    return;
  g_autofree char *name = g_strdup_printf ("node %d: %s %u", node->number,
                                           detail->is_job ? "jobs" : "requests", detail->lane + 1);
  add_name (self, "thread_name", node->cluster, thread, name);
}

static void
add_detail (const JournalDetail *detail, gpointer user_data)
{
  Trace *self = user_data;
  const Node *node = g_hash_table_lookup (self->nodes, GINT_TO_POINTER (detail->node));
  if (node == NULL)
    return;
  name_lane (self, node, detail);
  g_autofree char *request = g_strdup_printf ("asked node %" G_GINT64_FORMAT, detail->peer);
  JsonBuilder *builder = begin_event ("X", detail->is_job ? detail->text : request, node->cluster,
                                      get_thread (detail), detail->began_us);
  add_int (builder, "dur", detail->took_us);
  json_builder_set_member_name (builder, "args");
  json_builder_begin_object (builder);
  add_int (builder, detail->is_job ? "owner" : "victim", detail->peer);
  add_int (builder, detail->is_job ? "ran_us" : "jobs", detail->value);
  json_builder_end_object (builder);
  end_event (self, builder);
}

/* ---- the whole trace ---- */

/* Whether an event of this kind becomes an instant of the trace: its text says what happened. */
static gboolean
is_instant (const char *kind)
{
  static const char *const kinds[] = { SATIN_JOURNAL_NOTE,   SATIN_JOURNAL_OUTPUT,
                                       SATIN_EVENT_LONG_JOB, SATIN_EVENT_BOUND,
                                       SATIN_EVENT_DECISION, NULL };
  return g_strv_contains (kinds, kind);
}

/* The instant of a bound shows the bound's value, too: "minimum 42". */
static void
take_instant (Trace *self, const SatinJournalEvent *event)
{
  g_autofree char *bound = g_strdup_printf ("%s %" G_GINT64_FORMAT, event->text,
                                            satin_journal_event_get (event, "value", 0));
  gboolean is_bound = g_str_equal (event->kind, SATIN_EVENT_BOUND);
  add_instant (self, event->time_us, is_bound ? bound : event->text);
}

static void
take (Trace *self, const SatinJournalEvent *event)
{
  self->end_us = MAX (self->end_us, event->time_us);
  if (event->node == 0)
    {
      gboolean is_run = g_str_equal (event->kind, SATIN_JOURNAL_RUN);
      if (is_run)
        add_name (self, "process_name", 0, 0, event->text);
      else if (*event->text != '\0')
        add_instant (self, event->time_us, event->text);
      return;
    }
  Node *node = find_node (self, event);
  if (g_str_equal (event->kind, SATIN_JOURNAL_JOINED))
    take_joined (self, node, event->text);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_STATE))
    take_state (self, node, event);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_MASTER))
    take_master (self, node, event);
  else if (g_str_equal (event->kind, SATIN_JOURNAL_SUMMARY))
    take_summary (self, node, event);
  else if (is_instant (event->kind))
    take_instant (self, event);
  else
    journal_details_take (self->details, event);
}

static void
end_all (Trace *self)
{
  GList *nodes = g_hash_table_get_values (self->nodes);
  for (const GList *item = nodes; item != NULL; item = item->next)
    {
      end_master (self, item->data, self->end_us);
      end_state (self, item->data, self->end_us);
    }
  g_list_free (nodes);
  journal_details_foreach (self->details, add_detail, self);
}

void
perfetto_write (SatinJournalReader *reader, FILE *file)
{
  SatinJournalEvent event;
  Trace trace = { .file = file,
                  .nodes = g_hash_table_new_full (NULL, NULL, NULL, node_free),
                  .clusters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                  .details = journal_details_new (),
                  .lanes = g_hash_table_new (NULL, NULL) };
  fprintf (file, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
  while (satin_journal_reader_next (reader, &event))
    take (&trace, &event);
  end_all (&trace);
  fprintf (file, "\n]}\n");
  g_hash_table_unref (trace.nodes);
  g_hash_table_unref (trace.clusters);
  g_hash_table_unref (trace.lanes);
  journal_details_free (trace.details);
}
