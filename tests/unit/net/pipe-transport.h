/* pipe-transport.h - a transport inside one process, for tests
 *
 * Listens and connects at "pipe:NAME". All transports opened on one loop share
 * that loop's PipeNetwork, where a test sets what goes wrong. A transport is
 * named after the first thing it listened at; that name stands for a side below,
 * and NULL for any side.
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

/* Make it before the first transport of @loop, free it after all of them were closed. */
PipeNetwork *pipe_network_new (SatinLoop *loop);
void pipe_network_free (PipeNetwork *self);

/* How long bytes, and events of closing and breaking, travel one way; connecting takes two ways. 0
 * at first. */
void pipe_network_set_delay (PipeNetwork *self, gint64 one_way_us);
/* What is sent is cut into pieces of this size, 1 for single bytes; 0 (at first): arrives as sent.
 */
void pipe_network_set_chunk (PipeNetwork *self, gsize n_bytes);
/* All that is due at one time arrives in one piece. */
void pipe_network_set_merge (PipeNetwork *self, gboolean is_merged);
/* Who closes in good order hears down at once, as when a system has taken all that was queued; at
 * first only when the other side has it. */
void pipe_network_set_hasty (PipeNetwork *self, gboolean is_hasty);
/* Above which queue a sender is full: it hears drained below half of it. 1 MiB at first. */
void pipe_network_set_queue_limit (PipeNetwork *self, gsize n_bytes);
/* Connecting to @name fails (or works again). Who listens at NAME is also connected to at
 * "pipe:GATE/NAME", which is another name for what goes wrong. */
void pipe_network_refuse (PipeNetwork *self, const char *name, gboolean is_refused);
/* Nothing that @from writes reaches @to, events of closing and breaking included, nor do
 * connections come up. A link that lost something stays mute in that direction also when the loss
 * ends. */
void pipe_network_lose (PipeNetwork *self, const char *from, const char *to, gboolean is_lost);
/* Breaks the links that @from connected to @to: both sides hear SATIN_ERROR_CLOSED, what was under
 * way is lost. */
void pipe_network_break (PipeNetwork *self, const char *from, const char *to);

/* Links that live now, counted once for both sides, and connections begun so far. */
guint pipe_network_n_links (PipeNetwork *self);
guint pipe_network_n_dialed (PipeNetwork *self);
