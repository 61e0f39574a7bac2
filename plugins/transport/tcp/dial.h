/* dial.h - connects a link to a TCP address
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream.h"

/* Connects @link to @host. The link's event `up` or `down` reports the result. @keepalive_us: as
 * for tcp_tune() */
void tcp_dial (Stream *stream, StreamLink *link, const char *host, guint16 port,
               gint64 keepalive_us);
