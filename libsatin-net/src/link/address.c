/* address.c - checks the form of an address before it is used
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/net/address.h>

#include <arpa/inet.h>
#include <string.h>

/* Returns: the length of the scheme; 0 when the address has no scheme */
static gsize
scheme_length (const char *address)
{
  gsize n = 0;

  if (!g_ascii_isalpha (address[0]))
    return 0;
  while (g_ascii_isalnum (address[n]) || (address[n] != '\0' && strchr ("+-.", address[n]) != NULL))
    n++;
  return address[n] == ':' ? n : 0;
}

static gboolean
has_control (const char *text)
{
  for (; *text != '\0'; text++)
    if (g_ascii_iscntrl (*text))
      return TRUE;
  return FALSE;
}

/* Whether something follows the scheme: a path, or "//" and a host. */
static gboolean
has_rest (const char *rest)
{
  return rest[0] != '\0' && strcmp (rest, "//") != 0;
}

gboolean
satin_address_check (const char *address, GError **error)
{
  gsize n_scheme = address != NULL ? scheme_length (address) : 0;
  g_autofree char *shown = NULL;

  if (address != NULL && strlen (address) > SATIN_ADDRESS_MAX_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "an address has %" G_GSIZE_FORMAT " bytes, at most %d are allowed",
                   strlen (address), SATIN_ADDRESS_MAX_BYTES);
      return FALSE;
    }
  if (n_scheme > 0 && has_rest (address + n_scheme + 1) && !has_control (address)
      && g_utf8_validate (address, -1, NULL))
    return TRUE;
  shown = g_strescape (address != NULL ? address : "", NULL);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "\"%s\" is not an address: it should be like tcp://host:port or unix:/path", shown);
  return FALSE;
}

gboolean
satin_address_is_loopback (const char *host)
{
  struct in_addr four;
  struct in6_addr six;

  g_return_val_if_fail (host != NULL, FALSE);

  if (strcmp (host, "localhost") == 0)
    return TRUE;
  if (inet_pton (AF_INET, host, &four) == 1)
    return ntohl (four.s_addr) >> 24 == 127;
  return inet_pton (AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK (&six);
}
