/* background.h - work that blocks, on a thread, beside signals and the line of progress
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * BackgroundFuncs:
 * @work: on the thread; %FALSE with @error
 * @interrupt: on the main thread, again and again until the work has ended: it is to end soon
 * @describe: on the main thread: the line of progress; (transfer full)
 */
typedef struct
{
  gboolean (*work) (gpointer user_data, GError **error);
  void (*interrupt) (gpointer user_data);
  char *(*describe) (gpointer user_data, gint64 elapsed_us);
} BackgroundFuncs;

/**
 * background_run:
 * @is_quiet: there is no line of progress
 * @advice: what to do after a signal has stopped the work
 * @ret_status: (out): 0, or 128 and the number of the signal that stopped it, which is told then
 * @error: that of the work
 *
 * Runs the main loop until the work has ended.
 *
 * Returns: %TRUE on success, and when a signal stopped it
 */
gboolean background_run (const BackgroundFuncs *funcs, gpointer user_data, gboolean is_quiet,
                         const char *advice, int *ret_status, GError **error);

G_END_DECLS
