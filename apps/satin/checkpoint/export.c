/* export.c - `satin checkpoint export`: writes a checkpoint into an archive
 *
 * The manifest is the first file of the archive and has the digests of all logs. So each log is
 * read twice. Logs only grow, so the bytes that a log had when it was listed stay the same, even
 * while the run continues.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "archive.h"
#include "checkpoint.h"
#include "runs/figures.h"

#include <satin/base/file.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  CheckpointCommand *command; /* (borrowed) */
  const GPtrArray *logs;      /* (borrowed) */
  guint8 *buffer;             /* (owned): of CHECKPOINT_BLOCK_BYTES */
  guint64 n_done;
  guint64 n_total;
} Exporting;

/* Reads a log, up to its size when it was listed. @writer: (nullable): gets the bytes. @ret_sha256:
 * (out): the digest of the bytes */
static gboolean
read_log (Exporting *self, const SatinCheckpointLog *log, ArchiveWriter *writer, char *ret_sha256,
          GError **error)
{
  SatinStorage *storage = self->command->storage;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (guint64 offset = 0; offset < log->size_bytes;)
    {
      gsize n = 0, n_wanted = (gsize)MIN (log->size_bytes - offset, CHECKPOINT_BLOCK_BYTES);
      if (!checkpoint_check_stopped (self->command, error)
          || !storage->ops.read (storage->handle, log->name, offset, self->buffer, n_wanted, &n,
                                 error))
        return FALSE;
      if (n == 0)
        break;
      if (writer != NULL && !archive_writer_add (writer, self->buffer, n, error))
        return FALSE;
      g_checksum_update (sum, self->buffer, (gssize)n);
      offset += n;
      self->n_done += n;
      checkpoint_set_progress (self->command, self->n_done, self->n_total);
    }
  g_strlcpy (ret_sha256, g_checksum_get_string (sum), CHECKPOINT_SHA256_HEX_BYTES);
  return TRUE;
}

static gboolean
make_manifest (Exporting *self, const SatinCheckpointHead *head, CheckpointManifest **ret_manifest,
               GError **error)
{
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (self->command->storage, head, NULL, NULL, NULL, error);
  if (index == NULL)
    return FALSE;
  g_autoptr (CheckpointManifest) manifest =
      checkpoint_manifest_new (head, satin_checkpoint_index_count (index));
  for (guint i = 0; i < self->logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (self->logs, i);
      char sha256[CHECKPOINT_SHA256_HEX_BYTES];
      if (!read_log (self, log, NULL, sha256, error))
        return FALSE;
      checkpoint_manifest_add (manifest, log->name, log->size_bytes, sha256);
    }
  *ret_manifest = g_steal_pointer (&manifest);
  return TRUE;
}

static gboolean
write_manifest (ArchiveWriter *writer, const CheckpointManifest *manifest, GError **error)
{
  g_autofree char *text = checkpoint_manifest_to_text (manifest);
  return archive_writer_begin (writer, CHECKPOINT_MANIFEST_NAME, strlen (text), error)
         && archive_writer_add (writer, text, strlen (text), error);
}

static gboolean
write_log (Exporting *self, const CheckpointManifest *manifest, guint i, ArchiveWriter *writer,
           GError **error)
{
  const SatinCheckpointLog *log = g_ptr_array_index (self->logs, i);
  char sha256[CHECKPOINT_SHA256_HEX_BYTES];
  if (!archive_writer_begin (writer, log->name, log->size_bytes, error)
      || !read_log (self, log, writer, sha256, error))
    return FALSE;
  if (g_str_equal (sha256, checkpoint_manifest_get (manifest, i)->sha256))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
               "%s has other bytes when it is read again: the storage damages files", log->name);
  return FALSE;
}

static gboolean
write_archive (Exporting *self, const SatinCheckpointHead *head, GError **error)
{
  CheckpointCommand *command = self->command;
  g_autoptr (CheckpointManifest) manifest = NULL;
  if (!make_manifest (self, head, &manifest, error))
    return FALSE;
  g_autoptr (ArchiveWriter) writer =
      archive_writer_new (command->path, head->made_us / G_USEC_PER_SEC, error);
  if (writer == NULL || !write_manifest (writer, manifest, error))
    return FALSE;
  for (guint i = 0; i < self->logs->len; i++)
    if (!write_log (self, manifest, i, writer, error))
      return FALSE;
  if (!archive_writer_finish (writer, error))
    return FALSE;
  g_autofree char *logs = checkpoint_format_count (self->logs->len, "log");
  g_autofree char *results = checkpoint_format_count (manifest->n_results, "result");
  g_autofree char *size = figure_format_bytes ((double)checkpoint_manifest_get_bytes (manifest));
  g_string_append_printf (command->report, "%s, %s, with %s written to %s\n", logs, size, results,
                          command->path);
  return TRUE;
}

/* Refuses a name that promises another compression than zstd: other programs would believe it. */
static gboolean
check_suffix (const char *path, GError **error)
{
  static const char *const others[] = { ".gz", ".tgz", ".bz2",  ".tbz", ".tbz2", ".xz", ".txz",
                                        ".lz", ".lz4", ".lzma", ".zip", ".7z",   ".tar" };
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_has_suffix (path, others[i]))
      {
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                     "%s: an archive is compressed with zstd, so its name cannot end in %s: write "
                     ".tar.zst",
                     path, others[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_path (const CheckpointCommand *self, GError **error)
{
  if (!check_suffix (self->path, error))
    return FALSE;
  if (!satin_output_file_is_replaceable (self->path))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is no regular file, so it cannot be replaced: name a file", self->path);
      return FALSE;
    }
  if (self->is_forced || access (self->path, F_OK) < 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s is there already; --force writes over it", self->path);
  return FALSE;
}

/* Leaves out empty logs: they have no results, and no storage can store an empty file. */
static gboolean
choose_logs (CheckpointCommand *self, GPtrArray *logs, GError **error)
{
  for (guint i = logs->len; i-- > 0;)
    if (((const SatinCheckpointLog *)g_ptr_array_index (logs, i))->size_bytes == 0)
      g_ptr_array_remove_index (logs, i);
  if (logs->len <= CHECKPOINT_MANIFEST_MAX_LOGS)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s has %u logs, and an archive takes %u: satin checkpoint compact makes them fewer",
               self->uri, logs->len, CHECKPOINT_MANIFEST_MAX_LOGS);
  return FALSE;
}

gboolean
checkpoint_export (CheckpointCommand *self, GError **error)
{
  SatinCheckpointHead head;
  if (self->is_avro)
    return checkpoint_export_avro (self, error);
  g_autoptr (GPtrArray) logs = check_path (self, error) ? checkpoint_find_logs (self, error) : NULL;
  if (logs == NULL || !choose_logs (self, logs, error)
      || !checkpoint_find_head (self, logs, &head, error))
    return FALSE;
  g_autofree guint8 *buffer = g_malloc (CHECKPOINT_BLOCK_BYTES);
  Exporting exporting = {
    .command = self, .logs = logs, .buffer = buffer, .n_total = 2 * checkpoint_sum_sizes (logs)
  };
  gboolean is_written = write_archive (&exporting, &head, error);
  satin_record_clear (&SatinCheckpointHead_record, &head);
  return is_written;
}
