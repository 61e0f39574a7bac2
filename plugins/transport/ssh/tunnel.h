/* tunnel.h - one channel of a session, and the socket that it is joined to
 *
 * A tunnel makes at most one call of libssh2 at a time (a step) and returns libssh2's result. It
 * reads from one side only if it has room for the bytes, so the waiting bytes are bounded: one
 * buffer each way, the pair of sockets and the channel's window.
 *
 * Threads: the session's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>
#include <libssh2.h>
#include <poll.h>

/* The most bytes that the gateway may send before the link takes some of them, and the most bytes
 * of one packet. */
#define TUNNEL_WINDOW_BYTES (1u << 20)
#define TUNNEL_PACKET_BYTES (1u << 15)

typedef struct
{
  guint8 *bytes; /* (owned) */
  gsize offset;  /* of the first waiting byte */
  gsize n_bytes; /* waiting bytes */
} TunnelBuffer;

typedef struct
{
  LIBSSH2_CHANNEL *channel; /* (owned) */
  int fd;                   /* (owned): the tunnel's end of the pair of sockets */
  TunnelBuffer there;       /* from the link to the gateway */
  TunnelBuffer back;        /* from the gateway to the link */
  gboolean has_end;         /* the link sends no more */
  gboolean has_told_end;    /* the gateway was told that the link sends no more */
  gboolean has_ended;       /* the link was told that the gateway sends no more */
  gboolean is_gone;         /* the link has closed its socket */
  gint64 give_up_us;        /* if @is_gone: when the link's unsent bytes are dropped */
} Tunnel;

/* @channel, @fd: (transfer full) */
Tunnel *tunnel_new (LIBSSH2_CHANNEL *channel, int fd);
/* Closes the tunnel's socket. The session frees the channel. */
void tunnel_free (Tunnel *self);

/* Returns: the poll() events to wait for on the tunnel's socket */
short tunnel_get_events (const Tunnel *self);
/* Reads from the tunnel's socket and writes to it, as far as the buffers allow. @revents: from
 * poll() */
void tunnel_serve_link (Tunnel *self, short revents, gint64 now_us);

/* Makes one libssh2 call on the channel. Returns: the result of libssh2 */
typedef gssize (*TunnelStep) (Tunnel *self);
/* Chooses the next step. Returns: (nullable): %NULL when there is nothing to do */
TunnelStep tunnel_next_step (const Tunnel *self, gint64 now_us);
/* Closes the channel at the gateway and frees it. */
gssize tunnel_step_close (Tunnel *self);
