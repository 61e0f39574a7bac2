/* address.h - "tcp://host:port" and the system's addresses
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

/* The addresses of a numeric host, without asking anybody. Returns: (transfer full) (nullable):
 * free with freeaddrinfo() */
struct addrinfo *tcp_address_from_number (const char *host, guint16 port);

/* As getaddrinfo() for stream sockets; may wait long. Returns: 0 or an EAI_ error */
int tcp_address_look_up (const char *host, guint16 port, struct addrinfo **ret_addresses);

/* "tcp://10.0.0.1:7777", "tcp://[::1]:7777". */
char *tcp_address_format (const struct sockaddr *address);
/* The same without "tcp://". */
char *tcp_address_format_short (const struct sockaddr *address);
