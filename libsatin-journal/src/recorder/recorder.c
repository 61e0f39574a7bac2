/* recorder.c - writes the summaries of a run into its journal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "filter.h"

#include <satin/journal/recorder.h>
#include <satin/journal/writer.h>

#include <string.h>

#define SUMMARIES_A_SECOND 40
#define TEXT_MAX_BYTES     8192

/* What the journal already says about a node. */
typedef struct
{
  char *state;         /* (owned) */
  GHashTable *figures; /* (owned) char* name (owned) to gint64* value (owned) */
} Known;

struct _SatinJournalRecorder
{
  SatinJournalWriter *writer; /* (owned) (nullable): NULL after writing failed */
  GHashTable *nodes;          /* (owned) node to (owned) Known* */
  GArray *values;             /* (owned) (element-type SatinJournalValue): of the event that is
                               * being made */
  gint64 term;                /* of the last master event */
  SatinNodeId master;         /* of the last master event; 0: none */
  GHashTable *outputs;        /* (owned) node to (owned) gsize* bytes of its output */
  EventFilter *filter;        /* (owned) */
};

static void
known_free (gpointer data)
{
  Known *self = data;
  g_free (self->state);
  g_hash_table_unref (self->figures);
  g_free (self);
}

static void
give_up (SatinJournalRecorder *self, const GError *error)
{
  g_warning ("the journal ends here: %s", error->message);
  g_clear_pointer (&self->writer, satin_journal_writer_free);
}

static void
add (SatinJournalRecorder *self, const SatinJournalEvent *event)
{
  g_autoptr (GError) error = NULL;
  if (self->writer == NULL || satin_journal_writer_add (self->writer, event, &error))
    return;
  /* One event that is too large is left out; the journal goes on. */
  if (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_LIMIT))
    g_debug ("an event is left out: %s", error->message);
  else
    give_up (self, error);
}

static void
flush (SatinJournalRecorder *self)
{
  g_autoptr (GError) error = NULL;
  if (self->writer != NULL && !satin_journal_writer_flush (self->writer, &error))
    give_up (self, error);
}

/* Makes valid UTF-8 of limited length from a text, because the text may come from a node. Returns:
 * (transfer full) */
static char *
limit_text (const char *text)
{
  gsize n_bytes = text != NULL ? strnlen (text, TEXT_MAX_BYTES) : 0;
  g_autofree char *head = g_strndup (text, n_bytes);
  return g_utf8_make_valid (head != NULL ? head : "", -1);
}

/* Writes an event with a text that limit_text() has limited. */
static void
add_limited (SatinJournalRecorder *self, const SatinJournalEvent *event)
{
  g_autofree char *text = limit_text (event->text);
  SatinJournalEvent copy = *event;
  copy.text = text;
  add (self, &copy);
}

SatinJournalRecorder *
satin_journal_recorder_new (const char *path, const char *program, gint64 began_unix_us,
                            GError **error)
{
  g_return_val_if_fail (path != NULL && program != NULL, NULL);
  SatinJournalWriter *writer = satin_journal_writer_new (path, error);
  if (writer == NULL)
    return NULL;
  SatinJournalRecorder *self = g_new0 (SatinJournalRecorder, 1);
  self->writer = writer;
  self->nodes = g_hash_table_new_full (NULL, NULL, NULL, known_free);
  self->outputs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->values = g_array_new (FALSE, FALSE, sizeof (SatinJournalValue));
  self->filter = event_filter_new ();
  const SatinJournalValue values[] = { { "version", SATIN_JOURNAL_VERSION },
                                       { "began_us", began_unix_us },
                                       { "is_simulated", began_unix_us == 0 } };
  add_limited (self, &(SatinJournalEvent){ .kind = SATIN_JOURNAL_RUN,
                                           .text = program,
                                           .values = values,
                                           .n_values = G_N_ELEMENTS (values) });
  flush (self);
  return self;
}

gint64
satin_journal_recorder_get_period_us (guint n_nodes)
{
  return MAX (G_USEC_PER_SEC, (gint64)n_nodes * G_USEC_PER_SEC / SUMMARIES_A_SECOND);
}

/* ---- statuses ---- */

static Known *
meet (SatinJournalRecorder *self, gint64 time_us, const SatinNodeStatus *node)
{
  Known *known = g_hash_table_lookup (self->nodes, GINT_TO_POINTER (node->node));
  if (known != NULL)
    return known;
  known = g_new0 (Known, 1);
  known->state = g_strdup ("");
  known->figures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (self->nodes, GINT_TO_POINTER (node->node), known);
  g_autofree char *text = g_strdup_printf ("%s %s", node->cluster, node->host);
  const SatinJournalValue pid = { "pid", node->pid };
  add_limited (self, &(SatinJournalEvent){ .time_us = time_us,
                                           .node = (gint32)node->node,
                                           .kind = SATIN_JOURNAL_JOINED,
                                           .text = text,
                                           .values = &pid,
                                           .n_values = 1 });
  return known;
}

/* If a figure has changed, adds it to @values, for the summary that is being made. */
static void
compare (SatinJournalRecorder *self, Known *known, const SatinFigure *figure)
{
  gint64 *value = g_hash_table_lookup (known->figures, figure->name);
  if (value != NULL && *value == figure->value)
    return;
  if (value == NULL)
    {
      value = g_new (gint64, 1);
      g_hash_table_insert (known->figures, g_strdup (figure->name), value);
    }
  *value = figure->value;
  g_array_append_val (self->values, ((SatinJournalValue){ figure->name, figure->value }));
}

/* Writes the state of a node if it has changed. Returns: whether the state has changed */
static gboolean
take_state (SatinJournalRecorder *self, gint64 time_us, const SatinNodeStatus *node, Known *known)
{
  if (g_str_equal (known->state, node->state))
    return FALSE;
  g_free (known->state);
  known->state = g_strdup (node->state);
  add_limited (self, &(SatinJournalEvent){ .time_us = time_us,
                                           .node = (gint32)node->node,
                                           .kind = SATIN_JOURNAL_STATE,
                                           .text = node->state });
  return TRUE;
}

/* Writes the figures of a node that have changed. */
static void
summarize (SatinJournalRecorder *self, gint64 time_us, const SatinNodeStatus *node, Known *known)
{
  g_array_set_size (self->values, 0);
  for (gsize i = 0; i < node->n_figures; i++)
    compare (self, known, &node->figures[i]);
  if (self->values->len > 0)
    add (self,
         &(SatinJournalEvent){ .time_us = time_us,
                               .node = (gint32)node->node,
                               .kind = SATIN_JOURNAL_SUMMARY,
                               .text = "",
                               .values = (const SatinJournalValue *)(gpointer)self->values->data,
                               .n_values = self->values->len });
}

static void
check_master (SatinJournalRecorder *self, gint64 time_us, const SatinNodeStatus *node, gint64 term)
{
  if (!node->is_master || (self->master == node->node && self->term == term))
    return;
  self->master = (SatinNodeId)node->node;
  self->term = term;
  const SatinJournalValue value = { "term", term };
  add (self, &(SatinJournalEvent){ .time_us = time_us,
                                   .node = (gint32)node->node,
                                   .kind = SATIN_JOURNAL_MASTER,
                                   .text = "",
                                   .values = &value,
                                   .n_values = 1 });
}

static void
take_nodes (SatinJournalRecorder *self, gint64 time_us, const SatinRunStatus *status,
            gboolean has_figures)
{
  for (gsize i = 0; self->writer != NULL && i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      Known *known = meet (self, time_us, node);
      if (take_state (self, time_us, node, known) || has_figures)
        summarize (self, time_us, node, known);
      check_master (self, time_us, node, status->term);
    }
}

void
satin_journal_recorder_status (SatinJournalRecorder *self, gint64 time_us,
                               const SatinRunStatus *status)
{
  g_return_if_fail (self != NULL && status != NULL);
  take_nodes (self, time_us, status, TRUE);
  flush (self);
}

void
satin_journal_recorder_members (SatinJournalRecorder *self, gint64 time_us,
                                const SatinRunStatus *status)
{
  g_return_if_fail (self != NULL && status != NULL);
  take_nodes (self, time_us, status, FALSE);
}

void
satin_journal_recorder_note (SatinJournalRecorder *self, gint64 time_us, SatinNodeId node,
                             const char *text)
{
  g_return_if_fail (self != NULL && text != NULL);
  add_limited (self, &(SatinJournalEvent){ .time_us = time_us,
                                           .node = (gint32)node,
                                           .kind = SATIN_JOURNAL_NOTE,
                                           .text = text });
}

void
satin_journal_recorder_warning (SatinJournalRecorder *self, gint64 time_us, SatinNodeId node,
                                const char *text)
{
  static const SatinJournalValue value = { "is_warning", 1 };
  g_return_if_fail (self != NULL && text != NULL);
  add_limited (self, &(SatinJournalEvent){ .time_us = time_us,
                                           .node = (gint32)node,
                                           .kind = SATIN_JOURNAL_NOTE,
                                           .text = text,
                                           .values = &value,
                                           .n_values = 1 });
}

void
satin_journal_recorder_loss (SatinJournalRecorder *self, gint64 time_us, SatinNodeId node,
                             const char *how)
{
  g_return_if_fail (self != NULL && how != NULL);
  add_limited (self, &(SatinJournalEvent){ .time_us = time_us,
                                           .node = (gint32)node,
                                           .kind = SATIN_JOURNAL_LOSS,
                                           .text = how });
}

void
satin_journal_recorder_machines (SatinJournalRecorder *self, gint64 time_us, const char *what,
                                 gint64 n, const char *text)
{
  g_return_if_fail (self != NULL && what != NULL && text != NULL);
  const SatinJournalValue value = { what, n };
  add_limited (self, &(SatinJournalEvent){ .time_us = time_us,
                                           .kind = SATIN_JOURNAL_MACHINES,
                                           .text = text,
                                           .values = &value,
                                           .n_values = 1 });
}

void
satin_journal_recorder_event (SatinJournalRecorder *self, gint64 time_us, SatinNodeId node,
                              GBytes *payload)
{
  SatinEvent event;
  g_return_if_fail (self != NULL);
  if (!satin_event_read (payload, &event))
    return;
  g_array_set_size (self->values, 0);
  for (gsize i = 0; i < event.n_values; i++)
    {
      const SatinEventValue *value = &event.values[i];
      g_array_append_val (self->values, ((SatinJournalValue){ value->name, value->value }));
    }
  if (event_filter_lets_pass (self->filter, node, &event))
    add (self,
         &(SatinJournalEvent){ .time_us = time_us,
                               .node = (gint32)node,
                               .kind = event.kind,
                               .text = event.text,
                               .values = (const SatinJournalValue *)(gpointer)self->values->data,
                               .n_values = self->values->len });
  satin_record_clear (&SatinEvent_record, &event);
}

/* Returns: how many bytes of the node's output the journal has */
static gsize *
get_output_bytes (SatinJournalRecorder *self, SatinNodeId node)
{
  gsize *n_bytes = g_hash_table_lookup (self->outputs, GUINT_TO_POINTER (node));
  if (n_bytes != NULL)
    return n_bytes;
  n_bytes = g_new0 (gsize, 1);
  g_hash_table_insert (self->outputs, GUINT_TO_POINTER (node), n_bytes);
  return n_bytes;
}

void
satin_journal_recorder_output (SatinJournalRecorder *self, gint64 time_us, SatinNodeId node,
                               const char *line)
{
  g_return_if_fail (self != NULL && line != NULL);
  gsize *n_bytes = get_output_bytes (self, node);
  if (*n_bytes > SATIN_JOURNAL_MAX_OUTPUT_BYTES)
    return;
  *n_bytes += MIN (strlen (line) + 1, TEXT_MAX_BYTES);
  gboolean is_last = *n_bytes > SATIN_JOURNAL_MAX_OUTPUT_BYTES;
  add_limited (self, &(SatinJournalEvent){
                         .time_us = time_us,
                         .node = (gint32)node,
                         .kind = SATIN_JOURNAL_OUTPUT,
                         .text = is_last ? "(more output of this node is left out)" : line });
}

void
satin_journal_recorder_end (SatinJournalRecorder *self, gint64 time_us, int exit_status,
                            const char *message)
{
  g_return_if_fail (self != NULL);
  const SatinJournalValue value = { "exit_status", exit_status };
  add_limited (self, &(SatinJournalEvent){ .time_us = time_us,
                                           .kind = SATIN_JOURNAL_END,
                                           .text = message,
                                           .values = &value,
                                           .n_values = 1 });
  flush (self);
}

void
satin_journal_recorder_free (SatinJournalRecorder *self)
{
  if (self == NULL)
    return;
  satin_journal_writer_free (self->writer);
  g_hash_table_unref (self->nodes);
  g_hash_table_unref (self->outputs);
  g_array_unref (self->values);
  event_filter_free (self->filter);
  g_free (self);
}
