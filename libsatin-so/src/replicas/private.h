/* private.h - what the files of this room share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/warnings.h>
#include <satin/so/replicas.h>

/* A node waits for the answer to a FETCH for FETCH_DEADLINE_US and 8 times the latency, but not
 * longer than FETCH_DEADLINE_MAX_US. */
#define FETCH_DEADLINE_US     ((gint64)2000000)
#define FETCH_DEADLINE_MAX_US ((gint64)30000000)
/* The most nodes that are asked for an object, one after the other. */
#define FETCH_MAX_SOURCES 4
/* The most updates that are kept for an object that is being fetched; further updates are
 * dropped. */
#define FETCH_MAX_HELD 1024
/* The part of the largest message that is left for anything but a packed state or the arguments of
 * an update. */
#define ENVELOPE_BYTES  ((gsize)4096)
#define STATE_MAX_BYTES SATIN_REPLICAS_MESSAGE_MAX_BYTES
G_STATIC_ASSERT (STATE_MAX_BYTES + ENVELOPE_BYTES == SATIN_MESSAGE_MAX_BYTES);
/* The most entries of a digest. */
#define DIGEST_MAX_ENTRIES 1024

typedef enum
{
  REPLICAS_UPDATES = 1,
  REPLICAS_FETCH,
  REPLICAS_STATE,
  REPLICAS_NONE,
  REPLICAS_DIGEST,
} ReplicasKind;

/* clang-format off */
SATIN_RECORD (ReplicasUpdate, (long, object), (string, method), (bytes, args))
/* @number: counts the messages of the node @origin. Messages to its own cluster and messages to
 *   other clusters are counted separately, but each node receives only one of the two kinds. So for
 *   a receiver, @origin and @number identify a message. @is_for_cluster: the receiver passes the
 *   message on to its cluster. */
SATIN_RECORD (ReplicasUpdates, (int, origin), (long, number), (boolean, is_for_cluster),
              (array_record, updates, ReplicasUpdate))
SATIN_RECORD (ReplicasFetch, (long, object))
SATIN_RECORD (ReplicasState, (long, object), (string, type), (long, n_updates), (bytes, packed))
/* @reason: why the object cannot be sent; "": the object is not there */
SATIN_RECORD (ReplicasNone, (long, object), (string, reason))
/* @hash: a hash of the packed state */
SATIN_RECORD (ReplicasEntry, (long, object), (long, version), (long, n_updates), (long, hash))
/* @is_for_all: the answer must also describe objects of the receiver that this digest lacks */
SATIN_RECORD (ReplicasDigest, (boolean, is_answer), (boolean, is_for_all),
              (array_record, entries, ReplicasEntry))
/* clang-format on */

/* What the replicator knows of an object that is here. */
typedef struct
{
  SatinObject id;
  gint64 n_updates;  /* how many updates were applied to the object, as far as this node knows */
  gint64 changed_us; /* when it last changed */
  gint64 version;    /* the version of its packed state; @hash and @n_bytes also describe that
                      * state */
  gint64 hash;
  gsize n_bytes;
  gboolean is_known; /* @version, @hash and @n_bytes are those of the current state */
} Replica;

/* Updates that wait to be sent, to this node's cluster or to other clusters. */
typedef struct
{
  GArray *updates; /* (owned) of SatinUpdate, the oldest first */
  SatinTimerId timer;
  gint64 number;  /* number of the last message that was sent */
  gint64 sent_us; /* when the last updates were taken from the store */
} Outbox;

/* bounds.c */
typedef struct _ReplicasBound ReplicasBound;

/* An object that was requested from other nodes. */
typedef struct
{
  SatinReplicas *replicas; /* (borrowed) */
  SatinObject id;
  SatinNodeId sources[FETCH_MAX_SOURCES]; /* the first @n_asked were asked already */
  guint n_sources, n_asked;
  gint64 since_us;
  SatinTimerId timer;
  GArray *held; /* (owned) of (owned) ReplicasUpdate: updates of the object that came during the
                 * fetch */
} Fetch;

/* Lets any thread wake the replicator on its loop, by a post. A post may outlive the replicator, so
 * the bell is counted. */
typedef struct
{
  int n_refs;              /* atomic: one for the replicator, one for each post */
  gboolean was_rung;       /* atomic: the bell was rung at least once: there were updates to send */
  SatinLoop *loop;         /* (borrowed) */
  SatinReplicas *replicas; /* (borrowed) (nullable) used on the loop's thread; %NULL when the
                            * replicator is freed */
} Bell;

struct _SatinReplicas
{
  SatinLoop *loop;        /* (borrowed) */
  SatinWarnings warnings; /* limits the warnings about messages of peers */
  SatinObjects *objects;  /* (borrowed) */
  SatinReplicasOptions options;
  Bell *bell;
  SatinPeers *peers; /* (borrowed) (nullable) */
  SatinRun *run;     /* (borrowed) (nullable) where improved bounds are told */
  guint change_id;
  gboolean is_awake; /* an object, or a message about objects, has come; before that, the owned
                      * fields below are %NULL */
  GArray *relays;    /* (owned) of SatinNodeId: the relay of each other cluster */
  gboolean are_relays_known;
  Outbox near, far;
  GHashTable *heard;  /* (owned) of SatinNodeId to (owned) Heard */
  GArray *replicas;   /* (owned) of Replica, by increasing id */
  GPtrArray *fetches; /* (owned) of Fetch */
  GPtrArray *bounds;  /* (owned) of ReplicasBound */
  SatinTimerId digest_timer;
  gint64 digest_us;      /* when @digest_timer is due */
  guint n_told;          /* index in @replicas where the next digest begins */
  gboolean is_gathering; /* this node has become the master after another: it also fetches objects
                          * that it does not have */
  gint64 n_updates, n_applied, n_doubles, n_passed_on, n_unsent;
  gint64 n_bytes_near, n_bytes_far;
  gint64 n_fetched, n_fetched_bytes, n_vain, n_digests, n_healed;
  gint64 n_kept, n_restored;
};

/* replicas.c */
GBytes *replicas_make_message (ReplicasKind kind, const SatinRecord *record, gconstpointer data);
gboolean replicas_send_message (SatinReplicas *self, SatinNodeId to, GBytes *message);
gboolean replicas_send (SatinReplicas *self, SatinNodeId to, ReplicasKind kind,
                        const SatinRecord *record, gconstpointer data);
gboolean replicas_is_near (const SatinView *view, const SatinPeer *peer);
const GArray *replicas_get_relays (SatinReplicas *self);
void replicas_wake (SatinReplicas *self);
Replica *replicas_find (SatinReplicas *self, SatinObject id);
Replica *replicas_add (SatinReplicas *self, SatinObject id);
void replicas_note_change (SatinReplicas *self, SatinObject id, gint64 n_updates);
void replicas_apply (SatinReplicas *self, const ReplicasUpdate *update);

/* updates.c */
void replicas_ring (SatinReplicas *self);
void replicas_flush (SatinReplicas *self);
void replicas_on_updates (SatinReplicas *self, SatinNodeId from, const ReplicasUpdates *message);

/* bounds.c */
void replicas_bound_free (gpointer bound);
/* Tells the run about an update of this node, if it improves a bound. */
void replicas_note_bound (SatinReplicas *self, const SatinUpdate *update);

/* fetch.c */
void replicas_fetch_free (gpointer fetch);
void replicas_fetch (SatinReplicas *self, SatinNodeId from, SatinObject id);
void replicas_hold (SatinReplicas *self, const ReplicasUpdate *update);
void replicas_fetch_source_gone (SatinReplicas *self, SatinNodeId id);
void replicas_on_fetch (SatinReplicas *self, SatinNodeId from, const ReplicasFetch *message);
void replicas_on_state (SatinReplicas *self, SatinNodeId from, const ReplicasState *message);
void replicas_on_none (SatinReplicas *self, SatinNodeId from, const ReplicasNone *message);

/* digest.c */
void replicas_digest_soon (SatinReplicas *self);
void replicas_digest_start (SatinReplicas *self);
void replicas_gather (SatinReplicas *self);
void replicas_on_digest (SatinReplicas *self, SatinNodeId from, const ReplicasDigest *message);
