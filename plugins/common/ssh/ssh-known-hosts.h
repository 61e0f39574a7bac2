/* ssh-known-hosts.h - checks a server's key against the known hosts
 *
 * The file is OpenSSH's known_hosts, which may contain hashed names. Patterns with '*' and '?' and
 * certificates are not supported: a server that only they cover counts as unknown. A key in a line
 * that is marked @revoked is refused for every host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-address.h"

#include <libssh2.h>

typedef struct _SshKnownHosts SshKnownHosts;

/* Reads the known hosts. A missing file counts as empty. Returns: (transfer full) (nullable): %NULL
 * with @error */
SshKnownHosts *ssh_known_hosts_read (LIBSSH2_SESSION *ssh, const char *path, GError **error);
void ssh_known_hosts_free (SshKnownHosts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SshKnownHosts, ssh_known_hosts_free)

/* Makes libssh2 ask for a key of a kind that the file has for this server, if there is one. Call it
 * before the handshake. Returns: %TRUE */
gboolean ssh_known_hosts_prefer (SshKnownHosts *self, LIBSSH2_SESSION *ssh,
                                 const SshAddress *address);

/* Checks the server's key. Call it after the handshake. Returns: %FALSE with %SATIN_ERROR_SECRET.
 * If the key is unknown or has changed, the message names the fingerprint and the cure */
gboolean ssh_known_hosts_check (SshKnownHosts *self, LIBSSH2_SESSION *ssh,
                                const SshAddress *address, GError **error);
