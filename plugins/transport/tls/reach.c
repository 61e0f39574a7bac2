/* reach.c - finds the address under which others reach a listening socket
 *
 * A socket that listens at one address is reached there. For a socket that listens at all
 * addresses, this file chooses an address that other machines can use: the address that this
 * machine would use to send beyond its own network, else that of its first network interface, else
 * loopback. IPv4 comes before IPv6. The host name is not used, because many systems map it to a
 * loopback address.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reach.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

static gboolean
is_wildcard (const struct sockaddr *address)
{
  if (address->sa_family == AF_INET)
    return ((const struct sockaddr_in *)address)->sin_addr.s_addr == htonl (INADDR_ANY);
  return IN6_IS_ADDR_UNSPECIFIED (&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static guint16
get_port (const struct sockaddr *address)
{
  return ntohs (address->sa_family == AF_INET ? ((const struct sockaddr_in *)address)->sin_port
                                              : ((const struct sockaddr_in6 *)address)->sin6_port);
}

static void
set_port (struct sockaddr_storage *address, guint16 port)
{
  if (address->ss_family == AF_INET)
    ((struct sockaddr_in *)address)->sin_port = htons (port);
  else
    ((struct sockaddr_in6 *)address)->sin6_port = htons (port);
}

/* Finds the local address that the system would use to reach @number. Nothing is sent there. */
static gboolean
find_route (const char *number, struct sockaddr_storage *ret_address)
{
  struct addrinfo *far = tcp_address_from_number (number, 9);
  socklen_t length = sizeof *ret_address;
  int fd = socket (far->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  gboolean is_found = fd >= 0 && connect (fd, far->ai_addr, far->ai_addrlen) == 0
                      && getsockname (fd, (struct sockaddr *)ret_address, &length) == 0;
  if (fd >= 0)
    close (fd);
  freeaddrinfo (far);
  return is_found;
}

static gboolean
is_usable (const struct ifaddrs *interface, sa_family_t family)
{
  if (interface->ifa_addr == NULL || interface->ifa_addr->sa_family != family
      || (interface->ifa_flags & IFF_UP) == 0 || (interface->ifa_flags & IFF_LOOPBACK) != 0)
    return FALSE;
  return family == AF_INET
         || !IN6_IS_ADDR_LINKLOCAL (&((const struct sockaddr_in6 *)interface->ifa_addr)->sin6_addr);
}

static gboolean
find_interface (sa_family_t family, struct sockaddr_storage *ret_address)
{
  struct ifaddrs *interfaces = NULL;
  if (getifaddrs (&interfaces) < 0)
    return FALSE;
  const struct ifaddrs *each = interfaces;
  while (each != NULL && !is_usable (each, family))
    each = each->ifa_next;
  if (each != NULL)
    memcpy (ret_address, each->ifa_addr,
            family == AF_INET ? sizeof (struct sockaddr_in) : sizeof (struct sockaddr_in6));
  freeifaddrs (interfaces);
  return each != NULL;
}

/* Finds an address of this machine that other machines can use, else loopback. 192.0.2.1 and
 * 2001:db8::1 belong to networks that are reserved for documentation. */
static void
find_own (gboolean may_be_ipv6, struct sockaddr_storage *ret_address)
{
  if (find_route ("192.0.2.1", ret_address) || find_interface (AF_INET, ret_address))
    return;
  if (may_be_ipv6
      && (find_route ("2001:db8::1", ret_address) || find_interface (AF_INET6, ret_address)))
    return;
  struct addrinfo *loopback = tcp_address_from_number ("127.0.0.1", 0);
  memcpy (ret_address, loopback->ai_addr, loopback->ai_addrlen);
  freeaddrinfo (loopback);
}

char *
tcp_reach_uri (const struct sockaddr *bound, const char *advertise)
{
  guint16 port = get_port (bound);
  if (advertise != NULL)
    return g_strdup_printf (strchr (advertise, ':') != NULL ? "tcp://[%s]:%u" : "tcp://%s:%u",
                            advertise, port);
  if (!is_wildcard (bound))
    return tcp_address_format (bound);
  struct sockaddr_storage own = { 0 };
  find_own (bound->sa_family == AF_INET6, &own);
  set_port (&own, port);
  return tcp_address_format ((struct sockaddr *)&own);
}
