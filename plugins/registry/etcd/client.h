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
 * Not drawn: JOINING can become LEAVING, and an ENDING node whose key is gone is DONE.
 *
 * The client mirrors the run's keys in the store: it reads them, then follows them by a watch.
 * To change anything (to join, to remove the dead, to be elected, ...) it writes a commit, which
 * compares the key "view" with the mirror. (A commit that puts a life key back compares the
 * member's own keys instead.) The changes of a commit, also of a commit of this node, come into the
 * mirror from the store only, by the watch or a new reading. So a lost answer does no harm.
 *
 * Each member has a life key, which the store deletes when the member's lease expires. A member
 * without a life key is dead only when a commit says so. Until then, the member may put its life
 * key back. A "word" is a signal from one host to other hosts, with a payload.
 *
 *   registry-etcd.c  the operations and the descriptor
 *   client.c         states and deadlines
 *   client-store.c   reading, watching, and retries when the store does not answer
 *   client-mirror.c  the mirror of the store's keys
 *   client-tell.c    the host's events, derived from the mirror
 *   client-wants.c   the host's requests, kept until a commit writes them
 *   client-change.c  writing: one commit at a time
 *   client-life.c    leases: this node's, and those of suspected nodes
 *   keys.c           names and values of keys
 *   seal.c           values are sealed with the cluster secret
 *   store/           the interface of a store, and its implementation with etcd
 *
 * "The host" is the code that has loaded this plugin and gets its events (satin/net/registry.h).
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
/* The most words that wait to be written; further words are dropped. */
#define CLIENT_MAX_WORDS 1024

typedef enum
{
  CLIENT_JOINING, /* no number yet */
  CLIENT_MEMBER,  /* in the run */
  CLIENT_ENDING,  /* the run is over and the host was told so */
  CLIENT_LEAVING, /* this node leaves; the store has not confirmed it yet */
  CLIENT_DONE,    /* the host was told `over`, or abandoned the client */
  CLIENT_N_STATES,
} ClientState;

/* Times from the plugin's parameters. */
typedef struct
{
  gint64 lease_s;
  gint64 join_timeout_us;
  gint64 leave_timeout_us;
  gint64 forget_s; /* how long the store keeps a run that is over */
} ClientTimes;

/* A member in the mirror; this node is one of them. */
typedef struct
{
  SatinNodeId id;
  KeyMember member; /* (owned) */
  gint64 revision;  /* when its member key changed last; 0: the key is gone */
  gboolean has_life;
  gint64 lost_us;           /* while it has no life key: when the key was lost */
  gboolean is_told;         /* the host was told of this member */
  gboolean is_leaving_told; /* the host was told that it is leaving */
  gint64 leave_until_us;    /* its announced deadline; 0: it has not said that it leaves */
  guint n_doubts;           /* checks of its lease since it was suspected; 0: not suspected */
} ClientMember;

/* A word that waits to be written. */
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
  char *prefix;       /* (owned): the beginning of all keys of the run */
  char *program_name; /* (owned) */
  SatinProgram program;
  KeyMember own; /* (owned): this node's record in the store */
  Seal seal;
  const SatinRegistryEvents *events; /* (borrowed) */
  gpointer user_data;
  ClientTimes times;
  ClientState state;
  gboolean is_abandoned;
  SatinTimerId deadline_timer;

  /* The connection to the store. */
  SatinTimerId retry_timer;
  gint64 backoff_us;
  gboolean is_lost;    /* the last call failed */
  GError *last_error;  /* (owned) (nullable) */
  gboolean is_reading; /* all keys are being read, or a lease is being made */
  gboolean is_watching;
  gboolean is_renewing;
  SatinTimerId beat_timer;
  gint64 answered_us;    /* when the store answered last */
  gint64 doubt_until_us; /* before this time no death is declared, because the store was away */

  /* The mirror. */
  gint64 revision;      /* the mirror has all changes up to this revision; 0: it is empty */
  KeyView view;         /* (owned) */
  gint64 view_revision; /* when the key "view" changed last; 0: there is no such key */
  gboolean is_strange;  /* before joining: a key was not written by a node of this run */
  gboolean has_warned;  /* a warning about such a key was given, after joining */
  gint64 highest;       /* the highest number of a member seen */
  GArray *members;      /* (owned) (element-type ClientMember): by rising number */
  gboolean has_end;     /* the run is over */
  SatinRunEnd end;      /* (owned) */

  /* The host's state. */
  SatinNodeId id; /* this node's number, 0: none yet */
  guint8 run[KEY_RUN_BYTES];
  gint64 joined_revision;
  gint64 joined_number; /* number of the view with which this node joined */
  gint64 told_number;
  gint64 told_term;
  GHashTable *heard; /* (owned) (element-type gint64 gint64): sender to serial of its last word */

  /* This node's requests. */
  gboolean is_committing;
  gint64 proposed_revision; /* the mirror's revision at the last commit */
  gint64 awaited_revision;  /* the mirror must reach it before the next commit */
  gboolean is_offering;
  gboolean is_going; /* the host announced that it leaves within @leave_within_us */
  gint64 leave_within_us;
  GQueue words;   /* (owned) (element-type ClientWord) */
  guint n_saying; /* how many words the running commit writes */
  gint64 serial;
  gboolean wants_end;
  SatinRunEnd wanted_end; /* (owned) */
  gint64 end_lease;       /* lease for the keys of a run that is over; 0: not granted yet */
  SatinTimerId removal_timer;
  gboolean is_removal_due; /* members with lower numbers have had their turns to remove the dead */
  gboolean is_revoking;    /* this node has left, and its lease is being revoked */
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
/* Reports `over` to the host and drops the host's reference. May not be called inside an operation
 * that the host has called. */
void client_finish (Client *self, const GError *error);
void client_waits (Client *self, SatinWaitFunc add, gpointer user_data);

/* client-store.c */
void client_start (Client *self);
/* Makes a call to the store. @done gets this client as user data. @done does not run if the client
 * enters CLIENT_DONE first. */
void client_call (Client *self, const StoreCall *call, StoreDone done);
/* Notes a failed call and schedules a retry. A refusal ends a client that is joining. Callbacks
 * call this function last, because the host may abandon the client during it. */
void client_note_failure (Client *self, const GError *error);
void client_note_answer (Client *self);
/* Reads all keys: at the start, when the watch has missed changes, and after a lost lease. */
void client_read (Client *self);

/* client-mirror.c */
ClientMember *client_find (Client *self, gint64 id);
void client_clear_member (gpointer member);
/* Takes the changes of one commit, or all keys after a read, into the mirror. Passes words on to
 * the host. */
void client_take_items (Client *self, const StoreItem *items, guint n_items);
/* Called before the result of a read is taken: marks all keys as missing. */
void client_forget_all (Client *self);
/* Returns: (array fixed-size=16): the run's random id, zeros when there is no view */
const guint8 *client_get_run (const Client *self);

/* client-tell.c */
/* Reports the changes of the mirror to the host. */
void client_tell (Client *self);
/* Whether this node has the run's program, and a build that may run beside the run's builds. */
gboolean client_is_same_program (const Client *self);

/* client-change.c */
/* Writes the most urgent change that this node wants, if it can be written now. */
void client_propose (Client *self);
/* Whether no member has a life key. */
gboolean client_is_alone (const Client *self);

/* client-wants.c */
/* The host's requests: to be master, to leave soon, to send a word (to 0: to all), to end the
 * run. */
void client_offer (Client *self);
void client_say_leaving (Client *self, gint64 deadline_us);
void client_say (Client *self, SatinNodeId to, const char *word, GBytes *payload);
void client_end (Client *self, int exit_status, const char *message);

/* client-life.c */
void client_life_start (Client *self);
/* Called when the store says that this node's lease has expired. Asks for a new lease. If this node
 * was a member and ends or leaves, only reads all keys again. */
void client_lose_lease (Client *self);
void client_suspect (Client *self, SatinNodeId id);
/* Declares no deaths for a while. Called when the store was away, or when this node's life key was
 * gone: living nodes may have lost their life keys, and need time to put them back. */
void client_doubt (Client *self);
/* Calls client_doubt() if the store has not answered for more than half a lease. */
void client_check_silence (Client *self);
/* Whether @member announced that it leaves, and its deadline has passed by more than
 * LEAVE_PATIENCE_US. */
gboolean client_is_overdue (const Client *self, const ClientMember *member);
/* Whether this node may remove @dead now. If not, schedules another client_propose(). */
gboolean client_may_remove (Client *self, const ClientMember *dead);
/* Whether a new run may begin, because all members have had time to come back and are dead. If not,
 * schedules another client_propose(). */
gboolean client_may_begin (Client *self);

G_END_DECLS
