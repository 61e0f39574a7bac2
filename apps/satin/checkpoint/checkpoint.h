/* checkpoint.h - shared by `satin checkpoint list`, show, verify, compact, export and import
 *
 * Each of these commands is one function in a file of its own. The function runs on a thread beside
 * the main thread and writes its output to a report. The report is printed when the command is
 * over, even after an error, but not after a signal. Here a result counts until the result of a job
 * above it is stored, too: a run that continues needs only the results that count.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "manifest.h"

#include <satin/ft/checkpoint-program.h>

G_BEGIN_DECLS

/* How many bytes are read from a storage at once. */
#define CHECKPOINT_BLOCK_BYTES ((gsize)4 << 20)

typedef struct
{
  char *storage_params; /* (owned) (nullable) */
  gboolean is_forced;
  gboolean is_json;
  gboolean is_avro;
  gboolean is_quiet;
  char *uri;                    /* (owned): the folder's URI */
  const char *path;             /* (borrowed) (nullable): the archive's path, or that of a
                                 * folder */
  SatinStorage *storage;        /* (owned): the folder, open */
  CheckpointManifest *manifest; /* (owned) (nullable): of the archive to import */

  /* Written by the command's thread. Relaxed, because the main thread only shows them. */
  guint64 n_done; /* bytes */
  guint64 n_total;

  GString *report; /* (owned): read by the main thread after the end of the command's thread */

  /* Set by the main thread with release, read by the command's thread with acquire. */
  gboolean is_stopped;
} CheckpointCommand;

gboolean checkpoint_list (CheckpointCommand *self, GError **error);
gboolean checkpoint_show (CheckpointCommand *self, GError **error);
gboolean checkpoint_verify (CheckpointCommand *self, GError **error);
gboolean checkpoint_compact (CheckpointCommand *self, GError **error);
gboolean checkpoint_export (CheckpointCommand *self, GError **error);
gboolean checkpoint_export_avro (CheckpointCommand *self, GError **error);
/* Reads the manifest of the archive. Called before the storage is opened. */
gboolean checkpoint_prepare_import (CheckpointCommand *self, GError **error);
gboolean checkpoint_import (CheckpointCommand *self, GError **error);

/* ---- common.c ---- */

void checkpoint_set_progress (CheckpointCommand *self, guint64 n_done, guint64 n_total);
/* A SatinCheckpointProgressFunc. @user_data: the CheckpointCommand */
void checkpoint_note_progress (guint64 n_bytes, guint64 n_total_bytes, gpointer user_data);
/* Returns: %FALSE with %SATIN_ERROR_CANCELLED when a signal has stopped the command */
gboolean checkpoint_check_stopped (CheckpointCommand *self, GError **error);

/* Lists the logs of the folder. Returns: (transfer full) (element-type SatinCheckpointLog)
 * (nullable): %NULL with @error, %SATIN_ERROR_NOT_FOUND when there are none */
GPtrArray *checkpoint_find_logs (CheckpointCommand *self, GError **error);
guint64 checkpoint_sum_sizes (const GPtrArray *logs);

/* Finds the last log whose HEAD, its first record, is readable. @ret_head: (out): that HEAD; clear
 * it with satin_record_clear(). Returns: %FALSE with @error, %SATIN_ERROR_FORMAT when no log has
 * one */
gboolean checkpoint_find_head (CheckpointCommand *self, const GPtrArray *logs,
                               SatinCheckpointHead *ret_head, GError **error);
/* Finds the program's tasks in any of the logs, the last first. @ret_tasks: (out): without tasks
 * when no log has them; clear it with satin_record_clear(). Returns: %FALSE with @error */
gboolean checkpoint_find_tasks (CheckpointCommand *self, const GPtrArray *logs,
                                SatinTaskTable *ret_tasks, GError **error);

/* The program's name and its arguments, with "?" for characters that cannot be printed. @arguments:
 * (nullable). Returns: (transfer full) */
char *checkpoint_format_program (const char *name, const char *arguments);
/* Returns: (transfer full): the digest in hexadecimal digits */
char *checkpoint_digest_to_hex (const SatinCheckpointInput *input);
/* "input NAME, SHA-256 HEX". Returns: (transfer full) */
char *checkpoint_format_input (const SatinCheckpointInput *input);
/* "2026-01-31 12:00:00", in local time. Returns: (transfer full) */
char *checkpoint_format_time (gint64 made_us);
/* "no damage", "2 damaged pieces of 431 B". Returns: (transfer full) */
char *checkpoint_format_damage (guint n_damaged, guint64 n_damaged_bytes);
/* "1 log", "3 logs". Returns: (transfer full) */
char *checkpoint_format_count (guint64 n, const char *noun);
/* ", 3 objects"; "" when @n is 0. Returns: (transfer full) */
char *checkpoint_format_objects (guint64 n);

G_END_DECLS
