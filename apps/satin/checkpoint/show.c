/* show.c - `satin checkpoint show`: counts results by task and depth, and lists shared objects
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "runs/figures.h"

#include <satin/base/bytes.h>
#include <string.h>

/* The results of one task at one depth. */
typedef struct
{
  const char *task; /* (borrowed from the index) */
  guint depth;
  guint64 n_results;
  guint64 n_bytes;
} Cell;

/* The contents of the checkpoint. */
typedef struct
{
  SatinCheckpointHead head; /* (owned): the HEAD of the last log whose HEAD is readable */
  SatinCheckpointSummary summary;
  SatinCheckpointIndex *index; /* (owned) */
  GTree *cells;                /* (owned): set of (owned) Cell, by task and depth */
} Showing;

static int
compare_cells (gconstpointer left, gconstpointer right, gpointer user_data)
{
  const Cell *a = left, *b = right;
  int order = strcmp (a->task, b->task);
  return order != 0 ? order : (a->depth > b->depth) - (a->depth < b->depth);
}

static guint
count_levels (GBytes *path)
{
  gsize n_path, at = 0;
  const guint8 *bytes = g_bytes_get_data (path, &n_path);
  guint32 number;
  guint depth = 0;
  while (satin_path_next (bytes, n_path, &at, &number))
    depth++;
  return depth;
}

static void
count_entry (const SatinCheckpointEntry *entry, gpointer user_data)
{
  Showing *self = user_data;
  if (entry->object != NULL)
    return;
  Cell wanted = { .task = entry->task, .depth = count_levels (entry->place_in_tree) };
  Cell *cell = g_tree_lookup (self->cells, &wanted);
  if (cell == NULL)
    {
      cell = g_memdup2 (&wanted, sizeof wanted);
      g_tree_insert (self->cells, cell, cell);
    }
  cell->n_results++;
  cell->n_bytes += entry->at.n_result;
}

/* ---- text ---- */

static void
add_line (GString *report, const char *task, const char *depth, guint64 n_results, guint64 n_bytes)
{
  g_autofree char *bytes = figure_format_bytes ((double)n_bytes);
  g_string_append_printf (report, "%-24s %7s %11" G_GUINT64_FORMAT " %10s\n", task, depth,
                          n_results, bytes);
}

static void
add_table (Showing *self, GString *report)
{
  Cell sum = { 0 };
  g_string_append_printf (report, "%-24s %7s %11s %10s\n", "TASK", "DEPTH", "RESULTS", "BYTES");
  for (GTreeNode *at = g_tree_node_first (self->cells); at != NULL; at = g_tree_node_next (at))
    {
      const Cell *cell = g_tree_node_value (at);
      g_autofree char *task = checkpoint_format_program (cell->task, NULL);
      g_autofree char *depth = g_strdup_printf ("%u", cell->depth);
      add_line (report, task, depth, cell->n_results, cell->n_bytes);
      sum.n_results += cell->n_results;
      sum.n_bytes += cell->n_bytes;
    }
  add_line (report, "all", "", sum.n_results, sum.n_bytes);
}

static void
add_objects_table (const Showing *self, GString *report)
{
  const SatinCheckpointEntry *entry = satin_checkpoint_index_next_object (self->index, 0);
  if (entry == NULL)
    return;
  g_string_append_printf (report, "\n%-24s %-20s %11s %10s\n", "OBJECT", "TYPE", "VERSION",
                          "BYTES");
  for (; entry != NULL;
       entry = satin_checkpoint_index_next_object (self->index, entry->object->object))
    {
      g_autofree char *name = checkpoint_format_program (entry->object->name, NULL);
      g_autofree char *type = checkpoint_format_program (entry->object->type, NULL);
      g_autofree char *bytes = figure_format_bytes ((double)entry->at.n_result);
      g_string_append_printf (report, "%-24s %-20s %11" G_GINT64_FORMAT " %10s\n", name, type,
                              entry->object->version, bytes);
    }
}

/* Adds the build and the inputs that the results belong to. */
static void
add_origin (const Showing *self, GString *report)
{
  const GArray *inputs = satin_checkpoint_index_get_inputs (self->index);
  g_autofree char *build = checkpoint_format_program (self->head.build, NULL);
  if (*build != '\0')
    g_string_append_printf (report, "build %s\n", build);
  for (guint i = 0; i < inputs->len; i++)
    {
      g_autofree char *line =
          checkpoint_format_input (&g_array_index (inputs, SatinCheckpointInput, i));
      g_string_append_printf (report, "%s\n", line);
    }
  g_string_append_c (report, '\n');
}

static void
add_text (Showing *self, GString *report)
{
  const SatinCheckpointSummary *summary = &self->summary;
  g_autofree char *program = checkpoint_format_program (self->head.name, self->head.arguments);
  g_autofree char *made = checkpoint_format_time (self->head.made_us);
  g_autofree char *logs = checkpoint_format_count (summary->n_logs, "log");
  g_autofree char *size = figure_format_bytes ((double)summary->n_bytes);
  g_autofree char *counting =
      figure_format_bytes ((double)satin_checkpoint_index_bytes (self->index));
  g_autofree char *damage = checkpoint_format_damage (summary->n_damaged, summary->n_damaged_bytes);
  g_string_append_printf (report, "%s\n", program);
  g_string_append_printf (report, "last written to by node %d, which began %s\n", self->head.node,
                          made);
  g_string_append_printf (report, "%s, %s, of which %s count; %s\n", logs, size, counting, damage);
  add_origin (self, report);
  add_table (self, report);
  add_objects_table (self, report);
}

/* ---- JSON ---- */

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_id (JsonBuilder *builder, const char *name, const guint8 *id)
{
  g_autofree char *hex = satin_hex (id, SATIN_CHECKPOINT_ID_BYTES);
  add_string (builder, name, hex);
}

static void
add_int (JsonBuilder *builder, const char *name, guint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64)value);
}

static void
add_cells (JsonBuilder *builder, GTree *cells)
{
  json_builder_set_member_name (builder, "tasks");
  json_builder_begin_array (builder);
  for (GTreeNode *at = g_tree_node_first (cells); at != NULL; at = g_tree_node_next (at))
    {
      const Cell *cell = g_tree_node_value (at);
      json_builder_begin_object (builder);
      add_string (builder, "task", cell->task);
      add_int (builder, "depth", cell->depth);
      add_int (builder, "results", cell->n_results);
      add_int (builder, "bytes", cell->n_bytes);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_objects (JsonBuilder *builder, SatinCheckpointIndex *index)
{
  const SatinCheckpointEntry *entry = NULL;
  json_builder_set_member_name (builder, "objects");
  json_builder_begin_array (builder);
  while ((entry =
              satin_checkpoint_index_next_object (index, entry != NULL ? entry->object->object : 0))
         != NULL)
    {
      json_builder_begin_object (builder);
      add_string (builder, "name", entry->object->name);
      add_string (builder, "type", entry->object->type);
      add_int (builder, "version", (guint64)entry->object->version);
      add_int (builder, "bytes", entry->at.n_result);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_inputs (JsonBuilder *builder, const GArray *inputs)
{
  json_builder_set_member_name (builder, "inputs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < inputs->len; i++)
    {
      const SatinCheckpointInput *input = &g_array_index (inputs, SatinCheckpointInput, i);
      g_autofree char *sha256 = checkpoint_digest_to_hex (input);
      json_builder_begin_object (builder);
      add_string (builder, "name", input->name);
      add_string (builder, "sha256", sha256);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_json (Showing *self, GString *report)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  add_string (builder, "program", self->head.name);
  add_string (builder, "arguments", self->head.arguments);
  add_id (builder, "program-digest", self->head.program);
  add_id (builder, "root-digest", self->head.root);
  add_string (builder, "build", self->head.build);
  add_inputs (builder, satin_checkpoint_index_get_inputs (self->index));
  add_id (builder, "run", self->head.run);
  add_int (builder, "node", (guint64)self->head.node);
  add_int (builder, "made-us", (guint64)self->head.made_us);
  add_int (builder, "logs", self->summary.n_logs);
  add_int (builder, "log-bytes", self->summary.n_bytes);
  add_int (builder, "results", satin_checkpoint_index_count (self->index));
  add_int (builder, "counting-bytes", satin_checkpoint_index_bytes (self->index));
  add_int (builder, "damaged", self->summary.n_damaged);
  add_int (builder, "damaged-bytes", self->summary.n_damaged_bytes);
  add_cells (builder, self->cells);
  add_objects (builder, self->index);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);
  g_string_append_printf (report, "%s\n", text);
}

/* ---- the command ---- */

static gboolean
read_all (CheckpointCommand *self, Showing *showing, GError **error)
{
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, error);
  if (logs == NULL || !checkpoint_find_head (self, logs, &showing->head, error))
    return FALSE;
  showing->index = satin_checkpoint_read (self->storage, NULL, checkpoint_note_progress, self,
                                          &showing->summary, error);
  return showing->index != NULL;
}

gboolean
checkpoint_show (CheckpointCommand *self, GError **error)
{
  Showing showing = { .cells = g_tree_new_full (compare_cells, NULL, NULL, g_free) };
  gboolean is_read = read_all (self, &showing, error);
  if (is_read)
    satin_checkpoint_index_foreach (showing.index, count_entry, &showing);
  if (is_read && self->is_json)
    add_json (&showing, self->report);
  else if (is_read)
    add_text (&showing, self->report);
  g_tree_unref (showing.cells);
  satin_checkpoint_index_free (showing.index);
  satin_record_clear (&SatinCheckpointHead_record, &showing.head);
  return is_read;
}
