/* run.h - the interface "run" over a SatinNet: passes its events to listeners
 *
 * A listener that is added late still learns that the run is complete or over. It does not get
 * earlier signals.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _NetRun NetRun;

/* Makes the interface. @net: (borrowed): outlives the NetRun */
NetRun *net_run_new (SatinLoop *loop, SatinNet *net);
void net_run_free (NetRun *self);
SatinRun *net_run_get (NetRun *self);

void net_run_complete (NetRun *self);
/* Passes a signal to the listeners, unless the run is over. The signal SATIN_SIGNAL_OVER has the
 * effect of net_run_over() instead. */
void net_run_signal (NetRun *self, const char *word, GBytes *payload);
/* Tells the listeners that the run is over, and how it ended. Only the first call has an effect. */
void net_run_over (NetRun *self, int exit_status, const char *message, const GError *error);
gboolean net_run_is_over (NetRun *self);
void net_run_waits (NetRun *self, SatinWaitFunc add, gpointer user_data);

G_END_DECLS
