/* place.h - the URI of a folder on a server, taken apart
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
  char *host;   /* (owned): as a URI has it, an IPv6 number in brackets */
  int port;     /* -1: the scheme's own */
  char *path;   /* (owned): encoded as in the URI, "" or "/..." without a slash at its end */
} Place;

/**
 * place_parse:
 * @self: (out): filled in on success, to be cleared
 * @schemes: (array zero-terminated=1): those that are served
 * @error: %SATIN_ERROR_INVALID, without a password that was in @uri
 *
 * Takes SCHEME://[USER@]HOST[:PORT]/PATH. A password is refused: who lists the processes would see
 * it; so are signs that a path in a protocol of lines cannot have.
 *
 * Returns: %TRUE on success
 */
gboolean place_parse (Place *self, const char *uri, const char *const *schemes, GError **error);

void place_clear (Place *self);

/* Returns: (transfer full): the folder's URI with @scheme in place of its own, without the user
 * name, and @name behind a slash unless it is NULL */
char *place_join (const Place *self, const char *scheme, const char *name);

G_END_DECLS
