/* recovery.h - saves the work of lost nodes, so that almost nothing is computed twice
 *
 * A node that holds orphans (the holder) notifies the nearest living owner in their lineage. It
 * says which results or jobs it holds, and where below that owner's exported job they belong. The
 * owner runs the lost job again and adopts the orphans. Each message goes to one node, not to all,
 * and holds no results. Each result travels once, to the node that asks for it.
 *
 *   holder                               owner of an ancestor
 *     | ANNOUNCE (exported job, path, key) --------> |  hints for the exported job that was lost
 *     | <----------------- ADOPT, the core's |  a child with that key was spawned there again
 *     | <--------------- UNWANTED (orphans)  |  the exported job is over, or was never here
 *
 * This is the strategy %SATIN_FT_ANCESTORS. The other strategies exist for comparison.
 *
 * Threads: the loop's thread. Source: 003 sec. 3.2-3.4. Differs: no broadcast; unfinished orphans
 * continue; keys instead of path ids, which are wrong when pruning changes the tree.
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

/* Where a node announces its orphans. */
typedef enum
{
  SATIN_FT_ANCESTORS,    /* to the nearest living owner in their lineage */
  SATIN_FT_ORPHAN_TABLE, /* to all nodes; a node that cannot use them forgets them */
  SATIN_FT_NAIVE,        /* nowhere: orphans are thrown away */
  SATIN_FT_RESULT_TABLE, /* nowhere: small results of exported jobs are sent to all nodes */
} SatinFtStrategy;

/**
 * SatinFtCheckpoint:
 * @uri: of a folder in a storage
 * @storage_params: (nullable): "key=value,..." for the storage's plugin
 * @every_us: how often a node sends its finished results, above 0
 * @max_bytes: the largest size of the checkpoint
 * @is_anyway: use an existing checkpoint although it is from another build or other inputs
 * @made_us: the wall clock now, microseconds since 1970: for people who read the checkpoint
 * @workers: (borrowed): provide the thread operations for the storage's thread; outlive the
 *   recovery
 * @program: (borrowed): the program whose results are stored; outlives the recovery
 *
 * A checkpoint: the place of results that outlive all nodes.
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
 * @strategy: where orphans are announced
 * @grace_us: how long a lost job waits for hints, in addition to 4 times the largest latency; 0 or
 *   more. With the naive strategy a lost job does not wait
 * @max_bytes: the most bytes of orphans' results, or of the table of %SATIN_FT_RESULT_TABLE; beyond
 *   that the oldest results are dropped
 * @window_us: with %SATIN_FT_RESULT_TABLE: how long a result may wait, so that several travel
 *   together; 0 or more
 * @checkpoint: (nullable): %NULL for none; must be %NULL with %SATIN_FT_RESULT_TABLE
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
 * Returns: (transfer full): a recovery; free it with satin_ft_free() after the core is detached
 */
SATIN_API SatinFt *satin_ft_new (SatinLoop *loop, const SatinFtOptions *options);
/* Frees the recovery. The core must be detached from it before. @self: (nullable) */
SATIN_API void satin_ft_free (SatinFt *self);

/* Makes the checkpoint's coordinator first call satin_checkpoint_convert(), which carries over the
 * results of earlier builds whose tasks had other arguments or results. Without a checkpoint
 * nothing happens. Call it before the other functions. */
SATIN_API void satin_ft_convert_results (SatinFt *self);

/* Sets the other nodes (borrowed); %NULL when they are gone. */
SATIN_API void satin_ft_set_peers (SatinFt *self, SatinPeers *peers);

/* Sets the run (borrowed); %NULL when it is gone. Without a SatinRun, a checkpoint cannot stop the
 * run. */
SATIN_API void satin_ft_set_run (SatinFt *self, SatinRun *run);

/* The interface for the core; lives as long as @self. */
SATIN_API SatinRecovery *satin_ft_get_recovery (SatinFt *self);

/* The checkpoint as a store of shared objects; lives as long as @self. Returns: (nullable): %NULL
 * without a checkpoint */
SATIN_API SatinObjectStore *satin_ft_get_object_store (SatinFt *self);

/* Reports figures: "ft.announced", "ft.messages", "ft.losses", ...: docs/recovery.md lists all. */
SATIN_API void satin_ft_figures (SatinFt *self, SatinFigureFunc add, gpointer user_data);
/* Reports what the recovery waits for: answers of other nodes, the storage. */
SATIN_API void satin_ft_waits (SatinFt *self, SatinWaitFunc add, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinFt, satin_ft_free)

G_END_DECLS
