/* address.h - what an sftp:// URI says
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
  char *path;  /* (owned): of the folder on the server; without '/' in front it is below the login
                  folder */
  char *known; /* (owned): how known_hosts writes host and port */
} Address;

/* "sftp://[user@]host[:port]/path"; "/~/path" is below the login folder. Returns: (transfer full)
 * (nullable): %NULL with %SATIN_ERROR_INVALID, which never repeats a password */
Address *address_parse (const char *uri, GError **error);
void address_free (Address *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Address, address_free)
