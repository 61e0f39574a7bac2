/* restart-world.h - a node that lost a job, and a node with orphans below that job
 *
 * Node 1 has exported the job (10, 11). Node 2 has orphans that descend from it, and tells node 1
 * of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ft-world.h"

/* How long a node keeps what it hears of a job that is not lost. */
#define EARLY_US ((gint64)10000000)

extern FtWorld *world;
/* The lineage of the orphans: the job (10, 11). */
extern const SatinLineage lineage;

/* begin() and end() are called around each case. */
void begin (void);
void end (void);
/* Node 2 has the orphan @n at @path below the job, and tells node 1. */
void tell (gint32 n, const char *path);
/* Node 1 loses the job. @hints: (transfer full) (nullable): the hints that the job had. Returns:
 * (transfer full): its hints from now on */
gpointer lose (gpointer hints);
