/* ssh-known-hosts.h - whether a server's key is the one that is known
 *
 * The file is OpenSSH's known_hosts, also with hashed names. Patterns with '*' and '?' and
 * certificates are not understood: such a server counts as unknown. A key in a line marked
 * @revoked is refused for any host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-address.h"

#include <libssh2.h>

typedef struct _SshKnownHosts SshKnownHosts;

/* A file that is not there is empty. Returns: (transfer full) (nullable): %NULL with @error */
SshKnownHosts *ssh_known_hosts_read (LIBSSH2_SESSION *ssh, const char *path, GError **error);
void ssh_known_hosts_free (SshKnownHosts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SshKnownHosts, ssh_known_hosts_free)

/* Lets the server prove itself with a key of a kind that is known of it, if any is. Before the
 * handshake. Returns: %TRUE */
gboolean ssh_known_hosts_prefer (SshKnownHosts *self, LIBSSH2_SESSION *ssh,
                                 const SshAddress *address);

/* After the handshake. Returns: %FALSE with %SATIN_ERROR_SECRET, naming the fingerprint and the
 * cure */
gboolean ssh_known_hosts_check (SshKnownHosts *self, LIBSSH2_SESSION *ssh,
                                const SshAddress *address, GError **error);
