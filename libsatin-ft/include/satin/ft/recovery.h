/* recovery.h - almost nothing is computed twice when nodes are lost
 *
 * A node that holds orphans tells the nearest living owner among their ancestors what it holds and
 * where below that ancestor it belongs. That owner runs the lost job again and leads it to the
 * orphans. Messages go to one node, not to all, and hold no results: those go once,
 * to who asks for them.
 *
 *   holder                               owner of an ancestor
 *     | ANNOUNCE (exported job, path, key) --------> |  hints for the exported job that was lost
 *     | <----------------- ADOPT, the core's |  a child with that key was spawned there again
 *     | <--------------- UNWANTED (orphans)  |  the exported job is over, or was never here
 *
 * Other strategies are there to compare with.
 *
 * Threads: the loop's thread. Source: 003 sec. 3.2-3.4. Differs: no broadcast; unfinished orphans
 * go on; keys instead of path ids, which are wrong when pruning changes the tree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/run.h>
#include <satin/core/object-store.h>
#include <satin/core/recovery.h>
#include <satin/core/workers.h>

G_BEGIN_DECLS

/* The recovery of one node. */
typedef struct _SatinFt SatinFt;

/* Where an orphan is told of. */
typedef enum
{
  SATIN_FT_ANCESTORS,    /* to the nearest living owner in its lineage */
  SATIN_FT_ORPHAN_TABLE, /* to everybody; who has no use for it forgets it */
  SATIN_FT_NAIVE,        /* nowhere: it is thrown away */
  SATIN_FT_RESULT_TABLE, /* nowhere: everybody is told of the results of all exported jobs */
} SatinFtStrategy;

/**
 * SatinFtCheckpoint:
 * @uri: of a folder in a storage
 * @storage_params: (nullable): "key=value,..." for the storage's plugin
 * @every_us: how often a node sends what it has finished, above 0
 * @max_bytes: of the checkpoint
 * @is_anyway: what is there is used though it is of another build or of other inputs
 * @made_us: now, by the wall clock, microseconds since 1970: for people who read it
 * @workers: (borrowed): the thread of the storage is made of what they are; outlive the recovery
 * @program: (borrowed): whose results these are; outlives the recovery
 *
 * Where results go that are to outlive all nodes.
 */
typedef struct
{
  const char *uri;
  const char *storage_params;
  gint64 every_us;
  guint64 max_bytes;
  gboolean is_anyway;
  gint64 made_us;
  const SatinWorkers *workers;
  const SatinProgram *program;
} SatinFtCheckpoint;

/**
 * SatinFtOptions:
 * @strategy: where orphans are told of
 * @grace_us: how long a lost job waits for hints, beside 4 times the largest latency; 0 or more
 * @max_bytes: results of orphans that are kept, or of the table; of more the oldest are dropped
 * @window_us: how long results wait for others to be told of with, with the table; 0 or more
 * @checkpoint: (nullable): %NULL: there is none; not with the table
 *
 * How a node recovers work.
 */
typedef struct
{
  SatinFtStrategy strategy;
  gint64 grace_us;
  gsize max_bytes;
  gint64 window_us;
  const SatinFtCheckpoint *checkpoint;
} SatinFtOptions;

/**
 * satin_ft_new:
 * @loop: borrowed
 * @options: copied
 *
 * Returns: (transfer full): free with satin_ft_free(), when the core is detached
 */
SATIN_API SatinFt *satin_ft_new (SatinLoop *loop, const SatinFtOptions *options);
/* @self: (nullable). The core must be detached from it before. */
SATIN_API void satin_ft_free (SatinFt *self);

/* The other nodes, borrowed; %NULL when they are gone. */
SATIN_API void satin_ft_set_peers (SatinFt *self, SatinPeers *peers);

/* The run, borrowed; %NULL when it is gone. Without it a checkpoint cannot stop it. */
SATIN_API void satin_ft_set_run (SatinFt *self, SatinRun *run);

/* What the core needs; lives as long as @self. */
SATIN_API SatinRecovery *satin_ft_get_recovery (SatinFt *self);

/* Who keeps shared objects: the checkpoint; lives as long as @self. (nullable): there is none. */
SATIN_API SatinObjectStore *satin_ft_get_object_store (SatinFt *self);

/* "ft.announced", "ft.messages", "ft.losses", ...: docs/recovery.md has all. */
SATIN_API void satin_ft_figures (SatinFt *self, SatinFigureFunc add, gpointer user_data);
/* What it waits for: answers of other nodes, the storage. */
SATIN_API void satin_ft_waits (SatinFt *self, SatinWaitFunc add, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinFt, satin_ft_free)

G_END_DECLS
