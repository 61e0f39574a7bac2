/* coordinator-world.h - one real node, which is the coordinator of a checkpoint
 *
 * Node 1 is the coordinator, node 2 the master. Node 3 sends results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "checkpoint-world.h"

#define MASTER 2
#define SENDER 3
#define SECOND ((gint64)1000000)

extern CheckpointWorld *world;

/* Called around each case. After set_up(), node 1 is the coordinator. */
void set_up (void);
void tear_down (void);
/* Like set_up(). @storage_params: (nullable). @max_bytes: limit of the checkpoint; 0: no limit */
void set_up_with (const char *storage_params, guint64 max_bytes);
/* The master makes node 1 the coordinator, which then reads the logs. */
void be (void);
/* Begins another run, with the logs that this run has left. */
void begin_another_run (void);
/* The sender sends a STORE with the number @n, of job @n. */
void say_store (gint32 n);
/* Calls say_store(). Returns: the Verdict in the answer; -1: there is no answer */
int store (gint32 n);
