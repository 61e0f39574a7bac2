/* gateway.h - an SSH session with a gateway, and the thread that drives it
 *
 * libssh2 blocks in its look-ups of keys and knows one caller at a time, so a session has a
 * thread that makes all calls on it. The loop hands it requests, each with one end of a pair of
 * sockets; the thread opens a channel for it and carries bytes between the two. So the loop sees
 * sockets only, and what waits on a link that is clogged fills that link's sockets and channel.
 *
 *   the loop                      the session's thread                    the gateway
 *   StreamLink == pair of sockets == Tunnel (2 buffers) == channel (window) == sshd == node
 *
 * The session ends when no link has been there for a while, when it breaks (then all its links
 * do), or when it is stopped; it takes no more requests then, and says so.
 *
 * Threads: the loop's, but what is marked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream.h"
#include "target.h"

typedef struct _Gateway Gateway;

/* What becomes of a request. */
typedef enum
{
  GATEWAY_OPENED,   /* the channel is open: what is written to the other socket arrives */
  GATEWAY_REFUSED,  /* with an error */
  GATEWAY_RETURNED, /* this session takes no more: another one may */
  GATEWAY_ENDED,    /* no request's: the session is over; with an error when it broke */
} GatewayVerdict;

/* On the loop. @dial: whose request. @error: (nullable). After GATEWAY_ENDED comes nothing more,
 * and the gateway is to be freed. */
typedef void (*GatewayFunc) (Gateway *gateway, GatewayVerdict verdict, guint64 dial,
                             const GError *error, gpointer user_data);

Gateway *gateway_new (SatinLoop *loop, const Target *target, const SatinParams *params,
                      GatewayFunc func, gpointer user_data, GError **error);
/* After GATEWAY_ENDED, when its links have failed: here their sockets only end. */
void gateway_free (Gateway *self);
const char *gateway_get_login (const Gateway *self);

/* Begins the session. @addresses: (transfer full): of the gateway. When it cannot be begun, the end
 * follows. */
void gateway_start (Gateway *self, struct addrinfo *addresses);
/* Ends a session that was not begun. @error: (transfer full) */
void gateway_give_up (Gateway *self, GError *error);
/* Ends it soon, and all its links. */
void gateway_stop (Gateway *self);

/* @fd: (transfer full): one of a pair of sockets. Returns: %FALSE, with @fd still the caller's,
 * when it takes no more requests */
gboolean gateway_request (Gateway *self, guint64 dial, const Target *target, int fd);
