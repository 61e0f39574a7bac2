/* policy-common.h - what several policies are made of: drawing, pausing, cluster-mates
 *
 * Threads: any; these are pure functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/policy.h>

/* How long to pause after all who could be asked have refused; the first two parameters. */
typedef struct
{
  gint64 wait_us;
  gint64 max_wait_us;
} PolicyPause;

/* clang-format off */
#define POLICY_PAUSE_PARAMS \
  { "wait", SATIN_PARAM_DURATION, "100us", \
    "pause after all who can be asked, 16 at most, refused; then it doubles up to max-wait" }, \
  { "max-wait", SATIN_PARAM_DURATION, "5ms", "longest pause" }
/* clang-format on */

PolicyPause policy_pause_from (const SatinParams *params);

/* How long to wait still for the @n_times-th pause in a row, when the last answer without a job was
 * to a question of @since_us ago; 0 times is no pause. */
gint64 policy_pause_left_us (const PolicyPause *self, guint n_times, gint64 since_us);

/* A number below @n, which is 1 or more. */
guint policy_draw_below (guint64 random, guint n);

/* How many of them have offered. */
guint policy_count_offers (const SatinStealSituation *situation, gboolean is_near);

/* Whether this node is the lowest of its cluster. */
gboolean policy_is_lowest (const SatinStealSituation *situation);

/**
 * policy_draw_victim:
 * @is_near: whether a near or a far one is wanted
 * @ret_wait_us: lowered to, or set to when 0, the time to wait when nobody is to be asked yet
 *
 * A random victim of those with an offer, or, with none, of all, with pauses once as many have
 * refused as there are.
 *
 * Returns: 0 when there is none or the pause is not over
 */
SatinNodeId policy_draw_victim (const PolicyPause *pause, const SatinStealSituation *situation,
                                gboolean is_near, gint64 *ret_wait_us);

/* The place of one of the @n victims from @first on, all alike; an extra one is passed over, unless
 * it is the only one. */
guint policy_draw_place (const SatinStealSituation *situation, guint64 random, guint first,
                         guint n);

/* Sets *@ret_wait_us to the shorter of both; 0 is no wait. */
void policy_wait_at_most (gint64 *ret_wait_us, gint64 wait_us);

/* Asks @victim in the place that fits it. */
void policy_ask (const SatinVictim *victim, SatinStealChoice *ret_choice);
