/* policy.c - the rules of a policy plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "asker.h"

static void
check_opens_and_closes (Case *c)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, 1);
      if (asker == NULL)
        return;
    }
}

/* Checks that each victim of the view is asked sooner or later when all of them refuse. */
static void
check_all_are_asked (Case *c, View view, guint n_victims)
{
  g_autoptr (Asker) asker = asker_new (c, view, n_victims);
  if (asker == NULL)
    return;
  guint n_turns = 1000 * n_victims;
  for (guint turn = 0; turn < n_turns; turn++)
    asker_take_turn (asker);
  for (guint i = 0; i < n_victims; i++)
    if (!CASE_EXPECT (c, asker->n_asked[i] > 0, "of %u %s nodes, node %u was not asked in %u turns",
                      n_victims,
                      view == VIEW_MIXED  ? "near and far"
                      : view == VIEW_NEAR ? "near"
                                          : "far",
                      asker->victims[i].id, n_turns))
      return;
}

static void
check_everybody_is_asked (Case *c)
{
  check_all_are_asked (c, VIEW_MIXED, 9);
}

static void
check_everybody_near_is_asked (Case *c)
{
  check_all_are_asked (c, VIEW_NEAR, 5);
}

static void
check_everybody_far_is_asked (Case *c)
{
  check_all_are_asked (c, VIEW_FAR, 5);
}

static void
check_only_node_is_asked (Case *c)
{
  check_all_are_asked (c, VIEW_NEAR, 1);
  check_all_are_asked (c, VIEW_FAR, 1);
}

static gboolean
is_same (const SatinStealChoice *one, const SatinStealChoice *other)
{
  return one->near == other->near && one->far == other->far && one->wait_us == other->wait_us;
}

static void
check_same_numbers_same_choice (Case *c)
{
  g_autoptr (Asker) one = asker_new (c, VIEW_MIXED, 20);
  g_autoptr (Asker) other = asker_new (c, VIEW_MIXED, 20);
  if (one == NULL || other == NULL)
    return;
  SatinStealChoice choices[200];
  for (guint turn = 0; turn < G_N_ELEMENTS (choices); turn++)
    choices[turn] = asker_take_turn (one);
  for (guint turn = 0; turn < G_N_ELEMENTS (choices); turn++)
    {
      SatinStealChoice choice = asker_take_turn (other);
      if (!CASE_EXPECT (c, is_same (&choices[turn], &choice),
                        "turn %u of two policies that were shown the same differs", turn))
        return;
    }
}

/* Checks that a policy chooses the same when another handle is used between its turns. */
static void
check_handles_are_independent (Case *c)
{
  g_autoptr (Asker) alone = asker_new (c, VIEW_MIXED, 20);
  SatinStealChoice choices[200];
  for (guint turn = 0; alone != NULL && turn < G_N_ELEMENTS (choices); turn++)
    choices[turn] = asker_take_turn (alone);
  g_autoptr (Asker) disturbed = asker_new (c, VIEW_MIXED, 20);
  g_autoptr (Asker) other = asker_new (c, VIEW_FAR, 7);
  if (alone == NULL || disturbed == NULL || other == NULL)
    return;
  for (guint turn = 0; turn < G_N_ELEMENTS (choices); turn++)
    {
      SatinStealChoice choice = asker_take_turn (disturbed);
      asker_take_turn (other);
      if (!CASE_EXPECT (c, is_same (&choices[turn], &choice),
                        "turn %u comes out otherwise when another policy is used between", turn))
        return;
    }
}

static void
check_huge_view (Case *c)
{
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, SATIN_VICTIMS_MAX);
  gint64 end_us = g_get_monotonic_time () + c->patience_us;
  for (guint turn = 0; asker != NULL && turn < 1000; turn++)
    {
      asker_take_turn (asker);
      if (!CASE_EXPECT (c, g_get_monotonic_time () < end_us,
                        "with %d victims, %u turns take more than %" G_GINT64_FORMAT " ms",
                        SATIN_VICTIMS_MAX, turn + 1, c->patience_us / 1000))
        return;
    }
}

static void
check_extreme_numbers (Case *c)
{
  static const guint64 numbers[] = { 0, 1, G_MAXUINT32, (guint64)1 << 63, G_MAXUINT64 };
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, 7);
  for (guint i = 0; asker != NULL && i < G_N_ELEMENTS (numbers); i++)
    {
      for (guint each = 0; each < G_N_ELEMENTS (asker->situation.random); each++)
        asker->situation.random[each] = numbers[i];
      SatinStealChoice choice = asker_ask (asker);
      CASE_EXPECT (c,
                   (choice.near == 0 || asker_find_victim (asker, choice.near) != NULL)
                       && (choice.far == 0 || asker_find_victim (asker, choice.far) != NULL),
                   "random numbers of 0x%" G_GINT64_MODIFIER "x lead outside the view", numbers[i]);
    }
}

static void
check_long_history (Case *c)
{
  static const guint counts[] = { 0, 1, 1000, G_MAXINT, G_MAXUINT };
  static const gint64 times_us[] = { 0, 1, 1000000, (gint64)1 << 50 };
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, 7);
  if (asker == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (times_us); k++)
      {
        SatinStealHistory history = { .n_refused = counts[i], .since_us = times_us[k] };
        asker->situation.near_history = asker->situation.far_history = history;
        asker->situation.n_idle = i + 1;
        SatinStealChoice choice = asker_draw_and_ask (asker);
        CASE_EXPECT (c, choice.wait_us >= 0 && choice.wait_us <= MAX_WAIT_US,
                     "after %u refusals, the last %" G_GINT64_FORMAT
                     " us ago, it waits %" G_GINT64_FORMAT " us",
                     counts[i], times_us[k], choice.wait_us);
      }
}

static void
check_near_is_left_alone (Case *c)
{
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, 9);
  for (guint turn = 0; asker != NULL && turn < 300; turn++)
    {
      asker->situation.near_asked = asker_id_of (0);
      if (!CASE_EXPECT (c, asker_take_turn (asker).near == 0,
                        "it asks a near node while one was asked and has not answered"))
        return;
    }
}

static void
check_far_is_left_alone (Case *c)
{
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, 9);
  for (guint turn = 0; asker != NULL && turn < 300; turn++)
    {
      asker->situation.far_asked = asker_id_of (1);
      if (!CASE_EXPECT (c, asker_take_turn (asker).far == 0,
                        "it asks a far node while one was asked and has not answered"))
        return;
    }
}

/* Checks that the policy asks only members of the view, although members leave between its
 * turns. */
static void
check_view_may_shrink (Case *c)
{
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, 50);
  for (guint n_victims = 50; asker != NULL && n_victims > 0; n_victims--)
    {
      asker_shrink (asker, n_victims);
      for (guint turn = 0; turn < 20; turn++)
        {
          SatinStealChoice choice = asker_take_turn (asker);
          SatinNodeId last = asker_id_of (n_victims - 1);
          if (!CASE_EXPECT (c, choice.near <= last && choice.far <= last,
                            "it asks a node that is gone"))
            return;
        }
    }
}

/* Checks the policy with as many offers as possible, from near and far victims. */
static void
check_many_offers (Case *c)
{
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, SATIN_VICTIMS_MAX);
  for (guint turn = 0; asker != NULL && turn < 200; turn++)
    {
      for (guint i = 0; i < SATIN_OFFERS_MAX; i++)
        asker_add_offer (asker, (turn + 131 * i) % SATIN_VICTIMS_MAX);
      SatinStealChoice choice = asker_take_turn (asker);
      const SatinVictim *near = asker_find_victim (asker, choice.near);
      const SatinVictim *far = asker_find_victim (asker, choice.far);
      if (!CASE_EXPECT (
              c, (near == NULL || near->is_near) && (far == NULL || !far->is_near),
              "with %u offers, it asks a near node as a far one or a far one as a near one",
              SATIN_OFFERS_MAX))
        return;
    }
}

/* Checks balance, with other numbers of idle workers and queued jobs each time, on the master and
 * on other nodes, and with other loads of victims. */
static void
check_balance (Case *c)
{
  g_autoptr (Asker) asker = asker_new (c, VIEW_MIXED, 9);
  if (asker == NULL)
    return;
  if (asker->ops.balance == NULL)
    {
      case_skip (c, "the policy has no balance");
      return;
    }
  for (guint turn = 0; turn < 500; turn++)
    {
      asker->situation.n_idle = turn % 3;
      asker->situation.n_queued = turn % 5;
      asker->situation.is_master = turn % 2;
      asker->victims[turn % 9].n_queued = (gint)(turn % 7) - 1;
      SatinStealChoice choice = asker_balance (asker);
      CASE_EXPECT (c, choice.push != ASKER_SELF && choice.tell != ASKER_SELF,
                   "it gives jobs to this node or tells it its load");
    }
}

/* The case of each rule that always holds. The other cases have watched these rules; if none of
 * those cases ran, this case takes turns with each kind of view. */
static void
check_always (Case *c)
{
  static const View views[] = { VIEW_MIXED, VIEW_NEAR, VIEW_FAR };
  if (c->watch->is_exercised)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (Asker) asker = asker_new (c, views[i], 9);
      for (guint turn = 0; asker != NULL && turn < 500; turn++)
        asker_take_turn (asker);
    }
}

static const Rule rules[] = {
  { "policy/contract/it-opens-and-closes-again-and-again", check_opens_and_closes },
  { "policy/contract/handles-are-independent", check_handles_are_independent },
  { "policy/contract/the-same-numbers-give-the-same-choice", check_same_numbers_same_choice },
  { "policy/choice/everybody-is-asked-sooner-or-later", check_everybody_is_asked },
  { "policy/choice/everybody-in-one-cluster-is-asked", check_everybody_near_is_asked },
  { "policy/choice/everybody-in-other-clusters-is-asked", check_everybody_far_is_asked },
  { "policy/choice/the-only-node-is-asked", check_only_node_is_asked },
  { "policy/choice/near-nodes-are-left-alone-while-one-is-asked", check_near_is_left_alone },
  { "policy/choice/far-nodes-are-left-alone-while-one-is-asked", check_far_is_left_alone },
  { "policy/choice/who-is-gone-is-not-asked", check_view_may_shrink },
  { "policy/choice/many-offers-are-no-trouble", check_many_offers },
  { "policy/balance/it-names-other-nodes", check_balance },
  { "policy/limits/extreme-random-numbers-stay-within-the-view", check_extreme_numbers },
  { "policy/limits/waits-stay-bounded-after-long-histories", check_long_history },
  { "policy/limits/the-most-victims-are-no-trouble", check_huge_view },
  { RULE_VICTIM, check_always },
  { RULE_NEAR, check_always },
  { RULE_FAR, check_always },
  { RULE_GIVEN, check_always },
  { RULE_WAIT, check_always },
  { RULE_STUCK, check_always },
  { RULE_SHOWN, check_always },
};

const Suite conformance_policy = { SATIN_PLUGIN_POLICY, rules, G_N_ELEMENTS (rules) };
