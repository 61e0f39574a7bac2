/* stall.h - notices that no job of a run ends any more, and says what the run waits for
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

/* How long no job may end before the user is told. */
#define STALL_DEFAULT_US ((gint64)60000000)

/* The option of the commands that run a hub, for their tables of options. */
/* clang-format off */
#define STALL_OPTION(text) \
    { "stall", 0, 0, G_OPTION_ARG_STRING, text, "If no job ends for this time, say what the run waits for (default: 60s; 0s: never)", "TIME" }
/* clang-format on */

/* Reads the value of the option. @text: (nullable): %NULL for the default */
gboolean stall_option_read (const char *text, gint64 *ret_limit_us, GError **error);

/* Watches one run. */
typedef struct _StallWatch StallWatch;

/* @text: a sentence for the user */
typedef void (*StallFunc) (const char *text, gpointer user_data);

/**
 * stall_watch_new:
 * @limit_us: how long no job may end before @say is called; doubles with each call until a job
 *   ends. 0: @say is never called
 * @loop: (borrowed)
 * @hub: (borrowed): must be freed before the watch, because its answers go to the watch
 * @journal: (nullable): the file of the run's journal. When @say is called, the dumps of all nodes
 *   are written into run-dump.txt in the folder of that file
 * @say: tells the user
 *
 * Returns: (transfer full) (nullable): free with stall_watch_free(), after the hub was freed; %NULL
 *   when @limit_us is 0
 */
StallWatch *stall_watch_new (gint64 limit_us, SatinLoop *loop, SatinHub *hub, const char *journal,
                             StallFunc say, gpointer user_data);

/* Makes the watch ask and say nothing more. Called when the run is over. @self: (nullable) */
void stall_watch_stop (StallWatch *self);

/* @self: (nullable) */
void stall_watch_free (StallWatch *self);

G_END_DECLS
