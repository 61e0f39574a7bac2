/* route.h - chooses how a peer is dialed: directly, or through its cluster's gateway
 *
 *                 fails                         fails
 *   first way ----------> other way, at once ----------> first way, after a pause
 *      |                      |
 *      +------- opens --------+---> the way that opened is the first way to this cluster
 *
 * At the beginning the first way to a cluster is the direct one. Every failure before a link is
 * open counts, even if some machine answers: an address of a private network may belong to another
 * machine in this node's network, and that machine may answer.
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

/* The gateway of a cluster, and which way to its nodes works. */
typedef struct
{
  char *cluster;           /* (owned) */
  char *gateway;           /* (owned): "ssh://user@host", without a slash at its end */
  char *params;            /* (owned): parameters of the gateway's transport, "key=value,..." */
  NetWay first;            /* the way on which a link last opened, or the direct way */
  gboolean has_complained; /* a warning said that this cluster cannot be reached */
} NetRoute;

/* The way on which to dial a peer next. */
typedef struct
{
  NetWay way;
  gboolean is_other; /* the first way has just failed, so @way is the other one */
} NetTry;

/**
 * net_routes_parse:
 * @text: (nullable): words like "CLUSTER=URI[,KEY=VALUE...]", one for each gateway, separated by
 *   blanks
 * @error: %SATIN_ERROR_INVALID; the message names the wrong word
 *
 * Parses the gateways that the user named.
 *
 * Returns: (transfer full) (element-type NetRoute): free with g_ptr_array_unref(), %NULL with
 *   @error set
 */
GPtrArray *net_routes_parse (const char *text, GError **error);
/* Returns: (nullable): the route to @cluster; %NULL when it has no gateway */
NetRoute *net_routes_find (GPtrArray *routes, const char *cluster);
/* Returns: (nullable): the route whose gateway @uri goes through */
NetRoute *net_routes_find_through (GPtrArray *routes, const char *uri);

/* Returns: (transfer full): the address to dial for a peer at @address. @self: (nullable). @way:
 * (inout): becomes %NET_WAY_DIRECT when there is no gateway, or when the gateway cannot reach such
 * an address; then the result is @address itself */
char *net_route_join (const NetRoute *self, NetWay *way, const char *address);

/* Returns: the way to dial for the next link */
NetWay net_route_begin (const NetRoute *self, NetTry *attempt);
/* Notes that a link that was dialed on @way has opened. */
void net_route_opened (NetRoute *self, NetTry *attempt, NetWay way);
/* Notes that a link that was dialed on @way has failed. Returns: %TRUE when the caller should dial
 * the other way at once */
gboolean net_route_failed (const NetRoute *self, NetTry *attempt, NetWay way);

G_END_DECLS
