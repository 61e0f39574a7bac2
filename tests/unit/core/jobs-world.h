/* jobs-world.h - nodes with workers in one process, joined by a fake network
 *
 * Each node has workers and a Steal, all on the loop of the main thread. Root jobs
 * run on node 1, which has a single worker. The test program defines tasks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "core-test.h"

#include "fake-peers.h"
#include "jobs/jobs.h"
#include "tasks/task.h"

#define WORLD_MAX_NODES 3

typedef struct
{
  SatinWorkers *workers; /* (owned) */
  Jobs *jobs;            /* (owned) */
  Steal *steal;          /* (owned) (nullable): %NULL: the node does not take part in stealing */
} WorldNode;

/* There is one world at a time. */
extern SatinLoop *world_loop;
extern FakeNet *world_net;
extern WorldNode world_nodes[WORLD_MAX_NODES];

void world_begin (guint n_nodes, gboolean is_stealing);
void world_end (void);

/* Takes at most @max jobs of node 1, for a thief of @cluster (nullable). Returns: like take() */
guint world_take_jobs (guint max, guint n_kept, const char *cluster, StealTaken *ret_taken,
                       gboolean *ret_is_kept);

/* Runs a root job on node 1, and meanwhile the loop. Returns: like satin_workers_run_task() */
gboolean world_run (const SatinTask *task, gconstpointer args, gpointer ret_result, GError **error);
