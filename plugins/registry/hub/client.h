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
 *   registry-hub.c  the operations and the descriptor
 *   client.c        states and deadlines
 *   client-link.c   the link: dialing, heartbeats, frames
 *   client-view.c   the view: what the hub said of the members, and what the host is told
 *   client-wants.c  what this node wants of the hub, told on each link until it answers
 *
 * The client lives until the host was told that it is over (or abandoned it) and
 * its link is down; each holds a reference.
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
/* Until the hub says how often it is to be heard, and after how much silence a link to it is of no
 * use. */
#define CLIENT_JOIN_BEAT_US    ((gint64)500000)
#define CLIENT_JOIN_SILENCE_US ((gint64)2000000)

typedef enum
{
  CLIENT_JOINING, /* no number yet: the hub is dialed or decides */
  CLIENT_MEMBER,  /* in the run, and the hub's events come in */
  CLIENT_UNSURE,  /* in the run, but the hub is lost; it is dialed for ever */
  CLIENT_ENDING,  /* the run is over and the last figures were asked for */
  CLIENT_LEAVING, /* the hub is told, or to be told, that we go */
  CLIENT_DONE,    /* the host knows, or abandoned us */
  CLIENT_N_STATES,
} ClientState;

/* One of the others. Many views of one process hold the same strings. */
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
  SatinIdentity identity; /* its run and node are ours when we have them */
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
  gboolean is_welcomed; /* on this link */
  gboolean is_broken;   /* this link, which is being dropped */
  gboolean is_over;     /* the hub said that we left, or that the run is over */
  gint64 welcomed_us;
  gint64 backoff_us;
  SatinTimerId dial_timer;
  gint64 lost_us;
  gboolean is_unsure_told;
  GError *last_error; /* (owned) (nullable): why the hub could not be reached */

  gint64 heartbeat_us;
  gint64 death_us;
  HubSilence silence;
  gint64 beat_due_us;
  SatinTimerId beat_timer;

  gint64 hub; /* that the view came from */
  gint64 view_number;
  gint64 highest; /* number heard of */
  gint64 master;
  gint64 term;
  gboolean is_complete;
  GArray *members;     /* (owned) (element-type ClientMember): the others, by rising number */
  gboolean is_partial; /* there are more */
  GArray *gone;        /* (owned) (element-type gint32): numbers of those that went, oldest first */
  GArray *asked;       /* (owned) (element-type gint32): who is to be introduced */

  gboolean is_leaving;      /* this node said so; the hub is told on each link */
  gint64 leave_until_us;    /* until when it will have left */
  gboolean is_leaving_told; /* the host was, as the hub has told all */
  gboolean is_offering;     /* to be master, and nobody was elected yet */
  gboolean has_end;         /* the run's end is to be told until the hub says it */
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
/* Tells the host that it is over; the host's reference is gone after that. Not inside an operation.
 */
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
/* Asks for a member that was not told of, until there is an answer. */
void client_introduce (Client *self, SatinNodeId id);
/* Asks again for all of them. */
void client_ask_again (Client *self);
/* The others, as they stand in a join. Returns: (transfer container) */
HubNode *client_describe_members (const Client *self);
void client_clear_member (gpointer member);

/* client-wants.c */
/* This node will leave: the hub is told until it knows. */
void client_say_leaving (Client *self, gint64 deadline_us);
void client_tell_end (Client *self);
/* On a new link: what the hub has not answered yet. */
void client_tell_hub (Client *self);

G_END_DECLS
