/* ssh-connect.c - makes a TCP connection to a server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ssh-connect.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

gboolean
ssh_connect_look_up (SshServer *server, GError **error)
{
  const SshAddress *address = server->address;
  g_autofree char *port = g_strdup_printf ("%u", address->port);
  const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG };
  int status = getaddrinfo (address->host, port, &hints, &server->addresses);
  if (status == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "%s: there is no host %s: %s",
               address->uri, address->host, gai_strerror (status));
  return FALSE;
}

/* Waits until the connect is over. Returns: 0 or an errno value; ECANCELED, with @error set, when
 * interrupted */
static int
wait_until_up (int fd, gint64 timeout_us, const SshInterrupt *interrupt, GError **error)
{
  struct pollfd fds[] = { { .fd = fd, .events = POLLOUT },
                          { .fd = interrupt->fd, .events = POLLIN } };
  gint64 until_us = g_get_monotonic_time () + timeout_us;
  int failure = ETIMEDOUT;
  socklen_t n_failure = sizeof failure;
  while (fds[0].revents == 0)
    {
      gint64 left_us = until_us - g_get_monotonic_time ();
      if (left_us <= 0)
        return ETIMEDOUT;
      int n = poll (fds, G_N_ELEMENTS (fds), (int)(left_us / 1000) + 1);
      if (n > 0 && fds[1].revents != 0 && !interrupt->check (interrupt->data, error))
        return ECANCELED;
    }
  return getsockopt (fd, SOL_SOCKET, SO_ERROR, &failure, &n_failure) < 0 ? errno : failure;
}

/* Lets small requests leave at once, and lets the kernel notice a server that vanishes between two
 * operations. */
static void
tune (int fd, gint64 timeout_us)
{
  int yes = 1, idle_s = (int)CLAMP (timeout_us / G_USEC_PER_SEC, 1, 3600);
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPINTVL, &idle_s, sizeof idle_s);
}

/* Returns: a socket, or -1 with an errno value in *@ret_failure */
static int
try_address (const struct addrinfo *at, gint64 timeout_us, const SshInterrupt *interrupt,
             int *ret_failure, GError **error)
{
  int fd = socket (at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
  *ret_failure = fd < 0 ? errno : 0;
  if (fd >= 0 && connect (fd, at->ai_addr, at->ai_addrlen) < 0)
    *ret_failure = errno == EINPROGRESS || errno == EINTR
                       ? wait_until_up (fd, timeout_us, interrupt, error)
                       : errno;
  if (*ret_failure == 0)
    {
      tune (fd, timeout_us);
      return fd;
    }
  if (fd >= 0)
    close (fd);
  return -1;
}

int
ssh_connect_to (const SshServer *server, const SshInterrupt *interrupt, GError **error)
{
  int failure = ENOENT, fd = -1;
  for (const struct addrinfo *at = server->addresses; at != NULL && fd < 0; at = at->ai_next)
    {
      fd = try_address (at, server->timeout_us, interrupt, &failure, error);
      if (failure == ECANCELED)
        return -1;
    }
  if (fd < 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "cannot connect to %s: %s",
                 server->address->known, g_strerror (failure));
  return fd;
}
