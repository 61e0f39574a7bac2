/* unwind.h - the stacks of the threads of another process on this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * unwind_process:
 * @error: %SATIN_ERROR_IO when the process cannot be traced; the message says what forbids it
 *
 * Stops the process for a moment, and reads the stack of each of its threads.
 *
 * Returns: (transfer full): a line for each thread, and for each of its 64 innermost frames a line
 *   with the function and, when the program has debugging information, file and line
 */
char *unwind_process (gint64 pid, GError **error);

G_END_DECLS
