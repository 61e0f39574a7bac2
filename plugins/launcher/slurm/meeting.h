/* meeting.h - a file through which rank 0 gives bytes to all other ranks
 *
 * The file lies in a folder that all hosts of the job share. Only its owner can read it. It gets
 * its name when it is complete, so no rank reads a part of it.
 *
 * Threads: any; a call may block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * meeting_name:
 * @error: %SATIN_ERROR_INVALID when Slurm's variables name no step
 *
 * Makes a file name that no other step has: no step of another job or another cluster of Slurm, and
 * no step of the same job before Slurm restarted it.
 *
 * Returns: (transfer full): a file name
 */
char *meeting_name (GError **error);

/**
 * meeting_give:
 * @error: %SATIN_ERROR_IO
 *
 * Writes the file. An older file of that name is replaced.
 */
gboolean meeting_give (const char *path, GBytes *bytes, GError **error);

/**
 * meeting_take:
 * @timeout_us: how long to wait for the file
 * @max_bytes: the largest size of the file
 * @error: %SATIN_ERROR_TIMEOUT; %SATIN_ERROR_SECRET when others could have read the file, or it
 *   cannot be read or is too large
 *
 * Waits for the file, and reads it.
 *
 * Returns: (transfer full): its bytes
 */
GBytes *meeting_take (const char *path, gint64 timeout_us, gsize max_bytes, GError **error);

G_END_DECLS
