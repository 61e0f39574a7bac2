/* raw-tcp.c - TCP sockets on loopback that use none of the code under test
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "raw-tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <glib-unix.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int
raw_socket (guint16 port, struct sockaddr_in *ret_address)
{
  *ret_address = (struct sockaddr_in){ .sin_family = AF_INET,
                                       .sin_port = htons (port),
                                       .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (fd, >=, 0);
  return fd;
}

int
raw_tcp_connect (const char *uri)
{
  struct sockaddr_in address;
  int fd = raw_socket ((guint16)atoi (strrchr (uri, ':') + 1), &address);
  g_assert_cmpint (connect (fd, (struct sockaddr *)&address, sizeof address), ==, 0);
  return fd;
}

int
raw_tcp_listen (int backlog, char **ret_uri)
{
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  int fd = raw_socket (0, &address);
  g_assert_cmpint (bind (fd, (struct sockaddr *)&address, sizeof address), ==, 0);
  g_assert_cmpint (listen (fd, backlog), ==, 0);
  g_assert_cmpint (getsockname (fd, (struct sockaddr *)&address, &length), ==, 0);
  *ret_uri = g_strdup_printf ("tcp://127.0.0.1:%u", ntohs (address.sin_port));
  return fd;
}

static gboolean
is_waiting (int fd)
{
  char byte;
  return recv (fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

int
raw_tcp_accept (World *world, int listener)
{
  int fd;
  g_unix_set_fd_nonblocking (listener, TRUE, NULL);
  while ((fd = accept4 (listener, NULL, NULL, SOCK_CLOEXEC)) < 0)
    g_main_context_iteration (world->context, FALSE);
  return fd;
}

void
raw_tcp_write (int fd, gconstpointer bytes, gsize n_bytes)
{
  g_assert_cmpint (send (fd, bytes, n_bytes, MSG_NOSIGNAL), ==, n_bytes);
}

GByteArray *
raw_tcp_read_to_end (World *world, int fd)
{
  GByteArray *said = g_byte_array_new ();
  guint8 buffer[4096];
  gssize n_bytes = 1;
  while (n_bytes > 0)
    {
      while (is_waiting (fd))
        g_main_context_iteration (world->context, FALSE);
      n_bytes = recv (fd, buffer, sizeof buffer, 0);
      if (n_bytes > 0)
        g_byte_array_append (said, buffer, (guint)n_bytes);
    }
  return said;
}

gsize
raw_tcp_pump (int from, int to, GByteArray *ret_seen, gboolean is_flipped)
{
  guint8 buffer[65536];
  gssize n_bytes = recv (from, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n_bytes <= 0)
    return 0;
  if (is_flipped)
    buffer[n_bytes - 1] ^= 1;
  if (ret_seen != NULL)
    g_byte_array_append (ret_seen, buffer, (guint)n_bytes);
  raw_tcp_write (to, buffer, (gsize)n_bytes);
  return (gsize)n_bytes;
}
