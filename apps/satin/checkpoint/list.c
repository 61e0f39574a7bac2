/* list.c - `satin checkpoint list`: lists the logs of a checkpoint
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "runs/figures.h"

/* One log, which is one line of the output. */
typedef struct
{
  const SatinCheckpointLog *log; /* (borrowed) */
  gboolean has_head;
  gint32 version;
  char *program; /* (owned) (nullable) */
  char *made;    /* (owned) (nullable) */
  guint64 n_results;
  guint64 n_objects;
  guint n_damaged;
  guint64 n_damaged_bytes;
} Row;

typedef struct
{
  Row *row;            /* (borrowed): of the log that is being read */
  GHashTable *covered; /* (borrowed): set of (owned) names of logs that no longer count */
  GPtrArray *inputs;   /* (borrowed): (owned) lines about inputs */
} Listing;

static void
row_clear (gpointer data)
{
  Row *self = data;
  g_free (self->program);
  g_free (self->made);
}

/* Adds a line about an input, unless @lines has it already, because all logs of a run name the same
 * inputs. */
static void
add_input (GPtrArray *lines, const SatinCheckpointInput *input)
{
  char *line = checkpoint_format_input (input);
  if (g_ptr_array_find_with_equal_func (lines, line, g_str_equal, NULL))
    g_free (line);
  else
    g_ptr_array_add (lines, line);
}

static gboolean
on_head (const SatinCheckpointHead *head, gpointer user_data)
{
  Row *row = ((Listing *)user_data)->row;
  row->has_head = TRUE;
  row->version = head->version;
  if (head->n_run == 0)
    return FALSE;
  row->program = checkpoint_format_program (head->name, head->arguments);
  row->made = checkpoint_format_time (head->made_us);
  for (gsize i = 0; i < head->n_inputs; i++)
    add_input (((Listing *)user_data)->inputs, &head->inputs[i]);
  return TRUE;
}

static void
on_result (const SatinCheckpointResult *result, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  ((Listing *)user_data)->row->n_results++;
}

static void
on_object (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  ((Listing *)user_data)->row->n_objects++;
}

static void
on_covers (const SatinCheckpointCovers *covers, gpointer user_data)
{
  for (gsize i = 0; i < covers->n_names; i++)
    g_hash_table_add (((Listing *)user_data)->covered, g_strdup (covers->names[i]));
}

static void
on_damaged (guint64 offset, guint64 n_bytes, gpointer user_data)
{
  Row *row = ((Listing *)user_data)->row;
  row->n_damaged++;
  row->n_damaged_bytes += n_bytes;
}

/* Returns: (transfer full): the text in the column DAMAGE */
static char *
describe_damage (const Row *row, GHashTable *covered)
{
  if (g_hash_table_contains (covered, row->log->name))
    return g_strdup ("covered");
  return row->n_damaged == 0 ? g_strdup ("-") : figure_format_bytes ((double)row->n_damaged_bytes);
}

static void
add_line (GString *report, const Row *row, GHashTable *covered)
{
  g_autofree char *size = figure_format_bytes ((double)row->log->size_bytes);
  g_autofree char *damage = describe_damage (row, covered);
  g_autofree char *other = g_strdup_printf ("version %d of checkpoints", row->version);
  const char *program = row->program != NULL ? row->program : row->has_head ? other : "-";
  g_string_append_printf (
      report, "%-32s %8s %6u  %-19s %9" G_GUINT64_FORMAT " %8" G_GUINT64_FORMAT " %8s  %s\n",
      row->log->name, size, row->log->node, row->made != NULL ? row->made : "-", row->n_results,
      row->n_objects, damage, program);
}

static void
add_sum (GString *report, const GArray *rows, guint64 n_bytes, GHashTable *covered)
{
  Row sum = { 0 };
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);
      sum.n_results += row->n_results;
      sum.n_objects += row->n_objects;
      if (g_hash_table_contains (covered, row->log->name))
        continue;
      sum.n_damaged += row->n_damaged;
      sum.n_damaged_bytes += row->n_damaged_bytes;
    }
  g_autofree char *logs = checkpoint_format_count (rows->len, "log");
  g_autofree char *results = checkpoint_format_count (sum.n_results, "result");
  g_autofree char *size = figure_format_bytes ((double)n_bytes);
  g_autofree char *damage = checkpoint_format_damage (sum.n_damaged, sum.n_damaged_bytes);
  g_autofree char *objects = checkpoint_format_objects (sum.n_objects);
  g_string_append_printf (report, "%s, %s: %s%s, %s\n", logs, size, results, objects, damage);
}

gboolean
checkpoint_list (CheckpointCommand *self, GError **error)
{
  static const SatinCheckpointScanFuncs funcs = { on_head, on_result, on_object, on_covers,
                                                  on_damaged };
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, error);
  if (logs == NULL)
    return FALSE;
  guint64 n_done = 0, n_bytes = checkpoint_sum_sizes (logs);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_autoptr (GHashTable) covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);
  g_array_set_clear_func (rows, row_clear);
  g_array_set_size (rows, logs->len);
  for (guint i = 0; i < logs->len; i++)
    {
      Listing listing = { &g_array_index (rows, Row, i), covered, inputs };
      listing.row->log = g_ptr_array_index (logs, i);
      if (!checkpoint_check_stopped (self, error)
          || !satin_checkpoint_scan (self->storage, listing.row->log, FALSE, &funcs, &listing,
                                     error))
        return FALSE;
      n_done += listing.row->log->size_bytes;
      checkpoint_set_progress (self, n_done, n_bytes);
    }
  g_string_append_printf (self->report, "%-32s %8s %6s  %-19s %9s %8s %8s  %s\n", "LOG", "SIZE",
                          "NODE", "MADE", "RESULTS", "OBJECTS", "DAMAGE", "OF");
  for (guint i = 0; i < rows->len; i++)
    add_line (self->report, &g_array_index (rows, Row, i), covered);
  add_sum (self->report, rows, n_bytes, covered);
  for (guint i = 0; i < inputs->len; i++)
    g_string_append_printf (self->report, "%s\n", (const char *)g_ptr_array_index (inputs, i));
  return TRUE;
}
