/* raw-tcp.h - TCP sockets on loopback that use none of the code under test
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream-world.h"

/* Connects to "tcp://127.0.0.1:port". */
int raw_tcp_connect (const char *uri);
/* Returns: a listening socket. @ret_uri: (transfer full): its address */
int raw_tcp_listen (int backlog, char **ret_uri);
/* Accepts a connection; runs the world's loop until there is one. */
int raw_tcp_accept (World *world, int listener);
void raw_tcp_write (int fd, gconstpointer bytes, gsize n_bytes);
/* Runs the world's loop until the other side closes @fd. Returns: (transfer full): all that came */
GByteArray *raw_tcp_read_to_end (World *world, int fd);
/* Passes on the bytes that can be read now. @ret_seen: (nullable): gets a copy.
 * @is_flipped: changes the last byte */
gsize raw_tcp_pump (int from, int to, GByteArray *ret_seen, gboolean is_flipped);
