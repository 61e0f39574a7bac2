/* address.h - checks the form of an address
 *
 *   SCHEME:REST     unix:/run/x   tcp://host:port   ssh://user@gateway/host:port
 *
 * Addresses of other nodes come from outside. Code that receives an address checks it here before
 * it uses the address.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The longest address, in bytes. */
#define SATIN_ADDRESS_MAX_BYTES 1023

/**
 * satin_address_check:
 * @address: (nullable): the text to check
 * @error: %SATIN_ERROR_FORMAT when the text is not an address, %SATIN_ERROR_LIMIT when it is too
 *   long
 *
 * Checks the form of an address: a scheme, a colon, and something after it. The scheme consists of
 * letters, digits, '+', '-' and '.' and begins with a letter. The text is UTF-8 without control
 * characters. The check does not ask whether a transport for the scheme exists.
 *
 * Returns: %TRUE for an address
 */
SATIN_API gboolean satin_address_check (const char *address, GError **error);

/**
 * satin_address_is_loopback:
 * @host: a name or a numeric address, without brackets and port
 *
 * Checks whether a host is this machine, without looking the name up.
 *
 * Returns: %TRUE for "localhost" and for a numeric loopback address, such as 127.0.0.1 or ::1;
 *   %FALSE for any other name
 */
SATIN_API gboolean satin_address_is_loopback (const char *host);

G_END_DECLS
