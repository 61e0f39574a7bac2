/* place.h - parses the address of a run in a store: etcd://HOST:PORT,HOST:PORT/RUN
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct
{
  char **urls; /* (owned) (array zero-terminated=1): servers: "http://127.0.0.1:2379" */
  char *run;   /* (owned): the run's name */
  gboolean has_tls;
  gboolean is_loopback; /* all servers are on this machine */
} Place;

/* @uri: of the scheme etcd, or etcds for TLS; the port is 2379 where none is given. @error:
 * %SATIN_ERROR_INVALID. Returns: %TRUE on success; then clear @ret_place */
gboolean place_parse (const char *uri, Place *ret_place, GError **error);
void place_clear (Place *self);

G_END_DECLS
