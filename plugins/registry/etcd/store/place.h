/* place.h - where a run is kept: etcd://HOST:PORT,HOST:PORT/RUN
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct
{
  char **urls; /* (owned) (array zero-terminated=1): of the servers, "http://127.0.0.1:2379" */
  char *run;   /* (owned): its name */
  gboolean has_tls;
  gboolean is_loopback; /* all servers are on this machine */
} Place;

/* @uri: of the scheme etcd, or etcds for TLS; port 2379 where none is given.
 * @error: %SATIN_ERROR_INVALID. Returns: whether @ret_place is to be cleared */
gboolean place_parse (const char *uri, Place *ret_place, GError **error);
void place_clear (Place *self);

G_END_DECLS
