/* bind.h - listens at a TCP port
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"

/**
 * tcp_bind:
 * @host: a numeric address or a name of this machine, "*" for all its addresses
 * @port: 0 lets the system pick one
 * @advertise: (nullable): the host that other nodes use, instead of the address that
 *   tcp_reach_uri() finds
 * @keepalive_us: as for tcp_tune()
 * @ret_uri: (out) (transfer full): where other nodes reach the socket
 * @error: %SATIN_ERROR_ADDRESS_IN_USE, %SATIN_ERROR_INVALID, %SATIN_ERROR_IO
 *
 * Makes a listening socket. Looks a name up within the call, which may block for long.
 *
 * Returns: (transfer full): the socket, or -1 with @error set
 */
int tcp_bind (const char *host, guint16 port, const char *advertise, gint64 keepalive_us,
              char **ret_uri, GError **error);
