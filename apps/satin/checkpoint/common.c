/* common.c - functions that several commands for checkpoints use
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "runs/figures.h"

#include <satin/base/atomic.h>
#include <satin/base/bytes.h>
#include <satin/core/input.h>

void
checkpoint_set_progress (CheckpointCommand *self, guint64 n_done, guint64 n_total)
{
  SATIN_STORE_RELAXED (&self->n_done, n_done);
  SATIN_STORE_RELAXED (&self->n_total, n_total);
}

void
checkpoint_note_progress (guint64 n_bytes, guint64 n_total_bytes, gpointer user_data)
{
  checkpoint_set_progress (user_data, n_bytes, n_total_bytes);
}

gboolean
checkpoint_check_stopped (CheckpointCommand *self, GError **error)
{
  if (!SATIN_LOAD (&self->is_stopped))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_CANCELLED, "stopped");
  return FALSE;
}

/* ---- logs ---- */

GPtrArray *
checkpoint_find_logs (CheckpointCommand *self, GError **error)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (self->storage, error);
  if (logs == NULL || logs->len > 0)
    return g_steal_pointer (&logs);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s has no checkpoint", self->uri);
  return NULL;
}

guint64
checkpoint_sum_sizes (const GPtrArray *logs)
{
  guint64 sum = 0;
  for (guint i = 0; i < logs->len; i++)
    sum += ((const SatinCheckpointLog *)g_ptr_array_index (logs, i))->size_bytes;
  return sum;
}

/* ---- the run and the program of a checkpoint ---- */

/* Reads the beginning of a log. @ret_is_there: FALSE when it is damaged, or of another version.
 * Returns: %FALSE with @error of the storage */
static gboolean
read_beginning (CheckpointCommand *self, const SatinCheckpointLog *log,
                SatinCheckpointHead *ret_head, SatinTaskTable *ret_tasks, gboolean *ret_is_there,
                GError **error)
{
  g_autoptr (GError) local = NULL;
  *ret_is_there = satin_checkpoint_read_beginning (self->storage, log, ret_head, ret_tasks, &local);
  if (*ret_is_there || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_FORMAT)
      || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_PROTOCOL))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
checkpoint_find_head (CheckpointCommand *self, const GPtrArray *logs, SatinCheckpointHead *ret_head,
                      GError **error)
{
  SatinTaskTable tasks;
  gboolean is_there = FALSE;
  for (guint i = logs->len; i > 0 && !is_there; i--)
    if (!read_beginning (self, g_ptr_array_index (logs, i - 1), ret_head, &tasks, &is_there, error))
      return FALSE;
  if (is_there)
    {
      satin_record_clear (&SatinTaskTable_record, &tasks);
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s: all logs are damaged at their beginning, so their program is unknown",
               self->uri);
  return FALSE;
}

gboolean
checkpoint_find_tasks (CheckpointCommand *self, const GPtrArray *logs, SatinTaskTable *ret_tasks,
                       GError **error)
{
  *ret_tasks = (SatinTaskTable){ 0 };
  for (guint i = logs->len; i > 0 && ret_tasks->n_tasks == 0; i--)
    {
      SatinCheckpointHead head;
      SatinTaskTable tasks;
      gboolean is_there = FALSE;
      if (!read_beginning (self, g_ptr_array_index (logs, i - 1), &head, &tasks, &is_there, error))
        return FALSE;
      if (!is_there)
        continue;
      satin_record_clear (&SatinCheckpointHead_record, &head);
      satin_record_clear (&SatinTaskTable_record, ret_tasks);
      *ret_tasks = tasks;
    }
  return TRUE;
}

/* ---- texts ---- */

char *
checkpoint_format_program (const char *name, const char *arguments)
{
  GString *text = g_string_new (NULL);
  g_autofree char *line =
      g_strconcat (name, arguments != NULL && *arguments != '\0' ? " " : "", arguments, NULL);
  for (const char *at = line; *at != '\0'; at = g_utf8_next_char (at))
    g_string_append_unichar (text,
                             g_unichar_isprint (g_utf8_get_char (at)) ? g_utf8_get_char (at) : '?');
  return g_string_free (text, FALSE);
}

char *
checkpoint_digest_to_hex (const SatinCheckpointInput *input)
{
  return satin_hex (input->digest, MIN (input->n_digest, SATIN_INPUT_DIGEST_BYTES));
}

char *
checkpoint_format_input (const SatinCheckpointInput *input)
{
  g_autofree char *name = checkpoint_format_program (input->name, NULL);
  g_autofree char *digest = checkpoint_digest_to_hex (input);
  return g_strdup_printf ("input %s, SHA-256 %s", name, digest);
}

char *
checkpoint_format_time (gint64 made_us)
{
  g_autoptr (GDateTime) made = g_date_time_new_from_unix_local (made_us / G_USEC_PER_SEC);
  return made != NULL ? g_date_time_format (made, "%Y-%m-%d %H:%M:%S") : g_strdup ("-");
}

char *
checkpoint_format_damage (guint n_damaged, guint64 n_damaged_bytes)
{
  if (n_damaged == 0)
    return g_strdup ("no damage");
  g_autofree char *bytes = figure_format_bytes ((double)n_damaged_bytes);
  return g_strdup_printf ("%u damaged piece%s of %s", n_damaged, n_damaged == 1 ? "" : "s", bytes);
}

char *
checkpoint_format_objects (guint64 n)
{
  g_autofree char *objects = checkpoint_format_count (n, "object");
  return n > 0 ? g_strconcat (", ", objects, NULL) : g_strdup ("");
}

char *
checkpoint_format_count (guint64 n, const char *noun)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s%s", n, noun, n == 1 ? "" : "s");
}
