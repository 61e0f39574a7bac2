/* tune.h - socket options of TCP links
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* Sets TCP_NODELAY, and keepalive probes after @keepalive_us of silence (0: none). Accepted sockets
 * inherit both from their listener. */
void tcp_tune (int fd, gint64 keepalive_us);
