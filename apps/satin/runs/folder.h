/* folder.h - the private folder of a run, and finding those of other commands
 *
 * Whoever holds a hub has a folder that only its user can enter:
 *
 *   hub      the hub's socket, for runs on one machine; nodes put theirs beside it
 *   secret   the run's secret, when it was made for this run (mode 0600)
 *   info     JSON: "pid", "uri", "program", "started" (Unix time), "secret-file"
 *
 * The holder keeps a lock on the info file, so that a folder left by a killed
 * command is told from a live one; the next command removes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _RunDir RunDir;

/* Whether a command of this user that held the hub at @uri was killed, and no other has removed its
 * folder since: to be asked before run_dir_new() does. */
gboolean run_dir_was_lost (const char *uri);

/**
 * run_dir_new:
 * @error: %SATIN_ERROR_IO
 *
 * Makes a fresh folder in XDG_RUNTIME_DIR, or in /tmp when that is not set or its
 * path is too long for sockets, and removes those that dead commands left.
 *
 * Returns: (transfer full): free with run_dir_free()
 */
RunDir *run_dir_new (GError **error);
const char *run_dir_get_path (const RunDir *self);

/* Writes @secret into the folder. Returns: (transfer full): the file's path */
char *run_dir_write_secret (RunDir *self, const SatinSecret *secret, GError **error);

/* Makes the run known to run_dir_list(). @secret_file may be %NULL. Once. */
gboolean run_dir_publish (RunDir *self, const char *uri, const char *program,
                          const char *secret_file, GError **error);

/* Removes the folder with all that is in it. */
void run_dir_free (RunDir *self);

/**
 * RunInfo:
 * @secret_file: (nullable): %NULL when the hub needs none
 *
 * What an info file says.
 */
typedef struct
{
  gint64 pid;
  gint64 started_s;
  char *uri;         /* (owned) */
  char *program;     /* (owned) */
  char *secret_file; /* (owned) (nullable) */
} RunInfo;

/* Returns: (transfer full) (element-type RunInfo): the live runs of this user, oldest first */
GPtrArray *run_dir_list (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunDir, run_dir_free)

G_END_DECLS
