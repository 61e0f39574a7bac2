/* chain.h - finds in the dumps of all nodes for which job the run waits
 *
 * Each job that a node has taken from another node is in two dumps: as an exported job of its
 * owner, and as an imported job of the thief. So the jobs of all nodes form a tree, with the root
 * job at its root. At the end of each branch there is a reason why the branch does not continue.
 * The oldest of these reasons shows for which job the run waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

/**
 * WhyEnd:
 * @WHY_NO_MASTER: there is no root job: no master was elected, or the run is over
 * @WHY_RUNNING: a worker of the node is in this job, which does not end
 * @WHY_WORKING: the node works on this job or on jobs below it, and none of them is old; or the
 *   dump of the node does not have all jobs
 * @WHY_NOBODY: nothing of the job goes on: no worker of its node is busy, and no other node has a
 *   part of it
 * @WHY_QUEUED: the job waits at the node, and no worker has begun it
 * @WHY_MISSING: the node that was given the job does not have it
 * @WHY_SILENT: the node that has the job did not answer
 * @WHY_GONE: the node that has the job is no member any more
 *
 * Why a branch of the tree does not go on.
 */
typedef enum
{
  WHY_NO_MASTER,
  WHY_RUNNING,
  WHY_WORKING,
  WHY_NOBODY,
  WHY_QUEUED,
  WHY_MISSING,
  WHY_SILENT,
  WHY_GONE,
} WhyEnd;

/* A job on the way from the root job down. @job: (borrowed) (nullable): %NULL when only the node is
 * known. */
typedef struct
{
  SatinNodeId node;
  const SatinJobState *job;
} WhyLink;

/**
 * WhyChain:
 * @links: (owned) (element-type WhyLink): the way from the root job to the end
 * @end: the reason at the end
 * @age_us: how long the last link has been as it is, microseconds; 0 if @end is %WHY_WORKING,
 *   %WHY_NOBODY or %WHY_NO_MASTER
 *
 * The branch that has waited longest.
 */
typedef struct
{
  GArray *links;
  WhyEnd end;
  gint64 age_us;
} WhyChain;

/* A node with its dump. @has_answered: whether there is a dump that can be read. */
typedef struct
{
  const SatinNodeStatus *status; /* (borrowed) */
  SatinDump dump;                /* (owned) */
  gboolean has_answered;
} WhyNode;

/* All nodes of a status. */
typedef struct
{
  const SatinRunStatus *status; /* (borrowed) */
  WhyNode *nodes;               /* (owned) (array length=n_nodes): as in the status */
  guint n_nodes;
} WhyRun;

/* Reads the dumps in a status. A node whose dump cannot be decoded counts as one that did not
 * answer. @status: borrowed until why_run_clear() */
void why_run_read (WhyRun *ret_run, const SatinRunStatus *status);
void why_run_clear (WhyRun *self);
/* Returns: (nullable): the node with that number */
const WhyNode *why_run_find (const WhyRun *self, gint64 id);

/* Finds the branch that has waited longest. Free it with why_chain_clear(); valid until
 * why_run_clear(). Cost: O(jobs in all dumps, squared within a node) */
void why_chain_find (WhyChain *ret_chain, const WhyRun *run);
void why_chain_clear (WhyChain *self);

G_END_DECLS
