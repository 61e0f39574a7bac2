/* dial.h - connects a link to a unix socket
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "stream.h"

/* Connects @link. The link's event `up` or `down` reports the result. */
void unix_dial (Stream *stream, StreamLink *link, const struct sockaddr_un *address);
