/* relay.h - passes the standard error of nodes on, and reads it line by line
 *
 * A thread copies to one descriptor what all nodes write. If nobody reads that descriptor, the
 * thread waits, and then the nodes wait, as if they wrote to it themselves. The command's main
 * loop, on which the hub may run, does not wait, except briefly in relay_drain() and relay_free().
 *
 * If the descriptor is a terminal, each node gets a pseudo-terminal, so a program that colours its
 * messages still does so.
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct _Relay Relay;

/* How much of a line is passed to the callback at once, bytes. */
#define RELAY_LINE_BYTES 4096

/* Called on the main loop for each line of a node, in the order of writing; if the main loop is far
 * behind, lines are left out. @source: as for relay_open(); @line: without the newline, UTF-8, at
 * most %RELAY_LINE_BYTES before bytes that are no UTF-8 are replaced. A longer line comes in
 * several calls. */
typedef void (*RelayLineFunc) (guint source, const char *line, gpointer user_data);

/**
 * relay_new:
 * @out_fd: (borrowed): where all bytes go
 * @error: %SATIN_ERROR_IO when no descriptor or thread is left
 *
 * Returns: (transfer full): free it with relay_free()
 */
Relay *relay_new (int out_fd, RelayLineFunc line, gpointer user_data, GError **error);

/* Opens a way for the output of one more node. @source: the number with which the callback gets the
 * lines of this node. Returns: (transfer full): the node's standard error, close it when the node
 * has started; -1 with @error set */
int relay_open (Relay *self, guint source, GError **error);

/* Waits until all that was written before this call is passed on and its lines have been handed to
 * the callback. Waits 0.2 s at most, and not at all if an earlier call gave up and nobody has read
 * @out_fd since. @self: (nullable) */
void relay_drain (Relay *self);

/* Ends the thread. Its last lines are not handed to the callback: call relay_drain() before.
 * @self: (nullable) */
void relay_free (Relay *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Relay, relay_free)

G_END_DECLS
