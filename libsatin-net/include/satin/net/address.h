/* address.h - what an address looks like, before anybody uses it
 *
 *   SCHEME:REST     unix:/run/x   tcp://host:port   ssh://user@gateway/host:port
 *
 * Addresses of other nodes come from outside: whoever takes one in checks it here first.
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
 * @address: (nullable): what somebody gave as an address
 * @error: %SATIN_ERROR_FORMAT when it is none, %SATIN_ERROR_LIMIT when it is too long
 *
 * Checks the form: a scheme of letters, digits, '+', '-' and '.' that begins with a letter, a colon
 * and something behind it, without control characters. It does not ask whether the scheme has a
 * transport.
 *
 * Returns: %TRUE for an address
 */
SATIN_API gboolean satin_address_check (const char *address, GError **error);

/**
 * satin_address_is_loopback:
 * @host: a name or a numeric address without brackets and port
 *
 * Returns: %TRUE for "localhost" and for a number that means this machine, as 127.0.0.1 and ::1 do;
 *   %FALSE for any other name: nobody looks it up
 */
SATIN_API gboolean satin_address_is_loopback (const char *host);

G_END_DECLS
