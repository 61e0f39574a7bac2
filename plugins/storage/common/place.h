/* place.h - parses the URI of a folder on a server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

typedef struct
{
  char *scheme; /* (owned) */
  char *user;   /* (owned) (nullable) */
  char *host;   /* (owned): as in a URI, an IPv6 address in brackets */
  int port;     /* -1: the scheme's default */
  char *path;   /* (owned): encoded as in the URI: "", or "/..." without a slash at its end */
} Place;

/**
 * place_parse:
 * @self: (out): set on success; clear it with place_clear()
 * @schemes: (array zero-terminated=1): the schemes that the storage serves
 * @error: %SATIN_ERROR_INVALID; the message never shows a password of @uri
 *
 * Parses SCHEME://[USER@]HOST[:PORT]/PATH. A password is refused, because everybody who lists the
 * processes could see it. Control characters are refused, because the end of a line would end a
 * command of the protocol. A query and a fragment are refused, too.
 *
 * Returns: %TRUE on success
 */
gboolean place_parse (Place *self, const char *uri, const char *const *schemes, GError **error);

void place_clear (Place *self);

/* @name: (nullable): of a file; %NULL: the result ends with the slash. Returns: (transfer full):
 * @scheme://HOST[:PORT]/PATH/@name, without the user name of the URI */
char *place_join (const Place *self, const char *scheme, const char *name);

G_END_DECLS
