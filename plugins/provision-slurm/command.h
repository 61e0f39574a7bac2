/* command.h - runs a command of Slurm, and waits for no longer than is good
 *
 * Threads: any but the loop's, as it blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

/**
 * command_run:
 * @arguments: (array zero-terminated=1): what to run, found in PATH
 * @patience_us: how long it may take
 * @stop_fd: it is killed when this can be read
 * @ret_output: (out) (transfer full) (nullable): what it printed; untouched on failure
 * @error: %SATIN_ERROR_TIMEOUT, %SATIN_ERROR_CANCELLED of @stop_fd, %SATIN_ERROR_UNREACHABLE when
 * Slurm does not answer, %SATIN_ERROR_INVALID with Slurm's own reason when it refuses
 *
 * Returns: %TRUE when it ended with status 0
 */
gboolean command_run (const char *const *arguments, gint64 patience_us, int stop_fd,
                      char **ret_output, GError **error);
