/* raw-tcp.h - TCP sockets on loopback without any of the code under test
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream-world.h"

/* Connects to "tcp://127.0.0.1:port". */
int raw_tcp_connect (const char *uri);
/* Listens. @ret_uri: (transfer full) */
int raw_tcp_listen (int backlog, char **ret_uri);
/* Waits for a link while the world's loop turns. */
int raw_tcp_accept (World *world, int listener);
void raw_tcp_write (int fd, gconstpointer bytes, gsize n_bytes);
/* Turns the world's loop until the other side ended @fd. Returns: (transfer full): what it said */
GByteArray *raw_tcp_read_to_end (World *world, int fd);
/* Passes on what is there to read. @ret_seen: (nullable): gets a copy. @flip: changes the last
 * byte. */
gsize raw_tcp_pump (int from, int to, GByteArray *ret_seen, gboolean is_flipped);
