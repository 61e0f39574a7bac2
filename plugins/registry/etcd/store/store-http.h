/* store-http.h - a store that is etcd, reached by HTTP at one of several servers
 *
 * One server is used until it does not answer, or answers that it cannot serve (it has no leader).
 * Then the next server is used. A watch at the old server is reported as lost.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "http.h"
#include "place.h"
#include "store.h"

G_BEGIN_DECLS

/* store_http_new() copies all strings. */
typedef struct
{
  HttpOptions http;
  const char *user;     /* "" for none */
  const char *password; /* (nullable) */
  gint64 timeout_us;    /* how long one server may take to answer */
} StoreHttpOptions;

extern const StoreOps store_http_ops;

/* Returns: (transfer full) (nullable): for store_http_ops */
gpointer store_http_new (SatinLoop *loop, const Place *place, const StoreHttpOptions *options,
                         GError **error);

G_END_DECLS
