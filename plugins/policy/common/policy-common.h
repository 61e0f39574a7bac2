/* policy-common.h - functions that several policies share: drawing a victim, pausing
 *
 * Threads: any; these are pure functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/policy.h>

/* How long to pause after all nodes that can be asked have refused: the parameters "wait" and
 * "max-wait". */
typedef struct
{
  gint64 wait_us;
  gint64 max_wait_us;
} PolicyPause;

/* clang-format off */
#define POLICY_PAUSE_PARAMS \
  { "wait", SATIN_PARAM_DURATION, "100us", \
    "pause when all nodes that can be asked, 16 at most, have refused; doubles up to max-wait" }, \
  { "max-wait", SATIN_PARAM_DURATION, "5ms", "longest pause" }
/* clang-format on */

PolicyPause policy_pause_from (const SatinParams *params);

/* Returns: how much is left of the @n_times-th pause in a row, @since_us after the last refused
 * request was sent. 0 if @n_times is 0. */
gint64 policy_pause_left_us (const PolicyPause *self, guint n_times, gint64 since_us);

/* Returns: a number below @n, from the bits of @random. @n: 1 or more */
guint policy_draw_below (guint64 random, guint n);

/* Returns: the number of near, or far, victims that have offered */
guint policy_count_offers (const SatinStealSituation *situation, gboolean is_near);

/* Whether this node is the lowest of its cluster. */
gboolean policy_is_lowest (const SatinStealSituation *situation);

/**
 * policy_draw_victim:
 * @is_near: whether to draw a near or a far node
 * @ret_wait_us: (inout): if it is too early to ask, lowered to the time left of the pause; 0 counts
 *   as no limit
 *
 * Draws a random victim among those that have offered. If none has offered, draws among all of
 * them, but pauses once as many requests in a row were refused as there are victims (at most 16).
 *
 * Returns: 0 if there is no victim or the pause is not over
 */
SatinNodeId policy_draw_victim (const PolicyPause *pause, const SatinStealSituation *situation,
                                gboolean is_near, gint64 *ret_wait_us);

/* Returns: a random index among the @n victims from @first on. A victim that is_extra is passed
 * over, unless it is the only one. */
guint policy_draw_place (const SatinStealSituation *situation, guint64 random, guint first,
                         guint n);

/* Lowers *@ret_wait_us to @wait_us. In both, 0 means no wait. */
void policy_wait_at_most (gint64 *ret_wait_us, gint64 wait_us);

/* Sets near or far of the choice to @victim. */
void policy_ask (const SatinVictim *victim, SatinStealChoice *ret_choice);
