/* private.h - the inside of the hub
 *
 *            first join                          end            all left, or 1 s passed
 *   EMPTY ----------------------> RUNNING ----------------> ENDING ----------------> OVER
 *     |                              ^                         ^
 *     +-----------> RESTORING -------+                         |
 *      first return      |  grace                              |
 *                        +-------------------------------------+  (EMPTY ends likewise)
 *
 *   hub.c             made, asked by its holder, freed; the states
 *   connection.c      links: hello, frames, down
 *   handle.c          what each message does
 *   members.c         who is in the run: join, leave, die
 *   election.c        which of them is the master
 *   leaving.c         those who said that they will leave
 *   partial-views.c   who knows whom
 *   restore.c         a hub that takes the place of one that was lost
 *   deadlines.c       time: silence, overdue links
 *   figures.c         figures and who asks for them
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
/* Members that are gone stay in the status, the oldest of more than this many are forgotten. */
#define HUB_MAX_GONE 1024
/* Who does not read what is sent to it loses its link. */
#define HUB_MAX_QUEUED_BYTES ((gsize)32 << 20)
/* How long a link may be without a join. */
#define HUB_LINK_PATIENCE_US ((gint64)5000000)
/* When all are silent at once, they have so many times the silence that else means death. */
#define HUB_DOUBT_DEATHS 12
/* How long members may take to leave after the end. */
#define HUB_END_PATIENCE_US ((gint64)1000000)
/* For how long after its deadline a member that is leaving may still be there. */
#define HUB_LEAVE_GRACE_US ((gint64)5000000)
/* How many numbers, views and terms a lost hub may have given out without anybody knowing; the gap
 * behind which they go on is up to twice as large for numbers, and up to so much larger for views.
 */
#define HUB_RESTORE_GAP      4096
#define HUB_RESTORE_VIEW_GAP (1 << 20)

typedef enum
{
  HUB_EMPTY,     /* nobody joined yet; the run has no id and no program */
  HUB_RESTORING, /* members of an earlier hub's run are awaited; nobody gets a number, dies or is
                    elected */
  HUB_RUNNING,   /* the run has an id; members come and go */
  HUB_ENDING,    /* all were told that it is over; the last reports come in */
  HUB_OVER,      /* the holder was told */
  HUB_N_STATES,
} HubState;

typedef enum
{
  HUB_MEMBER_HEARD,     /* its link is open and it speaks */
  HUB_MEMBER_SUSPECTED, /* its link is open, another member got no answer, it was pinged */
  HUB_MEMBER_LOST,      /* it has no link and may come back */
  HUB_MEMBER_LEFT,      /* it left in good order */
  HUB_MEMBER_DIED,      /* it was declared dead */
  HUB_MEMBER_N_STATES,
} HubMemberState;

typedef struct _HubConnection HubConnection;

typedef struct
{
  SatinNodeId id;
  GRefString *cluster; /* (owned) interned, as the two below: a simulation's nodes know them too */
  GRefString *address; /* (owned) */
  GRefString *host;    /* (owned) */
  gint64 pid;
  HubMemberState state;
  HubConnection *connection; /* (borrowed from the hub) (nullable) */
  HubSilence silence;
  gint64 limit_us;       /* of silence, then it is dead */
  gint64 doubted_us;     /* since when its death waits for a witness, 0: it does not */
  gint32 signal_number;  /* that ended its process, 0: none, or it is not known */
  gboolean is_leaving;   /* it said that it will leave */
  gint64 leave_until_us; /* then it must have left, or it is dead */
  GArray *view;          /* (owned) (element-type SatinNodeId): whom it knows, by rising number */
  gboolean is_partial;   /* it knows that there are others */
  gboolean is_stale;     /* its view changed; of use while a lost hub's run is put together */
  guint64 report_serial; /* the hub's ask_serial when the report came */
  SatinReport report;    /* (owned) */
} HubMember;

/* One link, from its accept to its down; it outlives the hub when it must. */
struct _HubConnection
{
  SatinHub *hub; /* (borrowed); %NULL when the hub was freed */
  SatinLink *link;
  SatinRole role;  /* 0 before its hello */
  gint64 since_us; /* when it was accepted */
  gboolean is_closing;
  HubMember *member;  /* (borrowed from the hub) (nullable) */
  GBytes *held_join;  /* (owned) (nullable): a join that waits for the grace to pass */
  gboolean is_asking; /* a tool whose answer is due */
};

/* Somebody waits for figures: the holder (@func) or a tool (@connection). */
typedef struct
{
  SatinHub *hub; /* (borrowed) */
  guint64 serial;
  SatinTimerId timer;
  SatinHubStatusFunc func; /* (nullable) */
  gpointer user_data;
  HubConnection *connection; /* (borrowed) (nullable) */
  gboolean is_due;           /* all reports are there */
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

  gint64 hub_id; /* random: tells this hub from others of the same run */
  gboolean has_run;
  guint8 run[HUB_RUN_BYTES];
  char *program; /* (owned) (nullable): the run's, from the first that joined */
  guint8 digest[16];
  char *builds; /* (owned) (nullable): of the program, one for each kind of machine so far */

  guint64 view_number;
  SatinNodeId highest; /* number given so far */
  SatinNodeId next_number;
  SatinNodeId master;
  guint64 term;
  guint64 next_term;
  guint n_joined;
  guint n_left;
  guint n_died;
  gboolean is_complete;
  GPtrArray *members;   /* (owned) (element-type HubMember): by rising number */
  GQueue gone;          /* (owned) (element-type HubMember): oldest first */
  GHashTable *clusters; /* (owned): label to (owned) array of (borrowed) HubMember */
  guint n_partial;      /* members that do not know all others */

  HubSilence restoring;   /* how long the grace lasts already */
  gint64 whole_highest;   /* among those that came back and knew all: the highest they heard of */
  GHashTable *known_gone; /* (owned) set of numbers: members that came back, or the hub, know that
                             these nodes are gone */
  guint gap;              /* between old numbers and new ones */
  guint view_gap;         /* the same for views and terms */
  SatinNodeId offered;    /* who offered to be master during the grace, 0 for none */

  GPtrArray *connections; /* (owned) (element-type HubConnection): in order of accept */
  GPtrArray *queries;     /* (owned) (element-type HubQuery) */
  guint64 ask_serial;

  int exit_status;
  char *end_message; /* (owned) (nullable) */

  gint64 tick_due_us;
  gint64 woken_us;      /* when it last ran again after it had stood still, 0: never */
  gboolean is_doubting; /* all members fell silent at once, and nobody is declared dead */
  SatinTimerId tick_timer;
  SatinTimerId join_timer;
  SatinTimerId end_timer;
};

/* hub.c */
gboolean hub_state_may (HubState from, HubState to);
void hub_enter (SatinHub *self, HubState to);
/* In ENDING: calls the end soon when nobody is left to wait for. */
void hub_check_end (SatinHub *self);

/* connection.c */
void hub_connection_accept (SatinListener *listener, SatinLink *link,
                            const SatinLinkFuncs **ret_funcs, gpointer *ret_user_data,
                            gpointer user_data);
void hub_connection_send (HubConnection *self, HubMessageType type, gconstpointer body);
void hub_connection_send_bytes (HubConnection *self, GBytes *payload);
/* Says why (%NULL: good order) and closes; nothing it sends counts from here on. */
void hub_connection_close (HubConnection *self, const GError *reason);
/* The hub goes: breaks the link, whose down frees the connection. */
void hub_connection_orphan (HubConnection *self);

/* handle.c */
gboolean hub_handle (SatinHub *self, HubConnection *connection, HubMessage *message,
                     GError **error);
/* Decides about a join, also one that was held. */
gboolean hub_handle_join (SatinHub *self, HubConnection *connection, const HubJoin *join,
                          GError **error);
/* The member that comes back: same number, run and process; else %NULL and it is fenced. */
HubMember *hub_find_returning (SatinHub *self, const HubJoin *join, GError **error);
gboolean hub_check_program (SatinHub *self, const SatinHello *hello, GError **error);

/* election.c */
/* @id wants to be the master. */
void hub_election_offer (SatinHub *hub, SatinNodeId id);
/* It does not any more. */
void hub_election_withdraw (SatinHub *hub, SatinNodeId id);
/* It is gone: there is no master if it was one. */
void hub_election_forget (SatinHub *hub, SatinNodeId id);
/* No member is waited for any more: who offered itself meanwhile may be the master. */
void hub_election_restored (SatinHub *hub);

/* members.c */
gboolean hub_member_state_may (HubMemberState from, HubMemberState to);
const char *hub_member_state_name (HubMemberState state);
void hub_member_enter (HubMember *self, HubMemberState to);
HubMember *hub_member_find (SatinHub *hub, gint64 id);
HubMember *hub_member_add (SatinHub *hub, const HubNode *node);
void hub_member_free (HubMember *self);
/* How it stands in a view; borrowed from it. */
HubNode hub_member_describe (const HubMember *self);
void hub_member_attach (SatinHub *hub, HubMember *self, HubConnection *connection);
void hub_member_welcome (SatinHub *hub, HubMember *self);
/* Closed world: tells all but @except when the last has joined. */
void hub_member_check_complete (SatinHub *hub, const HubMember *except);
void hub_member_admit (SatinHub *hub, HubConnection *connection, const HubNode *node);
/* Takes it out of the view and tells the others: @to is LEFT or DIED. @self is kept for the status.
 */
void hub_member_remove (SatinHub *hub, HubMember *self, HubMemberState to, const char *why);
/* The holder hears of it. */
void hub_member_tell_changed (SatinHub *hub, SatinNodeId id, const char *what);
void hub_broadcast (SatinHub *hub, HubMessageType type, gconstpointer body,
                    const HubMember *except);
void hub_signal (SatinHub *hub, const HubSignal *signal);
GError *hub_fenced_error (gint64 id, const char *why);

/* leaving.c */
/* Does nothing when the member said so before. The master may say so too. */
void hub_leaving_begin (SatinHub *hub, HubMember *self, gint64 deadline_us);
/* Whether it has stayed for too long. */
gboolean hub_leaving_is_overdue (const HubMember *self, gint64 now_us);

/* partial-views.c */
/* @self is a member from now on: others can be introduced to it. */
void hub_view_enter (SatinHub *hub, HubMember *self);
/* @self leaves the views of all members. Members whose view becomes too small are introduced to
 * others. */
void hub_view_leave (SatinHub *hub, HubMember *self);
/* Chooses the view of @self: all members, or some of them in a large run. */
void hub_view_fill (SatinHub *hub, HubMember *self);
/* As hub_view_fill() in a run where all know all. Returns: FALSE in a large one, nothing done */
gboolean hub_view_fill_small (SatinHub *hub, HubMember *self);
/* Returns: FALSE when the two know each other already */
gboolean hub_view_join (HubMember *self, HubMember *other);
gboolean hub_view_has (const HubMember *self, SatinNodeId id);
/* As hub_view_join(), and both hear of it. */
void hub_view_introduce (SatinHub *hub, HubMember *self, HubMember *other);
/* The master is introduced to all. */
void hub_view_know_all (SatinHub *hub, SatinNodeId id);
/* A message to all who know @self. */
void hub_view_tell (SatinHub *hub, const HubMember *self, HubMessageType type, gconstpointer body);
/* Tells those that do not know all members any more, once; @except hears it with its view. */
void hub_view_check_whole (SatinHub *hub, const HubMember *except);

/* restore.c */
void hub_restore_begin (SatinHub *self);
gboolean hub_restore_member (SatinHub *self, HubConnection *connection, const HubJoin *join,
                             GError **error);
void hub_restore_finish (SatinHub *self);
/* Whether somebody came, back or anew: while all sleep the grace has no end. */
gboolean hub_restore_has_any (SatinHub *self);

/* deadlines.c */
void hub_watch_start (SatinHub *self);
/* How long a member whose link breaks now has to come back. */
gint64 hub_watch_lost_limit_us (SatinHub *self);
void hub_watch_suspect (SatinHub *self, HubMember *member);

/* figures.c */
void hub_query_add (SatinHub *self, gint64 timeout_us, SatinHubStatusFunc func, gpointer user_data,
                    HubConnection *connection);
void hub_query_free (HubQuery *query);
/* Figures came, or somebody is gone: who waited for the last of them hears soon. */
void hub_query_check (SatinHub *self);
/* A tool's link is down: its question is forgotten. */
void hub_query_forget (SatinHub *self, HubConnection *connection);
/* The hub goes: all who wait are answered with what is there. */
void hub_query_answer_all (SatinHub *self);
void hub_report_take (SatinHub *self, HubMember *member, SatinReport *report);

G_END_DECLS
