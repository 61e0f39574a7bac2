/* reach.h - finds the address under which others reach a listening socket
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"

/* @bound: where the socket listens. @advertise: (nullable): the host to use instead of the address
 * that is found. Returns: (transfer full): a URI */
char *tcp_reach_uri (const struct sockaddr *bound, const char *advertise);
