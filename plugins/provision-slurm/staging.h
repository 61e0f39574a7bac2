/* staging.h - a private folder that this machine and those of Slurm see
 *
 * It has mode 0700 and holds the program and its files, a secret of mode 0600 for each job that has
 * not begun, and the complaints of jobs.
 *
 * Threads: any, one at a time, as it may block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

typedef struct _Staging Staging;

/* @folder: where to make it; "" for the home folder, or that of temporary files when there is none.
 * Returns: (transfer full) (nullable): ended with staging_free() */
Staging *staging_new (const char *folder, GError **error);
const char *staging_get_folder (const Staging *self);

/* Brings the program and the files along, at its first call. */
gboolean staging_bring (Staging *self, const SatinStart *start, GError **error);
/* Where the program lies then; %NULL without one. */
const char *staging_get_program (const Staging *self);

/* Writes a new file that nobody else may read. Returns: (transfer full) (nullable): its path */
char *staging_write (Staging *self, const char *name, const void *bytes, gsize n_bytes,
                     GError **error);
void staging_remove (Staging *self, const char *name);
/* Returns: (transfer full): the last line of a file, cut to a length that a message can have; "" */
char *staging_read_last_line (Staging *self, const char *name);

/* Removes the folder and all in it. An error names what is left. */
gboolean staging_clear (Staging *self, GError **error);
void staging_free (Staging *self);
