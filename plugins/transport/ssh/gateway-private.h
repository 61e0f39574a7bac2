/* gateway-private.h - the structures behind gateway.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "gateway.h"
#include "ssh-session.h"
#include "tunnel.h"

#include <satin/base/atomic.h>

/* A gateway that has not answered so long whether it can reach somebody is waiting for one who does
 * not answer; libssh2 can ask for no other meanwhile, so another session is to. */
#define GATEWAY_ASKING_US ((gint64)2000000)

typedef struct
{
  guint64 dial;
  int fd;        /* (owned) */
  char *name;    /* (owned): "host:port", for messages */
  char *message; /* (owned): what opens such a channel */
  gsize n_message;
  gint64 asked_us;  /* when the gateway was asked */
  gboolean is_left; /* nobody waits for it any more */
} GatewayRequest;

struct _Gateway
{
  /* Set before the thread begins. */
  SatinLoop *loop; /* (borrowed) */
  GatewayFunc func;
  gpointer user_data;
  char *login;            /* (owned) */
  SshServer server;       /* (owned) its fields */
  SshInterrupt interrupt; /* by @stop_fd */
  gint64 linger_us;
  int stop_fd; /* (owned): the loop writes, the thread only looks */
  int wake_fd; /* (owned): there is a request */

  /* The loop's. */
  pthread_t thread;
  gboolean has_thread;

  /* Under @lock. */
  pthread_mutex_t lock;
  GQueue requests;     /* of (owned) GatewayRequest */
  gboolean is_retired; /* it takes no more */

  /* The thread's. */
  SshSession *session;     /* (owned) (nullable) */
  GPtrArray *tunnels;      /* (owned) of (owned) Tunnel */
  GQueue waiting;          /* of (owned) GatewayRequest */
  GatewayRequest *opening; /* (owned) (nullable): the gateway is asked */
  Tunnel *blocked_tunnel;  /* (borrowed) (nullable): of @blocked; %NULL when it opens one */
  TunnelStep blocked;      /* (nullable): its packet is half out, and nothing else may be sent */
  gboolean is_opening_blocked;
  gboolean has_more; /* a turn ended before all was done that could be */
  gint64 idle_us;    /* since when there is no link */
};

/* gateway.c: from the session's thread. @error: (nullable), copied */
void gateway_tell (Gateway *self, GatewayVerdict verdict, guint64 dial, const GError *error);
/* Takes no more requests from now on. */
void gateway_retire (Gateway *self);
void gateway_request_free (GatewayRequest *self);
/* Refuses what waits, and tells the end. */
void gateway_end (Gateway *self, const GError *error);

/* gateway-serve.c: until the session ends. Returns: %FALSE with @error when it broke */
gboolean gateway_serve (Gateway *self, GError **error);
