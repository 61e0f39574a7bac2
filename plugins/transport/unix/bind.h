/* bind.h - makes a socket file and listens at it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"

typedef struct _UnixFile UnixFile; /* a socket file that this process made */

/**
 * unix_bind:
 * @address: the path of the socket file
 * @ret_file: (out) (transfer full): removed with unix_file_remove()
 * @error: %SATIN_ERROR_ADDRESS_IN_USE when a living process listens there, or a file of another
 *   kind is there; %SATIN_ERROR_INVALID when the path of the hidden file beside it would be too
 *   long; %SATIN_ERROR_IO
 *
 * Listens at @address. A socket file whose owner is dead is replaced.
 *
 * Returns: (transfer full): the socket, or -1 with @error set
 */
int unix_bind (const struct sockaddr_un *address, UnixFile **ret_file, GError **error);

/* Removes the file, unless another process has put its own there, and frees @file. */
void unix_file_remove (UnixFile *file);
