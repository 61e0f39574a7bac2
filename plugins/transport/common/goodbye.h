/* goodbye.h - the sign of an end in good order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

typedef struct _StreamGoodbye StreamGoodbye; /* what is sent as the sign */

/* Returns: (transfer full): freed with stream_goodbye_free(), or %NULL with @error set */
StreamGoodbye *stream_goodbye_new (GError **error);
void stream_goodbye_free (gpointer goodbye);

/**
 * stream_goodbye_send:
 * @goodbye: (type StreamGoodbye)
 * @fd: a connected socket
 *
 * Sends the sign behind all that was sent, without blocking.
 *
 * Returns: 0, or an errno; EAGAIN when the socket takes no more now
 */
int stream_goodbye_send (gpointer goodbye, int fd);

/**
 * stream_goodbye_receive:
 * @ret_is_end: (out): the sign came, behind what was received; untouched when it did not
 *
 * Like recv() without blocking.
 */
gssize stream_goodbye_receive (int fd, guint8 *into, gsize size_bytes, gboolean *ret_is_end);
