/* screen.h - a terminal that is drawn in place, and its keys
 *
 * Threads: the main thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct _TopScreen TopScreen;

/* Takes over the terminal of standard input and output: no echo, another screen. Returns: (transfer
 * full): give the terminal back with top_screen_free() */
TopScreen *top_screen_new (void);

void top_screen_get_size (const TopScreen *self, guint *ret_n_rows, guint *ret_n_columns);

/* Shows @text in place of what was there. */
void top_screen_draw (TopScreen *self, const char *text);

/* Waits for a key, @time_us at most. Returns: the key; 0: the time is over, or the size of the
 * terminal has changed; 'q' also after Ctrl-C, SIGTERM, SIGHUP and the end of the input */
char top_screen_wait (TopScreen *self, gint64 time_us);

/* @self: (nullable) */
void top_screen_free (TopScreen *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TopScreen, top_screen_free)

G_END_DECLS
