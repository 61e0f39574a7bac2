/* pipe-transport.h - a transport inside one process, for tests
 *
 * It listens and connects at "pipe:NAME". All transports on one loop share that loop's PipeNetwork,
 * where a test sets which faults happen. A transport has the name at which it listened first. The
 * functions below take this name for one side of a link, and %NULL for any side.
 *
 *   network = pipe_network_new (loop);
 *   transport = satin_transport_new_with_ops (&pipe_transport_ops, &context, &error);
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

extern const SatinTransportOps pipe_transport_ops;

typedef struct _PipeNetwork PipeNetwork;

/* Call it before the first transport on @loop is made; free the network after all are closed. */
PipeNetwork *pipe_network_new (SatinLoop *loop);
void pipe_network_free (PipeNetwork *self);

/* How long bytes, closes and drops travel from one side to the other. Connecting takes twice as
 * long. 0 at first. */
void pipe_network_set_delay (PipeNetwork *self, gint64 one_way_us);
/* Cuts what is sent into pieces of @n_bytes. 0 (at first): bytes arrive in the pieces that were
 * sent. */
void pipe_network_set_chunk (PipeNetwork *self, gsize n_bytes);
/* Delivers in one piece all that is due at the same time. */
void pipe_network_set_merge (PipeNetwork *self, gboolean is_merged);
/* A side that closes in good order hears "down" at once, as if an operating system had taken all
 * queued bytes. At first it hears "down" only when the other side has received all. */
void pipe_network_set_hasty (PipeNetwork *self, gboolean is_hasty);
/* A side is full when more than @n_bytes wait for the other side, and hears "drained" when less
 * than half of that waits. 1 MiB at first. */
void pipe_network_set_queue_limit (PipeNetwork *self, gsize n_bytes);
/* Connecting to @name fails, or works again. A listener at NAME is also reached at
 * "pipe:GATE/NAME"; that address is refused by the name "GATE/NAME". */
void pipe_network_refuse (PipeNetwork *self, const char *name, gboolean is_refused);
/* Loses all that @from sends to @to, also closes and drops, and lets no new link come up between
 * them. A link that lost something stays mute in that direction, even after the loss ends. */
void pipe_network_lose (PipeNetwork *self, const char *from, const char *to, gboolean is_lost);
/* Breaks the links that @from connected to @to. Both sides hear SATIN_ERROR_CLOSED, and bytes that
 * are still travelling are lost. */
void pipe_network_break (PipeNetwork *self, const char *from, const char *to);

/* How many links live now (a link counts once, not for each side), and how many were ever begun. */
guint pipe_network_n_links (PipeNetwork *self);
guint pipe_network_n_dialed (PipeNetwork *self);
