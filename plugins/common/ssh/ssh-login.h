/* ssh-login.h - how we prove to a server who we are
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-session.h"

/* By the key or password that was named; else by the agent's keys and the usual files. Returns:
 * %FALSE with %SATIN_ERROR_SECRET, naming what was tried */
gboolean ssh_login (SshSession *session, const SshServer *server, GError **error);
