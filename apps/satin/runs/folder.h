/* folder.h - makes the private folder of a run, and lists the runs that have one
 *
 * A command that runs a hub has a folder that only its user can enter:
 *
 *   hub      the hub's socket, for runs on one machine; nodes put their sockets beside it
 *   secret   the run's secret, when it was made for this run (mode 0600)
 *   info     JSON: "pid", "uri", "program", "started" (Unix time), maybe "listen", "secret-file"
 *
 * The command keeps locks on the folder and on the info file. So the next command can tell whether
 * a folder belongs to a killed command, and removes that folder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _RunDir RunDir;

/* Whether a command of this user that ran a hub was killed. @address: the URI of that hub, or the
 * address at which it was to listen. Must be called before run_dir_new(), which removes the folders
 * of killed commands. */
gboolean run_dir_was_lost (const char *address);

/**
 * run_dir_new:
 * @error: %SATIN_ERROR_IO
 *
 * Makes a fresh folder in run_info_base(). Removes the folders that killed commands left.
 *
 * Returns: (transfer full): free with run_dir_free()
 */
RunDir *run_dir_new (GError **error);
const char *run_dir_get_path (const RunDir *self);

/* Writes @secret into the folder. Returns: (transfer full): the file's path */
char *run_dir_write_secret (RunDir *self, const SatinSecret *secret, GError **error);

/* Writes the info file, by which run_dir_list() finds the run. May be called once. @listen:
 * (nullable); @secret_file: (nullable) */
gboolean run_dir_publish (RunDir *self, const char *listen, const char *uri, const char *program,
                          const char *secret_file, GError **error);

/* Removes the folder and all files in it. */
void run_dir_free (RunDir *self);

/**
 * RunInfo:
 * @listen: (nullable): the address at which the user wanted the hub, such as tcp://0.0.0.0:7000;
 *   %NULL if the user named none
 * @uri: where nodes reach the hub, such as tcp://192.0.2.2:7000
 * @secret_file: (nullable): %NULL when the hub needs none
 *
 * The contents of an info file.
 */
typedef struct
{
  gint64 pid;
  gint64 started_s;
  char *listen;      /* (owned) (nullable) */
  char *uri;         /* (owned) */
  char *program;     /* (owned) */
  char *secret_file; /* (owned) (nullable) */
} RunInfo;

/* Returns: (transfer full) (element-type RunInfo): the live runs of this user, oldest first */
GPtrArray *run_dir_list (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunDir, run_dir_free)

G_END_DECLS
