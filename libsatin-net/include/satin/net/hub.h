/* hub.h - the registry server inside `satin run` and `satin hub`
 *
 * One hub serves one run. A hub is a state machine over links and time. The records below are part
 * of its protocol with nodes (SATIN_FRAME_HUB) and with tools.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/net/registry.h>

G_BEGIN_DECLS

/* The registry of one run. */
typedef struct _SatinHub SatinHub;

/**
 * SatinHubOptions:
 * @n_nodes: 0 for an open run, which nodes may join at any time. Above 0, for a closed run: the
 *   number of nodes that must have joined to make the run complete
 * @heartbeat_us: how often the hub must hear a node (default 500 ms when 0)
 * @death_us: the silence after which the hub declares a node dead (default 5 s when 0). When all
 *   nodes fall silent at once, the hub waits longer
 * @join_timeout_us: in a closed run: how long all nodes may take to join (default 30 s when 0)
 * @view_max: the size of a partial view, 2 or more (default 256 when 0). In a run with more than
 *   @view_max + 1 members, a node that joins hears of @view_max / 2 other members, and later of
 *   some nodes that join after it
 * @is_restarted: this hub replaces a hub that was lost. It waits at least @death_us for the run's
 *   members before it lets a new node in. When @is_restarted is not set, the first node decides: a
 *   new node begins a new run, and a node that comes back makes the hub restore that node's run
 *
 * How a hub serves its run.
 */
typedef struct
{
  guint n_nodes;
  gint64 heartbeat_us;
  gint64 death_us;
  gint64 join_timeout_us;
  guint view_max;
  gboolean is_restarted;
} SatinHubOptions;

/* One figure of a node. */
/* clang-format off */
SATIN_RECORD (SatinFigure, (string, name), (long, value))
/* The figures that a node reports of itself. @dump: an encoded SatinDump; empty unless the
 * registry asked for one. */
SATIN_RECORD (SatinReport, (array_record, figures, SatinFigure), (bytes, dump))
/* The status of one node, for a tool. @dump: as in SatinReport; empty also when the node did not
 * answer in time. */
SATIN_RECORD (SatinNodeStatus,
              (long, node), (string, cluster), (string, host), (long, pid), (string, address),
              (boolean, is_master), (string, state), (long, heard_us_ago),
              (array_record, figures, SatinFigure), (bytes, dump))
/* The status of the run, for a tool. @holder: bytes that the hub's holder adds, empty for none. */
SATIN_RECORD (SatinRunStatus,
              (string, program), (string, run), (long, view_number), (long, term), (long, up_us),
              (int, n_left), (int, n_died), (array_record, nodes, SatinNodeStatus), (bytes, holder))
/* clang-format on */

/**
 * SatinHubEvents:
 * @changed: (nullable): a node "joined", "is leaving", "left" or "died"; @what is one of these
 * @over: (nullable): the run ended with @exit_status and @message (nullable). The hub has told all
 *   nodes
 * @asked: (nullable): a tool sent a word to %SATIN_RUN_HOLDER. The tool receives @error when the
 *   callee sets it. Without this function the hub refuses every such word
 * @told: (nullable): a member sent a word to %SATIN_RUN_HOLDER
 * @describe: (nullable): returns the bytes that the holder adds to a status. Returns: (transfer
 *   full) (nullable)
 * @silent: (nullable): the hub is about to declare a node dead only because the hub did not hear
 *   the node, or because the node did not leave in time; @why says which
 * @elected: (nullable): a member is the master from now on
 *
 * The events that a hub reports to its holder.
 */
typedef struct
{
  void (*changed) (SatinHub *hub, SatinNodeId id, const char *what, gpointer user_data);
  void (*over) (SatinHub *hub, int exit_status, const char *message, gpointer user_data);
  gboolean (*asked) (SatinHub *hub, const char *word, GBytes *payload, gpointer user_data,
                     GError **error);
  void (*told) (SatinHub *hub, SatinNodeId from, const char *word, GBytes *payload,
                gpointer user_data);
  GBytes *(*describe) (SatinHub *hub, gpointer user_data);
  void (*silent) (SatinHub *hub, SatinNodeId id, const char *why, gpointer user_data);
  void (*elected) (SatinHub *hub, SatinNodeId id, gpointer user_data);
} SatinHubEvents;

/**
 * satin_hub_new:
 * @transport: borrowed, outlives the hub
 * @uri: the address to listen on
 * @options: (nullable): copied; %NULL for an open run with defaults
 * @events: copied
 * @error: %SATIN_ERROR_INVALID when @view_max of @options is 1, or an error of the transport, such
 *   as %SATIN_ERROR_ADDRESS_IN_USE
 *
 * Returns: (transfer full): a hub without members, or %NULL with @error set
 */
SATIN_API SatinHub *satin_hub_new (SatinLoop *loop, SatinTransport *transport, const char *uri,
                                   const SatinHubOptions *options, const SatinHubEvents *events,
                                   gpointer user_data, GError **error);
/* The address where nodes reach the hub; borrowed from the hub. */
SATIN_API const char *satin_hub_get_uri (SatinHub *self);

/* Receives a status, which is valid during the call. */
typedef void (*SatinHubStatusFunc) (const SatinRunStatus *status, gpointer user_data);
/* Asks all nodes for fresh figures. @func receives the status once, on the loop: when all nodes
 * have answered, or after @timeout_us with the figures that the hub has. When the hub is freed
 * before that, @func runs inside satin_hub_free(). */
SATIN_API void satin_hub_ask_status (SatinHub *self, gint64 timeout_us, SatinHubStatusFunc func,
                                     gpointer user_data);

/* Like satin_hub_ask_status(), with a dump of each node. */
SATIN_API void satin_hub_ask_dumps (SatinHub *self, gint64 timeout_us, SatinHubStatusFunc func,
                                    gpointer user_data);

/* Sends @word to member @to, or to all members when @to is 0. @payload: (nullable): at most 1
 * MiB */
SATIN_API void satin_hub_signal (SatinHub *self, SatinNodeId to, const char *word, GBytes *payload);

/* The host that a member named when it joined; borrowed until the member is gone. Returns:
 * (nullable): %NULL when @id is no member */
SATIN_API const char *satin_hub_get_host (SatinHub *self, SatinNodeId id);

/* The number of the process that ran node @id on @host when the hub declared that node dead. The
 * process may still live, but must do nothing more for the run. Returns: 0 when the hub does not
 * know of such a death, or when a member now has the same host and number */
SATIN_API gint64 satin_hub_get_dead_pid (SatinHub *self, SatinNodeId id, const char *host);

/* How it was found that node @id died, in words; borrowed, valid inside the event @changed for this
 * death. Returns: (nullable): %NULL when the hub knows of no such death */
SATIN_API const char *satin_hub_get_death (SatinHub *self, SatinNodeId id);

/* The first member that runs on @host. Returns: 0 when there is none */
SATIN_API SatinNodeId satin_hub_find_on (SatinHub *self, const char *host);

/**
 * satin_hub_process_ended:
 * @host: the process's host, as its node named it when it joined
 * @pid: the number of the process on that host
 * @how: how the process ended, for the log and for the node, in case it lives
 *
 * Reports that a node's process ended. If the node has not left yet, it is declared dead at once.
 * The hub is not sure which node has ended when several members, on machines with the same name,
 * have this host and number, or when an earlier member had the same host and number. Then each
 * member with this host and number has to show within a second that it lives.
 *
 * Threads: loop.
 */
SATIN_API void satin_hub_process_ended (SatinHub *self, const char *host, gint64 pid,
                                        const char *how);

/**
 * satin_hub_process_killed:
 * @signal_number: the signal that ended the process, or %SATIN_DEATH_OUT_OF_MEMORY; 0 for none. In
 *   [0, 127]
 *
 * Like satin_hub_process_ended(), but also tells the other nodes which signal ended the process. So
 * they can distinguish a job that crashes its process from a node that was lost by chance.
 *
 * Threads: loop.
 */
SATIN_API void satin_hub_process_killed (SatinHub *self, const char *host, gint64 pid,
                                         int signal_number, const char *how);

/* Reports that a machine is gone with everything on it. Its members are declared dead at once.
 * @how: how the machine ended, for the log and for its nodes, in case they live */
SATIN_API void satin_hub_host_ended (SatinHub *self, const char *host, const char *how);

/* Like satin_hub_host_ended(), but also tells the other nodes the cause. @signal_number: as for
 * satin_hub_process_killed(). */
SATIN_API void satin_hub_host_killed (SatinHub *self, const char *host, int signal_number,
                                      const char *how);

/**
 * satin_hub_expect_more:
 * @n_nodes: 1 or more
 *
 * Lets that many more nodes join a closed run. An open run takes new nodes anyway.
 *
 * Threads: loop.
 */
SATIN_API void satin_hub_expect_more (SatinHub *self, guint n_nodes);

/* Whether the run has ended. If so, the hub has told the members. */
SATIN_API gboolean satin_hub_is_ending (SatinHub *self);

/* Ends the run for all members. Later calls change nothing. @message: (nullable) */
SATIN_API void satin_hub_end (SatinHub *self, int exit_status, const char *message);
/* Closes all links of the hub. Status requests that wait are answered first. No function of the
 * hub's events is called after this. @self: (nullable) */
SATIN_API void satin_hub_free (SatinHub *self);

/* Receives the answer of a hub: either @status or @error; the other argument is %NULL. The answer
 * is valid during the call. */
typedef void (*SatinStatusFunc) (const SatinRunStatus *status, const GError *error,
                                 gpointer user_data);

/**
 * satin_status_ask:
 * @transport: borrowed until @func has run
 * @uri: the address of a hub
 * @timeout_us: how long the hub may wait for figures of the nodes; the call allows one second more
 * @func: runs once, on the loop, with a status or an error
 *
 * Connects to a hub as a tool, asks for its status and closes the link, as `satin status` does.
 */
SATIN_API void satin_status_ask (SatinLoop *loop, SatinTransport *transport, const char *uri,
                                 gint64 timeout_us, SatinStatusFunc func, gpointer user_data);

/* Like satin_status_ask(), with a dump of each node. */
SATIN_API void satin_dumps_ask (SatinLoop *loop, SatinTransport *transport, const char *uri,
                                gint64 timeout_us, SatinStatusFunc func, gpointer user_data);

/**
 * SatinToolWord:
 * @to: (array length=n_to): the members that receive the word, or %SATIN_RUN_HOLDER
 * @n_to: the length of @to; 0 for all members
 * @word: at most 63 bytes, such as %SATIN_SIGNAL_LEAVE
 * @payload: (nullable): at most 1 MiB
 *
 * A word that a tool sends to members.
 */
typedef struct
{
  const SatinNodeId *to;
  guint n_to;
  const char *word;
  GBytes *payload;
} SatinToolWord;

/* Like satin_status_ask(), but sends @word first. When the status arrives, the hub has passed the
 * word on to the receivers that it can reach. */
SATIN_API void satin_tool_say (SatinLoop *loop, SatinTransport *transport, const char *uri,
                               const SatinToolWord *word, gint64 timeout_us, SatinStatusFunc func,
                               gpointer user_data);

G_END_DECLS
