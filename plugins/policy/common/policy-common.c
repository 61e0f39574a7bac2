/* policy-common.c - functions that several policies share: draw a victim, compute a pause
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-common.h"

#define MAX_DOUBLINGS 16

/* The pauses begin after at most this many refusals in a row, even if there are more nodes to ask,
 * because a node that has refused sends an offer when it has jobs. */
#define ROUND_MAX 16

PolicyPause
policy_pause_from (const SatinParams *params)
{
  return (PolicyPause){
    .wait_us = satin_params_get_duration_us (params, "wait"),
    .max_wait_us = satin_params_get_duration_us (params, "max-wait"),
  };
}

gint64
policy_pause_left_us (const PolicyPause *self, guint n_times, gint64 since_us)
{
  if (n_times == 0)
    return 0;
  gint64 whole_us = MIN (self->wait_us << MIN (n_times - 1, MAX_DOUBLINGS), self->max_wait_us);
  return MAX (whole_us - since_us, 0);
}

guint
policy_draw_below (guint64 random, guint n)
{
  return (guint)((random >> 32) * n >> 32);
}

guint
policy_draw_place (const SatinStealSituation *situation, guint64 random, guint first, guint n)
{
  guint place = policy_draw_below (random, n);
  if (situation->victims[first + place].is_extra)
    place = (place + 1) % n;
  return first + place;
}

/* Returns: the number of near victims if @is_near, else of far victims */
static guint
count (const SatinStealSituation *situation, gboolean is_near)
{
  return is_near ? situation->n_near : situation->n_victims - situation->n_near;
}

gboolean
policy_is_lowest (const SatinStealSituation *situation)
{
  return situation->n_near == 0 || situation->self < situation->victims[0].id;
}

/* Whether offer number @number comes from a near victim if @is_near, else from a far victim. */
static gboolean
is_offer (const SatinStealSituation *situation, guint number, gboolean is_near)
{
  return (situation->offers[number] < situation->n_near) == is_near;
}

guint
policy_count_offers (const SatinStealSituation *situation, gboolean is_near)
{
  guint n = 0;
  for (guint i = 0; i < situation->n_offers; i++)
    n += is_offer (situation, i, is_near);
  return n;
}

/* Returns: the near victim (if @is_near, else the far victim) that has made the offer with this
 * number, counted from 0 among their offers */
static SatinNodeId
pick_offer (const SatinStealSituation *situation, gboolean is_near, guint number)
{
  for (guint i = 0; i < situation->n_offers; i++)
    if (is_offer (situation, i, is_near) && number-- == 0)
      return situation->victims[situation->offers[i]].id;
  return 0;
}

SatinNodeId
policy_draw_victim (const PolicyPause *pause, const SatinStealSituation *situation,
                    gboolean is_near, gint64 *ret_wait_us)
{
  guint n = count (situation, is_near);
  if (n == 0)
    return 0;
  guint64 random = situation->random[is_near];
  guint n_offers = policy_count_offers (situation, is_near);
  if (n_offers > 0)
    return pick_offer (situation, is_near, policy_draw_below (random, n_offers));
  const SatinStealHistory *history = is_near ? &situation->near_history : &situation->far_history;
  guint n_round = MIN (n, ROUND_MAX);
  guint n_times = history->n_refused < n_round ? 0 : history->n_refused - (n_round - 1);
  gint64 wait_us = policy_pause_left_us (pause, n_times, history->since_us);
  guint first = is_near ? 0 : situation->n_near;
  if (wait_us == 0)
    return situation->victims[policy_draw_place (situation, random, first, n)].id;
  policy_wait_at_most (ret_wait_us, wait_us);
  return 0;
}

void
policy_wait_at_most (gint64 *ret_wait_us, gint64 wait_us)
{
  if (wait_us > 0 && (*ret_wait_us == 0 || wait_us < *ret_wait_us))
    *ret_wait_us = wait_us;
}

void
policy_ask (const SatinVictim *victim, SatinStealChoice *ret_choice)
{
  if (victim->is_near)
    ret_choice->near = victim->id;
  else
    ret_choice->far = victim->id;
}
