/* compact.c - `satin checkpoint compact`: copies what counts into new logs: results and objects
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "runs/figures.h"

#include <satin/ft/folder-lease.h>

#define SLEEP_US (SATIN_LEASE_LOOK_US / 10)

/* The lease by which this command keeps runs out of the folder. */
typedef struct
{
  SatinFolderLease *lease; /* (owned) (nullable): %NULL with --force */
  gint64 renew_us;         /* when the lease must be renewed */
} Folder;

static gboolean
wait_a_little (CheckpointCommand *self, GError **error)
{
  gint64 end_us = g_get_monotonic_time () + SATIN_LEASE_LOOK_US;
  while (g_get_monotonic_time () < end_us)
    {
      if (!checkpoint_check_stopped (self, error))
        return FALSE;
      g_usleep (SLEEP_US);
    }
  return TRUE;
}

/* If the error says that a run uses the folder, adds to its message how to compact anyway. */
static void
add_cure (GError **error)
{
  if (error == NULL || !g_error_matches (*error, SATIN_ERROR, SATIN_ERROR_INVALID))
    return;
  g_autofree char *said = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strconcat (said, "; give --force if you know that no run uses it", NULL);
}

/* Watches the folder until it is certain that no run uses the folder, and takes the folder's lease.
 * Does nothing with --force. */
static gboolean
take_folder (CheckpointCommand *self, Folder *folder, GError **error)
{
  guint8 run[SATIN_CHECKPOINT_ID_BYTES];
  gboolean is_ours = self->is_forced;
  if (self->is_forced)
    return TRUE;
  for (guint i = 0; i < sizeof run; i++)
    run[i] = (guint8)g_random_int ();
  folder->lease = satin_folder_lease_new (run, 0, "satin checkpoint compact");
  while (!is_ours)
    {
      if (!satin_folder_lease_acquire (folder->lease, self->storage, g_get_monotonic_time (),
                                       &is_ours, error))
        {
          g_prefix_error (error, "%s: ", self->uri);
          add_cure (error);
          return FALSE;
        }
      if (!is_ours && !wait_a_little (self, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
renew (CheckpointCommand *self, Folder *folder, GError **error)
{
  gint64 now_us = g_get_monotonic_time ();
  if (folder->lease == NULL || now_us < folder->renew_us)
    return TRUE;
  folder->renew_us = now_us + SATIN_LEASE_RENEW_US;
  return satin_folder_lease_renew (folder->lease, self->storage, error);
}

static void
leave_folder (CheckpointCommand *self, Folder *folder)
{
  if (folder->lease == NULL)
    return;
  satin_folder_lease_release (folder->lease, self->storage, NULL);
  g_clear_pointer (&folder->lease, satin_folder_lease_free);
}

static void
tell_size (CheckpointCommand *self, const char *when, const GPtrArray *logs)
{
  g_autofree char *count = checkpoint_format_count (logs->len, "log");
  g_autofree char *size = figure_format_bytes ((double)checkpoint_sum_sizes (logs));
  g_string_append_printf (self->report, "%s: %s, %s\n", when, count, size);
}

/* Copies what counts into new logs, which begin with @head and @tasks. @ret_n_damaged: (out): how
 * many damaged pieces could not be copied */
static gboolean
compact (CheckpointCommand *self, Folder *folder, const GPtrArray *logs,
         const SatinCheckpointHead *head, const SatinTaskTable *tasks, guint *ret_n_damaged,
         GError **error)
{
  SatinCheckpointSummary summary;
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (self->storage, head, NULL, NULL, &summary, error);
  if (index == NULL)
    return FALSE;
  g_autoptr (SatinCheckpointCompaction) compaction =
      satin_checkpoint_compaction_new (self->storage, index, head, summary.last_number + 1, logs);
  satin_checkpoint_compaction_set_tasks (compaction, tasks);
  gboolean is_over = FALSE;
  while (!is_over)
    {
      guint64 n_bytes, n_total;
      if (!renew (self, folder, error)
          || !satin_checkpoint_compaction_step (compaction, &is_over, error))
        return FALSE;
      satin_checkpoint_compaction_get_progress (compaction, &n_bytes, &n_total);
      checkpoint_set_progress (self, n_bytes, n_total);
    }
  *ret_n_damaged = summary.n_damaged + satin_checkpoint_compaction_get_n_damaged (compaction);
  return TRUE;
}

static gboolean
compact_folder (CheckpointCommand *self, Folder *folder, GError **error)
{
  SatinCheckpointHead head;
  SatinTaskTable tasks;
  guint n_damaged = 0;
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, error);
  if (logs == NULL || !checkpoint_find_tasks (self, logs, &tasks, error))
    return FALSE;
  if (!checkpoint_find_head (self, logs, &head, error))
    {
      satin_record_clear (&SatinTaskTable_record, &tasks);
      return FALSE;
    }
  head.version = SATIN_CHECKPOINT_VERSION;
  gboolean is_compact = compact (self, folder, logs, &head, &tasks, &n_damaged, error);
  satin_record_clear (&SatinCheckpointHead_record, &head);
  satin_record_clear (&SatinTaskTable_record, &tasks);
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

gboolean
checkpoint_compact (CheckpointCommand *self, GError **error)
{
  Folder folder = { 0 };
  /* Looks for logs first, so that no lease is written into a folder that has no checkpoint. */
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, error);
  gboolean is_done =
      logs != NULL && take_folder (self, &folder, error) && compact_folder (self, &folder, error);
  leave_folder (self, &folder);
  return is_done;
}
