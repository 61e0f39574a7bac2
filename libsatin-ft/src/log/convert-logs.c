/* convert-logs.c - finds the logs of earlier builds of a program, which had other tasks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

static gboolean
is_equal (const guint8 *left, const guint8 *right)
{
  return memcmp (left, right, SATIN_CHECKPOINT_ID_BYTES) == 0;
}

static void
on_covers (const SatinCheckpointCovers *covers, gpointer user_data)
{
  GHashTable *names = user_data;
  for (gsize i = 0; i < covers->n_names; i++)
    g_hash_table_add (names, g_strdup (covers->names[i]));
}

/* What a log is. */
typedef enum
{
  LOG_OTHER, /* a log of another program or of other arguments; or a log that cannot be read */
  LOG_OURS,  /* a log of this program with the same tasks, maybe of another build */
  LOG_OLD,   /* a log of an earlier build of this program, with other tasks */
} LogKind;

/* Finds out what a log is. Returns: FALSE with @error, which is an error of the storage */
static gboolean
find_kind (SatinStorage *storage, const SatinCheckpointHead *now, const SatinCheckpointLog *log,
           LogKind *ret_kind, GError **error)
{
  SatinCheckpointHead head;
  SatinTaskTable tasks;
  g_autoptr (GError) cause = NULL;
  *ret_kind = LOG_OTHER;
  if (!satin_checkpoint_read_beginning (storage, log, &head, &tasks, &cause))
    {
      if (g_error_matches (cause, SATIN_ERROR, SATIN_ERROR_FORMAT)
          || g_error_matches (cause, SATIN_ERROR, SATIN_ERROR_PROTOCOL))
        return TRUE; /* satin_checkpoint_read() decides whether to refuse the log */
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  if (g_str_equal (head.name, now->name) && is_equal (head.root, now->root))
    *ret_kind = is_equal (head.program, now->program) ? LOG_OURS : LOG_OLD;
  satin_record_clear (&SatinCheckpointHead_record, &head);
  satin_record_clear (&SatinTaskTable_record, &tasks);
  return TRUE;
}

/* Removes the old logs whose results an earlier conversion has written into new logs. */
static void
remove_covered (SatinStorage *storage, GPtrArray *old, GHashTable *covered)
{
  for (guint i = old->len; i-- > 0;)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (old, i);
      if (!g_hash_table_contains (covered, log->name))
        continue;
      storage->ops.remove (storage->handle, log->name, NULL);
      g_ptr_array_remove_index (old, i);
    }
}

GPtrArray *
checkpoint_find_old_logs (SatinStorage *storage, const SatinCheckpointHead *now,
                          const GPtrArray *logs, GError **error)
{
  static const CheckpointScanFuncs funcs = { .covers = on_covers };
  g_autoptr (GHashTable) covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) ours = g_ptr_array_new (), old = g_ptr_array_new ();
  for (guint i = 0; i < logs->len; i++)
    {
      SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      LogKind kind;
      if (!find_kind (storage, now, log, &kind, error))
        return NULL;
      if (kind != LOG_OTHER)
        g_ptr_array_add (kind == LOG_OLD ? old : ours, log);
    }
  for (guint i = 0; old->len > 0 && i < ours->len; i++)
    if (!checkpoint_scan (storage, g_ptr_array_index (ours, i), FALSE, &funcs, covered, error))
      return NULL;
  remove_covered (storage, old, covered);
  return g_steal_pointer (&old);
}

gboolean
checkpoint_take_build (SatinStorage *storage, GPtrArray *old, GPtrArray *ret_logs,
                       SatinTaskTable *ret_tasks, GError **error)
{
  guint8 program[SATIN_CHECKPOINT_ID_BYTES];
  memset (ret_tasks, 0, sizeof *ret_tasks);
  for (guint i = 0; i < old->len;)
    {
      SatinCheckpointLog *log = g_ptr_array_index (old, i);
      SatinCheckpointHead head;
      SatinTaskTable tasks;
      if (!satin_checkpoint_read_beginning (storage, log, &head, &tasks, error))
        return FALSE;
      if (i == 0 && ret_logs->len == 0)
        memcpy (program, head.program, sizeof program);
      gboolean is_ours = is_equal (head.program, program);
      satin_record_clear (&SatinCheckpointHead_record, &head);
      if (is_ours && tasks.n_tasks > 0)
        {
          satin_record_clear (&SatinTaskTable_record, ret_tasks);
          *ret_tasks = tasks;
        }
      else
        satin_record_clear (&SatinTaskTable_record, &tasks);
      if (is_ours)
        g_ptr_array_add (ret_logs, g_ptr_array_steal_index (old, i));
      else
        i++;
    }
  return TRUE;
}
