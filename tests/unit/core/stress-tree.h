/* stress-tree.h - random trees of jobs in all forms, whose right result is known
 *
 * A node gets a number of jobs to make and returns how many it made, itself
 * included; it deals them out to children at random, spawned in any form, and checks what each
 * returns. So any lost, doubled or mixed up job is noticed where it happens.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

/* Whose result is its first argument, also when it is not run. */
const SatinTask *stress_tree_task (void);

/* Runs a tree of that many jobs. Returns: FALSE, after a message on stderr, when anything was wrong
 */
gboolean stress_tree_run (SatinWorkers *workers, gint64 n_jobs, gint64 seed);

/* For a walk: checks what the frontier shows. */
void stress_tree_inspect (const SatinFrontierJob *job, guint worker, gpointer is_wrong);
