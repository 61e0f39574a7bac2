/* route.h - which way a peer is dialed: directly, or through its cluster's gateway
 *
 *            fails                  fails
 *   FIRST ----------> OTHER at once ----------> FIRST after a pause
 *     |                 |
 *     +------ opens ----+---> what opened is FIRST, for this peer and for its cluster
 *
 * The first way to a cluster is the direct one, until a link through the gateway opened where the
 * direct one had failed. Any failure before a link is open counts, not only that nobody answers:
 * addresses of private networks mean other machines elsewhere, which may answer.
 *
 * Threads: the loop's thread; no input or output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

G_BEGIN_DECLS

typedef enum
{
  NET_WAY_DIRECT,
  NET_WAY_GATEWAY,
} NetWay;

/* How a cluster is reached. */
typedef struct
{
  char *cluster; /* (owned) */
  char *gateway; /* (owned): "ssh://user@host", without a slash at its end */
  char *params;  /* (owned): of its transport, "key=value,..." */
  NetWay first;  /* what opened a link last */
  gboolean has_complained;
} NetRoute;

/* What a peer's next link is. */
typedef struct
{
  NetWay way;
  gboolean is_other; /* the first way failed just now */
} NetTry;

/**
 * net_routes_parse:
 * @text: (nullable): "CLUSTER=URI[,KEY=VALUE...]", several with blanks between them
 * @error: %SATIN_ERROR_INVALID, naming what is wrong
 *
 * Returns: (transfer full) (element-type NetRoute): free with g_ptr_array_unref(), %NULL with
 *   @error set
 */
GPtrArray *net_routes_parse (const char *text, GError **error);
/* Returns: (nullable): how @cluster is reached when it has a gateway */
NetRoute *net_routes_find (GPtrArray *routes, const char *cluster);
/* Returns: (nullable): the route whose gateway @uri goes through */
NetRoute *net_routes_find_through (GPtrArray *routes, const char *uri);

/* Returns: (transfer full): where a peer at @address is dialed; @address itself when no gateway
 * leads to addresses of its kind. @way: (inout): then %NET_WAY_DIRECT */
char *net_route_join (const NetRoute *self, NetWay *way, const char *address);

/* A link is to be dialed. Returns: which way */
NetWay net_route_begin (const NetRoute *self, NetTry *attempt);
void net_route_opened (NetRoute *self, NetTry *attempt, NetWay way);
/* Returns: %TRUE when the other way is to be tried at once */
gboolean net_route_failed (const NetRoute *self, NetTry *attempt, NetWay way);

G_END_DECLS
