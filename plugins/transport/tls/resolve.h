/* resolve.h - looks a name up without blocking the loop
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "stream.h"

typedef struct _TcpResolve TcpResolve;

/* @addresses: (transfer full): free with freeaddrinfo(); %NULL with an EAI_ @status. */
typedef void (*TcpResolveFunc) (struct addrinfo *addresses, int status, gpointer user_data);

/* Begins to look @host up. @done is called once on the loop, unless the look-up is cancelled.
 * Returns: %NULL with @error set when the system gives no thread or descriptor for it */
TcpResolve *tcp_resolve_start (Stream *stream, const char *host, guint16 port, TcpResolveFunc done,
                               gpointer user_data, GError **error);
/* Cancels the look-up, so that @done is not called. May not be called after @done was called. */
void tcp_resolve_cancel (TcpResolve *self);
