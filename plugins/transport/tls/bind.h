/* bind.h - a TCP port to listen at
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"

/**
 * tcp_bind:
 * @host: a number or name of this machine, "*" for all its addresses
 * @port: 0 lets the system pick one
 * @advertise: (nullable): the host others use, instead of what is found out
 * @ret_uri: (out) (transfer full): where others reach it
 * @error: %SATIN_ERROR_ADDRESS_IN_USE, %SATIN_ERROR_INVALID, %SATIN_ERROR_IO
 *
 * Listens. A name is looked up at once, which may take its time.
 *
 * Returns: (transfer full): the socket, or -1 with @error set
 */
int tcp_bind (const char *host, guint16 port, const char *advertise, gint64 keepalive_us,
              char **ret_uri, GError **error);
