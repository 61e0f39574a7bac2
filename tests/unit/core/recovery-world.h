/* recovery-world.h - nodes that steal and recover, with jobs two deep, for test cases
 *
 * Node 1 exports job 0 to node 2, which exports a child of it, job 1, to node 3. There are six
 * nodes, and none steals unless it is told to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fake-recovery.h"
#include "steal-world.h"

#define GRACE_US ((gint64)5000)     /* before a lost job comes back */
#define LONG_US  ((gint64)60000000) /* what a job takes */

/* Long enough for a message and its answer. */
#define SHORT_US ((gint64)1000)
/* Within this what was not answered is sent again. */
#define AGAIN_US ((gint64)600000)

extern StealWorld *world;

/* Frames a case: the second also checks that all hints were given up. */
void begin (void);
void end (void);
/* Likewise, without parts that recover. */
void begin_with (gboolean is_recovering);

FakeRecovery *recovery_of (SatinNodeId id);
WorldNode *node (SatinNodeId id);
/* @to steals the one job of @from, a child of @under. */
void export(SatinNodeId from, SatinNodeId to, guint64 under);
/* What node @id calls the one job that it has of another; and that job. */
guint64 import_id_at (SatinNodeId id);
const Import *import_at (SatinNodeId id);
/* It says that it leaves. */
void leave (SatinNodeId id);
/* Messages of this kind do not arrive, or arrive twice; all arrive again. */
void lose_all_of (StealKind kind);
void double_all_of (StealKind kind);
void lose_none (void);
/* What it reports, -1 for nothing. */
gint64 figure_of (SatinNodeId id, const char *name);

/* Node 2 dies. */
void lose_2 (void);
/* Begins a case in which node 2 dies at once. */
void begin_and_lose (void);
/* Node 1 found job 1 as a child of the job that runs again, and the hints say that node 3 has it.
 */
void adopt (void);
/* Like adopt (), but the hints say that @holder has it as @ref. */
void adopt_as (const SatinJobRef *ref, SatinNodeId holder);
/* Node 3 forgets the orphan. */
void drop (guint64 import_id);
