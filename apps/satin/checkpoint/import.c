/* import.c - `satin checkpoint import`: writes the logs of an archive into an empty folder
 *
 * The archive may be hostile. Its logs are read twice: all are checked before anything is written,
 * and each log is checked again before it gets its name (if the storage can replace files; else the
 * log has its name from the first piece on). The archive cannot choose other files to write: each
 * name must be a valid name of a log, and must be in the manifest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "archive.h"
#include "checkpoint.h"
#include "command.h"
#include "runs/figures.h"

#include <string.h>

typedef struct
{
  CheckpointCommand *command; /* (borrowed) */
  ArchiveReader *reader;      /* (borrowed) */
  GHashTable *there;          /* (borrowed): set of the names of logs in the folder */
  guint8 *buffer;             /* (owned) */
  gsize n_buffer;
  guint64 n_done;
  guint64 n_total;
} Importing;

/* Handles a piece of a log. @is_last: this is the last piece of the log, and the digest of the log
 * is right */
typedef gboolean (*PieceFunc) (Importing *self, const CheckpointManifestLog *log, guint64 offset,
                               gsize n_bytes, gboolean is_last, GError **error);

static gboolean
refuse (const CheckpointCommand *command, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s is damaged: %s is not what its manifest says", command->path, name);
  return FALSE;
}

/* ---- the manifest ---- */

/* Returns: (transfer full) (nullable): %NULL with @error */
static CheckpointManifest *
read_manifest (ArchiveReader *reader, GError **error)
{
  guint64 size_bytes;
  gsize n = 0;
  g_autoptr (GByteArray) text = g_byte_array_new ();
  if (!archive_reader_next (reader, CHECKPOINT_MANIFEST_NAME, &size_bytes, error))
    return NULL;
  do
    {
      guint8 block[4096];
      if (!archive_reader_read (reader, block, sizeof block, &n, error))
        return NULL;
      g_byte_array_append (text, block, (guint)n);
    }
  while (n > 0 && text->len <= CHECKPOINT_MANIFEST_MAX_BYTES);
  return checkpoint_manifest_parse ((const char *)text->data, text->len, error);
}

gboolean
checkpoint_prepare_import (CheckpointCommand *self, GError **error)
{
  g_autoptr (ArchiveReader) reader = archive_reader_new (self->path, error);
  if (reader == NULL)
    return FALSE;
  self->manifest = read_manifest (reader, error);
  if (self->manifest == NULL)
    g_prefix_error (error, "%s: ", self->path);
  return self->manifest != NULL;
}

/* ---- logs of the archive ---- */

/* Reads the next log of the archive piece by piece, and checks its size and its digest. */
static gboolean
read_log (Importing *self, const CheckpointManifestLog *log, PieceFunc func, GError **error)
{
  guint64 size_bytes;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  if (!archive_reader_next (self->reader, log->name, &size_bytes, error))
    return FALSE;
  if (size_bytes != log->size_bytes)
    return refuse (self->command, log->name, error);
  for (guint64 offset = 0; offset < size_bytes;)
    {
      gsize n = 0, n_wanted = (gsize)MIN (size_bytes - offset, self->n_buffer);
      gboolean is_last = offset + n_wanted == size_bytes;
      if (!checkpoint_check_stopped (self->command, error)
          || !archive_reader_read (self->reader, self->buffer, n_wanted, &n, error))
        return FALSE;
      g_checksum_update (sum, self->buffer, (gssize)n);
      if (n < n_wanted || (is_last && !g_str_equal (g_checksum_get_string (sum), log->sha256)))
        return refuse (self->command, log->name, error);
      if (!func (self, log, offset, n, is_last, error))
        return FALSE;
      offset += n;
      self->n_done += n;
      checkpoint_set_progress (self->command, self->n_done, self->n_total);
    }
  return TRUE;
}

/* The PieceFunc of the first reading. Does nothing, because read_log() makes all checks. */
static gboolean
pass_over (Importing *self, const CheckpointManifestLog *log, guint64 offset, gsize n_bytes,
           gboolean is_last, GError **error)
{
  return TRUE;
}

/* The PieceFunc of a log whose name is in the folder already. Checks that the log there has the
 * same bytes. */
static gboolean
compare (Importing *self, const CheckpointManifestLog *log, guint64 offset, gsize n_bytes,
         gboolean is_last, GError **error)
{
  SatinStorage *storage = self->command->storage;
  g_autofree guint8 *bytes = g_malloc (n_bytes);
  gsize n = 0;
  if (!storage->ops.read (storage->handle, log->name, offset, bytes, n_bytes, &n, error))
    return FALSE;
  if (n == n_bytes && memcmp (bytes, self->buffer, n) == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s has another log %s already: import into an empty folder", self->command->uri,
               log->name);
  return FALSE;
}

/* The PieceFunc of a new log. Writes the piece. If the storage can replace files, the log gets its
 * name after the last piece. */
static gboolean
write_piece (Importing *self, const CheckpointManifestLog *log, guint64 offset, gsize n_bytes,
             gboolean is_last, GError **error)
{
  SatinStorage *storage = self->command->storage;
  gboolean can_replace = (storage->can & SATIN_STORAGE_CAN_REPLACE) != 0;
  g_autofree char *part = g_strconcat (log->name, can_replace ? COMMAND_PART_SUFFIX : "", NULL);
  if (offset == 0 && !storage->ops.remove (storage->handle, part, error))
    return FALSE;
  if (!storage->ops.append (storage->handle, part, offset, self->buffer, n_bytes, error))
    return FALSE;
  if (!is_last)
    return TRUE;
  return can_replace ? storage->ops.replace (storage->handle, part, log->name, error)
                     : storage->ops.sync (storage->handle, log->name, error);
}

/* ---- the folder ---- */

/* Refuses a folder with logs that are not in the archive. A COVERS record says by name which logs
 * no longer count. So a COVERS record of one checkpoint could hide the results of another
 * checkpoint. */
static gboolean
check_there (const CheckpointCommand *self, const GPtrArray *there, GError **error)
{
  const CheckpointManifest *manifest = self->manifest;
  g_autoptr (GHashTable) sizes = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < manifest->logs->len; i++)
    {
      const CheckpointManifestLog *log = checkpoint_manifest_get (manifest, i);
      g_hash_table_insert (sizes, log->name, (gpointer)&log->size_bytes);
    }
  for (guint i = 0; i < there->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (there, i);
      const guint64 *size_bytes = g_hash_table_lookup (sizes, log->name);
      if (size_bytes != NULL && *size_bytes == log->size_bytes)
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s has a log %s that is not in the archive: import into an empty folder",
                   self->uri, log->name);
      return FALSE;
    }
  return TRUE;
}

/* If the folder has a checkpoint of another program, says so in the words of an import. */
static void
explain_other_program (CheckpointCommand *self, GError **error)
{
  SatinCheckpointHead head;
  g_autoptr (GPtrArray) logs = checkpoint_find_logs (self, NULL);
  if (logs == NULL || !checkpoint_find_head (self, logs, &head, NULL))
    return;
  if (!g_str_equal (head.name, self->manifest->program))
    {
      g_clear_error (error);
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
                   "the folder has a checkpoint of %s, the archive is of %s: give another folder",
                   head.name, self->manifest->program);
    }
  satin_record_clear (&SatinCheckpointHead_record, &head);
}

/* Reads the logs in the folder. Returns: (transfer full) (nullable): %NULL with @error, also when
 * the program or the arguments of a log are not those of the archive */
static SatinCheckpointIndex *
read_folder (CheckpointCommand *self, SatinCheckpointSummary *ret_summary, GError **error)
{
  SatinCheckpointHead head;
  checkpoint_manifest_fill_head (self->manifest, &head);
  g_autoptr (GError) local = NULL;
  SatinCheckpointIndex *index =
      satin_checkpoint_read (self->storage, &head, NULL, NULL, ret_summary, &local);
  if (index != NULL)
    return index;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_PROGRAM))
    explain_other_program (self, &local);
  g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", self->uri);
  return NULL;
}

static gboolean
check_sizes (const CheckpointCommand *self, GError **error)
{
  gboolean can_append = (self->storage->can & SATIN_STORAGE_CAN_APPEND) != 0;
  for (guint i = 0; i < self->manifest->logs->len && !can_append; i++)
    {
      const CheckpointManifestLog *log = checkpoint_manifest_get (self->manifest, i);
      if (log->size_bytes <= SATIN_STORAGE_BLOCK_MAX)
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "%s takes files of at most %" G_GSIZE_FORMAT " MiB, %s is larger", self->uri,
                   SATIN_STORAGE_BLOCK_MAX >> 20, log->name);
      return FALSE;
    }
  return TRUE;
}

/* ---- the two readings of the archive ---- */

static gboolean
read_archive (Importing *self, gboolean is_writing, GError **error)
{
  const CheckpointManifest *manifest = self->command->manifest;
  guint64 n_manifest;
  g_autoptr (ArchiveReader) reader = archive_reader_new (self->command->path, error);
  self->reader = reader;
  if (reader == NULL || !archive_reader_next (reader, CHECKPOINT_MANIFEST_NAME, &n_manifest, error))
    return FALSE;
  for (guint i = 0; i < manifest->logs->len; i++)
    {
      const CheckpointManifestLog *log = checkpoint_manifest_get (manifest, i);
      PieceFunc func = !is_writing                                      ? pass_over
                       : g_hash_table_contains (self->there, log->name) ? compare
                                                                        : write_piece;
      if (!read_log (self, log, func, error))
        return FALSE;
    }
  return archive_reader_end (reader, error);
}

/* Reads the imported logs and reports what is in them. Returns: %FALSE with @error, also when the
 * logs disagree with the manifest */
static gboolean
tell_result (CheckpointCommand *self, GError **error)
{
  SatinCheckpointSummary summary;
  g_autoptr (SatinCheckpointIndex) index = read_folder (self, &summary, error);
  if (index == NULL)
    return FALSE;
  g_autofree char *logs = checkpoint_format_count (summary.n_logs, "log");
  g_autofree char *results =
      checkpoint_format_count (satin_checkpoint_index_count (index), "result");
  g_autofree char *size = figure_format_bytes ((double)summary.n_bytes);
  g_autofree char *damage = checkpoint_format_damage (summary.n_damaged, summary.n_damaged_bytes);
  g_autofree char *program =
      checkpoint_format_program (self->manifest->program, self->manifest->arguments);
  g_string_append_printf (self->report, "%s, %s: %s of %s, %s\n", logs, size, results, program,
                          damage);
  return TRUE;
}

/* Writes the logs that are not in the folder yet. @there: the logs that are there */
static gboolean
import_logs (CheckpointCommand *self, const GPtrArray *there, GError **error)
{
  gboolean can_append = (self->storage->can & SATIN_STORAGE_CAN_APPEND) != 0;
  gsize n_buffer = can_append ? CHECKPOINT_BLOCK_BYTES : SATIN_STORAGE_BLOCK_MAX;
  g_autofree guint8 *buffer = g_malloc (n_buffer);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < there->len; i++)
    g_hash_table_add (names, ((const SatinCheckpointLog *)g_ptr_array_index (there, i))->name);
  Importing importing = { .command = self,
                          .there = names,
                          .buffer = buffer,
                          .n_buffer = n_buffer,
                          .n_total = 2 * checkpoint_manifest_get_bytes (self->manifest) };
  return read_archive (&importing, FALSE, error) && read_archive (&importing, TRUE, error);
}

gboolean
checkpoint_import (CheckpointCommand *self, GError **error)
{
  g_autoptr (SatinCheckpointIndex) index =
      check_sizes (self, error) ? read_folder (self, NULL, error) : NULL;
  g_autoptr (GPtrArray) there = index != NULL ? satin_checkpoint_list (self->storage, error) : NULL;
  return there != NULL && check_there (self, there, error) && import_logs (self, there, error)
         && tell_result (self, error);
}
