/* address.h - what an sftp:// URI says
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-address.h"

/* "sftp://[user@]host[:port]/path"; "/~/path" is below the login folder. @ret_path: (out)
 * (transfer full): of the folder on the server; without '/' in front it is below the login folder.
 * Returns: (transfer full) (nullable): %NULL with %SATIN_ERROR_INVALID */
SshAddress *address_parse (const char *uri, char **ret_path, GError **error);
