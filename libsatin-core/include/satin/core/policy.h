/* policy.h - whom to steal from: what a policy plugin provides
 *
 * A policy is asked when this node has idle workers, after every answer and when
 * its own wait is over. It is a function of what it is shown and of its handle:
 * it reads no clock and draws its random numbers from what it is given, so that a
 * simulator and a student's test can call it without a network.
 *
 * A policy that acts before its workers are idle, or sends jobs unasked, has a second
 * operation, balance, which is asked also while all workers are busy.
 *
 * At most one request to a near node (same cluster) and one to a far node are under way at
 * a time; the host sees to that.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* Most victims that a node shows its policy, and most offers. */
#define SATIN_VICTIMS_MAX 256
#define SATIN_OFFERS_MAX  64

/**
 * SatinVictim:
 * @id: the node
 * @cluster: number of its cluster, below n_clusters of the situation
 * @is_near: it is in this node's cluster
 * @has_offered: it had nothing when it was asked last, and said later that it has jobs; it is among
 *   the offers of the situation
 * @is_master: it holds the root job
 * @is_extra: it is shown because it is the master, which all nodes of a large run are shown; not to
 * be drawn, or all would ask it
 * @n_refused: how often in a row it had nothing, since this node last got work from anybody
 * @latency_us: one way, 0 when unknown
 * @told_us: when it told n_queued, on the clock of now_us of the situation; it may have changed
 *   meanwhile
 * @answer_us: from a request to the arrival of its jobs, on average, the later ones count more; 0
 *   when it never gave any
 * @success: share of the requests to it that brought jobs, in [0, 1], the later ones count more; 1
 *   when it was never asked
 * @n_queued: jobs that it could have given away when it told last, -1 when it never told
 * @reserved: zero
 *
 * What a node knows of another node that it could ask for jobs.
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
 * @n_refused: answers without a job in a row
 * @since_us: time since the last of them was asked for
 *
 * How asking near, or far, nodes went lately.
 */
typedef struct
{
  guint n_refused;
  gint64 since_us;
} SatinStealHistory;

/**
 * SatinStealSituation:
 * @n_idle: idle workers of this node, 1 or more; may be 0 in balance
 * @n_victims: other nodes, 1 or more
 * @victims: (array length=n_victims): the n_near near ones by rising id, then the far ones by
 * rising id
 * @near_asked: the near node that was asked and has not answered, or 0
 * @far_asked: likewise the far one
 * @near_history: of near nodes
 * @far_history: of far nodes
 * @random: fresh random numbers, uniform
 * @self: this node
 * @self_cluster: number of this node's cluster
 * @n_clusters: clusters with a node, this one's too. They are numbered from 0 by their lowest node,
 *   this one included, so that nodes with the same view number them alike
 * @is_master: this node holds the root job
 * @n_queued: jobs here that could be given away now, as far as workers have put them out
 * @n_near: near ones among the victims, which come first
 * @n_offers: at most %SATIN_OFFERS_MAX; of more, those of longest ago are forgotten
 * @offers: (array length=n_offers): the victims that have offered, as places in victims, the offer
 * of longest ago first
 * @now_us: what the clock says
 *
 * A node shows at most %SATIN_VICTIMS_MAX victims. Of more other nodes it shows some: all near ones
 * up to half of the places, or to as many as far ones leave free, and far ones in the rest. Which
 * ones is drawn at random, apart from the master and the lowest near node, which are always among
 * them, and stays so while the members stay the same.
 *
 * All of it is kept from one question to the next, so asking costs the same however many nodes
 * there are. A policy does the same when it draws a near victim as a place below n_near, a far one
 * as one of the others, and looks for offers only among the offers.
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
 * @near: a near node to ask now, or 0; ignored while one is asked
 * @far: likewise a far one
 * @wait_us: ask the policy again after this time even if nothing happens; 0 for only when
 *   something happens. At least 10 us is waited
 * @n_jobs: most jobs that whoever is asked now is to give at once, 0 for as many as it likes
 * @push: a node to give jobs to, unasked, or 0; nothing happens when there are none to give
 * @n_push: how many jobs it gets at most; 0 is taken as 1
 * @tell: a node that is to know how many jobs this one has, or 0. It hears it at most every 10 ms
 * and only when it changed
 *
 * What a policy decides.
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
 *   call). A process may hold several nodes, so what a policy remembers belongs to its handle.
 *   Returns: (transfer full) (nullable): the handle that the other operations get; %NULL with
 *   @error set ends the node with that message. A policy without memory returns any other pointer
 * @choose: says whom to ask; asked when a worker is idle, after each answer and when wait_us of the
 *   last choice is over. @situation is borrowed during the call. @ret_choice is all zeros at first,
 *   which means: ask nobody, wait for something to happen. A node that is not among the victims
 *   is ignored. It must not block or call anything of the run, and is quick: it is asked for each
 *   steal. It cannot fail
 * @close: frees the handle; nothing is asked after it
 * @balance: (nullable): like choose, but asked when workers have put jobs out here and when another
 *   node told its load, at most every 2 ms, whether or not a worker is idle; and instead of choose
 *   while none is
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

/* What each policy must have; the host looks when it loads the plugin. */
static const SatinRequired satin_policy_required[] = { SATIN_REQUIRED (SatinPolicyOps, open),
                                                       SATIN_REQUIRED (SatinPolicyOps, choose),
                                                       SATIN_REQUIRED (SatinPolicyOps, close),
                                                       { NULL, 0 } };

G_END_DECLS
