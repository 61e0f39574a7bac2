/* ssh-address.h - where an SSH server is, and who goes there: what a URI says
 *
 * Threads: an address never changes after it was made; any thread may read it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

typedef struct
{
  char *uri;  /* (owned): as given */
  char *user; /* (owned) */
  char *host; /* (owned): a name or an address, without brackets */
  guint port;
  char *path;  /* (owned): what follows, from its '/' on, as it stands in the URI; "" for nothing */
  char *known; /* (owned): how known_hosts writes host and port */
} SshAddress;

/* "SCHEME[user@]host[:port]/path". @scheme: "sftp://". @shape: how such a URI is to be written, for
 * messages. Returns: (transfer full) (nullable): %NULL with %SATIN_ERROR_INVALID, which never
 * repeats a password */
SshAddress *ssh_address_parse (const char *uri, const char *scheme, const char *shape,
                               GError **error);
/* Sets @error to say that @uri is none of these. Returns: %FALSE */
gboolean ssh_address_refuse (const char *uri, const char *what, const char *shape, GError **error);
void ssh_address_free (SshAddress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SshAddress, ssh_address_free)
