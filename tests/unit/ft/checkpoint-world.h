/* checkpoint-world.h - one real node with a checkpoint; the test plays all other nodes
 *
 * Node 1 is real, but has no core. Messages to the other nodes are not delivered; the test reads
 * them ("hear") and sends messages in the names of these nodes ("say"). The storage is a simulated
 * disk. Its thread runs inside checkpoint_world_advance(). The world records what node 1 asks of
 * the core and of the run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

#include "counting-loop.h"
#include "fake-peers.h"
#include "hand-thread.h"
#include "checkpoint/checkpoint.h"

#define WORLD_URI "sim:checkpoint"
/* Long enough for a message to arrive. */
#define WORLD_SOON_US  ((gint64)1000)
#define WORLD_EVERY_US ((gint64)10000000)

/* A message that node 1 has sent. */
typedef struct
{
  SatinNodeId to;
  GBytes *payload; /* (owned) */
} WorldSaid;

typedef struct
{
  SatinLoop *loop; /* (owned) */
  FakeNet *net;    /* (owned) */
  SatinWorkers *workers;
  SatinProgram program;
  SatinFt *ft; /* (owned) */
  SatinRecovery *recovery;
  CheckpointClient *client; /* (borrowed) */
  GArray *said;             /* (owned) of WorldSaid: messages that the test has not read yet */
  gboolean is_disk_slow;    /* the thread of the disk does not run */
  /* what the core was asked */
  guint n_walks, n_last_walks;
  SatinFinishedFilter *filter; /* (borrowed): the filter of the last walk */
  guint n_fetched;
  GBytes *fetched; /* (owned) (nullable): the last result that was fetched */
  /* what the run was asked */
  SatinRun run;
  guint8 run_id[ID_BYTES];
  const SatinRunEvents *events; /* (borrowed) (nullable) */
  gpointer events_data;
  guint n_signals, n_ends;
  int status;    /* exit status of the last call of end() */
  char *message; /* (owned) (nullable): message of the last call of end() */
} CheckpointWorld;

/* Begins a run with an empty disk. @storage_params: (nullable). @max_bytes: limit of the
 * checkpoint; 0: no limit */
CheckpointWorld *checkpoint_world_new (guint n_nodes, const char *storage_params,
                                       guint64 max_bytes);
/* Begins another run, with the disk as the run before has left it. */
CheckpointWorld *checkpoint_world_new_again (guint n_nodes, const char *storage_params,
                                             guint64 max_bytes);
/* Frees all, and checks that no timer and no thread is left. */
void checkpoint_world_free (CheckpointWorld *self);
void checkpoint_world_advance (CheckpointWorld *self, gint64 duration_us);
/* Advances the time until messages have arrived. */
void checkpoint_world_settle (CheckpointWorld *self);

/* ---- messages of the other nodes ---- */

void checkpoint_world_say (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                           const SatinRecord *record, gconstpointer data);
void checkpoint_world_say_number (CheckpointWorld *self, SatinNodeId from,
                                  CheckpointMessageKind kind, gint64 number);
/* Sends TIME, BE or REMOVE as the master of @term. The other functions use the current term. */
void checkpoint_world_say_order (CheckpointWorld *self, SatinNodeId from,
                                 CheckpointMessageKind kind, gint64 number, guint64 term);
/* Sends IS, AM or BE, which name @node and this run. */
void checkpoint_world_say_who (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                               gint32 node);
void checkpoint_world_say_stored (CheckpointWorld *self, SatinNodeId from, gint64 number,
                                  Verdict verdict);
/* Sends STORE with the jobs [@first, @first + @n). Job n is child n of the root job; its result is
 * n, followed by @n_bytes zeros. */
void checkpoint_world_say_store (CheckpointWorld *self, SatinNodeId from, gint64 number,
                                 gint32 first, guint n, gsize n_bytes);

/* ---- messages of node 1 ---- */

/* Takes the next message of @kind to node @to. @ret_data: (nullable): the caller clears it.
 * Returns: %FALSE when there is none */
gboolean checkpoint_world_hear (CheckpointWorld *self, SatinNodeId to, CheckpointMessageKind kind,
                                const SatinRecord *record, gpointer ret_data);
/* Takes all messages of @kind to node @to. Returns: how many */
guint checkpoint_world_count (CheckpointWorld *self, SatinNodeId to, CheckpointMessageKind kind);
/* Takes the answer to a STORE of node @to. Returns: a Verdict; -1: there is no answer */
int checkpoint_world_hear_verdict (CheckpointWorld *self, SatinNodeId to, gint64 number);
/* Takes the next STORE to node @to. @ret_n: (nullable): number of results in it. Returns: its
 * number; 0: there is none */
gint64 checkpoint_world_hear_store (CheckpointWorld *self, SatinNodeId to, gsize *ret_n);

/* ---- node 1 ---- */

/* The core of node 1 reports job @n as finished, with a result of @n and @n_bytes more. */
void checkpoint_world_finish (CheckpointWorld *self, gint32 n, gsize n_bytes);
/* Returns: whether the filter of the last walk lets job @n pass */
gboolean checkpoint_world_is_new (CheckpointWorld *self, gint32 n);
gint64 checkpoint_world_figure (CheckpointWorld *self, const char *name);
/* Returns: how many results another run would find on the disk */
guint checkpoint_world_count_stored (CheckpointWorld *self);
/* Writes a log with one result to the disk, like another coordinator. */
void checkpoint_world_write_log (const SatinCheckpointHead *head, guint64 number);
/* Returns: the highest term of all logs on the disk */
gint64 checkpoint_world_highest_term (void);
/* Changes the last byte of each log on the disk. */
void checkpoint_world_damage (void);
/* The power of the disk fails: all that is not synced is lost. */
void checkpoint_world_lose_power (void);
