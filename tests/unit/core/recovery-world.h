/* recovery-world.h - nodes that steal and recover, with an exported job below another one
 *
 * Node 1 exports job 0 to node 2, which exports a child of it, job 1, to node 3. There are six
 * nodes, and none steals unless the test makes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fake-recovery.h"
#include "steal-world.h"

#define GRACE_US ((gint64)5000)     /* the grace period of lost jobs */
#define LONG_US  ((gint64)60000000) /* the running time of a job */

/* Enough time for a message and its answer. */
#define SHORT_US ((gint64)1000)
/* Within this time, a message without an answer is sent again. */
#define AGAIN_US ((gint64)600000)

extern StealWorld *world;

/* Each case begins and ends with these; end() checks that all hints were freed. */
void begin (void);
void end (void);
/* Like begin(); with %FALSE there are no parts that recover. */
void begin_with (gboolean is_recovering);

FakeRecovery *recovery_of (SatinNodeId id);
WorldNode *node (SatinNodeId id);
/* Node @from gets a job, a child of its imported job @under, and node @to steals that job. @under:
 * an import id; 0: the root job */
void export(SatinNodeId from, SatinNodeId to, guint64 under);
/* Returns: the import id of the only job that node @id has of another node */
guint64 import_id_at (SatinNodeId id);
/* Returns: the oldest import of node @id */
const Import *import_at (SatinNodeId id);
/* Announces that @id leaves, and makes it leave. */
void leave (SatinNodeId id);
/* From now on, messages of @kind are lost, or arrive twice; lose_none() ends both. */
void lose_all_of (StealKind kind);
void double_all_of (StealKind kind);
void lose_none (void);
/* Returns: the figure @name of node @id, or -1 if the node reports none */
gint64 figure_of (SatinNodeId id, const char *name);

/* Kills node 2. */
void lose_2 (void);
/* Begins a case, and kills node 2. */
void begin_and_lose (void);
/* Node 1 runs job 0 again and finds job 1 among its children; the hints say that node 3 has it. */
void adopt (void);
/* Like adopt(), but the hints say that @holder has it under the name @ref, and no time passes. */
void adopt_as (const SatinJobRef *ref, SatinNodeId holder);
/* The part of node 3 tells the core to drop the orphan @import_id. */
void drop (guint64 import_id);
