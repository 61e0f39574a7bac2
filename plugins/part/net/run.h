/* run.h - the interface "run" over a net: who listens, and what the late are still told
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _NetRun NetRun;

/* @net: borrowed, outlives it */
NetRun *net_run_new (SatinLoop *loop, SatinNet *net);
void net_run_free (NetRun *self);
SatinRun *net_run_get (NetRun *self);

void net_run_complete (NetRun *self);
/* A word; SATIN_SIGNAL_OVER becomes over. */
void net_run_signal (NetRun *self, const char *word, GBytes *payload);
/* The end; only the first counts. */
void net_run_over (NetRun *self, int exit_status, const char *message, const GError *error);
gboolean net_run_is_over (NetRun *self);
void net_run_waits (NetRun *self, SatinWaitFunc add, gpointer user_data);

G_END_DECLS
