/* bind.c - listens at a TCP port
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bind.h"

#include "reach.h"
#include "stream.h"
#include "tune.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

static void
set_bind_error (GError **error, int bind_errno, const struct sockaddr *address)
{
  g_autofree char *uri = tcp_address_format (address);
  switch (bind_errno)
    {
    case EADDRINUSE:
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE,
                   "%s is in use: choose another port (0 lets the system pick one), or stop the "
                   "process that listens there",
                   uri);
      return;
    case EADDRNOTAVAIL:
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "cannot listen at %s: this machine has no such address (tcp://*:port takes all "
                   "it has)",
                   uri);
      return;
    case EACCES:
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                   "may not listen at %s: choose a port above 1023", uri);
      return;
    default:
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot listen at %s: %s", uri,
                   g_strerror (bind_errno));
      return;
    }
}

static int
bind_one (const struct addrinfo *address, gint64 keepalive_us, GError **error)
{
  int fd = socket (address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0)
    {
      int yes = 1;
      int no = 0;
      setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      if (address->ai_family == AF_INET6)
        setsockopt (fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
      tcp_tune (fd, keepalive_us);
      if (bind (fd, address->ai_addr, address->ai_addrlen) == 0 && listen (fd, SOMAXCONN) == 0)
        return fd;
    }
  set_bind_error (error, errno, address->ai_addr);
  if (fd >= 0)
    close (fd);
  return -1;
}

/* Listens at the first address of @host where that succeeds. */
static int
bind_any (const char *host, guint16 port, gint64 keepalive_us, GError **error)
{
  struct addrinfo *addresses = tcp_address_from_number (host, port);
  int status = addresses == NULL ? tcp_address_look_up (host, port, &addresses) : 0;
  if (status != 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "cannot listen at host %s: %s (tcp://*:port takes all addresses)", host,
                   gai_strerror (status));
      return -1;
    }
  int fd = -1;
  for (const struct addrinfo *each = addresses; each != NULL && fd < 0; each = each->ai_next)
    {
      g_clear_error (error);
      fd = bind_one (each, keepalive_us, error);
    }
  freeaddrinfo (addresses);
  if (fd >= 0)
    g_clear_error (error);
  return fd;
}

/* Listens at all addresses of IPv6 and IPv4. If that fails, but not because the port is in use,
 * listens at those of IPv4 only: the machine may have no IPv6. */
static int
bind_all (guint16 port, gint64 keepalive_us, GError **error)
{
  g_autoptr (GError) local = NULL;
  int fd = bind_any ("::", port, keepalive_us, &local);
  if (fd >= 0)
    return fd;
  if (!g_error_matches (local, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE))
    return bind_any ("0.0.0.0", port, keepalive_us, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return -1;
}

int
tcp_bind (const char *host, guint16 port, const char *advertise, gint64 keepalive_us,
          char **ret_uri, GError **error)
{
  g_autoptr (GError) local = NULL;
  int fd = strcmp (host, "*") == 0 ? bind_all (port, keepalive_us, &local)
                                   : bind_any (host, port, keepalive_us, &local);
  struct sockaddr_storage bound = { 0 };
  socklen_t length = sizeof bound;
  if (fd >= 0 && getsockname (fd, (struct sockaddr *)&bound, &length) < 0)
    {
      stream_set_errno (&local, errno, "cannot learn where a socket listens");
      close (fd);
      fd = -1;
    }
  if (fd < 0)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return -1;
    }
  *ret_uri = tcp_reach_uri ((struct sockaddr *)&bound, advertise);
  return fd;
}
