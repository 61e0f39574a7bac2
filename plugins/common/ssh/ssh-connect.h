/* ssh-connect.h - a TCP connection to a server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-session.h"

/* Sets server->addresses. May take as long as the system's resolver does, and cannot be
 * interrupted: done once, when the storage is opened. */
gboolean ssh_connect_look_up (SshServer *server, GError **error);

/* Tries each address, for at most the server's timeout each. Returns: a descriptor that does not
 * block, or -1 with @error */
int ssh_connect_to (const SshServer *server, const SshInterrupt *interrupt, GError **error);
