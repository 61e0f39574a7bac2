/* checkpoint-world.h - one node with a checkpoint, among voices
 *
 * Node 1 is real, without a core; the test speaks for the others, and hears what is said to them.
 * The storage is a simulated disk, its thread one that runs within checkpoint_world_advance(). What
 * the core and the run would do is noted.
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
/* Longer than a message takes. */
#define WORLD_SOON_US  ((gint64)1000)
#define WORLD_EVERY_US ((gint64)10000000)

/* A message of node 1, as it was sent. */
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
  GArray *said;             /* (owned) of WorldSaid, that nobody has looked at */
  gboolean is_disk_slow;    /* its thread does not get on */
  /* the core */
  guint n_walks, n_last_walks;
  SatinFinishedFilter *filter; /* (borrowed) of the last walk */
  guint n_fetched;
  GBytes *fetched; /* (owned) (nullable) the last one */
  /* the run */
  SatinRun run;
  guint8 run_id[ID_BYTES];
  const SatinRunEvents *events; /* (borrowed) (nullable) */
  gpointer events_data;
  guint n_signals, n_ends;
  int status;    /* of the last end */
  char *message; /* (owned) (nullable) likewise */
} CheckpointWorld;

/* An empty disk. @storage_params: (nullable). @max_bytes: of the checkpoint; 0: more than enough */
CheckpointWorld *checkpoint_world_new (guint n_nodes, const char *storage_params,
                                       guint64 max_bytes);
/* Another run, with the disk as the one before left it. */
CheckpointWorld *checkpoint_world_new_again (guint n_nodes, const char *storage_params,
                                             guint64 max_bytes);
/* Checks that no timer and no thread is left. */
void checkpoint_world_free (CheckpointWorld *self);
void checkpoint_world_advance (CheckpointWorld *self, gint64 duration_us);
/* As checkpoint_world_advance(), as long as a message takes. */
void checkpoint_world_settle (CheckpointWorld *self);

/* ---- what the others say ---- */

void checkpoint_world_say (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                           const SatinRecord *record, gconstpointer data);
void checkpoint_world_say_number (CheckpointWorld *self, SatinNodeId from,
                                  CheckpointMessageKind kind, gint64 number);
/* TIME, BE or REMOVE, as the master of that term says it; the other functions say them of the
 * current one. */
void checkpoint_world_say_order (CheckpointWorld *self, SatinNodeId from,
                                 CheckpointMessageKind kind, gint64 number, guint64 term);
/* IS or BE, of that node, or number, and this run; or AM */
void checkpoint_world_say_who (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                               gint32 node);
void checkpoint_world_say_stored (CheckpointWorld *self, SatinNodeId from, gint64 number,
                                  Verdict verdict);
/* STORE of the jobs [@first, @first + @n): child n of the root, with the result n; @n_bytes: and so
 * many zeros. */
void checkpoint_world_say_store (CheckpointWorld *self, SatinNodeId from, gint64 number,
                                 gint32 first, guint n, gsize n_bytes);

/* ---- what they hear ---- */

/* The next message of that kind to @to, if there is one, and it is taken. @ret_data: (nullable):
 * clear it. */
gboolean checkpoint_world_hear (CheckpointWorld *self, SatinNodeId to, CheckpointMessageKind kind,
                                const SatinRecord *record, gpointer ret_data);
/* Takes them all. Returns: how many */
guint checkpoint_world_count (CheckpointWorld *self, SatinNodeId to, CheckpointMessageKind kind);
/* What became of the STORE that @to was answered next; -1: no answer. */
int checkpoint_world_hear_verdict (CheckpointWorld *self, SatinNodeId to, gint64 number);
/* The next STORE to @to: its number, 0 when there is none. @ret_n: (nullable): of results */
gint64 checkpoint_world_hear_store (CheckpointWorld *self, SatinNodeId to, gsize *ret_n);

/* ---- node 1 ---- */

/* It has finished job @n, whose result is @n and @n_bytes more. */
void checkpoint_world_finish (CheckpointWorld *self, gint32 n, gsize n_bytes);
/* Whether the filter of the last walk lets job @n pass. */
gboolean checkpoint_world_is_new (CheckpointWorld *self, gint32 n);
gint64 checkpoint_world_figure (CheckpointWorld *self, const char *name);
/* Results that count on the disk, as another run would find them. */
guint checkpoint_world_count_stored (CheckpointWorld *self);
/* Writes a log of that number with one result onto the disk, as another coordinator would. */
void checkpoint_world_write_log (const SatinCheckpointHead *head, guint64 number);
/* Of all logs on the disk. */
gint64 checkpoint_world_highest_term (void);
/* Changes the last byte of each log on the disk. */
void checkpoint_world_damage (void);
/* Its power fails. */
void checkpoint_world_lose_power (void);
