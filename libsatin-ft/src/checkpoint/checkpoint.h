/* checkpoint.h - the checkpoint of a run: messages, the client of each node, and its parts
 *
 *   node                     coordinator                     master
 *     |                        | <---------------------- TIME  |  times a write on some nodes,
 *     |                        | TIMED ----------------------> |  and chooses the fastest
 *     |                        | <------------------------ BE  |
 *     |                        | takes the lease, reads the logs, announces results like orphans
 *     |                        | OBJECT, ... ----------------> |
 *     |                        | READY ----------------------> |
 *     | WHO -------------------------------------------------> |
 *     | <-------------------------------------------------- IS |
 *     | STORE (results, ...) ->|  appends, syncs
 *     | <------------- STORED  |
 *     | INPUT ---------------->|  compares
 *     | <----------- INPUT_IS  |
 *
 * TIME, BE and REMOVE name the term of their master; orders of a deposed master are ignored. Before
 * the coordinator reads the logs, it makes sure that no other run uses the folder
 * (satin/ft/folder-lease.h).
 *
 * WHO is repeated until IS names a coordinator, and STORE until it is answered. A node that gets
 * STORE but is not the coordinator answers VERDICT_NOT_ME. Two coordinators at a time do no harm:
 * each has logs of its own, and a result is right no matter which node wrote it.
 * docs/checkpoint-internals.md explains more.
 *
 * Threads: the loop's, except where store/store.h says otherwise.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/run.h>
#include <satin/core/input.h>
#include <satin/core/object-store.h>
#include <satin/ft/checkpoint-program.h>

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

/* The values of @number in STOPPED. */
enum
{
  STOPPED_NOT_YET,
  STOPPED_ALL_STORED,
  STOPPED_FULL, /* the checkpoint was full: some results of the node are not in it */
  STOPPED_LOST, /* another run has taken the folder: some results of the node are not in it */
};

/* The answer to a STORE. */
typedef enum
{
  VERDICT_STORED,
  VERDICT_LATER,  /* there is no room now: the sender must send it again later */
  VERDICT_NOT_ME, /* the receiver is not the coordinator */
  VERDICT_FULL,   /* nothing more is stored in this run */
  VERDICT_LOST,   /* the same, because another run has taken the folder */
} Verdict;

/* clang-format off */
/* WHO: @number is the node that has refused STORE, because it is not the coordinator; 0: none.
 * STOPPED: @number is a STOPPED_ value. */
SATIN_RECORD (CheckpointNumberMessage, (long, number))
/* TIME, BE, REMOVE: an order of the master of @term. @number: the number of the election of a
 * coordinator; 0 in REMOVE. */
SATIN_RECORD (CheckpointOrderMessage, (long, number), (long, term), (bytes, run))
/* IS, AM: @node is the coordinator, 0: none yet. @run: the run's id. */
SATIN_RECORD (CheckpointWhoMessage, (int, node), (bytes, run))
/* BE. @inputs: the inputs that jobs of the master's node have named. */
SATIN_RECORD (CheckpointBeMessage, (record, order, CheckpointOrderMessage),
              (array_record, inputs, SatinCheckpointInput))
SATIN_RECORD (CheckpointInputMessage, (long, number), (record, input, SatinCheckpointInput))
/* INPUT_IS. @code: -1: the input is the same as before, or new; else an error. */
SATIN_RECORD (CheckpointToldMessage, (long, number), (int, code), (string, message))
/* TIMED. @code: -1: a write took @write_us; else an error. @log_bytes: size of the logs that the
 * sender sees. */
SATIN_RECORD (CheckpointTimedMessage, (long, number), (int, code), (string, message),
              (long, write_us), (long, log_bytes))
/* READY, REMOVED. @is_done: FALSE: still reading. @code: -1: no error. */
SATIN_RECORD (CheckpointStateMessage, (long, number), (boolean, is_done), (int, code),
              (string, message), (long, n_results), (long, n_bytes))
SATIN_RECORD (CheckpointStoredMessage, (long, number), (int, verdict))
/* @arguments: empty when they are longer than SATIN_CHECKPOINT_ARGUMENTS_MAX_BYTES. */
SATIN_RECORD (CheckpointOneMessage, (bytes, key), (string, task), (bytes, lineage), (bytes, path),
              (bytes, arguments), (bytes, result))
/* OBJECT; also a part of STORE. */
SATIN_RECORD (CheckpointObjectMessage, (long, object), (string, type), (string, name),
              (long, version), (bytes, state))
SATIN_RECORD (CheckpointStoreMessage, (long, number), (array_record, results, CheckpointOneMessage),
              (array_record, objects, CheckpointObjectMessage))
/* clang-format on */

typedef struct _SentResults SentResults;
typedef struct _Sender Sender;
typedef struct _Election Election;
typedef struct _Inputs Inputs;
typedef struct _Coordinator Coordinator;

struct _CheckpointClient
{
  SatinObjectStore object_store; /* the interface for the part so; must be the first field */
  const SatinObjectStoreHost *object_store_host; /* (borrowed) (nullable): operations of the part
                                                  * so */
  gpointer object_store_host_data;               /* (borrowed) */
  SatinFt *ft;                                   /* (borrowed) */
  SatinLoop *loop;                               /* (borrowed) */
  SatinWarnings warnings;                        /* about messages of peers */
  SatinPeers *peers; /* (borrowed) (nullable): %NULL until they are set, and when they are gone */
  guint change_id;
  SatinRun *run;        /* (borrowed) (nullable): %NULL also after this node has ended the run */
  SatinRun *events_run; /* (borrowed) (nullable): the run whose events this client receives */
  guint events_id;
  const SatinThreadOps *thread_ops; /* (borrowed) */
  const SatinProgram *program;      /* (borrowed) */
  char *uri;                        /* (owned) */
  char *storage_params;             /* (owned) (nullable) */
  gint64 every_us;
  guint64 max_bytes;
  gboolean is_anyway;     /* use a checkpoint of another build or of other inputs */
  gboolean is_converting; /* carry results of builds with other tasks over */
  gint64 made_us;         /* wall clock, for people */
  gint64 since_us;        /* the loop's time at @made_us */
  guint8 id[ID_BYTES];    /* the run's id */
  gboolean has_id;
  SatinNodeId master;      /* the last master that was elected */
  SatinNodeId coordinator; /* as far as this node knows; 0: not known */
  Sender *sender;          /* (owned) */
  Election *election;      /* (owned) */
  Inputs *inputs;          /* (owned) */
  guint n_openings;        /* how often this node has become the coordinator */
  Coordinator *writing;    /* (owned) (nullable): this node is the coordinator, or a candidate */
  GPtrArray *ending;       /* (owned) of (owned) Coordinator: ended, but their threads still run */
  GQueue to_self;          /* (owned) of GBytes: messages of this node to itself */
  GQueue early; /* (owned) of (owned) EarlyOrder: orders of masters of which this node has not heard
                   yet */
  SatinTimerId self_timer;
  /* for the end of a run that is over */
  gint64 removing_since_us; /* when the run was over; 0: it is not */
  gboolean is_removing;     /* REMOVE was sent to the present coordinator */
  gboolean is_removed;
  /* for a run that must stop, to continue later */
  gboolean is_stopping;
  gboolean is_run_over;  /* at the master: the root job has ended well, so there is no stop */
  gboolean has_sent_all; /* all results of this node are stored */
  gint64 stop_until_us;
  SatinTimerId stop_timer;
  GHashTable *stopped; /* (owned) at the master: from a node to its STOPPED_ value, unless that is
                        * STOPPED_NOT_YET */
};

/* client.c */
CheckpointClient *checkpoint_client_new (SatinFt *ft, const SatinFtCheckpoint *options);
void checkpoint_client_free (CheckpointClient *self);
/* @peers: (nullable): %NULL when they are gone */
void checkpoint_client_set_peers (CheckpointClient *self, SatinPeers *peers);
void checkpoint_client_set_run (CheckpointClient *self, SatinRun *run);
void checkpoint_client_figures (const CheckpointClient *self, SatinFigureFunc add,
                                gpointer user_data);
void checkpoint_client_waits (const CheckpointClient *self, SatinWaitFunc add, gpointer user_data);
SatinNodeId checkpoint_client_self (CheckpointClient *self);
gboolean checkpoint_client_is_master (CheckpointClient *self);
/* Returns: the wall clock, as far as this node knows it, microseconds since 1970 */
gint64 checkpoint_client_wall_us (CheckpointClient *self);
/* Fills in the HEAD of a log. @inputs: (element-type SatinCheckpointInput): named so far.
 * @ret_head borrows from @self and @inputs. */
void checkpoint_client_fill_head (CheckpointClient *self, const GArray *inputs,
                                  SatinCheckpointHead *ret_head);

/* messages.c */
void checkpoint_client_send (CheckpointClient *self, SatinNodeId to, CheckpointMessageKind kind,
                             const SatinRecord *record, gconstpointer data);
/* Converts @error (nullable), maybe of a plugin's own domain, for a message. Returns: a code of
 * %SATIN_ERROR, or -1 for no error */
gint32 checkpoint_client_code_of (const GError *error);
/* Notes that node @id is the coordinator now; 0: there is none, or it is not known. */
void checkpoint_client_set_coordinator (CheckpointClient *self, SatinNodeId id, const guint8 *run,
                                        gsize n_run);
/* Makes an order of this node, which is the master, for TIME, BE or REMOVE. Borrows from @self. */
CheckpointOrderMessage checkpoint_client_order (CheckpointClient *self, gint64 number);
/* Handles the orders that a new master sent before this node heard of its election. */
void checkpoint_client_take_early (CheckpointClient *self);
void checkpoint_client_drop_early (CheckpointClient *self);
/* Makes this node give up its role as the coordinator or a candidate. */
void checkpoint_client_resign (CheckpointClient *self);
void checkpoint_client_on_message (SatinNodeId from, GBytes *payload, gpointer user_data);

/* end.c */
gint64 checkpoint_client_root_over_us (CheckpointClient *self, gboolean is_well);
/* If the run must stop: tells the master that all results of this node are stored. */
void checkpoint_client_all_sent (CheckpointClient *self);
/* At the master of a run that must stop: ends the run when all nodes have stored their results, or
 * at the deadline. */
void checkpoint_client_check_stopped (CheckpointClient *self);
void checkpoint_client_on_stopped (CheckpointClient *self, SatinNodeId from,
                                   const CheckpointNumberMessage *message);
void checkpoint_client_on_signal (const char *word, GBytes *payload, gpointer user_data);

/* objects.c */
extern const SatinObjectStoreOps checkpoint_client_object_store_ops;
/* Calls @func for each object of this node that has changed. */
void checkpoint_client_pack (CheckpointClient *self, SatinKeptFunc func, gpointer user_data);
void checkpoint_client_on_object (CheckpointClient *self, const CheckpointObjectMessage *message);

/* sent-results.c: lets each result pass once, when a walk first finds it */
SentResults *sent_results_new (void);
void sent_results_unref (SentResults *self);
SatinFinishedFilter *sent_results_get (SentResults *self);
/* Notes that a walk begins. The object keeps what the last walk found, and forgets older walks. */
void sent_results_turn (SentResults *self);
/* With %TRUE, no new result passes. */
void sent_results_close (SentResults *self, gboolean is_closed);

/* sender.c */
Sender *sender_new (CheckpointClient *client);
void sender_free (Sender *self);
void sender_begin (Sender *self);
void sender_finished (Sender *self, const SatinFinished *finished);
void sender_walked (Sender *self, gboolean is_end);
void sender_on_stored (Sender *self, SatinNodeId from, const CheckpointStoredMessage *stored);
/* Sends the waiting results again at once, because the coordinator has changed or is not known any
 * more, or because the link to it broke and results may be lost. */
void sender_coordinator_changed (Sender *self);
/* Begins the last walk, in which the workers stop. When all that it found is stored,
 * checkpoint_client_all_sent() is called. */
void sender_stop (Sender *self);
/* Whether nothing more is stored, so that results were dropped. Returns: STOPPED_FULL or
 * STOPPED_LOST; else STOPPED_ALL_STORED */
int sender_get_fate (const Sender *self);
void sender_figures (const Sender *self, SatinFigureFunc add, gpointer user_data);
void sender_waits (const Sender *self, SatinWaitFunc add, gpointer user_data);

/* election.c: the master's part */
Election *election_new (CheckpointClient *client);
void election_free (Election *self);
void election_master_changed (Election *self);
void election_node_gone (Election *self, SatinNodeId id);
/* @refused: the node that has refused a STORE of @from, because it is not the coordinator; 0:
 * none */
void election_on_who (Election *self, SatinNodeId from, SatinNodeId refused);
void election_on_timed (Election *self, SatinNodeId from, const CheckpointTimedMessage *timed);
void election_on_ready (Election *self, SatinNodeId from, const CheckpointStateMessage *state);
void election_on_am (Election *self, SatinNodeId from, const CheckpointWhoMessage *am);
gint64 election_root_wait_us (Election *self, GError **error);
/* Whether a coordinator was ready in this run, so that there may be logs of it. */
gboolean election_may_have_logs (const Election *self);
void election_waits (const Election *self, SatinWaitFunc add, gpointer user_data);

/* inputs.c */
Inputs *inputs_new (CheckpointClient *client);
/* Answers all waiting questions with the error that the run is over, and frees @self. */
void inputs_free (Inputs *self);
/* Asks the coordinator about an input that a job of this node has named. @done is called once. */
void inputs_name (Inputs *self, const char *name, const guint8 *digest, SatinInputFunc done,
                  gpointer user_data);
void inputs_on_answer (Inputs *self, const CheckpointToldMessage *answer);
void inputs_coordinator_changed (Inputs *self);
/* Returns: (transfer none) (element-type SatinCheckpointInput): the inputs that jobs of this node
 * have named so far */
const GArray *inputs_get_named (const Inputs *self);
void inputs_waits (const Inputs *self, SatinWaitFunc add, gpointer user_data);
void coordinator_on_input (Coordinator *self, SatinNodeId from,
                           const CheckpointInputMessage *message);

/* coordinator.c */
Coordinator *coordinator_new (CheckpointClient *client, GError **error);
/* Ends the coordinator's work. Returns at once. @over: runs on the loop when the coordinator's
 * threads have ended, so that coordinator_free() does not block. */
void coordinator_end (Coordinator *self, SatinLoopFunc over, gpointer user_data);
/* Frees @self, after coordinator_end(). Returns: FALSE when a thread hangs. Then nothing that the
 * thread uses is freed */
gboolean coordinator_free (Coordinator *self, gint64 timeout_us);
gboolean coordinator_is_open (const Coordinator *self);
void coordinator_time (Coordinator *self, SatinNodeId master, gint64 number);
void coordinator_be (Coordinator *self, SatinNodeId master, const CheckpointBeMessage *be);
/* Gives logs that begin from now on the term of the present master. Called when another master was
 * elected. */
void coordinator_term_changed (Coordinator *self);
/* Sends all stored objects to node @to. */
void coordinator_tell_objects (Coordinator *self, SatinNodeId to);
/* Handles STORE. May take the contents of @message and leave it empty. */
void coordinator_on_store (Coordinator *self, SatinNodeId from, CheckpointStoreMessage *message);
/* Removes the logs as store_remove() does, unless another run has taken the folder. Then reports to
 * @master. */
void coordinator_remove (Coordinator *self, SatinNodeId master, gint64 term);
void coordinator_figures (const Coordinator *self, SatinFigureFunc add, gpointer user_data);
void coordinator_waits (const Coordinator *self, SatinWaitFunc add, gpointer user_data);

/* results.c */
/* Announces the stored results of the dead node @id. If the node @was_master, also announces
 * results of earlier runs again: the master may have adopted some of them, and these are lost with
 * it. */
void coordinator_node_died (Coordinator *self, SatinNodeId id, gboolean was_master);
/* Reads the result that hints call @name, for fetched() of the core. Returns: FALSE when @name is
 * not a name that this coordinator gave */
gboolean coordinator_fetch (Coordinator *self, gint64 name, guint64 import_id);
