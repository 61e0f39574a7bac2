/* private.h - the state of the hub, and the functions that its sources share
 *
 *            first join                          end            all left, or 1 s passed
 *   EMPTY ----------------------> RUNNING ----------------> ENDING ----------------> OVER
 *     |                              ^                         ^
 *     +-----------> RESTORING -------+                         |
 *     first member     |  grace over          end              |
 *     comes back       +---------------------------------------+  (EMPTY may end too)
 *
 * A hub with @is_restarted enters RESTORING at once.
 *
 *   hub.c             the states, and the functions that the holder calls
 *   connection.c      links: hello, frames, down
 *   handle.c          what each message does
 *   members.c         the members: join, leave, die
 *   election.c        which member is the master
 *   leaving.c         members that announced that they will leave
 *   partial-views.c   which members know each other
 *   restore.c         how a new hub replaces a lost one
 *   deadlines.c       silent members, overdue links
 *   figures.c         figures of the nodes, and the answers to status requests
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "protocol.h"
#include "silence.h"

G_BEGIN_DECLS

#define HUB_MAX_TOOLS       64
#define HUB_MAX_CONNECTIONS (HUB_MAX_MEMBERS + 256)
/* The status also shows members that are gone: the last ones, up to this many. */
#define HUB_MAX_GONE 1024
/* A link is dropped when more than this waits for a node that does not read. For a tool, its status
 * may wait, too. */
#define HUB_MAX_QUEUED_BYTES ((gsize)32 << 20)
/* How long the link of a node may be without a join. */
#define HUB_LINK_PATIENCE_US ((gint64)5000000)
/* If all members fall silent at once, the hub waits this many times death_us. */
#define HUB_DOUBT_DEATHS 12
/* How long members may take to leave after the end of the run. */
#define HUB_END_PATIENCE_US ((gint64)1000000)
/* How much longer than its announced deadline a leaving member may stay. */
#define HUB_LEAVE_GRACE_US ((gint64)5000000)
/* A lost hub may have given out HUB_RESTORE_GAP numbers of nodes, views and terms of which no
 * returning member has heard. A new hub continues behind a gap of this size plus a random part. The
 * random part is below HUB_RESTORE_GAP for nodes, and below HUB_RESTORE_VIEW_GAP for views and
 * terms. */
#define HUB_RESTORE_GAP      4096
#define HUB_RESTORE_VIEW_GAP (1 << 20)

typedef enum
{
  HUB_EMPTY,     /* no node has joined yet; the run has no id and no program */
  HUB_RESTORING, /* for a time (the grace) the hub waits for members of a lost hub's run; no node
                  * gets a number, is elected, or is declared dead because it is silent */
  HUB_RUNNING,   /* the run has an id; members come and go */
  HUB_ENDING,    /* all members were told that the run is over, and send their last reports */
  HUB_OVER,      /* the holder was told that the run is over */
  HUB_N_STATES,
} HubState;

typedef enum
{
  HUB_MEMBER_HEARD,     /* its link is open, and the hub hears it */
  HUB_MEMBER_SUSPECTED, /* its link is open, but others do not reach it, or its process may have
                         * ended; the hub has pinged it */
  HUB_MEMBER_LOST,      /* it has no link, and may come back */
  HUB_MEMBER_LEFT,      /* it left in good order */
  HUB_MEMBER_DIED,      /* it was declared dead */
  HUB_MEMBER_N_STATES,
} HubMemberState;

typedef struct _HubConnection HubConnection;

typedef struct
{
  SatinNodeId id;
  GRefString *cluster; /* (owned) interned, like the next two: simulated nodes share the strings */
  GRefString *address; /* (owned) */
  GRefString *host;    /* (owned) */
  gint64 pid;
  HubMemberState state;
  HubConnection *connection; /* (borrowed from the hub) (nullable): its link */
  HubSilence silence;
  gint64 limit_us;       /* after a longer silence it is declared dead */
  gint64 doubted_us;     /* since when its death waits for a witness (deadlines.c), 0: it does not
                          * wait */
  gint32 signal_number;  /* the signal that ended its process, 0: none, or not known */
  char *death;           /* (owned) (nullable): how it was found that it died */
  gboolean is_leaving;   /* it announced that it will leave */
  gint64 leave_until_us; /* if it has not left by then, it is declared dead */
  GArray *view;          /* (owned) (element-type SatinNodeId): members it knows, sorted */
  gboolean is_partial;   /* it was told that it does not know all members */
  gboolean is_stale;     /* its view changed since its last WELCOME; used while RESTORING */
  guint64 report_serial; /* the hub's ask_serial when @report came */
  guint64 dump_serial;   /* the hub's ask_serial when the last report with a dump came */
  SatinReport report;    /* (owned) */
} HubMember;

/* One link to the hub, from its accept to its down. It may outlive the hub. */
struct _HubConnection
{
  SatinHub *hub; /* (borrowed); %NULL when the hub was freed */
  SatinLink *link;
  SatinRole role;  /* 0 before its hello */
  gint64 since_us; /* when it was accepted */
  gboolean is_closing;
  HubMember *member;  /* (borrowed from the hub) (nullable) */
  GBytes *held_join;  /* (owned) (nullable): a join that waits until the grace is over */
  gboolean is_asking; /* the peer is a tool that waits for its answer */
};

/* A status request of the holder (@func) or of a tool (@connection), which waits for figures. */
typedef struct
{
  SatinHub *hub; /* (borrowed) */
  guint64 serial;
  SatinTimerId timer;
  SatinHubStatusFunc func; /* (nullable) */
  gpointer user_data;
  HubConnection *connection; /* (borrowed) (nullable) */
  gboolean wants_dumps;
  gboolean is_due; /* all reports have arrived, the answer follows */
} HubQuery;

struct _SatinHub
{
  SatinLoop *loop;         /* (borrowed) */
  SatinListener *listener; /* (owned) */
  SatinHubOptions options;
  SatinHubEvents events;
  gpointer user_data;
  HubState state;
  gint64 started_us;

  gint64 hub_id; /* random: distinguishes this hub from other hubs of the same run */
  gboolean has_run;
  guint8 run[HUB_RUN_BYTES];
  char *program; /* (owned) (nullable): the run's program, from the first node that joined */
  guint8 digest[16];
  char *builds; /* (owned) (nullable): the program's build for each processor architecture */

  guint64 view_number;
  SatinNodeId highest; /* highest number given so far */
  SatinNodeId next_number;
  SatinNodeId master;
  guint64 term;
  guint64 next_term;
  guint n_joined;
  guint n_left;
  guint n_died;
  gboolean is_complete;
  GPtrArray *members;   /* (owned) (element-type HubMember): sorted by number */
  GQueue gone;          /* (owned) (element-type HubMember): oldest first */
  GHashTable *clusters; /* (owned): label to (owned) array of (borrowed) HubMember */
  guint n_partial;      /* members with a partial view */

  HubSilence restoring;   /* how long the grace of RESTORING has lasted */
  gint64 whole_highest;   /* highest number known to a returned member that knew all members */
  GHashTable *known_gone; /* (owned) set of node numbers: returned members, or the hub, know that
                             these nodes are gone */
  guint gap;              /* how many numbers of nodes this hub leaves out above the highest number
                           * that returning members know */
  guint view_gap;         /* like @gap, for the numbers of views and terms */
  SatinNodeId offered;    /* the node that offered to be master during the grace, 0 for none */

  GPtrArray *connections; /* (owned) (element-type HubConnection): in order of accept */
  GPtrArray *queries;     /* (owned) (element-type HubQuery) */
  guint64 ask_serial;

  int exit_status;
  char *end_message; /* (owned) (nullable) */

  gint64 tick_due_us;
  gint64 woken_us;      /* when the hub last ran again after it had stood still, 0: never */
  gboolean is_doubting; /* all members fell silent at once, and none is declared dead for silence */
  SatinTimerId tick_timer;
  SatinTimerId join_timer;
  SatinTimerId end_timer;
};

/* hub.c */
gboolean hub_state_may (HubState from, HubState to);
void hub_enter (SatinHub *self, HubState to);
/* In ENDING: when no member is left, lets OVER follow on the loop. */
void hub_check_end (SatinHub *self);

/* connection.c */
void hub_connection_accept (SatinListener *listener, SatinLink *link,
                            const SatinLinkFuncs **ret_funcs, gpointer *ret_user_data,
                            gpointer user_data);
void hub_connection_send (HubConnection *self, HubMessageType type, gconstpointer body);
void hub_connection_send_bytes (HubConnection *self, GBytes *payload);
/* Takes the link from its member, and closes it with @reason (%NULL: in good order). Frames that
 * still arrive are ignored. */
void hub_connection_close (HubConnection *self, const GError *reason);
/* Called when the hub is freed: drops the link, whose down frees the connection. */
void hub_connection_orphan (HubConnection *self);

/* handle.c */
gboolean hub_handle (SatinHub *self, HubConnection *connection, HubMessage *message,
                     GError **error);
/* Handles a join that has just arrived, or that was held during the grace. */
gboolean hub_handle_join (SatinHub *self, HubConnection *connection, const HubJoin *join,
                          GError **error);
/* Finds the member that comes back with @join: number, run, process, host and address must be the
 * same. Returns: (nullable): %NULL with a FENCED error when they are not */
HubMember *hub_find_returning (SatinHub *self, const HubJoin *join, GError **error);
gboolean hub_check_program (SatinHub *self, const SatinHello *hello, GError **error);

/* election.c */
/* Handles the offer of node @id to be the master: elects it if there is no master. During the
 * grace, keeps the offer instead. */
void hub_election_offer (SatinHub *hub, SatinNodeId id);
/* Drops the offer of node @id. */
void hub_election_withdraw (SatinHub *hub, SatinNodeId id);
/* Notes that node @id is gone: drops its offer, and if it was the master, there is no master
 * now. */
void hub_election_forget (SatinHub *hub, SatinNodeId id);
/* After the grace of RESTORING: introduces the master to all members. If there is no master, elects
 * the node that offered itself during the grace. */
void hub_election_restored (SatinHub *hub);

/* members.c */
gboolean hub_member_state_may (HubMemberState from, HubMemberState to);
const char *hub_member_state_name (HubMemberState state);
void hub_member_enter (HubMember *self, HubMemberState to);
HubMember *hub_member_find (SatinHub *hub, gint64 id);
HubMember *hub_member_add (SatinHub *hub, const HubNode *node);
void hub_member_free (HubMember *self);
/* The member's entry in a view; its strings are borrowed from @self. */
HubNode hub_member_describe (const HubMember *self);
void hub_member_attach (SatinHub *hub, HubMember *self, HubConnection *connection);
void hub_member_welcome (SatinHub *hub, HubMember *self);
/* Sends COMPLETE to all members but @except, if the last node of a closed run has joined. */
void hub_member_check_complete (SatinHub *hub, const HubMember *except);
/* While the hub is RUNNING, ends a closed run that has no members left. No node may join this run
 * any more, so no master would ever end it. */
void hub_member_check_deserted (SatinHub *hub);
void hub_member_admit (SatinHub *hub, HubConnection *connection, const HubNode *node);
/* Takes @self out of the view and tells all members that know it. @to: LEFT or DIED. @self is kept
 * for the answers to status requests, until HUB_MAX_GONE later members are gone. */
void hub_member_remove (SatinHub *hub, HubMember *self, HubMemberState to, const char *why);
/* Logs a change, and reports it to the holder. */
void hub_member_tell_changed (SatinHub *hub, SatinNodeId id, const char *what);
void hub_broadcast (SatinHub *hub, HubMessageType type, gconstpointer body,
                    const HubMember *except);
void hub_signal (SatinHub *hub, const HubSignal *signal);
GError *hub_fenced_error (gint64 id, const char *why);

/* leaving.c */
/* Announces that @self, maybe the master, will leave. Does nothing when this was announced before,
 * or when the run ends. */
void hub_leaving_begin (SatinHub *hub, HubMember *self, gint64 deadline_us);
/* Whether a leaving member has stayed too long. */
gboolean hub_leaving_is_overdue (const HubMember *self, gint64 now_us);

/* partial-views.c */
/* Adds the new member @self to the list of its cluster, so that it can be chosen for the views of
 * other members. */
void hub_view_enter (SatinHub *hub, HubMember *self);
/* Removes @self from the views of all members. While the hub is RUNNING, a member whose partial
 * view becomes too small is introduced to one more member. */
void hub_view_leave (SatinHub *hub, HubMember *self);
/* Chooses the view of @self: all members, or some of them in a large run. */
void hub_view_fill (SatinHub *hub, HubMember *self);
/* In a small run, lets @self know all members. Returns: FALSE in a large run; then nothing
 * changes */
gboolean hub_view_fill_small (SatinHub *hub, HubMember *self);
/* Adds @self and @other to each other's views. Returns: FALSE when they know each other already */
gboolean hub_view_join (HubMember *self, HubMember *other);
gboolean hub_view_has (const HubMember *self, SatinNodeId id);
/* Like hub_view_join(), and sends JOINED to both. */
void hub_view_introduce (SatinHub *hub, HubMember *self, HubMember *other);
/* Introduces node @id, which is the master, to all members. */
void hub_view_know_all (SatinHub *hub, SatinNodeId id);
/* Sends a message to all members that know @self. */
void hub_view_tell (SatinHub *hub, const HubMember *self, HubMessageType type, gconstpointer body);
/* Sends PARTIAL, once, to each member that does not know all members any more. @except: (nullable):
 * gets no PARTIAL, because its WELCOME will say the same */
void hub_view_check_whole (SatinHub *hub, const HubMember *except);

/* restore.c */
void hub_restore_begin (SatinHub *self);
gboolean hub_restore_member (SatinHub *self, HubConnection *connection, const HubJoin *join,
                             GError **error);
void hub_restore_finish (SatinHub *self);
/* Whether any node has come back, maybe only to leave, or wants to join. The grace does not end
 * before that, because all machines may be asleep. */
gboolean hub_restore_has_any (SatinHub *self);

/* deadlines.c */
void hub_watch_start (SatinHub *self);
/* How long a member has to come back if its link breaks now. */
gint64 hub_watch_lost_limit_us (SatinHub *self);
void hub_watch_suspect (SatinHub *self, HubMember *member);

/* figures.c */
/* A query for the status of the run.
 * @func: (nullable): receives the answer
 * @connection: (nullable): of the tool that receives it */
typedef struct
{
  gint64 timeout_us;
  gboolean wants_dumps;
  SatinHubStatusFunc func;
  gpointer user_data;
  HubConnection *connection;
} HubQuestion;
void hub_query_add (SatinHub *self, const HubQuestion *question);
/* Asks @member for what the waiting queries need of it, because its link is new. */
void hub_query_ask (SatinHub *self, const HubMember *member);
void hub_query_free (HubQuery *query);
/* Answers, on the loop, the queries that wait for nothing any more. Called after a report came, a
 * link went down or a member was removed. */
void hub_query_check (SatinHub *self);
/* Drops the query of a tool whose link is down. */
void hub_query_forget (SatinHub *self, HubConnection *connection);
/* Called when the hub is freed: answers all queries with the figures that are there. */
void hub_query_answer_all (SatinHub *self);
void hub_report_take (SatinHub *self, HubMember *member, SatinReport *report);

G_END_DECLS
