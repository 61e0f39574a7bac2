/* net.h - a node's membership and its links to the others: a SatinPeers over transports and a
 * registry
 *
 * A link to another node is opened when there is something to send, and kept. When more than
 * @max_links links are open, the least recently used ones are closed in good order. If two nodes
 * dial each other at once, the link that the node with the lower number dialed stays, if that node
 * has sent its hello on it already. Messages that were sent early on the link that does not stay
 * are sent again. Links of nodes that were declared dead are dropped, and a node that connects
 * after it was declared dead is refused with %SATIN_ERROR_FENCED.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/hub.h>

G_BEGIN_DECLS

/* The membership of one node, with its links. */
typedef struct _SatinNet SatinNet;

/**
 * SatinNetOptions:
 * @registry_uri: the address of the registry ("unix:/run/x/hub", "tcp://h:7000")
 * @registry: (nullable): the registry plugin and its parameters, "hub:join-timeout=5s"; "hub" when
 *   %NULL
 * @listen_uri: (nullable): the address where this node accepts links; %NULL picks one that suits
 *   @registry_uri
 * @cluster: (nullable): the label of this node's cluster; "" when %NULL
 * @gateways: (nullable): gateways of clusters whose nodes accept no direct links,
 *   "CLUSTER=ssh://user@host[,KEY=VALUE...]" with parameters of the transport, separated by blanks.
 *   A peer there is dialed directly, and if that fails, through the gateway. When a link has opened
 *   in one of these ways, that way is tried first from then on
 * @is_insecure: the user asked for links without authentication
 * @max_links: the most open links to peers (default 256 when 0)
 * @max_queue_bytes: the most bytes that may wait to be sent to one peer (default 64 MiB when 0)
 * @registry_timeout_us: how long this node runs without a registry before it begins to ask all
 *   members for a sign of life, microseconds (default 10 minutes when 0). If a member then gives
 *   none within 30 s, or there is no master, @over of the events comes with
 *   %SATIN_ERROR_UNREACHABLE
 * @host: (nullable): the name of this machine, for people who inspect the run
 * @pid: the number of the process that holds this node; 0 when nobody needs it
 * @transport_ops: (nullable): carries all links, instead of a plugin (tests, simulation); static
 * @registry_ops: (nullable): the registry, instead of a plugin, opened without parameters; static
 *
 * Where and how a node joins a run.
 */
typedef struct
{
  const char *registry_uri;
  const char *registry;
  const char *listen_uri;
  const char *cluster;
  const char *gateways;
  const SatinSecret *secret; /* (nullable): copied */
  gboolean is_insecure;
  guint max_links;
  gsize max_queue_bytes;
  gint64 registry_timeout_us;
  const char *host;
  gint64 pid;
  const SatinTransportOps *transport_ops;
  const SatinRegistryOps *registry_ops;
} SatinNetOptions;

/**
 * SatinNetEvents:
 * @joined: this node is a member; satin_net_get_peers() works from here on
 * @complete: all members that the run waits for are here; in an open run this comes right after
 *   @joined
 * @signal: a word from the registry; %SATIN_SIGNAL_OVER comes with a SatinRunEnd
 * @asked: the registry wants this node's figures, and a dump of at most @dump_bytes if that
 *   is above 0: call satin_net_report()
 * @over: the membership ended; @error is set when this node was refused or fenced, cannot reach
 *   other nodes, or lost the registry
 *
 * The events of a node's membership. Each may be %NULL.
 */
typedef struct
{
  void (*joined) (SatinNet *net, gpointer user_data);
  void (*complete) (SatinNet *net, gpointer user_data);
  void (*signal) (SatinNet *net, const char *word, GBytes *payload, gpointer user_data);
  void (*asked) (SatinNet *net, gsize dump_bytes, gpointer user_data);
  void (*over) (SatinNet *net, const GError *error, gpointer user_data);
} SatinNetEvents;

/* Begins to join the run; @joined or @over of @events follows. @loop, the build and the arguments
 * of @program, and static tables of operations outlive @self; everything else is copied. After a
 * failure the loop must run on until everything that was opened is closed. Returns: (transfer full)
 * (nullable): %NULL with @error set */
SATIN_API SatinNet *satin_net_new (SatinLoop *loop, const SatinProgram *program,
                                   const SatinNetOptions *options, const SatinNetEvents *events,
                                   gpointer user_data, GError **error);
/* The interface to the other members; valid until satin_net_free(). */
SATIN_API SatinPeers *satin_net_get_peers (SatinNet *self);
/* Offers this node as master, like satin_run_elect(). */
SATIN_API void satin_net_elect (SatinNet *self);
/* Sends a word, like satin_run_signal(). @payload: (nullable) */
SATIN_API void satin_net_signal (SatinNet *self, SatinNodeId to, const char *word, GBytes *payload);
/* Announces that this node leaves, like satin_run_leaving() in satin/base/run.h. */
SATIN_API void satin_net_leaving (SatinNet *self, gint64 deadline_us);
/* Ends the run for all members, like satin_run_end(). @message: (nullable) */
SATIN_API void satin_net_end_run (SatinNet *self, int exit_status, const char *message);
/* Answers the event @asked with the figures of this node. */
SATIN_API void satin_net_report (SatinNet *self, const SatinReport *report);

/* Reports the traffic so far: "net.sent-lan", "net.sent-wan", "net.received-lan",
 * "net.received-wan" (bytes; wan is between different cluster labels), "net.links",
 * "net.messages". */
SATIN_API void satin_net_figures (SatinNet *self, SatinFigureFunc add, gpointer user_data);

/* Reports what the node waits for: the registry, links, peers, the end of its leaving. */
SATIN_API void satin_net_waits (SatinNet *self, SatinWaitFunc add, gpointer user_data);

/* Leaves the run and closes all links in good order. @done runs once, on the loop; it never runs
 * when satin_net_free() comes first. */
SATIN_API void satin_net_leave (SatinNet *self, SatinDoneFunc done, gpointer user_data);
/* Frees the membership, normally after @done of satin_net_leave() has run. If called earlier, the
 * node vanishes from the run without leaving, and the loop must run on until all links are closed.
 * @self: (nullable) */
SATIN_API void satin_net_free (SatinNet *self);

G_END_DECLS
