/* background.h - runs blocking work on a thread, while the main thread handles signals and progress
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * BackgroundFuncs:
 * @work: does the work, on the thread; returns %FALSE with @error
 * @interrupt: makes the work end soon. After a signal, the main thread calls it again and again
 *   until the work has ended
 * @describe: returns the line of progress (transfer full); called on the main thread
 */
typedef struct
{
  gboolean (*work) (gpointer user_data, GError **error);
  void (*interrupt) (gpointer user_data);
  char *(*describe) (gpointer user_data, gint64 elapsed_us);
} BackgroundFuncs;

/**
 * background_run:
 * @is_quiet: do not show a line of progress
 * @advice: text for the user, printed when a signal has stopped the work
 * @ret_status: (out): 0; or 128 plus the number of the signal that stopped the work
 * @error: the error of the work; or %SATIN_ERROR_IO when the work cannot be started
 *
 * Starts the work, and runs the main loop until the work has ended.
 *
 * Returns: %TRUE on success, and when a signal stopped the work
 */
gboolean background_run (const BackgroundFuncs *funcs, gpointer user_data, gboolean is_quiet,
                         const char *advice, int *ret_status, GError **error);

G_END_DECLS
