/* coordinator-world.h - one node that writes a checkpoint, chosen by its master, for test cases
 *
 * Node 1 writes; node 2 is the master, and node 3 sends results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "checkpoint-world.h"

#define MASTER 2
#define SENDER 3
#define SECOND ((gint64)1000000)

extern CheckpointWorld *world;

/* Frames a case: node 1 is chosen. */
void set_up (void);
void tear_down (void);
/* As set_up(). @storage_params: (nullable). @max_bytes: of the checkpoint; 0: more than enough */
void set_up_with (const char *storage_params, guint64 max_bytes);
/* Node 1 is chosen, and reads what there is. */
void be (void);
/* Another run finds what this one has left. */
void begin_another_run (void);
/* Job @n of the sender, in a STORE of that number. */
void say_store (gint32 n);
/* Likewise. Returns: what it is answered; -1: nothing */
int store (gint32 n);
