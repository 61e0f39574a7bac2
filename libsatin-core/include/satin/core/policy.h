/* policy.h - whom to steal from: what a policy plugin provides
 *
 * A policy is asked when this node has idle workers, after every answer and when
 * its own wait is over. It is a function of what it is shown and of its handle:
 * it reads no clock and draws its random numbers from what it is given, so that a
 * simulator and a student's test can call it without a network.
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

/**
 * SatinVictim:
 * @id: the node
 * @is_near: it is in this node's cluster
 * @latency_us: one way, 0 when unknown
 * @n_refused: how often in a row it had nothing, since this node last got work from anybody
 * @has_offered: it had nothing when it was asked last, and said later that it has jobs
 */
typedef struct
{
  SatinNodeId id;
  gboolean is_near;
  gint64 latency_us;
  guint n_refused;
  gboolean has_offered;
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
 * @n_idle: idle workers of this node, 1 or more
 * @n_victims: other nodes, 1 or more
 * @victims: (array length=n_victims): by rising id
 * @near_asked: the near node that was asked and has not answered, or 0
 * @far_asked: likewise the far one
 * @near_history: of near nodes
 * @far_history: of far nodes
 * @random: fresh random numbers, uniform
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
} SatinStealSituation;

/**
 * SatinStealChoice:
 * @near: a near node to ask now, or 0; ignored while one is asked
 * @far: likewise a far one
 * @wait_us: ask the policy again after this time even if nothing happens; 0 for only when
 *   something happens. At least 10 us is waited
 */
typedef struct
{
  SatinNodeId near;
  SatinNodeId far;
  gint64 wait_us;
} SatinStealChoice;

/* The operations of a plugin of kind "policy". */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const SatinParams *params, GError **error);
  void (*choose) (gpointer policy, const SatinStealSituation *situation,
                  SatinStealChoice *ret_choice);
  void (*close) (gpointer policy);
} SatinPolicyOps;

G_END_DECLS
