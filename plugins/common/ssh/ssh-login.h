/* ssh-login.h - logs in to an SSH server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-session.h"

/* Logs in with the key or password of the parameters, or, if neither was given, with the keys of
 * ssh-agent and the usual key files. Returns: %FALSE with @error: %SATIN_ERROR_SECRET, which
 * names everything that was tried, or why the wait for the server ended (ssh-session.h), or why the
 * password file cannot be used */
gboolean ssh_login (SshSession *session, const SshServer *server, GError **error);
