/* address.h - converts "unix:/path" to a socket address
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>
#include <sys/un.h>

/* @error: %SATIN_ERROR_INVALID when @uri is not unix:/absolute/path or is too long. */
gboolean unix_address_parse (const char *uri, struct sockaddr_un *ret_address, GError **error);

/* Like unix_address_parse(), for a path, of which only the length is checked. */
gboolean unix_address_set (struct sockaddr_un *ret_address, const char *path, GError **error);
