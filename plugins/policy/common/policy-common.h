/* policy-common.h - functions that several policies share: draw a victim, compute a pause
 *
 * Threads: any; the functions depend on their arguments only.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/policy.h>

/* How long a policy pauses after all nodes that it can ask have refused: the parameters "wait" (the
 * first pause) and "max-wait" (the longest pause). */
typedef struct
{
  gint64 wait_us;
  gint64 max_wait_us;
} PolicyPause;

/* The parameters of a pause. @when: a string that says when the policy pauses and when the pause
 * doubles */
/* clang-format off */
#define POLICY_PAUSE_PARAMS(when) \
  { "wait", SATIN_PARAM_DURATION, "100us", "pause " when ", up to max-wait" }, \
  { "max-wait", SATIN_PARAM_DURATION, "5ms", "longest pause" }
/* clang-format on */

/* @when of policies that use policy_draw_victim() */
#define POLICY_PAUSE_AFTER_DRAWS                                                                   \
  "after every near (or every far) node has refused, counting at most 16 refusals; doubles with "  \
  "each further refusal"

PolicyPause policy_pause_from (const SatinParams *params);

/* Returns: how much is left of a pause. The pause begins with the last refused request, which was
 * sent @since_us ago. The whole pause takes "wait" for an @n_times of 1, and doubles with each
 * further time, up to "max-wait". For an @n_times of 0 there is no pause */
gint64 policy_pause_left_us (const PolicyPause *self, guint n_times, gint64 since_us);

/* Returns: a number below @n, which is 1 or more, from the bits of @random */
guint policy_draw_below (guint64 random, guint n);

/* Returns: the number of near victims (if @is_near, else of far victims) that have offered jobs */
guint policy_count_offers (const SatinStealSituation *situation, gboolean is_near);

/* Whether this node has the lowest number in its cluster. */
gboolean policy_is_lowest (const SatinStealSituation *situation);

/**
 * policy_draw_victim:
 * @is_near: whether to draw a near or a far node
 * @ret_wait_us: (inout): when the pause is not over, lowered to what is left of it by
 *   policy_wait_at_most()
 *
 * Draws a random victim among those that have offered jobs. If none has offered, draws among all
 * near (or all far) victims, but pauses when as many requests in a row were refused as there are
 * such victims, counting at most 16.
 *
 * Returns: the victim; 0 if there is none or the pause is not over
 */
SatinNodeId policy_draw_victim (const PolicyPause *pause, const SatinStealSituation *situation,
                                gboolean is_near, gint64 *ret_wait_us);

/* Returns: the index of a random one of the @n victims from index @first on. If a victim with
 * is_extra is drawn, the next victim is taken in its place. */
guint policy_draw_place (const SatinStealSituation *situation, guint64 random, guint first,
                         guint n);

/* Lowers *@ret_wait_us to @wait_us, if that is less. In both, 0 means that there is nothing to wait
 * for. */
void policy_wait_at_most (gint64 *ret_wait_us, gint64 wait_us);

/* Makes the choice ask @victim: sets its field near or far. */
void policy_ask (const SatinVictim *victim, SatinStealChoice *ret_choice);
