/* gateway-private.h - the structures behind gateway.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "gateway.h"
#include "ssh-session.h"
#include "tunnel.h"

#include <satin/base/atomic.h>

/* If the gateway takes longer than this to answer a request, it seems to wait for a host that does
 * not answer. libssh2 opens only one channel at a time, so other requests are handed back and go to
 * another session. */
#define GATEWAY_ASKING_US ((gint64)2000000)

typedef struct
{
  guint64 dial;
  int fd;        /* (owned) */
  char *name;    /* (owned): "host:port", for messages */
  char *message; /* (owned): the data that opens the channel */
  gsize n_message;
  gint64 asked_us;  /* when its thread first asked the gateway to open the channel; 0 before */
  gboolean is_left; /* the link that asked is gone */
} GatewayRequest;

struct _Gateway
{
  /* Set before the thread begins. */
  SatinLoop *loop; /* (borrowed) */
  GatewayFunc func;
  gpointer user_data;
  char *login;            /* (owned) */
  SshServer server;       /* its fields are (owned) */
  SshInterrupt interrupt; /* ends blocking calls when @stop_fd is written */
  gint64 linger_us;
  int stop_fd; /* (owned): the loop writes, the thread polls */
  int wake_fd; /* (owned): written when there is a request */

  /* Used by the loop only. */
  pthread_t thread;
  gboolean has_thread;

  /* Guarded by @lock. */
  pthread_mutex_t lock;
  GQueue requests;     /* of (owned) GatewayRequest */
  gboolean is_retired; /* the session takes no more requests */

  /* Used by the thread only. */
  SshSession *session;     /* (owned) (nullable) */
  GPtrArray *tunnels;      /* (owned) of (owned) Tunnel */
  GQueue waiting;          /* of (owned) GatewayRequest */
  GatewayRequest *opening; /* (owned) (nullable): the gateway was asked for its channel */
  Tunnel *blocked_tunnel;  /* (borrowed) (nullable): the tunnel of @blocked */
  TunnelStep blocked;      /* (nullable): has sent half of its packet; is called again first */
  gboolean is_opening_blocked;
  gboolean has_more; /* the last turn ended with work left */
  gint64 idle_us;    /* since when no link uses the session */
};

/* gateway.c: reports @verdict on the loop. Called in the session's thread, or on the loop if there
 * is no thread. @error: (nullable), copied */
void gateway_tell (Gateway *self, GatewayVerdict verdict, guint64 dial, const GError *error);
/* Makes the session take no more requests. */
void gateway_retire (Gateway *self);
void gateway_request_free (GatewayRequest *self);
/* Refuses all waiting requests and reports GATEWAY_ENDED. */
void gateway_end (Gateway *self, const GError *error);

/* gateway-serve.c: serves all links until the session ends. Returns: %FALSE with @error when the
 * session broke or was stopped */
gboolean gateway_serve (Gateway *self, GError **error);
