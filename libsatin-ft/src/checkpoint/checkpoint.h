/* checkpoint.h - results and objects that outlive all nodes: who sends, writes and chooses
 *
 *   node                     coordinator                     master
 *     | WHO -------------------------------------------------> |  chooses: who writes fastest
 *     |                        | <--------------------- TIME   |  of some
 *     |                        | TIMED ---------------------->  |
 *     |                        | <----------------------- BE   |  reads what there is,
 *     |                        | OBJECT, ... --------------->   |  and tells of it as of orphans,
 *     |                        | READY ---------------------->  |  and the master of objects
 *     | <---------------------------------------------------IS  |
 *     | STORE (results, ...) ->|  appends, syncs
 *     | <------------ STORED   |
 *     | INPUT ---------------->|  compares
 *     | <---------- INPUT_IS   |
 *
 * TIME, BE and REMOVE name the term of their master: those of a deposed one are passed over. Before
 * the coordinator reads, it makes sure that no other run uses the folder (lease.h).
 *
 * WHO is said again until there is an answer that helps, STORE until it is answered. A coordinator
 * that is none any more says so. Two at a time do no harm: each has logs of its own, and what they
 * write is right, whoever wrote it.
 *
 * Threads: the loop's, but for what store/store.h says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/run.h>
#include <satin/core/input.h>
#include <satin/core/object-store.h>
#include <satin/ft/checkpoint.h>

#include "recovery/private.h"
#include "store/writer-thread.h"

#define ID_BYTES SATIN_CHECKPOINT_ID_BYTES

typedef enum
{
  CHECKPOINT_MESSAGE_WHO = 1,
  CHECKPOINT_MESSAGE_IS,
  CHECKPOINT_MESSAGE_TIME,
  CHECKPOINT_MESSAGE_TIMED,
  CHECKPOINT_MESSAGE_BE,
  CHECKPOINT_MESSAGE_READY,
  CHECKPOINT_MESSAGE_AM,
  CHECKPOINT_MESSAGE_STORE,
  CHECKPOINT_MESSAGE_STORED,
  CHECKPOINT_MESSAGE_REMOVE,
  CHECKPOINT_MESSAGE_REMOVED,
  CHECKPOINT_MESSAGE_STOPPED,
  CHECKPOINT_MESSAGE_OBJECT,
  CHECKPOINT_MESSAGE_INPUT,
  CHECKPOINT_MESSAGE_INPUT_IS,
} CheckpointMessageKind;

/* The number of a STOPPED. */
enum
{
  STOPPED_NOT_YET,
  STOPPED_ALL_STORED,
  STOPPED_FULL, /* the checkpoint was full: some results of the node are not in it */
};

/* What became of a STORE. */
typedef enum
{
  VERDICT_STORED,
  VERDICT_LATER,  /* there is no room now: say it again */
  VERDICT_NOT_ME, /* another node is the coordinator */
  VERDICT_FULL,   /* nothing more is stored in this run */
} Verdict;

/* clang-format off */
SATIN_RECORD (CheckpointNumberMessage, (long, number)) /* WHO: who said it is none; STOPPED: 1: its sender has stored all */
/* TIME, BE, REMOVE: what the master of @term orders. @number: of the election */
SATIN_RECORD (CheckpointOrderMessage, (long, number), (long, term), (bytes, run))
/* @node: 0: none yet. @run: of that one. */
SATIN_RECORD (CheckpointWhoMessage, (int, node), (bytes, run)) /* IS, AM */
/* @order.number: of the election. @inputs: that jobs of the master have named. */
SATIN_RECORD (CheckpointBeMessage, (record, order, CheckpointOrderMessage), (array_record, inputs, SatinCheckpointInput))
SATIN_RECORD (CheckpointInputMessage, (long, number), (record, input, SatinCheckpointInput))
/* @code: -1: it is the same, or new. */
SATIN_RECORD (CheckpointToldMessage, (long, number), (int, code), (string, message)) /* INPUT_IS */
/* @code: -1: it can write there, in @write_us; there are logs of @log_bytes. */
SATIN_RECORD (CheckpointTimedMessage, (long, number), (int, code), (string, message), (long, write_us), (long, log_bytes))
/* @code: -1: no error. @is_done: all is read, or nothing more will be. READY, REMOVED */
SATIN_RECORD (CheckpointStateMessage, (long, number), (boolean, is_done), (int, code), (string, message),
              (long, n_results), (long, n_bytes))
SATIN_RECORD (CheckpointStoredMessage, (long, number), (int, verdict))
SATIN_RECORD (CheckpointOneMessage, (bytes, key), (string, task), (bytes, lineage), (bytes, path), (bytes, result))
SATIN_RECORD (CheckpointObjectMessage, (long, object), (string, type), (string, name), (long, version), (bytes, state)) /* OBJECT */
SATIN_RECORD (CheckpointStoreMessage, (long, number), (array_record, results, CheckpointOneMessage),
              (array_record, objects, CheckpointObjectMessage))
/* clang-format on */

typedef struct _Filter Filter;
typedef struct _Sender Sender;
typedef struct _Election Election;
typedef struct _Inputs Inputs;
typedef struct _Coordinator Coordinator;

struct _CheckpointClient
{
  SatinObjectStore object_store;                 /* first: what who has the objects sees */
  const SatinObjectStoreHost *object_store_host; /* (borrowed) (nullable) that one */
  gpointer object_store_host_data;               /* (borrowed) */
  SatinFt *ft;                                   /* (borrowed) */
  SatinLoop *loop;                               /* (borrowed) */
  SatinWarnings warnings;                        /* about what peers send */
  SatinPeers *peers; /* (borrowed) (nullable) until set, and when they are gone */
  guint change_id;
  SatinRun *run;        /* (borrowed) (nullable) NULL also when this node has ended it */
  SatinRun *events_run; /* (borrowed) (nullable) whose events come */
  guint events_id;
  const SatinThreadOps *thread_ops; /* (borrowed) */
  const SatinProgram *program;      /* (borrowed) */
  char *uri;                        /* (owned) */
  char *storage_params;             /* (owned) (nullable) */
  gint64 every_us;
  guint64 max_bytes;
  gboolean is_anyway;  /* what is there is used for another build, and for other inputs */
  gint64 made_us;      /* wall clock, for people */
  guint8 id[ID_BYTES]; /* of the run */
  gboolean has_id;
  SatinNodeId master;      /* the last one that was elected */
  SatinNodeId coordinator; /* as far as this node knows; 0: it does not */
  Sender *sender;          /* (owned) */
  Election *election;      /* (owned) */
  Inputs *inputs;          /* (owned) */
  guint n_openings;        /* times that this node began to write */
  Coordinator *writing;    /* (owned) (nullable) when this node is the coordinator, or may be */
  GPtrArray *ending;       /* (owned) of (owned) Coordinator, whose threads have not ended yet */
  GQueue to_self;          /* (owned) of GBytes */
  GQueue early; /* (owned) of (owned) EarlyOrder: of masters that this node has not heard of yet */
  SatinTimerId self_timer;
  /* the run is over */
  gint64 removing_since_us; /* 0: the logs stay, or the coordinator was not asked yet */
  gboolean is_removed;
  /* the run is to stop */
  gboolean is_stopping;
  gboolean
      is_run_over; /* at the master: the root job has ended, and well: nothing is left to stop */
  gboolean has_sent_all; /* this node */
  gint64 stop_until_us;
  SatinTimerId stop_timer;
  GHashTable *stopped; /* (owned) node to STOPPED_ALL_STORED or _FULL; at the master */
};

/* client.c */
CheckpointClient *checkpoint_client_new (SatinFt *ft, const SatinFtCheckpoint *options);
void checkpoint_client_free (CheckpointClient *self);
/* %NULL when they are gone. */
void checkpoint_client_set_peers (CheckpointClient *self, SatinPeers *peers);
void checkpoint_client_set_run (CheckpointClient *self, SatinRun *run);
void checkpoint_client_figures (const CheckpointClient *self, SatinFigureFunc add,
                                gpointer user_data);
void checkpoint_client_waits (const CheckpointClient *self, SatinWaitFunc add, gpointer user_data);
SatinNodeId checkpoint_client_self (CheckpointClient *self);
gboolean checkpoint_client_is_master (CheckpointClient *self);
/* Fills in whose logs are. @inputs: of SatinCheckpointInput: named so far. Borrows. */
void checkpoint_client_fill_head (CheckpointClient *self, const GArray *inputs,
                                  SatinCheckpointHead *ret_head);

/* messages.c */
void checkpoint_client_send (CheckpointClient *self, SatinNodeId to, CheckpointMessageKind kind,
                             const SatinRecord *record, gconstpointer data);
/* @error: (nullable): maybe of a plugin, with a code of its own. Returns: for a message: a code of
 * %SATIN_ERROR, or -1: none */
gint32 checkpoint_client_code_of (const GError *error);
/* Somebody said who the coordinator is; 0: nobody is. */
void checkpoint_client_set_coordinator (CheckpointClient *self, SatinNodeId id, const guint8 *run,
                                        gsize n_run);
/* To be sent as TIME, BE or REMOVE, by the master; borrows. */
CheckpointOrderMessage checkpoint_client_order (CheckpointClient *self, gint64 number);
/* Another master was elected: what it has ordered before this node heard of it is done now. */
void checkpoint_client_take_early (CheckpointClient *self);
void checkpoint_client_drop_early (CheckpointClient *self);
/* This node is not the coordinator any more, nor a candidate. */
void checkpoint_client_resign (CheckpointClient *self);
void checkpoint_client_on_message (SatinNodeId from, GBytes *payload, gpointer user_data);

/* end.c */
gint64 checkpoint_client_root_over_us (CheckpointClient *self, gboolean is_well);
/* This node has sent all that it had. */
void checkpoint_client_all_sent (CheckpointClient *self);
/* At the master: ends the run when all have stored what they had. */
void checkpoint_client_check_stopped (CheckpointClient *self);
void checkpoint_client_on_stopped (CheckpointClient *self, SatinNodeId from,
                                   const CheckpointNumberMessage *message);
void checkpoint_client_on_signal (const char *word, GBytes *payload, gpointer user_data);

/* objects.c */
extern const SatinObjectStoreOps checkpoint_client_object_store_ops;
/* @func is told of all objects here that have changed. */
void checkpoint_client_pack (CheckpointClient *self, SatinKeptFunc func, gpointer user_data);
void checkpoint_client_on_object (CheckpointClient *self, const CheckpointObjectMessage *message);

/* filter.c: what was told once is not told again, as long as it is found each time */
Filter *filter_new (void);
void filter_unref (Filter *self);
SatinFinishedFilter *filter_get (Filter *self);
/* A walk begins: what the one before the last found is forgotten. */
void filter_turn (Filter *self);
/* Nothing passes. */
void filter_close (Filter *self, gboolean is_closed);

/* sender.c */
Sender *sender_new (CheckpointClient *client);
void sender_free (Sender *self);
void sender_begin (Sender *self);
void sender_finished (Sender *self, const SatinFinished *finished);
void sender_walked (Sender *self, gboolean is_end);
void sender_on_stored (Sender *self, SatinNodeId from, const CheckpointStoredMessage *stored);
/* The coordinator is another one now, or none. */
void sender_coordinator_changed (Sender *self);
/* Workers stop, and all goes out. */
void sender_stop (Sender *self);
/* The checkpoint has no room: results were dropped. */
gboolean sender_is_full (const Sender *self);
void sender_figures (const Sender *self, SatinFigureFunc add, gpointer user_data);
void sender_waits (const Sender *self, SatinWaitFunc add, gpointer user_data);

/* election.c: at the master */
Election *election_new (CheckpointClient *client);
void election_free (Election *self);
void election_master_changed (Election *self);
void election_node_gone (Election *self, SatinNodeId id);
/* @refused: who has told @from that it is not the coordinator; 0: nobody. */
void election_on_who (Election *self, SatinNodeId from, SatinNodeId refused);
void election_on_timed (Election *self, SatinNodeId from, const CheckpointTimedMessage *timed);
void election_on_ready (Election *self, SatinNodeId from, const CheckpointStateMessage *state);
void election_on_am (Election *self, SatinNodeId from, const CheckpointWhoMessage *am);
gint64 election_root_wait_us (Election *self, GError **error);
void election_waits (const Election *self, SatinWaitFunc add, gpointer user_data);

/* inputs.c */
Inputs *inputs_new (CheckpointClient *client);
/* Who waits for an answer is told that the run is over. */
void inputs_free (Inputs *self);
/* A job of this node has named an input; @done is called once. */
void inputs_name (Inputs *self, const char *name, const guint8 *digest, SatinInputFunc done,
                  gpointer user_data);
void inputs_on_answer (Inputs *self, const CheckpointToldMessage *answer);
void inputs_coordinator_changed (Inputs *self);
/* Returns: (transfer none) (element-type SatinCheckpointInput): by jobs of this node, so far */
const GArray *inputs_get_named (const Inputs *self);
void inputs_waits (const Inputs *self, SatinWaitFunc add, gpointer user_data);
void coordinator_on_input (Coordinator *self, SatinNodeId from,
                           const CheckpointInputMessage *message);

/* coordinator.c */
Coordinator *coordinator_new (CheckpointClient *client, GError **error);
/* Returns at once; it is none any more. @over: on the loop, when coordinator_free() does not block.
 */
void coordinator_end (Coordinator *self, SatinLoopFunc over, gpointer user_data);
/* After coordinator_end(). Returns: FALSE when its thread hangs: then it keeps all that it uses */
gboolean coordinator_free (Coordinator *self, gint64 timeout_us);
gboolean coordinator_is_open (const Coordinator *self);
void coordinator_time (Coordinator *self, SatinNodeId master, gint64 number);
void coordinator_be (Coordinator *self, SatinNodeId master, const CheckpointBeMessage *be);
/* Another master was elected: what is written from now on is of its term. */
void coordinator_term_changed (Coordinator *self);
/* The objects that there are go to that node. */
void coordinator_tell_objects (Coordinator *self, SatinNodeId to);
/* Takes what @message has. */
void coordinator_on_store (Coordinator *self, SatinNodeId from, CheckpointStoreMessage *message);
/* All logs go, unless one of a later term is there. */
void coordinator_remove (Coordinator *self, SatinNodeId master, gint64 term);
void coordinator_figures (const Coordinator *self, SatinFigureFunc add, gpointer user_data);
void coordinator_waits (const Coordinator *self, SatinWaitFunc add, gpointer user_data);

/* results.c */
/* What was kept there is told of; if it @was_master, also what came from another run, as it may
 * have been asked for and lost with it. */
void coordinator_node_died (Coordinator *self, SatinNodeId id, gboolean was_master);
/* @name: as hints call it. Returns: FALSE when it is none of this coordinator's */
gboolean coordinator_fetch (Coordinator *self, gint64 name, guint64 import_id);
