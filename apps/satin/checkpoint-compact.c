/* checkpoint-compact.c - `satin checkpoint compact`: only what counts, in new logs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "figures.h"

/* Logs that do not grow in that time are taken not to be written. */
#define LOOK_US  (2 * G_USEC_PER_SEC)
#define SLEEP_US (LOOK_US / 40)

static gboolean
wait_a_little (CheckpointCommand *self, GError **error)
{
  gint64 end_us = g_get_monotonic_time () + LOOK_US;
  while (g_get_monotonic_time () < end_us)
    {
      if (!checkpoint_check_stopped (self, error))
        return FALSE;
      g_usleep (SLEEP_US);
    }
  return TRUE;
}

static gboolean
is_same_log (const GPtrArray *logs, guint i, const GPtrArray *later)
{
  const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
  const SatinCheckpointLog *same = i < later->len ? g_ptr_array_index (later, i) : NULL;
  return same != NULL && g_str_equal (log->name, same->name) && log->size_bytes == same->size_bytes;
}

/* Looks a second time whether the logs are as they were. */
static gboolean
check_nobody_writes (CheckpointCommand *self, const GPtrArray *logs, GError **error)
{
  if (self->is_forced)
    return TRUE;
  if (!wait_a_little (self, error))
    return FALSE;
  g_autoptr (GPtrArray) later = satin_checkpoint_list (self->storage, error);
  if (later == NULL)
    return FALSE;
  gboolean is_same = later->len == logs->len;
  for (guint i = 0; i < logs->len && is_same; i++)
    is_same = is_same_log (logs, i, later);
  if (!is_same)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "a run is writing to %s, and would lose results: stop it first; --force if "
                 "nobody does",
                 self->uri);
  return is_same;
}

static void
tell_size (CheckpointCommand *self, const char *when, const GPtrArray *logs)
{
  g_autofree char *count = checkpoint_format_count (logs->len, "log");
  g_autofree char *size = figure_format_bytes ((double)checkpoint_sum_sizes (logs));
  g_string_append_printf (self->report, "%s: %s, %s\n", when, count, size);
}

/* @head: of the new logs. @ret_n_damaged: results that were dropped as they are damaged */
static gboolean
compact (CheckpointCommand *self, const GPtrArray *logs, const SatinCheckpointHead *head,
         guint *ret_n_damaged, GError **error)
{
  SatinCheckpointSummary summary;
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (self->storage, head, NULL, NULL, &summary, error);
  if (index == NULL)
    return FALSE;
  g_autoptr (SatinCheckpointCompaction) compaction =
      satin_checkpoint_compaction_new (self->storage, index, head, summary.last_number + 1, logs);
  gboolean is_over = FALSE;
  while (!is_over)
    {
      guint64 n_bytes, n_total;
      if (!satin_checkpoint_compaction_step (compaction, &is_over, error))
        return FALSE;
      satin_checkpoint_compaction_get_progress (compaction, &n_bytes, &n_total);
      checkpoint_set_progress (self, n_bytes, n_total);
    }
  *ret_n_damaged = summary.n_damaged + satin_checkpoint_compaction_get_n_damaged (compaction);
  return TRUE;
}

gboolean
checkpoint_compact (CheckpointCommand *self, GError **error)
{
  SatinCheckpointHead head;
  guint n_damaged = 0;
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, error);
  if (logs == NULL || !check_nobody_writes (self, logs, error)
      || !checkpoint_find_head (self, logs, &head, error))
    return FALSE;
  gboolean is_compact = compact (self, logs, &head, &n_damaged, error);
  satin_record_clear (&SatinCheckpointHead_record, &head);
  g_autoptr (GPtrArray) after = is_compact ? satin_checkpoint_list (self->storage, error) : NULL;
  if (after == NULL)
    return FALSE;
  tell_size (self, "before", logs);
  tell_size (self, "after", after);
  if (n_damaged > 0)
    g_string_append_printf (self->report, "%u damaged piece%s could not be kept\n", n_damaged,
                            n_damaged == 1 ? "" : "s");
  return TRUE;
}
