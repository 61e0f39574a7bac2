/* tune.h - socket options of TCP links
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* Sets TCP_NODELAY. If @keepalive_us is not 0, also sets keepalive probes after that time of
 * silence, and breaks a connection whose peer does not answer for twice that time. Accepted sockets
 * inherit all this from their listener. */
void tcp_tune (int fd, gint64 keepalive_us);
