/* goodbye.h - the sign of an end in good order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

typedef struct _UnixGoodbye UnixGoodbye; /* what is sent as the sign */

/* Returns: (transfer full): freed with unix_goodbye_free(), or %NULL with @error set */
UnixGoodbye *unix_goodbye_new (GError **error);
void unix_goodbye_free (gpointer goodbye);

/**
 * unix_goodbye_send:
 * @goodbye: (type UnixGoodbye)
 * @fd: a connected socket
 *
 * Sends the sign behind all that was sent, without blocking.
 *
 * Returns: 0, or an errno; EAGAIN when the socket takes no more now
 */
int unix_goodbye_send (gpointer goodbye, int fd);

/**
 * unix_goodbye_receive:
 * @ret_is_end: (out): the sign came, behind what was received; untouched when it did not
 *
 * Like recv() without blocking.
 */
gssize unix_goodbye_receive (int fd, guint8 *into, gsize size_bytes, gboolean *ret_is_end);
