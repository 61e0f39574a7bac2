/* run.h - the interface "run" over a net: its listeners, and the events that late ones get
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _NetRun NetRun;

/* @net: (borrowed): outlives the NetRun */
NetRun *net_run_new (SatinLoop *loop, SatinNet *net);
void net_run_free (NetRun *self);
SatinRun *net_run_get (NetRun *self);

void net_run_complete (NetRun *self);
/* Passes a signal to the listeners. SATIN_SIGNAL_OVER ends the run, as net_run_over() does. */
void net_run_signal (NetRun *self, const char *word, GBytes *payload);
/* Tells the listeners how the run ended. Only the first call counts. */
void net_run_over (NetRun *self, int exit_status, const char *message, const GError *error);
gboolean net_run_is_over (NetRun *self);
void net_run_waits (NetRun *self, SatinWaitFunc add, gpointer user_data);

G_END_DECLS
