/* read.c - reads a whole checkpoint, and single results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "crc32c.h"

#include <string.h>

typedef struct
{
  const SatinCheckpointHead *wanted; /* (borrowed) (nullable): the caller's HEAD, or @first */
  gboolean has_caller;               /* the caller gave a HEAD: compare build and inputs too */
  SatinCheckpointHead first;     /* (owned): a copy of the first HEAD, if the caller gave none */
  const SatinCheckpointLog *log; /* (borrowed): the log that is being read */
  SatinCheckpointIndex *index;   /* (owned) (nullable): made when the first HEAD is read */
  guint8 run[SATIN_CHECKPOINT_ID_BYTES]; /* the log's run */
  GHashTable *covered;                   /* (owned): set of (owned) names of covered logs */
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

static gboolean
check_build (Reading *self, const SatinCheckpointHead *head)
{
  if (satin_builds_allow (head->build, self->wanted->build))
    return TRUE;
  g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
               "%s is of another build of %s (%s, this is %s): use that one, or another folder, or "
               "go on all the same with --checkpoint-anyway",
               self->log->name, head->name, head->build, self->wanted->build);
  return FALSE;
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
check_head (Reading *self, const SatinCheckpointHead *head)
{
  const SatinCheckpointHead *wanted = self->wanted;
  const char *name = self->log->name;
  if (head->version != SATIN_CHECKPOINT_VERSION)
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
                 "%s is of version %d and this Satin reads %d: use the one that wrote it, or "
                 "another folder",
                 name, head->version, SATIN_CHECKPOINT_VERSION);
  else if (wanted == NULL)
    return TRUE;
  else if (!is_same (head->program, wanted->program))
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
                 strcmp (head->name, wanted->name) == 0
                     ? "%s is of another build of %s, with other tasks than this %s: use that one, "
                       "or another folder"
                     : "%s is of the program %s and this is %s: use that one, or another folder",
                 name, head->name, wanted->name);
  else if (!is_same (head->root, wanted->root))
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "%s is of %s with the arguments \"%s\" and these are \"%s\": give those, or "
                 "another folder",
                 name, head->name, head->arguments, wanted->arguments);
  else
    return self->has_caller ? check_build (self, head) && check_inputs (self, head) : TRUE;
  return FALSE;
}

/* ---- findings of a scan ---- */

static gboolean
on_head (const SatinCheckpointHead *head, gpointer user_data)
{
  Reading *self = user_data;
  if (!check_head (self, head))
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
on_result (const SatinCheckpointResult *result, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Reading *self = user_data;
  satin_checkpoint_index_add (self->index, self->run, result, place);
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
  static const SatinCheckpointScanFuncs funcs = { on_head, on_result, on_object, on_covers,
                                                  on_damaged };
  self->n_damaged = 0;
  self->n_damaged_bytes = 0;
  if (!satin_checkpoint_scan (storage, self->log, FALSE, &funcs, self, error))
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

/* Drops the results in covered logs, and makes the summary. */
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
  static const guint8 no_run[SATIN_CHECKPOINT_ID_BYTES];
  g_return_val_if_fail (storage != NULL, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  if (logs == NULL)
    return NULL;
  g_autoptr (GArray) damages = g_array_new (FALSE, FALSE, sizeof (Damage));
  g_autoptr (GHashTable) covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reading self = { .wanted = head,
                   .has_caller = head != NULL,
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

/* ---- single results ---- */

static gboolean
refuse (const SatinCheckpointEntry *entry, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s: the %s at %" G_GUINT64_FORMAT " is damaged", entry->at.log->name,
               entry->object != NULL ? "object" : "result", entry->at.offset);
  return FALSE;
}

/* Appends @n_bytes from @offset on to @out, which grows as bytes arrive. */
static gboolean
read_bytes (CheckpointWindow *window, const SatinCheckpointEntry *entry, guint64 offset,
            guint64 n_bytes, GByteArray *out, GError **error)
{
  guint64 end = offset + n_bytes;
  while (offset < end)
    {
      gsize n = 0;
      const guint8 *bytes = checkpoint_window_get (window, offset, 1, &n, error);
      if (bytes == NULL || (n == 0 && !refuse (entry, error)))
        return FALSE;
      n = (gsize)MIN (n, end - offset);
      g_byte_array_append (out, bytes, (guint)n);
      offset += n;
    }
  return TRUE;
}

static gboolean
read_body (CheckpointWindow *window, const SatinCheckpointEntry *entry, guint32 sum,
           GByteArray *body, GError **error)
{
  const SatinCheckpointPlace *at = &entry->at;
  guint n_body = (guint)at->n_result;
  if (n_body == 0)
    return TRUE;
  if (!read_bytes (window, entry, at->offset + CHECKPOINT_FRAME_BYTES + at->n_head,
                   at->n_result + CHECKPOINT_SUM_BYTES, body, error))
    return FALSE;
  if (checkpoint_sum_read (body->data + n_body) != crc32c (sum, body->data, n_body))
    return refuse (entry, error);
  g_byte_array_set_size (body, n_body);
  return TRUE;
}

GBytes *
satin_checkpoint_read_result (SatinStorage *storage, const SatinCheckpointEntry *entry,
                              GError **error)
{
  g_return_val_if_fail (storage != NULL && entry != NULL, NULL);
  g_return_val_if_fail (entry->at.n_result <= SATIN_CHECKPOINT_RESULT_MAX_BYTES, NULL);
  g_autoptr (GByteArray) body = g_byte_array_new ();
  CheckpointWindow window;
  guint32 sum = 0;
  gboolean is_right = FALSE;
  checkpoint_window_init (&window, storage, entry->at.log,
                          entry->at.offset + checkpoint_place_bytes (&entry->at));
  gboolean is_read =
      checkpoint_window_check_top (&window, &entry->at, entry, &sum, &is_right, error)
      && (is_right || refuse (entry, error)) && read_body (&window, entry, sum, body, error);
  checkpoint_window_clear (&window);
  return is_read ? g_byte_array_free_to_bytes (g_steal_pointer (&body)) : NULL;
}
