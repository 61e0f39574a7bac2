/* resolve.h - looks a name up without holding the loop up
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"

typedef struct _TcpResolve TcpResolve;

/* @addresses: (transfer full): free with freeaddrinfo(); %NULL with an EAI_ @status. */
typedef void (*TcpResolveFunc) (struct addrinfo *addresses, int status, gpointer user_data);

/* Begins to look @host up; @done is called once in @context, unless cancelled. */
TcpResolve *tcp_resolve_start (GMainContext *context, const char *host, guint16 port,
                               TcpResolveFunc done, gpointer user_data);
/* Not after @done was called. Threads: that of the context. */
void tcp_resolve_cancel (TcpResolve *self);
