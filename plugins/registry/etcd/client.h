/* client.h - a node's membership of a run that is kept in a store
 *
 *            own key is there            run over
 *   JOINING -----------------> MEMBER -----------> ENDING
 *      |                         |  leave            | time is up, or leave
 *      |                         +------> LEAVING <--+
 *      |                         |           | own key is gone, or time is up
 *      +-------------------------+---> DONE <+
 *         refused, fenced
 *
 * The store's keys of the run are mirrored here: read once, then followed by a watch. All that
 * this node wants of the run (to join, to remove the dead, to be elected, ...) is written by a
 * commit that compares the key "view" with the mirror; what has become of it, the watch tells. So
 * there is one way by which the mirror changes, and an answer that was lost on its way does no
 * harm.
 *
 * A node whose life is gone is dead only when a commit says so. Until then it puts its life again.
 *
 *   registry-etcd.c  the operations and the descriptor
 *   client.c         states and deadlines
 *   client-store.c   reading, watching, and what is done when the store does not answer
 *   client-mirror.c  the mirror of the store's keys
 *   client-tell.c    what the host is told of it
 *   client-wants.c   what the host wants, until a commit writes it
 *   client-change.c  what this node wants changed: one commit at a time
 *   client-life.c    leases: this node's, and those of others that are in doubt
 *   keys.c           names and values of keys
 *   seal.c           values are sealed with the cluster secret
 *   store/           what a store is, and etcd as one
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "keys.h"
#include "seal.h"
#include "store/store.h"

#include <satin/net/registry.h>

G_BEGIN_DECLS

#define CLIENT_MAX_PAYLOAD_BYTES ((gsize)1 << 20)
#define CLIENT_MAX_WORD_BYTES    63
#define CLIENT_MAX_TEXT_BYTES    4096
/* That wait to be said; what is over that is lost. */
#define CLIENT_MAX_WORDS 1024

typedef enum
{
  CLIENT_JOINING, /* no number yet */
  CLIENT_MEMBER,  /* in the run */
  CLIENT_ENDING,  /* the run is over and the host knows */
  CLIENT_LEAVING, /* the store is told, or to be told, that we go */
  CLIENT_DONE,    /* the host knows, or abandoned us */
  CLIENT_N_STATES,
} ClientState;

/* How long things may take. */
typedef struct
{
  gint64 lease_s;
  gint64 join_timeout_us;
  gint64 leave_timeout_us;
  gint64 forget_s; /* how long the store keeps a run that is over */
} ClientTimes;

/* A member as the mirror has it, this node too. */
typedef struct
{
  SatinNodeId id;
  KeyMember member; /* (owned) */
  gint64 revision;  /* of its key, 0: gone */
  gboolean has_life;
  gint64 lost_us;           /* when it was seen to have no life, while it has none */
  gboolean is_told;         /* the host knows it */
  gboolean is_leaving_told; /* and that it is leaving */
  gint64 leave_until_us;    /* 0: it did not say that it leaves */
  guint n_doubts; /* times that its lease was looked at since it was suspected, 0: it is not */
} ClientMember;

/* A word that is to be said. */
typedef struct
{
  SatinNodeId to;
  KeyWord word; /* (owned) */
} ClientWord;

typedef struct
{
  guint n_refs;
  SatinLoop *loop; /* (borrowed) */
  const StoreOps *ops;
  gpointer store;     /* (owned) (nullable) */
  char *uri;          /* (owned): for messages */
  char *prefix;       /* (owned): of the run's keys */
  char *program_name; /* (owned) */
  SatinProgram program;
  KeyMember own; /* (owned): how this node stands in the store */
  Seal seal;
  const SatinRegistryEvents *events; /* (borrowed) */
  gpointer user_data;
  ClientTimes times;
  ClientState state;
  gboolean is_abandoned;
  SatinTimerId deadline_timer;

  /* The way to the store. */
  SatinTimerId retry_timer;
  gint64 backoff_us;
  gboolean is_lost;    /* it did not answer the last time */
  GError *last_error;  /* (owned) (nullable) */
  gboolean is_reading; /* the whole, or a lease is made */
  gboolean is_watching;
  gboolean is_renewing;
  SatinTimerId beat_timer;
  gint64 answered_us;    /* when the store answered last */
  gint64 doubt_until_us; /* it was away: until then nobody is dead for want of a life */

  /* The mirror. */
  gint64 revision;      /* up to which it is right, 0: nothing was read */
  KeyView view;         /* (owned) */
  gint64 view_revision; /* 0: there is no such key */
  gboolean is_strange;  /* what was read before this node joined is not of a node of the run */
  gboolean has_warned;  /* of a value that is none of this run */
  gint64 highest;       /* number that was seen */
  GArray *members;      /* (owned) (element-type ClientMember): by rising number */
  gboolean has_end;     /* the run is over */
  SatinRunEnd end;      /* (owned) */

  /* What the host was told. */
  SatinNodeId id; /* this node's number, 0: none yet */
  guint8 run[KEY_RUN_BYTES];
  gint64 joined_revision;
  gint64 joined_number; /* of the view */
  gint64 told_number;
  gint64 told_term;
  GHashTable *heard; /* (owned) (element-type gint64 gint64): the last word of each sender */

  /* What this node wants. */
  gboolean is_committing;
  gint64 proposed_revision; /* of the mirror, at the last commit */
  gint64 awaited_revision;  /* before the next commit */
  gboolean is_offering;
  gboolean is_going; /* said that it will leave, within */
  gint64 leave_within_us;
  GQueue words;   /* (owned) (element-type ClientWord) */
  guint n_saying; /* how many of them are in the commit */
  gint64 serial;
  gboolean wants_end;
  SatinRunEnd wanted_end; /* (owned) */
  gint64 end_lease;       /* under which a run that is over is kept, 0: none yet */
  SatinTimerId removal_timer;
  gboolean is_removal_due; /* others had their time to remove the dead */
  gboolean is_revoking;    /* this node has left, and gives its lease back */
} Client;

/* client.c */
void client_word_free (gpointer word);
gboolean client_state_may (ClientState from, ClientState to);
void client_enter (Client *self, ClientState to);
/* @store: (transfer full) */
Client *client_new (const SatinRegistryContext *context, const StoreOps *ops, gpointer store,
                    const char *run_name, const ClientTimes *times,
                    const SatinRegistryEvents *events, gpointer user_data);
void client_unref (Client *self);
void client_leave (Client *self);
void client_abandon (Client *self);
/* Tells the host that it is over; the host's reference is gone after that. Not inside an operation.
 */
void client_finish (Client *self, const GError *error);
void client_waits (Client *self, SatinWaitFunc add, gpointer user_data);

/* client-store.c */
void client_start (Client *self);
/* Makes a call; @done runs unless this node is done before, with this client as user data. */
void client_call (Client *self, const StoreCall *call, StoreDone done);
/* Nobody answered: it is tried again later. The last thing that a callback does, as the host may
 * abandon this node in it. */
void client_note_failure (Client *self, const GError *error);
void client_note_answer (Client *self);
/* Reads all keys again, as the mirror may be wrong. */
void client_read (Client *self);

/* client-mirror.c */
ClientMember *client_find (Client *self, gint64 id);
void client_clear_member (gpointer member);
/* Takes the changes of one commit, or all keys that were read, into the mirror; words go to the
 * host. */
void client_take_items (Client *self, const StoreItem *items, guint n_items);
/* Before all is read: what is not there then is gone. */
void client_forget_all (Client *self);
/* Returns: (array fixed-size=16): the run's name of chance, zeros when there is no view */
const guint8 *client_get_run (const Client *self);

/* client-tell.c */
/* Tells the host what has changed in the mirror. */
void client_tell (Client *self);
/* Whether the run is one of this node's program. */
gboolean client_is_same_program (const Client *self);

/* client-change.c */
/* Writes the next thing that this node wants, if it can be written now. */
void client_propose (Client *self);
/* Whether no member lives. */
gboolean client_is_alone (const Client *self);

/* client-wants.c */
/* What the host wants: to be master, to leave soon, a word to others (0: all), the run's end. */
void client_offer (Client *self);
void client_say_leaving (Client *self, gint64 deadline_us);
void client_say (Client *self, SatinNodeId to, const char *word, GBytes *payload);
void client_end (Client *self, int exit_status, const char *message);

/* client-life.c */
void client_life_start (Client *self);
/* The store says that this node's lease has run out. */
void client_lose_lease (Client *self);
void client_suspect (Client *self, SatinNodeId id);
/* The store was away, so lives may be gone of nodes that live: they get time to come back. */
void client_doubt (Client *self);
/* Doubts if the store has not answered for long. */
void client_check_silence (Client *self);
/* Whether a node that said that it leaves should have left long ago. */
gboolean client_is_overdue (const Client *self, const ClientMember *member);
/* Whether this node is the one to remove @dead now; when it is not, its turn comes later. */
gboolean client_may_remove (Client *self, const ClientMember *dead);
/* Whether all members had time to come back, so that they are dead; else it is looked again. */
gboolean client_may_begin (Client *self);

G_END_DECLS
