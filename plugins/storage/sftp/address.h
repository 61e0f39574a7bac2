/* address.h - parses an sftp:// URI
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-address.h"

/* Parses "sftp://[user@]host[:port]/path". @ret_path: (out) (transfer full): the folder on the
 * server. "/~/path" becomes "path", which is relative to the login folder. Returns: (transfer full)
 * (nullable): %NULL with %SATIN_ERROR_INVALID */
SshAddress *address_parse (const char *uri, char **ret_path, GError **error);
