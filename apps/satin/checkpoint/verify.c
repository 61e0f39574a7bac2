/* verify.c - `satin checkpoint verify`: checks whether all of a checkpoint can be read
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "runs/figures.h"

/* A piece of a log that is no valid record. */
typedef struct
{
  const SatinCheckpointLog *log; /* (borrowed) */
  guint64 offset;
  guint64 n_bytes;
} Damage;

typedef struct
{
  CheckpointCommand *command;    /* (borrowed) */
  const SatinCheckpointLog *log; /* (borrowed): the log that is being read */
  guint64 n_before;              /* the bytes of all logs before @log */
  guint64 n_total;
  guint64 n_results;
  guint64 n_objects;
  GArray *damages;     /* (borrowed) (element-type Damage) */
  GHashTable *covered; /* (borrowed): set of (owned) names of logs that no longer count */
} Verifying;

static void
on_result (const SatinCheckpointResult *result, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Verifying *self = user_data;
  self->n_results++;
  checkpoint_set_progress (self->command, self->n_before + place->offset, self->n_total);
}

static void
on_object (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
           gpointer user_data)
{
  Verifying *self = user_data;
  self->n_objects++;
  checkpoint_set_progress (self->command, self->n_before + place->offset, self->n_total);
}

static void
on_covers (const SatinCheckpointCovers *covers, gpointer user_data)
{
  for (gsize i = 0; i < covers->n_names; i++)
    g_hash_table_add (((Verifying *)user_data)->covered, g_strdup (covers->names[i]));
}

static void
on_damaged (guint64 offset, guint64 n_bytes, gpointer user_data)
{
  Verifying *self = user_data;
  Damage damage = { self->log, offset, n_bytes };
  g_array_append_val (self->damages, damage);
}

static gboolean
read_logs (Verifying *self, const GPtrArray *logs, GError **error)
{
  static const SatinCheckpointScanFuncs funcs = { NULL, on_result, on_object, on_covers,
                                                  on_damaged };
  for (guint i = 0; i < logs->len; i++)
    {
      self->log = g_ptr_array_index (logs, i);
      if (!checkpoint_check_stopped (self->command, error)
          || !satin_checkpoint_scan (self->command->storage, self->log, TRUE, &funcs, self, error))
        return FALSE;
      self->n_before += self->log->size_bytes;
      checkpoint_set_progress (self->command, self->n_before, self->n_total);
    }
  return TRUE;
}

/* Reports the damage. Returns: %FALSE with @error when a log that still counts is damaged */
static gboolean
tell (Verifying *self, guint n_logs, GError **error)
{
  GString *report = self->command->report;
  guint n_damaged = 0;
  guint64 n_damaged_bytes = 0;
  for (guint i = 0; i < self->damages->len; i++)
    {
      const Damage *damage = &g_array_index (self->damages, Damage, i);
      gboolean is_covered = g_hash_table_contains (self->covered, damage->log->name);
      g_string_append_printf (report,
                              "%s: damaged from %" G_GUINT64_FORMAT " on, %" G_GUINT64_FORMAT
                              " bytes of %" G_GUINT64_FORMAT "%s\n",
                              damage->log->name, damage->offset, damage->n_bytes,
                              damage->log->size_bytes,
                              is_covered ? "; other logs have all that counts of it" : "");
      n_damaged += is_covered ? 0 : 1;
      n_damaged_bytes += is_covered ? 0 : damage->n_bytes;
    }
  g_autofree char *logs = checkpoint_format_count (n_logs, "log");
  g_autofree char *results = checkpoint_format_count (self->n_results, "result");
  g_autofree char *size = figure_format_bytes ((double)self->n_total);
  g_autofree char *total = checkpoint_format_damage (n_damaged, n_damaged_bytes);
  g_autofree char *objects = checkpoint_format_objects (self->n_objects);
  g_string_append_printf (report, "%s, %s: %s%s read, %s\n", logs, size, results, objects, total);
  if (n_damaged == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s has %s; a run that is resumed uses the rest and does again what is lost",
               self->command->uri, total);
  return FALSE;
}

/* Refuses logs of different programs or root jobs, and logs of a version that is not known. */
static gboolean
check_whose (CheckpointCommand *self, GError **error)
{
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (self->storage, NULL, NULL, NULL, NULL, error);
  return index != NULL;
}

gboolean
checkpoint_verify (CheckpointCommand *self, GError **error)
{
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, error);
  if (logs == NULL || !check_whose (self, error))
    return FALSE;
  g_autoptr (GHashTable) covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) damages = g_array_new (FALSE, FALSE, sizeof (Damage));
  Verifying verifying = {
    .command = self, .n_total = checkpoint_sum_sizes (logs), .damages = damages, .covered = covered
  };
  return read_logs (&verifying, logs, error) && tell (&verifying, logs->len, error);
}
