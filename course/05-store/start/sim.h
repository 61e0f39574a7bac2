/* sim.h - a simulated disk that loses power
 *
 * A file is a row of bytes, and a folder is a table of names. Both are in memory (what calls see)
 * and on the plates (what outlives a loss of power). disk_fsync() copies a file, or the names of a
 * folder, from memory to the plates. A change that was not copied may be lost:
 *
 * - Of the bytes behind the end that the file has on the plates, all may be lost, none, or those
 *   from any byte on. So the end of a file may be missing, but it has no byte that nobody wrote.
 * - Of bytes that have replaced older bytes, each block of 512 bytes is the old or the new block.
 * - Each new, removed or renamed entry of a folder is kept or lost by itself. A rename is one
 *   change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "call.h"

typedef struct _Sim Sim;

/* What a loss of power leaves of what was not synced. */
typedef enum
{
  SIM_LOSES_ALL,
  SIM_KEEPS_ALL,
  SIM_KEEPS_NAMES, /* and loses bytes */
  SIM_KEEPS_BYTES, /* and loses names */
  SIM_RANDOM,      /* a seed decides for each change */
} SimFate;

/* Runs before each call while the power is on. It may change the call, or cut the power. Returns: 0
 * if the disk should make the call, or the -errno with which the call fails */
typedef gint64 (*SimHook) (Sim *sim, Call *call, gpointer user_data);

/* Returns: (transfer none): the disk of this process */
Sim *sim_of_process (void);
/* Replaces the disk of this process by an empty one. */
void sim_begin (void);
/* @hook: (nullable) */
void sim_set_hook (Sim *self, SimHook hook, gpointer user_data);
/* @capacity: how many bytes all files may have; 0 for no bound */
void sim_set_capacity (Sim *self, guint64 capacity);

/* Makes a call for a user of the disk. @owner: the number of the user, above 0; sim_close_all()
 * closes the files of one user. Returns: the result, or -errno. While the power is off all calls
 * fail */
gint64 sim_call (Sim *self, guint owner, Call *call);
/* Closes all files of a user. */
void sim_close_all (Sim *self, guint owner);

/* Cuts the power. @seed: for %SIM_RANDOM */
void sim_cut (Sim *self, SimFate fate, guint64 seed);
gboolean sim_is_off (const Sim *self);
guint sim_count_cuts (const Sim *self);
void sim_power_on (Sim *self);
