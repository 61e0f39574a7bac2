/* address.h - parses and formats "tcp://host:port", and looks hosts up
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <netdb.h>
#include <satin/base.h>
#include <sys/socket.h>

/**
 * tcp_address_parse:
 * @uri: "tcp://name:7777", "tcp://10.0.0.1:7777", "tcp://[::1]:7777"; a star for the host means
 *   all addresses of this machine
 * @ret_host: (out) (transfer full): without brackets
 * @ret_port: (out): 0 to 65535
 * @error: %SATIN_ERROR_INVALID
 */
gboolean tcp_address_parse (const char *uri, char **ret_host, guint16 *ret_port, GError **error);

/* The addresses of a numeric host, without a look-up. Returns: (transfer full) (nullable): %NULL
 * when @host is a name; free with freeaddrinfo() */
struct addrinfo *tcp_address_from_number (const char *host, guint16 port);

/* Like getaddrinfo(), for stream sockets. May block for long. Returns: 0 or an EAI_ error */
int tcp_address_look_up (const char *host, guint16 port, struct addrinfo **ret_addresses);

/* Returns: (transfer full): for example "tcp://10.0.0.1:7777" or "tcp://[::1]:7777" */
char *tcp_address_format (const struct sockaddr *address);
/* Like tcp_address_format(), but without "tcp://". */
char *tcp_address_format_short (const struct sockaddr *address);
