/* socket.h - opens unix sockets of the type SOCK_SEQPACKET, which transport packets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

G_BEGIN_DECLS

#define SCHEME "template:"

/* Whether @uri is an address: "template:/absolute/path". */
gboolean socket_check_uri (const char *uri, GError **error);

/* Returns: a descriptor that listens at the path of @uri, or -1 with @error */
int socket_listen (const char *uri, GError **error);

/* Connects to the path of @uri, without blocking. Returns: a descriptor, or -1 with @error */
int socket_connect (const char *uri, GError **error);

/* Whether the process on the other side of @fd belongs to the same user. */
gboolean socket_check_user (int fd, GError **error);

/* Sets @error to a message with @what, @uri and the text of errno. */
void socket_set_error (GError **error, SatinErrorCode code, const char *what, const char *uri);

G_END_DECLS
