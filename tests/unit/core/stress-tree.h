/* stress-tree.h - random trees of jobs in all forms, whose right result is known
 *
 * Each job of a tree is told how many jobs to make, and returns how many it made, itself included.
 * It deals them out to children at random, spawned in any form, and checks the result of each. So a
 * lost, doubled or mixed-up job is noticed where it happens.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

/* Returns: a task whose right result is its first argument */
const SatinTask *stress_tree_task (void);

/* Runs a tree of @n_jobs jobs. Returns: %FALSE, after a message on stderr, when a result was wrong
 */
gboolean stress_tree_run (SatinWorkers *workers, gint64 n_jobs, gint64 seed);

/* Checks one job that a walk over the frontier shows; sets @is_wrong to 1 if its result is wrong.
 */
void stress_tree_inspect (const SatinFrontierJob *job, guint worker, gpointer is_wrong);
