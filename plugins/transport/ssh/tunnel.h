/* tunnel.h - one channel of a session and the socket it is joined to
 *
 * A tunnel makes at most one call of libssh2 at a time (a step) and says what came of it. Bytes
 * are only taken from one side when there is room for them; so what waits is bounded: one buffer
 * each way, the pair of sockets and the channel's window.
 *
 * Threads: the session's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>
#include <libssh2.h>
#include <poll.h>

/* What the gateway may send before it is told that the link took some. */
#define TUNNEL_WINDOW_BYTES (1u << 20)
#define TUNNEL_PACKET_BYTES (1u << 15)

typedef struct
{
  guint8 *bytes; /* (owned) */
  gsize offset;  /* of the first that waits */
  gsize n_bytes; /* that wait */
} TunnelBuffer;

typedef struct
{
  LIBSSH2_CHANNEL *channel; /* (owned) */
  int fd;                   /* (owned): -1 when the link is gone */
  TunnelBuffer there;       /* from the link to the gateway */
  TunnelBuffer back;        /* from the gateway to the link */
  gboolean has_end;         /* the link sends no more */
  gboolean has_told_end;    /* the gateway knows */
  gboolean has_ended;       /* the link knows that the other side sends no more */
  gboolean is_gone;         /* the link has closed its socket */
  gint64 give_up_us;        /* when what it sent before that is given up */
} Tunnel;

/* @channel, @fd: (transfer full) */
Tunnel *tunnel_new (LIBSSH2_CHANNEL *channel, int fd);
/* Breaks the link, if there is one. The channel is left to the session. */
void tunnel_free (Tunnel *self);

/* What is waited for on its socket. */
short tunnel_get_events (const Tunnel *self);
/* Takes from the socket and gives to it, as much as there is and has room. @revents: of poll() */
void tunnel_serve_link (Tunnel *self, short revents, gint64 now_us);

/* A call on the channel that is made again until it is done. Returns: what libssh2 did */
typedef gssize (*TunnelStep) (Tunnel *self);
/* The call to make now. Returns: (nullable): %NULL when there is none */
TunnelStep tunnel_next_step (const Tunnel *self, gint64 now_us);
/* Frees the channel, and has the gateway end its side. */
gssize tunnel_step_close (Tunnel *self);
