/* policy.h - whom to steal from: what a policy plugin provides
 *
 * The host asks a policy while this node has idle workers: when a worker becomes idle, after every
 * answer and offer, when the members change, and when the policy's own wait is over. A policy is a
 * function of the situation and of its handle. It reads no clock and takes its random numbers from
 * the situation. So a simulator and a student's test can call it without a network.
 *
 * A policy that acts before its workers are idle, or sends jobs unasked, has a second operation,
 * balance. The host asks it also while all workers are busy.
 *
 * The host sees to it that at most one request to a near node (in the same cluster) and one to a
 * far node are under way at a time.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The largest number of victims, and of offers, that a node shows its policy. */
#define SATIN_VICTIMS_MAX 256
#define SATIN_OFFERS_MAX  64

/**
 * SatinVictim:
 * @id: the node
 * @cluster: number of its cluster, below n_clusters of the situation
 * @is_near: it is in this node's cluster
 * @has_offered: it refused the last request, and later said that it has jobs; it is among the
 *   offers of the situation
 * @is_master: it holds the root job
 * @is_extra: it is shown only because it is the master, which every node of a large run shows. A
 *   policy must not draw it at random, or all nodes would ask it
 * @n_refused: how often in a row it refused or did not answer, since it last made an offer and
 *   since this node last got jobs from any node
 * @latency_us: one way, 0 when unknown
 * @told_us: when it reported n_queued, on the clock of now_us of the situation. The number may have
 *   changed since
 * @answer_us: average time from a request to the arrival of its jobs; later requests count more; 0
 *   when it never gave any
 * @success: share of the requests to it that brought jobs, in [0, 1]; later requests count more; 1
 *   when it was never asked
 * @n_queued: number of jobs that it could give away at its last report; -1 when it never reported
 * @reserved: zero
 *
 * The facts that a node has about another node, which it could ask for jobs.
 */
typedef struct
{
  SatinNodeId id;
  guint cluster;
  guint is_near : 1;
  guint has_offered : 1;
  guint is_master : 1;
  guint is_extra : 1;
  guint n_refused;
  gint64 latency_us;
  gint64 told_us;
  gint64 answer_us;
  gdouble success;
  gint n_queued;
  guint reserved[3]; /* victims lie in an array, so they cannot grow */
} SatinVictim;

/**
 * SatinStealHistory:
 * @n_refused: number of refusals in a row
 * @since_us: time since the request was sent that was refused last
 *
 * How requests to near, or to far, nodes went lately.
 */
typedef struct
{
  guint n_refused;
  gint64 since_us;
} SatinStealHistory;

/**
 * SatinStealSituation:
 * @n_idle: idle workers of this node, 1 or more; may be 0 in balance
 * @n_victims: number of other nodes shown, 1 or more
 * @victims: (array length=n_victims): the n_near near ones by rising id, then the far ones by
 *   rising id
 * @near_asked: the near node that was asked and has not answered, or 0
 * @far_asked: the far node that was asked and has not answered, or 0
 * @near_history: the history of near nodes
 * @far_history: the history of far nodes
 * @random: fresh random numbers, uniform
 * @self: this node
 * @self_cluster: number of this node's cluster
 * @n_clusters: number of clusters that have a node, including this node's cluster. They are
 *   numbered from 0, in the order of their lowest nodes, this node included; so nodes with the same
 *   view give them the same numbers
 * @is_master: this node holds the root job
 * @n_queued: number of jobs here that could be given away now: imported jobs that wait for a
 *   worker, and jobs that workers have put out
 * @n_near: number of near nodes among the victims; they come first
 * @n_offers: number of offers, at most %SATIN_OFFERS_MAX; if there are more, the oldest are
 *   forgotten
 * @offers: (array length=n_offers): the victims that have offered, as indexes into victims, the
 *   oldest offer first
 * @now_us: the time on the loop's clock
 *
 * The facts by which a policy decides.
 *
 * A node shows at most %SATIN_VICTIMS_MAX victims. If there are more other nodes, it shows some of
 * them. Near ones get half of the places, and also those that far ones leave free. Far ones get the
 * rest. The choice is random, except that the master and the lowest near node are always shown. The
 * same nodes are shown while the members stay the same.
 *
 * The host keeps all of this from one question to the next. So a question costs the same however
 * many nodes there are. A policy can cost as little: it draws a near victim as an index below
 * n_near and a far one as any other index, and looks for offers only among the offers.
 */
typedef struct
{
  guint n_idle;
  guint n_victims;
  const SatinVictim *victims;
  SatinNodeId near_asked;
  SatinNodeId far_asked;
  SatinStealHistory near_history;
  SatinStealHistory far_history;
  guint64 random[4];
  SatinNodeId self;
  guint self_cluster;
  guint n_clusters;
  gboolean is_master;
  guint n_queued;
  guint n_near;
  guint n_offers;
  const guint *offers;
  gint64 now_us;
} SatinStealSituation;

/**
 * SatinStealChoice:
 * @near: a near node to ask now, or 0; ignored while a near node is asked
 * @far: a far node to ask now, or 0; ignored while a far node is asked
 * @wait_us: ask the policy again after this time even if nothing happens, at least 10 us; 0: ask
 *   only when something happens
 * @push: a node to which this node gives jobs unasked, or 0; ignored when there are no jobs to give
 * @n_push: the most jobs that the node in push gets; 0 counts as 1
 * @tell: a node that must know how many jobs this node has, or 0. It is told at most every 10 ms,
 *   and only when the number has changed
 * @n_jobs: the most jobs that a node asked now should give at once; 0: as many as it likes
 *
 * The decision of a policy.
 */
typedef struct
{
  SatinNodeId near;
  SatinNodeId far;
  gint64 wait_us;
  SatinNodeId push;
  guint n_push;
  SatinNodeId tell;
  guint n_jobs;
} SatinStealChoice;

/**
 * SatinPolicyOps:
 * @struct_size: sizeof (SatinPolicyOps) where the plugin was built
 * @open: makes a policy for one node, from the plugin's declared parameters (borrowed during the
 *   call). A process may hold several nodes, so the memory of a policy belongs to its handle.
 *   Returns: (transfer full) (nullable): the handle for the other operations; %NULL with @error set
 *   ends the node with that message. A policy without memory returns any other pointer
 * @choose: says whom to ask. The host calls it while a worker is idle: after each answer, when
 *   wait_us of the last choice is over, and at other events. @situation is borrowed during the
 *   call. @ret_choice is all zeros at first, which means: ask nobody, wait until something happens.
 *   A node in near or far that is not among the victims is ignored. The function must not block or
 *   call anything of the run. It must be quick, because it runs for each steal. It cannot fail
 * @close: frees the handle; no call follows
 * @balance: (nullable): like choose. The host calls it when workers have put jobs out here and when
 *   another node reported its load, at most every 2 ms, whether or not a worker is idle. It also
 *   takes the place of choose while no worker is idle
 *
 * The operations of a plugin of kind "policy".
 *
 * Threads: all of them in the loop's thread, one at a time for each handle.
 */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const SatinParams *params, GError **error);
  void (*choose) (gpointer policy, const SatinStealSituation *situation,
                  SatinStealChoice *ret_choice);
  void (*close) (gpointer policy);
  void (*balance) (gpointer policy, const SatinStealSituation *situation,
                   SatinStealChoice *ret_choice);
} SatinPolicyOps;

/* The operations that each policy must have. The host checks them when it loads the plugin. */
static const SatinRequired satin_policy_required[] = { SATIN_REQUIRED (SatinPolicyOps, open),
                                                       SATIN_REQUIRED (SatinPolicyOps, choose),
                                                       SATIN_REQUIRED (SatinPolicyOps, close),
                                                       { NULL, 0 } };

G_END_DECLS
