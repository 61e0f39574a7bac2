/* address.h - "unix:/path" as the system wants it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>
#include <sys/un.h>

/* @error: %SATIN_ERROR_INVALID when it is not unix:/absolute/path or too long. */
gboolean unix_address_parse (const char *uri, struct sockaddr_un *ret_address, GError **error);

/* As unix_address_parse(), for a path. */
gboolean unix_address_set (struct sockaddr_un *ret_address, const char *path, GError **error);
