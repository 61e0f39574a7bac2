/* gateway.h - an SSH session with a gateway, and the thread that drives it
 *
 * libssh2 allows only one caller per session, and some of its calls block. So each session has a
 * thread that makes all calls of libssh2. The loop gives that thread requests, each with one end of
 * a pair of sockets. The thread opens a channel for a request and copies bytes between the socket
 * and the channel. So the loop sees only sockets, and a link that does not read fills only its own
 * sockets and channel.
 *
 *   the loop                      the session's thread                    the gateway
 *   StreamLink == pair of sockets == Tunnel (2 buffers) == channel (window) == sshd == node
 *
 * The session ends when it has had no links for a while, when it breaks (then all its links break),
 * or when it is stopped. It also ends when it waits for a host for which no link waits any more,
 * and has no other links. From then on it refuses requests.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream.h"
#include "target.h"

typedef struct _Gateway Gateway;

/* A report of the gateway, about a request or about itself. */
typedef enum
{
  GATEWAY_OPENED,   /* the channel is open: the loop's socket is connected to the host */
  GATEWAY_REFUSED,  /* the request failed, with an error */
  GATEWAY_RETURNED, /* this session takes no more requests; try another session */
  GATEWAY_ENDED,    /* the session is over, and @dial is 0; with an error when the session broke or
                       was stopped */
} GatewayVerdict;

/* Called on the loop. @dial: the number of the request. @error: (nullable). No call follows
 * GATEWAY_ENDED; the callee frees the gateway then. */
typedef void (*GatewayFunc) (Gateway *gateway, GatewayVerdict verdict, guint64 dial,
                             const GError *error, gpointer user_data);

Gateway *gateway_new (SatinLoop *loop, const Target *target, const SatinParams *params,
                      GatewayFunc func, gpointer user_data, GError **error);
/* Frees the gateway after GATEWAY_ENDED. Fail its links before that: a link would take the closing
 * of its socket for an end in good order. */
void gateway_free (Gateway *self);
const char *gateway_get_login (const Gateway *self);

/* Starts the session's thread. @addresses: (transfer full): of the gateway. On failure
 * GATEWAY_ENDED follows. */
void gateway_start (Gateway *self, struct addrinfo *addresses);
/* Ends a session that was not started. @error: (transfer full) */
void gateway_give_up (Gateway *self, GError *error);
/* Makes the thread end the session and all its links soon. */
void gateway_stop (Gateway *self);

/* Asks for a channel to @target. @fd: (transfer full): one end of a pair of sockets. Returns:
 * %FALSE when the session takes no more requests; @fd then still belongs to the caller */
gboolean gateway_request (Gateway *self, guint64 dial, const Target *target, int fd);
