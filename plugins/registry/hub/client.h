/* client.h - a node's side of the hub's protocol
 *
 *            welcome              link lost
 *   JOINING ---------> MEMBER <----------------> UNSURE
 *      |                 |  |       welcome        |
 *      |        run over |  +---------+            |
 *      |                 v            | leave      |
 *      |               ENDING ------> LEAVING <----+
 *      |                 | reported      | answered, or time is up
 *      +-----------------+-----> DONE <--+
 *         refused, fenced, over
 *
 * Not drawn: UNSURE can become DONE, too, and JOINING can become LEAVING. An ENDING node whose link
 * is lost is DONE.
 *
 *   registry-hub.c  the operations and the descriptor
 *   client.c        states and deadlines
 *   client-link.c   the link: dialing, heartbeats, frames
 *   client-view.c   the view of the members, and the host's events
 *   client-wants.c  this node's requests to the hub, repeated on each link until answered
 *
 * The host and the link each hold a reference to the client. The host's reference ends when the
 * host is told `over` or abandons the client. The link's reference ends when the link is down.
 *
 * "The host" is the code that has loaded this plugin and gets its events (satin/net/registry.h).
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hub/protocol.h"
#include "hub/silence.h"

G_BEGIN_DECLS

#define CLIENT_BACKOFF_MIN_US ((gint64)50000)
/* The heartbeat interval, and the silence after which the link is dropped, until the hub's welcome
 * sets both. */
#define CLIENT_JOIN_BEAT_US    ((gint64)500000)
#define CLIENT_JOIN_SILENCE_US ((gint64)2000000)

typedef enum
{
  CLIENT_JOINING, /* no number yet: the hub is dialed, or has not decided */
  CLIENT_MEMBER,  /* in the run, and the hub's events come in */
  CLIENT_UNSURE,  /* in the run, but the hub is lost; it is dialed again and again */
  CLIENT_ENDING,  /* the run is over, and the host was asked for its last figures */
  CLIENT_LEAVING, /* this node leaves; the hub has not confirmed it yet */
  CLIENT_DONE,    /* the host was told `over`, or abandoned the client */
  CLIENT_N_STATES,
} ClientState;

/* Another member. Its strings are interned, because many views in one process share them. */
typedef struct
{
  SatinNodeId id;
  GRefString *cluster; /* (owned) */
  GRefString *address; /* (owned) */
  GRefString *host;    /* (owned) */
  gint64 pid;
  gboolean is_leaving;
} ClientMember;

typedef struct
{
  guint n_refs;
  SatinLoop *loop;           /* (borrowed) */
  SatinTransport *transport; /* (borrowed) */
  char *uri;                 /* (owned) */
  char *program_name;        /* (owned) */
  SatinProgram program;
  SatinIdentity identity; /* its run and node are set once this node is a member */
  char *cluster;          /* (owned) */
  char *address;          /* (owned) */
  char *host;             /* (owned) */
  gint64 pid;
  const SatinRegistryEvents *events; /* (borrowed) */
  gpointer user_data;
  ClientState state;
  gboolean is_abandoned;

  gint64 join_timeout_us;
  gint64 leave_timeout_us;
  SatinTimerId deadline_timer;

  SatinLink *link;      /* (nullable) */
  gboolean is_welcomed; /* the hub has answered the join on this link */
  gboolean is_broken;   /* the link is being dropped; its frames are ignored */
  gboolean is_over;     /* the hub said that we left, or that the run is over */
  gint64 welcomed_us;
  gint64 backoff_us;
  SatinTimerId dial_timer;
  gint64 lost_us;
  gboolean is_unsure_told;
  GError *last_error; /* (owned) (nullable): why the last link ended */

  gint64 heartbeat_us;
  gint64 death_us;
  HubSilence silence;
  gint64 beat_due_us;
  SatinTimerId beat_timer;

  gint64 hub; /* random id of the hub that sent the view */
  gint64 view_number;
  gint64 highest; /* the highest number in any view or event */
  gint64 master;
  gint64 term;
  gboolean is_complete;
  GArray *members;     /* (owned) (element-type ClientMember): the other members, by id */
  gboolean is_partial; /* the view is partial */
  GArray *gone;        /* (owned) (element-type gint32): members that left or died, oldest first */
  GArray *asked;       /* (owned) (element-type gint32): members that the hub was asked about */

  gboolean is_leaving;      /* this node has announced that it leaves */
  gint64 leave_until_us;    /* the deadline that it has announced */
  gboolean is_leaving_told; /* the host was told that this node is leaving */
  gboolean is_offering;     /* this node offers to be master, and none is elected yet */
  gboolean has_end;         /* this node ends the run; repeated until the hub confirms */
  int end_status;
  char *end_message; /* (owned) (nullable) */
} Client;

/* client.c */
gboolean client_state_may (ClientState from, ClientState to);
void client_enter (Client *self, ClientState to);
Client *client_new (const SatinRegistryContext *context, const SatinRegistryEvents *events,
                    gpointer user_data, gint64 join_timeout_us, gint64 leave_timeout_us);
void client_unref (Client *self);
void client_leave (Client *self);
void client_abandon (Client *self);
/* Reports `over` to the host and drops the host's reference. May not be called inside an operation
 * that the host has called. */
void client_finish (Client *self, const GError *error);
void client_run_over (Client *self, const SatinRunEnd *end);

/* client-link.c */
gboolean client_dial (Client *self, GError **error);
void client_send (Client *self, HubMessageType type, gconstpointer body);
void client_stop_timers (Client *self);
void client_waits (Client *self, SatinWaitFunc add, gpointer user_data);

/* client-view.c */
gboolean client_take_welcome (Client *self, const HubWelcome *welcome, GError **error);
gboolean client_take_joined (Client *self, const HubJoined *joined, GError **error);
gboolean client_take_gone (Client *self, const HubGone *gone, gboolean is_death, GError **error);
gboolean client_take_elected (Client *self, const HubElected *elected, GError **error);
gboolean client_take_leaving (Client *self, const HubGone *leaving, GError **error);
void client_take_complete (Client *self);
void client_take_partial (Client *self);
void client_take_unknown (Client *self, const HubNumber *number);
/* Asks the hub for an unknown member. The question is repeated until the hub answers. */
void client_introduce (Client *self, SatinNodeId id);
/* Repeats the questions that the hub has not answered. */
void client_ask_again (Client *self);
/* The other members, for a join message. Returns: (transfer container) */
HubNode *client_describe_members (const Client *self);
void client_clear_member (gpointer member);

/* client-wants.c */
/* Announces that this node will leave. The announcement is repeated on each new link. */
void client_say_leaving (Client *self, gint64 deadline_us);
void client_tell_end (Client *self);
/* Repeats all unanswered requests on a new link. */
void client_tell_hub (Client *self);

G_END_DECLS
