/* convert.c - carries over the results of earlier builds, which had other tasks
 *
 *   old logs --- index ---> results that count --- convert ---> new logs
 *
 *   1. write the new logs and sync them     nothing depends on the new logs
 *   2. read all results back
 *   3. add COVERS with the old logs, sync   nothing depends on the old logs
 *   4. remove the old logs
 *
 * After a crash before step 3, the old logs are carried over once more. Then some results are there
 * twice, but they are the same. After a crash after step 3, the old logs that COVERS names are
 * removed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* The most names in one COVERS record. A name takes 32 bytes. */
#define COVERS_NAMES 1000u

typedef struct
{
  SatinStorage *storage;                /* (borrowed) */
  const SatinCheckpointHead *head;      /* (borrowed): of the caller */
  SatinCheckpointProgressFunc progress; /* (nullable) */
  gpointer user_data;                   /* (borrowed) */
  CheckpointTypes now;
  GPtrArray *old; /* (borrowed) (element-type SatinCheckpointLog): logs still to convert */
  guint64 number; /* of the next new log */
  SatinCheckpointConversion *conversion; /* (borrowed) */

  /* the build whose logs are being carried over */
  CheckpointTypes before;
  GPtrArray *logs;               /* (borrowed) (element-type SatinCheckpointLog): taken from @old */
  SatinCheckpointIndex *index;   /* (owned): of these logs */
  SatinCheckpointIndex *written; /* (owned): of the new logs */
  SatinCheckpointReader *reader; /* (owned) */
  SatinCheckpointWriter *writer; /* (owned) */
  GHashTable *plans;             /* (owned): (borrowed) name of a task to CheckpointTaskPlan */
  guint64 n_bytes;
  GError *error; /* (owned) (nullable) */
} Converting;

/* ---- one result ---- */

/* Counts a result that is not carried over. The reason of the first one is kept. */
static void
leave (Converting *self, GError *reason)
{
  self->conversion->n_left++;
  if (self->conversion->reason == NULL)
    self->conversion->reason = g_strescape (reason->message, NULL);
  g_error_free (reason);
}

static const CheckpointTaskPlan *
get_plan (Converting *self, const char *task)
{
  CheckpointTaskPlan *plan = g_hash_table_lookup (self->plans, task);
  if (plan == NULL)
    {
      plan = checkpoint_task_plan_new (task, &self->before, &self->now);
      g_hash_table_insert (self->plans, (gpointer)task, plan);
    }
  return plan;
}

/* Handles an error of the writer. Only a record that is too large is about one result. After all
 * other errors, as when there is no room, results in the writer's buffer are lost, too. So these
 * end the conversion. Returns: %FALSE, with @error (which takes @cause) or with the conversion's
 * error */
static gboolean
not_written (Converting *self, GError *cause, GError **error)
{
  if (g_error_matches (cause, SATIN_ERROR, SATIN_ERROR_INVALID))
    g_propagate_error (error, cause);
  else
    self->error = cause;
  return FALSE;
}

/* Writes a converted result into the new log. */
static gboolean
write_result (Converting *self, const SatinCheckpointEntry *entry,
              const CheckpointConverted *converted, gint64 stored_us, GError **error)
{
  SatinCheckpointPlace place;
  SatinCheckpointStored copy = { .stored_us = stored_us };
  GError *cause = NULL;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (converted->result, &n_bytes);
  copy.result.key = converted->key;
  copy.result.n_key = sizeof converted->key;
  copy.result.task = entry->task;
  copy.result.path = g_bytes_get_data (entry->place_in_tree, &copy.result.n_path);
  copy.arguments = g_bytes_get_data (converted->arguments, &copy.n_arguments);
  if (copy.n_arguments > SATIN_CHECKPOINT_ARGUMENTS_MAX_BYTES)
    copy.n_arguments = 0;
  if (!satin_checkpoint_writer_add_stored (self->writer, &copy, bytes, n_bytes, &place, &cause))
    return not_written (self, cause, error);
  satin_checkpoint_index_add (self->written, self->head->run, &copy.result, &place);
  self->conversion->n_carried++;
  return TRUE;
}

/* Whether the error is about one result, so that the others can still be carried over. */
static gboolean
is_about_result (const GError *error)
{
  static const int codes[] = { SATIN_ERROR_FORMAT, SATIN_ERROR_INVALID, SATIN_ERROR_LIMIT,
                               SATIN_ERROR_PROGRAM, SATIN_ERROR_TRUNCATED };
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, SATIN_ERROR, codes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
carry (Converting *self, const SatinCheckpointEntry *entry, GError **error)
{
  CheckpointConverted converted = { 0 };
  SatinCheckpointStored stored = { 0 };
  g_autoptr (GBytes) result = satin_checkpoint_reader_read (self->reader, entry, &stored, error);
  if (result == NULL)
    return FALSE;
  gboolean is_carried = checkpoint_task_plan_convert (get_plan (self, entry->task), &stored, result,
                                                      &converted, error);
  gint64 stored_us = stored.stored_us;
  satin_record_clear (&SatinCheckpointStored_record, &stored);
  if (!is_carried)
    return FALSE;
  is_carried = write_result (self, entry, &converted, stored_us, error);
  g_bytes_unref (converted.arguments);
  g_bytes_unref (converted.result);
  return is_carried;
}

static gboolean
copy_object (Converting *self, const SatinCheckpointEntry *entry, GError **error)
{
  SatinCheckpointPlace place;
  GError *cause = NULL;
  g_autoptr (GBytes) state = satin_checkpoint_read_result (self->storage, entry, error);
  gsize n_bytes = 0;
  const guint8 *bytes = state != NULL ? g_bytes_get_data (state, &n_bytes) : NULL;
  if (state == NULL)
    return FALSE;
  if (!satin_checkpoint_writer_add_object (self->writer, entry->object, bytes, n_bytes, &place,
                                           &cause))
    return not_written (self, cause, error);
  satin_checkpoint_index_add_object (self->written, entry->object, &place);
  return TRUE;
}

/* Carries over one entry of the index. Does nothing after an error of the storage. */
static void
on_entry (const SatinCheckpointEntry *entry, gpointer user_data)
{
  Converting *self = user_data;
  GError *error = NULL;
  if (self->error != NULL)
    return;
  if (entry->object != NULL)
    copy_object (self, entry, &error);
  else
    carry (self, entry, &error);
  if (error != NULL && is_about_result (error))
    leave (self, error);
  else if (error != NULL)
    self->error = error;
  if (self->error != NULL)
    return;
  self->n_bytes += checkpoint_place_bytes (&entry->at);
  if (self->progress != NULL)
    self->progress (self->n_bytes, satin_checkpoint_index_bytes (self->index), self->user_data);
}

/* ---- the logs of one build ---- */

/* Reads an entry of the new logs back. */
static void
on_written (const SatinCheckpointEntry *entry, gpointer user_data)
{
  Converting *self = user_data;
  if (self->error != NULL)
    return;
  g_autoptr (GBytes) result = satin_checkpoint_read_result (self->storage, entry, &self->error);
  if (self->progress != NULL)
    self->progress (self->n_bytes, self->n_bytes, self->user_data);
}

static gboolean
cover (Converting *self, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < self->logs->len; i++)
    g_ptr_array_add (names, ((SatinCheckpointLog *)g_ptr_array_index (self->logs, i))->name);
  for (guint i = 0; i < names->len; i += COVERS_NAMES)
    {
      SatinCheckpointCovers covers = { (const SatinString *)names->pdata + i,
                                       MIN (names->len - i, COVERS_NAMES) };
      if (!checkpoint_writer_add_covers (self->writer, &covers, error))
        return FALSE;
    }
  return satin_checkpoint_writer_sync (self->writer, error);
}

/* Writes the results and objects that count in the old logs into new logs, reads them back, and
 * then writes that the new logs cover the old ones. */
static gboolean
rewrite (Converting *self, const SatinTaskTable *tasks, GError **error)
{
  SatinCheckpointHead head = *self->head;
  g_autoptr (GArray) inputs = checkpoint_inputs_new (head.inputs, head.n_inputs);
  const GArray *found = satin_checkpoint_index_get_inputs (self->index);
  for (guint i = 0; i < found->len; i++)
    checkpoint_inputs_replace (inputs, &g_array_index (found, SatinCheckpointInput, i));
  head.inputs = (const SatinCheckpointInput *)inputs->data;
  head.n_inputs = inputs->len;
  self->writer = satin_checkpoint_writer_new (self->storage, &head, self->number);
  satin_checkpoint_writer_set_tasks (self->writer, tasks);
  satin_checkpoint_index_foreach (self->index, on_entry, self);
  if (self->error == NULL && satin_checkpoint_writer_sync (self->writer, &self->error))
    satin_checkpoint_index_foreach (self->written, on_written, self);
  if (self->error == NULL && cover (self, &self->error))
    {
      self->number = satin_checkpoint_writer_get_next_number (self->writer);
      return TRUE;
    }
  checkpoint_writer_remove_logs (self->writer);
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/* Checks that the old results can be read: the log names the types of the tasks, and the version of
 * the results has not changed. @log: the last log of its build */
static gboolean
check_tasks (Converting *self, const SatinCheckpointLog *log, const SatinTaskTable *tasks,
             GError **error)
{
  const char *before = tasks->results_version, *now = self->now.table->results_version;
  if (tasks->n_tasks == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
                   "%s does not say which types its results have, so they cannot be carried over: "
                   "use the build of %s that wrote it, or another folder",
                   log->name, self->head->name);
      return FALSE;
    }
  if (before != NULL && now != NULL && *before != '\0' && *now != '\0'
      && !g_str_equal (before, now))
    return checkpoint_refuse_version (log->name, self->head->name, before, now, error);
  self->before.table = tasks;
  self->before.types = satin_record_set_new (tasks->types, tasks->n_types, error);
  if (self->before.types == NULL)
    g_prefix_error (error, "%s: its table of tasks is not valid: ", log->name);
  return self->before.types != NULL;
}

static gboolean
convert_build (Converting *self, const SatinTaskTable *old_tasks, GError **error)
{
  const SatinCheckpointLog *last = g_ptr_array_index (self->logs, self->logs->len - 1);
  if (!check_tasks (self, last, old_tasks, error))
    return FALSE;
  self->index = checkpoint_read_logs (self->storage, self->logs, NULL, NULL, self->progress,
                                      self->user_data, NULL, error);
  if (self->index == NULL)
    return FALSE;
  self->n_bytes = 0;
  self->written = satin_checkpoint_index_new (self->head->run);
  self->reader = satin_checkpoint_reader_new (self->storage);
  self->plans = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, checkpoint_task_plan_free);
  if (!rewrite (self, self->now.table, error))
    return FALSE;
  for (guint i = 0; i < self->logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (self->logs, i);
      self->storage->ops.remove (self->storage->handle, log->name, NULL);
    }
  return TRUE;
}

static void
end_build (Converting *self)
{
  g_ptr_array_set_size (self->logs, 0);
  g_clear_pointer (&self->plans, g_hash_table_unref);
  g_clear_pointer (&self->reader, satin_checkpoint_reader_free);
  g_clear_pointer (&self->writer, satin_checkpoint_writer_free);
  g_clear_pointer (&self->written, satin_checkpoint_index_free);
  g_clear_pointer (&self->index, satin_checkpoint_index_free);
  g_clear_pointer (&self->before.types, satin_record_set_free);
}

static gboolean
convert (Converting *self, GError **error)
{
  gboolean is_done = TRUE;
  while (is_done && self->old->len > 0)
    {
      SatinTaskTable tasks;
      is_done = checkpoint_take_build (self->storage, self->old, self->logs, &tasks, error)
                && convert_build (self, &tasks, error);
      end_build (self);
      satin_record_clear (&SatinTaskTable_record, &tasks);
    }
  return is_done;
}

static guint64
next_number (const GPtrArray *logs)
{
  guint64 last = 0;
  for (guint i = 0; i < logs->len; i++)
    last = MAX (last, ((const SatinCheckpointLog *)g_ptr_array_index (logs, i))->number);
  return last + 1;
}

gboolean
satin_checkpoint_convert (SatinStorage *storage, const SatinCheckpointHead *head,
                          const SatinTaskTable *tasks, SatinCheckpointProgressFunc progress,
                          gpointer user_data, SatinCheckpointConversion *ret_conversion,
                          GError **error)
{
  g_return_val_if_fail (storage != NULL && head != NULL && tasks != NULL, FALSE);
  g_return_val_if_fail (ret_conversion != NULL, FALSE);
  SatinCheckpointConversion conversion = { 0 };
  g_autoptr (GPtrArray) build = g_ptr_array_new ();
  g_autoptr (SatinRecordSet) types = satin_record_set_new (tasks->types, tasks->n_types, error);
  g_autoptr (GPtrArray) logs = types != NULL ? satin_checkpoint_list (storage, error) : NULL;
  g_autoptr (GPtrArray) old =
      logs != NULL ? checkpoint_find_old_logs (storage, head, logs, error) : NULL;
  Converting self = { .storage = storage,
                      .head = head,
                      .progress = progress,
                      .user_data = user_data,
                      .now = { tasks, types },
                      .old = old,
                      .number = logs != NULL ? next_number (logs) : 0,
                      .logs = build,
                      .conversion = &conversion };
  if (old == NULL || !convert (&self, error))
    {
      g_free (conversion.reason);
      return FALSE;
    }
  *ret_conversion = conversion;
  return TRUE;
}
