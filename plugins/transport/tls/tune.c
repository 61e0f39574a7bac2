/* tune.c - socket options of TCP links
 *
 * A refused option is not an error: it costs latency or delays the notice of a dead peer, but links
 * still work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tune.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#define N_PROBES 3

static void
set (int fd, int level, int option, int value)
{
  if (setsockopt (fd, level, option, &value, sizeof value) < 0)
    g_debug ("socket option %d of level %d was refused", option, level);
}

void
tcp_tune (int fd, gint64 keepalive_us)
{
  set (fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (keepalive_us <= 0)
    return;
  int idle_s = (int)CLAMP (keepalive_us / 1000000, 1, 32000);
  set (fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set (fd, IPPROTO_TCP, TCP_KEEPIDLE, idle_s);
  set (fd, IPPROTO_TCP, TCP_KEEPINTVL, MAX (1, idle_s / N_PROBES));
  set (fd, IPPROTO_TCP, TCP_KEEPCNT, N_PROBES);
  /* The same limit for bytes that were sent and are not acknowledged. */
  set (fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 2 * idle_s * 1000);
}
