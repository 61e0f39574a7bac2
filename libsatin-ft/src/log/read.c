/* read.c - reads a whole checkpoint, and refuses logs of another program or of other arguments
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

typedef struct
{
  const SatinCheckpointHead *wanted; /* (borrowed) (nullable): the caller's HEAD, or @first */
  gboolean has_caller;               /* the caller gave a HEAD: compare build and inputs too */
  const SatinTaskTable *tasks;       /* (borrowed) (nullable): the caller's */
  SatinCheckpointHead first;     /* (owned): a copy of the first HEAD, if the caller gave none */
  const SatinCheckpointLog *log; /* (borrowed): the log that is being read */
  SatinCheckpointIndex *index;   /* (owned) (nullable): made when the first HEAD is read */
  guint8 run[SATIN_CHECKPOINT_ID_BYTES]; /* the log's run */
  GHashTable *covered;                   /* (borrowed): set of (owned) names of covered logs */
  guint n_damaged;                       /* damaged pieces of the log */
  guint64 n_damaged_bytes;
  GError *error;                        /* (owned) (nullable): why the log must not be used */
  SatinCheckpointProgressFunc progress; /* (nullable) */
  gpointer user_data;                   /* (borrowed) */
  guint64 n_bytes, n_total_bytes;       /* sizes of the logs before this one, and of all logs */
} Reading;

static void
tell_progress (const Reading *self, guint64 offset)
{
  if (self->progress != NULL)
    self->progress (self->n_bytes + offset, self->n_total_bytes, self->user_data);
}

/* ---- checking the HEAD ---- */

static gboolean
is_same (const guint8 *left, const guint8 *right)
{
  return memcmp (left, right, SATIN_CHECKPOINT_ID_BYTES) == 0;
}

/* Sets the error that the log is of another build of the program. @tasks: (nullable): of the log */
static void
refuse_tasks (Reading *self, const SatinCheckpointHead *head, const SatinTaskTable *tasks)
{
  g_autofree char *text =
      self->tasks != NULL ? satin_checkpoint_compare_tasks (tasks, self->tasks) : NULL;
  g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
               "%s is of another build of %s, with other tasks than this %s%s%s: use that one, "
               "or another folder%s",
               self->log->name, head->name, self->wanted->name, text != NULL ? ": " : "",
               text != NULL ? text : "",
               text != NULL ? ", or carry results over with --checkpoint-convert" : "");
}

static gboolean
check_build (Reading *self, const SatinCheckpointHead *head)
{
  if (satin_builds_allow (head->build, self->wanted->build))
    return TRUE;
  g_set_error (
      &self->error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
      "%s is of another build of %s (%s, this is %s): no task has changed its arguments or "
      "result, but the code may have: use that one, or another folder, or go on all the "
      "same with --checkpoint-anyway",
      self->log->name, head->name, head->build, self->wanted->build);
  return FALSE;
}

gboolean
checkpoint_refuse_version (const char *log, const char *program, const char *before,
                           const char *now, GError **error)
{
  g_autofree char *printable = g_strescape (before, NULL);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
               "%s has results of version %s of %s and this is version %s, in which tasks give "
               "other results: use that one, or another folder",
               log, printable, program, now);
  return FALSE;
}

/* Checks the version of the results, or else the build. @tasks: (nullable): of the log */
static gboolean
check_version (Reading *self, const SatinCheckpointHead *head, const SatinTaskTable *tasks)
{
  const char *before = tasks != NULL ? tasks->results_version : "";
  const char *now = self->tasks != NULL ? self->tasks->results_version : "";
  if (*before == '\0' || *now == '\0')
    return check_build (self, head);
  return g_str_equal (before, now)
         || checkpoint_refuse_version (self->log->name, head->name, before, now, &self->error);
}

static gboolean
check_inputs (Reading *self, const SatinCheckpointHead *head)
{
  const SatinCheckpointHead *wanted = self->wanted;
  for (gsize i = 0; i < wanted->n_inputs; i++)
    {
      const SatinCheckpointInput *other =
          checkpoint_inputs_find_other (head->inputs, head->n_inputs, &wanted->inputs[i]);
      if (other == NULL)
        continue;
      self->error = checkpoint_input_error (other, &wanted->inputs[i]);
      g_prefix_error (&self->error, "%s: ", self->log->name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_head (Reading *self, const SatinCheckpointHead *head, const SatinTaskTable *tasks)
{
  const SatinCheckpointHead *wanted = self->wanted;
  const char *name = self->log->name;
  if (!checkpoint_version_is_known (head->version))
    g_set_error (
        &self->error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
        "%s is of version %d and this Satin reads %d and %d: use the one that wrote it, or "
        "another folder",
        name, head->version, SATIN_CHECKPOINT_OLDEST_VERSION, SATIN_CHECKPOINT_VERSION);
  else if (wanted == NULL)
    return TRUE;
  else if (!is_same (head->program, wanted->program) && strcmp (head->name, wanted->name) == 0)
    refuse_tasks (self, head, tasks);
  else if (!is_same (head->program, wanted->program))
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
                 "%s is of the program %s and this is %s: use that one, or another folder", name,
                 head->name, wanted->name);
  else if (!is_same (head->root, wanted->root))
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "%s is of %s with the arguments \"%s\" and these are \"%s\": give those, or "
                 "another folder",
                 name, head->name, head->arguments, wanted->arguments);
  else
    return !self->has_caller || (check_version (self, head, tasks) && check_inputs (self, head));
  return FALSE;
}

/* ---- findings of a scan ---- */

static gboolean
on_begin (const SatinCheckpointHead *head, const SatinTaskTable *tasks, gpointer user_data)
{
  Reading *self = user_data;
  if (!check_head (self, head, tasks))
    return FALSE;
  if (self->wanted == NULL)
    {
      satin_record_copy (&SatinCheckpointHead_record, head, &self->first);
      self->wanted = &self->first;
    }
  if (self->index == NULL)
    self->index = satin_checkpoint_index_new (self->wanted->run);
  memcpy (self->run, head->run, sizeof self->run);
  for (gsize i = 0; i < head->n_inputs; i++)
    checkpoint_index_add_input (self->index, &head->inputs[i]);
  return TRUE;
}

static void
on_result (const SatinCheckpointStored *stored, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Reading *self = user_data;
  satin_checkpoint_index_add (self->index, self->run, &stored->result, place);
  tell_progress (self, place->offset);
}

static void
on_object (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Reading *self = user_data;
  satin_checkpoint_index_add_object (self->index, object, place);
  tell_progress (self, place->offset);
}

static void
on_covers (const SatinCheckpointCovers *covers, gpointer user_data)
{
  Reading *self = user_data;
  for (gsize i = 0; i < covers->n_names; i++)
    g_hash_table_add (self->covered, g_strdup (covers->names[i]));
}

static void
on_damaged (guint64 offset, guint64 n_bytes, gpointer user_data)
{
  Reading *self = user_data;
  self->n_damaged++;
  self->n_damaged_bytes += n_bytes;
}

/* ---- the folder ---- */

/* The damage in one log. */
typedef struct
{
  guint n_damaged;
  guint64 n_damaged_bytes;
} Damage;

static gboolean
read_log (Reading *self, SatinStorage *storage, GArray *damages, GError **error)
{
  static const CheckpointScanFuncs funcs = { on_begin, on_result, on_object, on_covers,
                                             on_damaged };
  self->n_damaged = 0;
  self->n_damaged_bytes = 0;
  if (!checkpoint_scan (storage, self->log, FALSE, &funcs, self, error))
    return FALSE;
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  Damage damage = { self->n_damaged, self->n_damaged_bytes };
  g_array_append_val (damages, damage);
  return TRUE;
}

/* Drops the results and objects in covered logs, and makes the summary. */
static void
settle (Reading *self, const GPtrArray *logs, const GArray *damages,
        SatinCheckpointSummary *ret_summary)
{
  SatinCheckpointSummary summary = { .n_logs = logs->len };
  for (guint i = 0; i < logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      const Damage *damage = &g_array_index (damages, Damage, i);
      gboolean is_covered = g_hash_table_contains (self->covered, log->name);
      summary.n_bytes += log->size_bytes;
      summary.last_number = MAX (summary.last_number, log->number);
      summary.n_damaged += is_covered ? 0 : damage->n_damaged;
      summary.n_damaged_bytes += is_covered ? 0 : damage->n_damaged_bytes;
      if (is_covered && self->index != NULL)
        checkpoint_index_remove_log (self->index, log->name);
    }
  if (ret_summary != NULL)
    *ret_summary = summary;
}

static guint64
sum_sizes (const GPtrArray *logs)
{
  guint64 sum = 0;
  for (guint i = 0; i < logs->len; i++)
    sum += ((const SatinCheckpointLog *)g_ptr_array_index (logs, i))->size_bytes;
  return sum;
}

SatinCheckpointIndex *
satin_checkpoint_read (SatinStorage *storage, const SatinCheckpointHead *head,
                       SatinCheckpointProgressFunc progress, gpointer user_data,
                       SatinCheckpointSummary *ret_summary, GError **error)
{
  return satin_checkpoint_read_for (storage, head, NULL, progress, user_data, ret_summary, error);
}

SatinCheckpointIndex *
satin_checkpoint_read_for (SatinStorage *storage, const SatinCheckpointHead *head,
                           const SatinTaskTable *tasks, SatinCheckpointProgressFunc progress,
                           gpointer user_data, SatinCheckpointSummary *ret_summary, GError **error)
{
  g_return_val_if_fail (storage != NULL, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  return logs != NULL ? checkpoint_read_logs (storage, logs, head, tasks, progress, user_data,
                                              ret_summary, error)
                      : NULL;
}

SatinCheckpointIndex *
checkpoint_read_logs (SatinStorage *storage, const GPtrArray *logs, const SatinCheckpointHead *head,
                      const SatinTaskTable *tasks, SatinCheckpointProgressFunc progress,
                      gpointer user_data, SatinCheckpointSummary *ret_summary, GError **error)
{
  static const guint8 no_run[SATIN_CHECKPOINT_ID_BYTES];
  g_autoptr (GArray) damages = g_array_new (FALSE, FALSE, sizeof (Damage));
  g_autoptr (GHashTable) covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reading self = { .wanted = head,
                   .has_caller = head != NULL,
                   .tasks = tasks,
                   .covered = covered,
                   .progress = progress,
                   .user_data = user_data,
                   .n_total_bytes = sum_sizes (logs) };
  gboolean is_read = TRUE;
  for (guint i = 0; i < logs->len && is_read; i++)
    {
      self.log = g_ptr_array_index (logs, i);
      is_read = read_log (&self, storage, damages, error);
      self.n_bytes += self.log->size_bytes;
      if (is_read)
        tell_progress (&self, 0);
    }
  if (is_read)
    settle (&self, logs, damages, ret_summary);
  satin_record_clear (&SatinCheckpointHead_record, &self.first);
  if (is_read && self.index == NULL)
    self.index = satin_checkpoint_index_new (head != NULL ? head->run : no_run);
  if (!is_read)
    g_clear_pointer (&self.index, satin_checkpoint_index_free);
  return self.index;
}
