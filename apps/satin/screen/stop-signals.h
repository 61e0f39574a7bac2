/* stop-signals.h - calls a function on the main loop for Ctrl-C and similar signals
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*StopFunc) (int signal_number, gpointer user_data);

typedef struct _StopSignals StopSignals;

/* Until stop_signals_free(), SIGINT, SIGTERM and SIGHUP call @func instead of ending the process.
 * If SIGHUP was ignored, it stays ignored. */
StopSignals *stop_signals_watch (StopFunc func, gpointer user_data);
void stop_signals_free (StopSignals *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StopSignals, stop_signals_free)

G_END_DECLS
