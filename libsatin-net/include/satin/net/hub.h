/* hub.h - the registry server that `satin run` and `satin hub` hold
 *
 * One hub serves one run. It is a state machine over links and time; the
 * records below are its protocol with nodes (SATIN_FRAME_HUB) and with tools.
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
 * @n_nodes: closed world when above 0: how many members the run waits for before it is complete
 * @heartbeat_us: how often a node is to be heard (default 500 ms when 0)
 * @death_us: after how much silence it is declared dead (default 5 s when 0)
 * @join_timeout_us: closed world: how long all members may take to join (default 30 s when 0)
 * @view_max: of how many others a node is told when the run has more members, 2 or more (default
 * 256 when 0): half as many when it joins, and of some that join later
 * @is_restarted: it takes the place of a hub that was lost: for @death_us the run's members are
 *   awaited before a new one is let in. Without it the first that joins decides whether the run is
 *   new
 *
 * How a hub keeps its run.
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
/* What a node reports of itself. */
SATIN_RECORD (SatinReport, (array_record, figures, SatinFigure))
/* What the hub tells a tool of one node. */
SATIN_RECORD (SatinNodeStatus,
              (long, node), (string, cluster), (string, host), (long, pid), (string, address),
              (boolean, is_master), (string, state), (long, heard_us_ago),
              (array_record, figures, SatinFigure))
/* What the hub tells a tool of the run. @holder: what who holds it adds, empty for nothing. */
SATIN_RECORD (SatinRunStatus,
              (string, program), (string, run), (long, view_number), (long, term), (long, up_us),
              (int, n_left), (int, n_died), (array_record, nodes, SatinNodeStatus), (bytes, holder))
/* clang-format on */

/**
 * SatinHubEvents:
 * @changed: (nullable): a node "joined", "is leaving", "left" or "died", as @what says
 * @over: the run ended with @exit_status and @message (nullable); all nodes were told
 * @asked: (nullable): a tool said a word to %SATIN_RUN_HOLDER; the tool hears the error that is
 * set. Without it, each such word is refused
 * @told: (nullable): a member said a word to %SATIN_RUN_HOLDER
 * @describe: (nullable): what the holder adds to a status. Returns: (transfer full) (nullable)
 * @silent: (nullable): a node is about to be declared dead for no other reason than that it was not
 *   heard, or not in time; @why in words
 *
 * What a hub tells its holder.
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
} SatinHubEvents;

/**
 * satin_hub_new:
 * @transport: borrowed, outlives the hub
 * @uri: where to listen
 *
 * @options: (nullable): copied; %NULL for an open world with defaults
 * @error: %SATIN_ERROR_INVALID when an option is out of its range, or of the transport, such as
 *   %SATIN_ERROR_ADDRESS_IN_USE
 *
 * Returns: (transfer full): a hub without members, or %NULL with @error set
 */
SATIN_API SatinHub *satin_hub_new (SatinLoop *loop, SatinTransport *transport, const char *uri,
                                   const SatinHubOptions *options, const SatinHubEvents *events,
                                   gpointer user_data, GError **error);
/* Where nodes reach it; borrowed from the hub. */
SATIN_API const char *satin_hub_get_uri (SatinHub *self);

/* Asks all nodes for fresh figures; @func hears the whole status, with what came within
 * @timeout_us. Returns nothing: @func runs exactly once, on the loop. */
typedef void (*SatinHubStatusFunc) (const SatinRunStatus *status, gpointer user_data);
SATIN_API void satin_hub_ask_status (SatinHub *self, gint64 timeout_us, SatinHubStatusFunc func,
                                     gpointer user_data);

/* A word to a member, or to all when @to is 0. @payload: (nullable): at most 1 MiB */
SATIN_API void satin_hub_signal (SatinHub *self, SatinNodeId to, const char *word, GBytes *payload);

/* Where a member runs, as it said when it joined; borrowed until it is gone. Returns: (nullable) */
SATIN_API const char *satin_hub_get_host (SatinHub *self, SatinNodeId id);

/* The process of @id on @host when that was declared dead: it may live, and must do nothing more
 * for the run. 0: it is not known, or has another member now. */
SATIN_API gint64 satin_hub_get_dead_pid (SatinHub *self, SatinNodeId id, const char *host);

/* The first member that runs on @host, 0: none does. */
SATIN_API SatinNodeId satin_hub_find_on (SatinHub *self, const char *host);

/**
 * satin_hub_process_ended:
 * @host: of the process, as its node named it when it joined
 * @pid: its number there
 * @how: it ended, for the log and for the node, should it live
 *
 * Whoever holds the process of a node says that it ended. The node is declared dead at once when it
 * had not left. When host and number are those of several nodes, of machines with the same name,
 * then each of them has to show within a second that it lives.
 *
 * Threads: loop.
 */
SATIN_API void satin_hub_process_ended (SatinHub *self, const char *host, gint64 pid,
                                        const char *how);

/**
 * satin_hub_process_killed:
 * @signal_number: that ended it, in [0, 127]; 0: none did
 *
 * As satin_hub_process_ended(), for a process that a signal ended: the other nodes hear which one,
 * so that they can tell a job that crashes its process from a node that was lost by chance.
 *
 * Threads: loop.
 */
SATIN_API void satin_hub_process_killed (SatinHub *self, const char *host, gint64 pid,
                                         int signal_number, const char *how);

/* A machine is gone, and whatever was on it: members there are declared dead at once. @how it
 * ended, for the log and for the nodes, should they live. */
SATIN_API void satin_hub_host_ended (SatinHub *self, const char *host, const char *how);

/* As satin_hub_host_ended(), and the other nodes hear what ended it: @signal_number as of
 * satin_hub_process_killed(), or %SATIN_DEATH_OUT_OF_MEMORY. */
SATIN_API void satin_hub_host_killed (SatinHub *self, const char *host, int signal_number,
                                      const char *how);

/**
 * satin_hub_expect_more:
 * @n_nodes: 1 or more
 *
 * So many more nodes may join a closed run that is complete. An open one takes them anyway.
 *
 * Threads: loop.
 */
SATIN_API void satin_hub_expect_more (SatinHub *self, guint n_nodes);

/* Whether somebody has ended the run: that it is over was told, or soon will be. */
SATIN_API gboolean satin_hub_is_ending (SatinHub *self);

/* Ends the run for all members. */
SATIN_API void satin_hub_end (SatinHub *self, int exit_status, const char *message);
/* Closes all links of the hub; no function of its events is called any more. */
SATIN_API void satin_hub_free (SatinHub *self);

/* The answer of a hub: a status, or an error. Both are valid during the call. */
typedef void (*SatinStatusFunc) (const SatinRunStatus *status, const GError *error,
                                 gpointer user_data);

/**
 * satin_status_ask:
 * @transport: borrowed until @func has run
 * @uri: a hub
 * @func: runs once, with a status or an error
 *
 * What `satin status` does: connects as a tool, asks, and closes.
 */
SATIN_API void satin_status_ask (SatinLoop *loop, SatinTransport *transport, const char *uri,
                                 gint64 timeout_us, SatinStatusFunc func, gpointer user_data);

/**
 * SatinToolWord:
 * @to: (array length=n_to): members that are to hear it, or %SATIN_RUN_HOLDER
 * @n_to: 0: all
 * @word: at most 63 bytes, such as %SATIN_SIGNAL_LEAVE
 * @payload: (nullable): at most 1 MiB
 *
 * What a tool says to members.
 */
typedef struct
{
  const SatinNodeId *to;
  guint n_to;
  const char *word;
  GBytes *payload;
} SatinToolWord;

/* As satin_status_ask(), but says @word first: when the status comes, the hub has passed it on to
 * those of them that it reaches. */
SATIN_API void satin_tool_say (SatinLoop *loop, SatinTransport *transport, const char *uri,
                               const SatinToolWord *word, gint64 timeout_us, SatinStatusFunc func,
                               gpointer user_data);

G_END_DECLS
