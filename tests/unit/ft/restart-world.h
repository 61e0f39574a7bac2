/* restart-world.h - a node that lost a job, and one that holds orphans below it, for test cases
 *
 * Node 1 exported a job (10, 11); node 2 holds orphans that belong below it. What node 2 says is
 * sent in its name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ft-world.h"

/* How long what is told of a job is kept while the job is not lost. */
#define EARLY_US ((gint64)10000000)

extern FtWorld *world;
/* From the root to the orphans: the job (10, 11). */
extern const SatinLineage lineage;

/* Frames a case. */
void begin (void);
void end (void);
/* Node 2 has the orphan @n, which belongs at @path below the job, and says so. */
void tell (gint32 n, const char *path);
/* Node 1 loses the job. @hints: (transfer full) (nullable): that it had. Returns: (transfer full)
 */
gpointer lose (gpointer hints);
