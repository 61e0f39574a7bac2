/* checkpoint.h - what `satin checkpoint list`, show, verify, compact, export and import share
 *
 * Each is one function in a file of its own, which works on a thread of its own and adds what it
 * has to say to a report. The report is printed when it is over, also after an error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "manifest.h"

#include <satin/ft/checkpoint.h>

G_BEGIN_DECLS

/* What is read from a storage at once. */
#define CHECKPOINT_BLOCK_BYTES ((gsize)4 << 20)

typedef struct
{
  char *storage_params; /* (owned) (nullable) */
  gboolean is_forced;
  gboolean is_json;
  gboolean is_quiet;
  char *uri;                    /* (owned): of the folder */
  const char *path;             /* (borrowed) (nullable): of the archive */
  SatinStorage *storage;        /* (owned): the folder, open */
  CheckpointManifest *manifest; /* (owned) (nullable): of the archive that is imported */

  /* By the thread, read by any as a hint: relaxed. */
  guint64 n_done; /* bytes */
  guint64 n_total;

  GString *report; /* (owned): by the thread; read when it has ended */

  /* Set by any thread, seen by the working one: release, acquire. */
  gboolean is_stopped;
} CheckpointCommand;

gboolean checkpoint_list (CheckpointCommand *self, GError **error);
gboolean checkpoint_show (CheckpointCommand *self, GError **error);
gboolean checkpoint_verify (CheckpointCommand *self, GError **error);
gboolean checkpoint_compact (CheckpointCommand *self, GError **error);
gboolean checkpoint_export (CheckpointCommand *self, GError **error);
/* Before the storage is open: reads the manifest. */
gboolean checkpoint_prepare_import (CheckpointCommand *self, GError **error);
gboolean checkpoint_import (CheckpointCommand *self, GError **error);

/* ---- common.c ---- */

void checkpoint_set_progress (CheckpointCommand *self, guint64 n_done, guint64 n_total);
/* As SatinCheckpointProgressFunc; @user_data: the command. */
void checkpoint_note_progress (guint64 n_bytes, guint64 n_total_bytes, gpointer user_data);
/* Returns: %FALSE with %SATIN_ERROR_CANCELLED when a signal has stopped it */
gboolean checkpoint_check_stopped (CheckpointCommand *self, GError **error);

/* The logs of the folder. Returns: (transfer full) (element-type SatinCheckpointLog) (nullable):
 * %NULL with @error, %SATIN_ERROR_NOT_FOUND when there are none */
GPtrArray *checkpoint_find_logs (CheckpointCommand *self, GError **error);
guint64 checkpoint_sum_sizes (const GPtrArray *logs);

/* The HEAD of the last log that has one. @ret_head: clear it with satin_record_clear(). Returns:
 * %FALSE with @error, %SATIN_ERROR_FORMAT when there is none */
gboolean checkpoint_find_head (CheckpointCommand *self, const GPtrArray *logs,
                               SatinCheckpointHead *ret_head, GError **error);

/* Program and arguments, without what could confuse a terminal. Returns: (transfer full) */
char *checkpoint_format_program (const char *name, const char *arguments);
/* Returns: (transfer full): hexadecimal digits */
char *checkpoint_digest_to_hex (const SatinCheckpointInput *input);
/* "input NAME, SHA-256 HEX". Returns: (transfer full) */
char *checkpoint_format_input (const SatinCheckpointInput *input);
/* Local time. Returns: (transfer full) */
char *checkpoint_format_time (gint64 made_us);
/* "no damage", "2 damaged pieces of 431 B". Returns: (transfer full) */
char *checkpoint_format_damage (guint n_damaged, guint64 n_damaged_bytes);
/* "1 log", "3 logs". Returns: (transfer full) */
char *checkpoint_format_count (guint64 n, const char *noun);
/* ", 3 objects"; nothing when there is none. */
char *checkpoint_format_objects (guint64 n);

G_END_DECLS
