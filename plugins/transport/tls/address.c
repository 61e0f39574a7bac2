/* address.c - parses and formats "tcp://host:port", and looks hosts up
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"

#include <arpa/inet.h>
#include <string.h>

#define SCHEME "tcp://"

#define NAME_CHARACTERS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
#define NUMBER_CHARACTERS NAME_CHARACTERS ":%" /* with IPv6: "fe80::1%eth0" */

/* Splits "name:port" or "[number]:port". Returns: (transfer full) (nullable): the host */
static char *
split_host (const char *text, const char **ret_port)
{
  const char *allowed = NAME_CHARACTERS;
  const char *end = "";
  if (*text == '[')
    {
      text++;
      allowed = NUMBER_CHARACTERS;
      end = "]";
    }
  gsize length = g_str_has_prefix (text, "*:") ? 1 : strspn (text, allowed);
  const char *rest = text + length;
  if (length == 0 || !g_str_has_prefix (rest, end))
    return NULL;
  rest += strlen (end);
  if (*rest != ':')
    return NULL;
  *ret_port = rest + 1;
  return g_strndup (text, length);
}

gboolean
tcp_address_parse (const char *uri, char **ret_host, guint16 *ret_port, GError **error)
{
  const char *port_text = NULL;
  guint64 port = 0;
  g_autofree char *host =
      g_str_has_prefix (uri, SCHEME) ? split_host (uri + strlen (SCHEME), &port_text) : NULL;
  if (host == NULL || !g_ascii_string_to_unsigned (port_text, 10, 0, 65535, &port, NULL))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" is not an address: write tcp://host:port, with a port up to 65535 and "
                   "an IPv6 number in brackets",
                   uri);
      return FALSE;
    }
  *ret_host = g_steal_pointer (&host);
  *ret_port = (guint16)port;
  return TRUE;
}

static int
look_up (const char *host, guint16 port, int flags, struct addrinfo **ret_addresses)
{
  char port_text[8];
  g_snprintf (port_text, sizeof port_text, "%u", port);
  struct addrinfo hints = { .ai_family = AF_UNSPEC,
                            .ai_socktype = SOCK_STREAM,
                            .ai_flags = flags | AI_NUMERICSERV };
  return getaddrinfo (host, port_text, &hints, ret_addresses);
}

struct addrinfo *
tcp_address_from_number (const char *host, guint16 port)
{
  struct addrinfo *addresses = NULL;
  return look_up (host, port, AI_NUMERICHOST, &addresses) == 0 ? addresses : NULL;
}

int
tcp_address_look_up (const char *host, guint16 port, struct addrinfo **ret_addresses)
{
  return look_up (host, port, 0, ret_addresses);
}

char *
tcp_address_format_short (const struct sockaddr *address)
{
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  socklen_t length =
      address->sa_family == AF_INET6 ? sizeof (struct sockaddr_in6) : sizeof (struct sockaddr_in);
  if (getnameinfo (address, length, host, sizeof host, port, sizeof port,
                   NI_NUMERICHOST | NI_NUMERICSERV)
      != 0)
    return g_strdup ("an unknown address");
  return g_strdup_printf (address->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

char *
tcp_address_format (const struct sockaddr *address)
{
  g_autofree char *text = tcp_address_format_short (address);
  return g_strconcat (SCHEME, text, NULL);
}
