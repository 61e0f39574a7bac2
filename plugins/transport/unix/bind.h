/* bind.h - a socket file of one's own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"

typedef struct _UnixFile UnixFile; /* a socket file this process made */

/**
 * unix_bind:
 * @address: where
 * @ret_file: (out) (transfer full): removed with unix_file_remove()
 * @error: %SATIN_ERROR_ADDRESS_IN_USE when a living process listens there; %SATIN_ERROR_IO
 *
 * Listens at @address. A socket file whose owner is dead is replaced.
 *
 * Returns: (transfer full): the socket, or -1 with @error set
 */
int unix_bind (const struct sockaddr_un *address, UnixFile **ret_file, GError **error);

/* Removes the file if it is still the one that was made, and frees @file. */
void unix_file_remove (UnixFile *file);
