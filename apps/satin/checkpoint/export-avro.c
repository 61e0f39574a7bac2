/* export-avro.c - `satin checkpoint export --avro`: writes the results for other tools
 *
 * Only results that count are written, sorted by task, so that one file after the other is written.
 * Within a task they are read in the order of the logs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "avro-output.h"
#include "checkpoint.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  CheckpointCommand *command;    /* (borrowed) */
  const SatinTaskTable *tasks;   /* (borrowed): of the program */
  SatinRecordSet *types;         /* (owned): of the tasks */
  SatinCheckpointIndex *index;   /* (owned) */
  GPtrArray *entries;            /* (owned) (element-type SatinCheckpointEntry): sorted */
  SatinCheckpointReader *reader; /* (owned) */
  SatinCheckpointSummary summary;
  guint n_unreadable; /* results that are damaged, or not of their task's type */
  guint64 n_read_bytes;
} Exporting;

/* ---- which results ---- */

static void
collect (const SatinCheckpointEntry *entry, gpointer user_data)
{
  if (entry->object == NULL)
    g_ptr_array_add (user_data, (gpointer)entry);
}

static int
compare_entries (gconstpointer left, gconstpointer right)
{
  const SatinCheckpointEntry *a = *(const SatinCheckpointEntry *const *)left;
  const SatinCheckpointEntry *b = *(const SatinCheckpointEntry *const *)right;
  int order = strcmp (a->task, b->task);
  if (order == 0)
    order = strcmp (a->at.log->name, b->at.log->name);
  return order != 0 ? order : a->at.offset < b->at.offset ? -1 : a->at.offset > b->at.offset;
}

static const SatinCheckpointEntry *
entry_at (const Exporting *self, guint i)
{
  return g_ptr_array_index (self->entries, i);
}

/* Returns: the index of the first result behind @first that is of another task */
static guint
find_end (const Exporting *self, guint first)
{
  guint end = first + 1;
  while (end < self->entries->len
         && g_str_equal (entry_at (self, end)->task, entry_at (self, first)->task))
    end++;
  return end;
}

/* Refuses to write over files, unless the user gave --force. */
static gboolean
check_files (const Exporting *self, GError **error)
{
  for (guint i = 0; i < self->entries->len; i = find_end (self, i))
    {
      g_autofree char *path = avro_output_path (self->command->path, entry_at (self, i)->task);
      if (self->command->is_forced || access (path, F_OK) < 0)
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is there already; --force writes over it", path);
      return FALSE;
    }
  return TRUE;
}

static gboolean
make_folder (const char *path, GError **error)
{
  if (mkdir (path, 0777) == 0 || (errno == EEXIST && g_file_test (path, G_FILE_TEST_IS_DIR)))
    return TRUE;
  int number = errno;
  g_set_error (error, SATIN_ERROR, number == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_INVALID,
               "cannot make the folder %s: %s", path, g_strerror (number));
  return FALSE;
}

/* ---- a file ---- */

static const SatinTaskForm *
find_task (const Exporting *self, const char *name)
{
  for (gsize i = 0; i < self->tasks->n_tasks; i++)
    if (g_str_equal (self->tasks->tasks[i].name, name))
      return &self->tasks->tasks[i];
  return NULL;
}

/* Returns: (nullable): %NULL with @error */
static AvroOutput *
begin_task (const Exporting *self, guint first, guint end, GError **error)
{
  const char *name = entry_at (self, first)->task;
  const SatinTaskForm *task = find_task (self, name);
  const SatinRecord *arguments =
      task != NULL ? satin_record_set_get (self->types, task->arguments) : NULL;
  const SatinRecord *result =
      task != NULL ? satin_record_set_get (self->types, task->result) : NULL;
  guint64 row_bytes = 0;
  /* The name is from the checkpoint, and becomes the name of a file in the folder. */
  if (strchr (name, '/') != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "%s: a task has a name that no file can have", self->command->uri);
      return NULL;
    }
  if (arguments == NULL || result == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "%s: its table of tasks does not describe the task of a result",
                   self->command->uri);
      return NULL;
    }
  for (guint i = first; i < end; i++)
    {
      const SatinCheckpointEntry *entry = entry_at (self, i);
      row_bytes = MAX (row_bytes, entry->at.n_head + entry->at.n_result
                                      + 2 * g_bytes_get_size (entry->place_in_tree));
    }
  return avro_output_new (self->command->path, task->name, arguments, result, (gsize)row_bytes,
                          error);
}

/* Reads a result and writes it. A result that cannot be used is counted and left out. */
static gboolean
write_result (Exporting *self, const SatinCheckpointEntry *entry, AvroOutput *output,
              guint *n_written, GError **error)
{
  SatinCheckpointStored stored;
  gboolean is_valid = FALSE;
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) result = satin_checkpoint_reader_read (self->reader, entry, &stored, &local);
  if (result == NULL && !g_error_matches (local, SATIN_ERROR, SATIN_ERROR_FORMAT))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  gboolean is_written = TRUE;
  if (result != NULL)
    {
      is_written =
          avro_output_add (output, &stored, entry->place_in_tree, result, &is_valid, error);
      satin_record_clear (&SatinCheckpointStored_record, &stored);
    }
  *n_written += is_valid && is_written ? 1 : 0;
  self->n_unreadable += is_valid ? 0 : 1;
  self->n_read_bytes += entry->at.n_head + entry->at.n_result;
  checkpoint_set_progress (self->command, self->n_read_bytes,
                           satin_checkpoint_index_bytes (self->index));
  return is_written;
}

/* Writes the results from @first to before @end, which are of one task. */
static gboolean
write_task (Exporting *self, guint first, guint end, GError **error)
{
  guint n_written = 0;
  g_autoptr (AvroOutput) output = begin_task (self, first, end, error);
  if (output == NULL)
    return FALSE;
  for (guint i = first; i < end; i++)
    if (!checkpoint_check_stopped (self->command, error)
        || !write_result (self, entry_at (self, i), output, &n_written, error))
      return FALSE;
  if (!avro_output_finish (output, error))
    return FALSE;
  g_autofree char *path = avro_output_path (self->command->path, entry_at (self, first)->task);
  g_autofree char *results = checkpoint_format_count (n_written, "result");
  g_string_append_printf (self->command->report, "%s: %s\n", path, results);
  return TRUE;
}

static gboolean
write_tasks (Exporting *self, GError **error)
{
  for (guint i = 0; i < self->entries->len; i = find_end (self, i))
    if (!write_task (self, i, find_end (self, i), error))
      return FALSE;
  return TRUE;
}

/* ---- the command ---- */

/* Refuses a checkpoint that does not describe its results. */
static gboolean
read_types (Exporting *self, GError **error)
{
  if (self->tasks->n_tasks == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
                   "%s does not say which types its results have: its logs are of version 3, or "
                   "the program's table of tasks takes more than 64 KiB; go on with the run by "
                   "this Satin and stop it, then a new log says so",
                   self->command->uri);
      return FALSE;
    }
  self->types = satin_record_set_new (self->tasks->types, self->tasks->n_types, error);
  if (self->types == NULL)
    g_prefix_error (error, "%s: its table of tasks is not valid: ", self->command->uri);
  return self->types != NULL;
}

static gboolean
read_index (Exporting *self, GError **error)
{
  CheckpointCommand *command = self->command;
  self->index = satin_checkpoint_read (command->storage, NULL, checkpoint_note_progress, command,
                                       &self->summary, error);
  if (self->index == NULL)
    return FALSE;
  satin_checkpoint_index_foreach (self->index, collect, self->entries);
  g_ptr_array_sort (self->entries, compare_entries);
  self->reader = satin_checkpoint_reader_new (command->storage);
  return TRUE;
}

/* Says what was not written. Returns: %FALSE with @error when something is damaged */
static gboolean
tell (Exporting *self, GError **error)
{
  CheckpointCommand *command = self->command;
  guint n_objects = satin_checkpoint_index_count_objects (self->index);
  if (self->entries->len == 0)
    g_string_append (command->report, "no result counts, so no file was written\n");
  if (n_objects > 0)
    g_string_append_printf (command->report, "%u shared object%s left out\n", n_objects,
                            n_objects == 1 ? " was" : "s were");
  if (self->summary.n_damaged == 0 && self->n_unreadable == 0)
    return TRUE;
  g_autofree char *damage =
      checkpoint_format_damage (self->summary.n_damaged, self->summary.n_damaged_bytes);
  g_autofree char *unreadable = checkpoint_format_count (self->n_unreadable, "damaged result");
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s has %s, and %s; all results that can be read are in %s", command->uri, damage,
               unreadable, command->path);
  return FALSE;
}

gboolean
checkpoint_export_avro (CheckpointCommand *self, GError **error)
{
  SatinTaskTable tasks;
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, error);
  if (logs == NULL || !checkpoint_find_tasks (self, logs, &tasks, error))
    return FALSE;
  Exporting exporting = { .command = self, .tasks = &tasks, .entries = g_ptr_array_new () };
  gboolean is_written = read_index (&exporting, error) && read_types (&exporting, error)
                        && check_files (&exporting, error) && make_folder (self->path, error)
                        && write_tasks (&exporting, error) && tell (&exporting, error);
  satin_checkpoint_reader_free (exporting.reader);
  g_ptr_array_unref (exporting.entries);
  satin_checkpoint_index_free (exporting.index);
  satin_record_set_free (exporting.types);
  satin_record_clear (&SatinTaskTable_record, &tasks);
  return is_written;
}
