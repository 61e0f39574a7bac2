/* output.c - writes the standard error of nodes into the journal, with their numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "output.h"
#include "runs/figures.h"

#include <string.h>

/* The limit for the lines that wait until their nodes are known. Further lines are left out. From
 * each node the journal takes fewer bytes than this (SATIN_JOURNAL_MAX_OUTPUT_BYTES). */
#define MAX_WAITING_BYTES ((gsize)8 << 20)

typedef struct
{
  gint64 pid;
  char *text; /* (owned) */
} Line;

struct _JournalOutput
{
  SatinJournalRecorder *recorder; /* (borrowed) */
  GHashTable *nodes;              /* (owned) gint64* pid (owned) to node */
  GHashTable *machines;           /* (owned) char* host (owned) to the last node on this host */
  GPtrArray *waiting;             /* (owned) (element-type Line) */
  gsize waiting_bytes;            /* the length of the waiting lines */
};

static void
line_free (gpointer data)
{
  Line *self = data;
  g_free (self->text);
  g_free (self);
}

JournalOutput *
journal_output_new (SatinJournalRecorder *recorder)
{
  JournalOutput *self = g_new0 (JournalOutput, 1);
  self->recorder = recorder;
  self->nodes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->machines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->waiting = g_ptr_array_new_with_free_func (line_free);
  return self;
}

static SatinNodeId
find_node (const JournalOutput *self, gint64 pid)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, &pid));
}

void
journal_output_line (JournalOutput *self, gint64 time_us, gint64 pid, const char *line)
{
  SatinNodeId node = find_node (self, pid);
  if (node != 0)
    satin_journal_recorder_output (self->recorder, time_us, node, line);
  else if (self->waiting_bytes < MAX_WAITING_BYTES)
    {
      self->waiting_bytes += strlen (line) + 1;
      Line *kept = g_new (Line, 1);
      *kept = (Line){ pid, g_strdup (line) };
      g_ptr_array_add (self->waiting, kept);
    }
}

void
journal_output_machine (JournalOutput *self, gint64 time_us, const char *machine, const char *line)
{
  SatinNodeId node = GPOINTER_TO_UINT (g_hash_table_lookup (self->machines, machine));
  satin_journal_recorder_output (self->recorder, time_us, node, line);
}

/* Writes the lines that wait: if @is_end all of them, else those of known nodes. They get the
 * present time, because times in a journal must not fall. */
static void
write_waiting (JournalOutput *self, gint64 time_us, gboolean is_end)
{
  g_autoptr (GPtrArray) lines = self->waiting;
  self->waiting = g_ptr_array_new_with_free_func (line_free);
  self->waiting_bytes = 0;
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);
      if (is_end && find_node (self, line->pid) == 0)
        satin_journal_recorder_output (self->recorder, time_us, 0, line->text);
      else
        journal_output_line (self, time_us, line->pid, line->text);
    }
}

void
journal_output_members (JournalOutput *self, gint64 time_us, const SatinRunStatus *status)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      gint64 pid = node->pid;
      g_hash_table_replace (self->machines, g_strdup (node->host),
                            GUINT_TO_POINTER ((SatinNodeId)node->node));
      if (figure_is_of_process (node, pid))
        g_hash_table_replace (self->nodes, g_memdup2 (&pid, sizeof pid),
                              GUINT_TO_POINTER ((SatinNodeId)node->node));
    }
  if (self->waiting->len > 0)
    write_waiting (self, time_us, FALSE);
}

void
journal_output_end (JournalOutput *self, gint64 time_us)
{
  write_waiting (self, time_us, TRUE);
}

void
journal_output_free (JournalOutput *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->nodes);
  g_hash_table_unref (self->machines);
  g_ptr_array_unref (self->waiting);
  g_free (self);
}
