/* ssh-address.h - parses the URI of an SSH server: user, host, port and path
 *
 * Threads: an address never changes once it is made; any thread may read it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

typedef struct
{
  char *uri;  /* (owned): the whole URI, as it was given */
  char *user; /* (owned) */
  char *host; /* (owned): a name or an address, without brackets */
  guint port;
  char *path;  /* (owned): the part from the first '/' on, still escaped; "" for none */
  char *known; /* (owned): host and port as known_hosts writes them */
} SshAddress;

/* Parses "SCHEME[user@]host[:port]/path". @scheme: for example "sftp://". @shape: the form of such
 * a URI, for messages. Returns: (transfer full) (nullable): %NULL with %SATIN_ERROR_INVALID. The
 * message for a URI with "user:password@" does not repeat the URI */
SshAddress *ssh_address_parse (const char *uri, const char *scheme, const char *shape,
                               GError **error);
/* Sets @error to the message that @uri is wrong: @what says why, @shape what to write. Returns:
 * %FALSE */
gboolean ssh_address_refuse (const char *uri, const char *what, const char *shape, GError **error);
void ssh_address_free (SshAddress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SshAddress, ssh_address_free)
