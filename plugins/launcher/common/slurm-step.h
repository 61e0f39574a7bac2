/* slurm-step.h - what Slurm's variables say about the step in which this process runs
 *
 * Threads: any; nobody may change the environment meanwhile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads a number from variable @name. Returns: whether the variable is a number up to @max */
gboolean step_read_number (const char *name, guint max, guint *ret_number);

/* The cluster label of this host: the switch to which it is attached, if Slurm knows a tree of
 * switches, else the host's name. Returns: (transfer full) */
char *step_find_cluster (void);

/* The share of rank @local_rank when @n_local ranks divide @n things, at least 1. */
guint step_divide (guint n, guint local_rank, guint n_local);

/**
 * step_count_processors:
 * @is_own: Slurm itself has started this rank, and not another launcher inside the allocation
 *
 * Counts the processors that Slurm gives this rank on this host.
 *
 * Returns: 1 or more; 0 when the variables do not say
 */
guint step_count_processors (gboolean is_own, guint local_rank, guint n_local);

G_END_DECLS
