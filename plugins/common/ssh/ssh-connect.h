/* ssh-connect.h - makes a TCP connection to a server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-session.h"

/* Looks the server's name up and sets server->addresses. This takes as long as the system's
 * resolver does, and cannot be interrupted. */
gboolean ssh_connect_look_up (SshServer *server, GError **error);

/* Tries each address, each for at most the server's timeout. Returns: a non-blocking socket, or -1
 * with @error */
int ssh_connect_to (const SshServer *server, const SshInterrupt *interrupt, GError **error);
