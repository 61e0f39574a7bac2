/* reach.h - under which address others reach a listening socket
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"

/* @bound: where the socket listens. @advertise: (nullable): the host to name whatever is found out.
 * Returns: (transfer full): a URI */
char *tcp_reach_uri (const struct sockaddr *bound, const char *advertise);
