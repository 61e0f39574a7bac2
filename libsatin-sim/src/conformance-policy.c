/* conformance-policy.c - the rules of a policy plugin
 *
 * The host is played here: it shows a view of victims, draws random numbers, takes every
 * request as refused and lets time pass. Every choice is checked against the rules that hold
 * always, whatever the case is about.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conformance-private.h"

#include <satin/core/policy.h>
#include <string.h>

#define RULE_VICTIM "policy/always/only-victims-are-asked"
#define RULE_NEAR   "policy/always/a-far-node-is-not-asked-as-a-near-one"
#define RULE_FAR    "policy/always/a-near-node-is-not-asked-as-a-far-one"
#define RULE_GIVEN  "policy/always/jobs-and-loads-go-to-other-nodes-only"
#define RULE_WAIT   "policy/always/waits-are-bounded"
#define RULE_STUCK  "policy/always/it-asks-or-waits-when-nobody-is-asked"
#define RULE_SHOWN  "policy/always/what-it-is-shown-stays-as-it-is"

/* No policy may leave a node idle for longer. */
#define MAX_WAIT_US ((gint64)60000000)

/* How long a request and its answer take. */
#define ANSWER_US 100

#define SEED 20061

/* The host of one policy. */
typedef struct
{
  Case *c;
  SatinPolicyOps ops;
  gpointer policy;
  SatinVictim *victims; /* (owned) */
  guint *n_asked;       /* (owned): of each victim */
  SatinStealSituation situation;
  GRand *random;
} Host;

/* Which victims are near. */
typedef enum
{
  VIEW_MIXED, /* every second one */
  VIEW_NEAR,
  VIEW_FAR,
} View;

static void
host_free (Host *self)
{
  if (self->policy != NULL)
    self->ops.close (self->policy);
  g_rand_free (self->random);
  g_free (self->victims);
  g_free (self->n_asked);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Host, host_free)

/* This node. The ids of the others have holes, so that who counts instead of looking is found. */
#define SELF 1

static SatinNodeId
id_of (guint number)
{
  return 3 * number + 2;
}

/* This node's cluster is number 0; the far ones lie in two others. The first victim is the master.
 */
static void
fill_view (Host *self, View view, guint n_victims)
{
  guint n_far = 0;
  self->victims = g_new0 (SatinVictim, n_victims);
  for (guint i = 0; i < n_victims; i++)
    {
      gboolean is_near = view == VIEW_NEAR || (view == VIEW_MIXED && i % 2 == 0);
      self->victims[i] = (SatinVictim){
        .id = id_of (i),
        .is_near = is_near,
        .is_master = i == 0,
        .cluster = is_near ? 0 : 1 + n_far++ % 2,
        .n_queued = -1,
        .success = 1,
      };
    }
  self->situation = (SatinStealSituation){
    .n_idle = 1,
    .n_victims = n_victims,
    .victims = self->victims,
    .self = SELF,
    .n_clusters = 1 + MIN (n_far, 2),
  };
}

/* Returns: (transfer full): %NULL when the policy cannot be opened, which breaks the case */
static Host *
host_new (Case *c, View view, guint n_victims)
{
  g_autoptr (Host) self = g_new0 (Host, 1);
  g_autoptr (GError) error = NULL;
  self->c = c;
  self->random = g_rand_new_with_seed (SEED);
  self->n_asked = g_new0 (guint, n_victims);
  fill_view (self, view, n_victims);
  satin_plugin_copy_ops (c->plugin, &self->ops, sizeof self->ops);
  if (self->ops.open == NULL || self->ops.choose == NULL || self->ops.close == NULL)
    {
      case_break (c, "open, choose or close is missing");
      return NULL;
    }
  self->policy = self->ops.open (c->params, &error);
  if (self->policy == NULL)
    {
      case_break (c, "open failed: %s", error != NULL ? error->message : "without an error");
      return NULL;
    }
  return g_steal_pointer (&self);
}

static const SatinVictim *
find_victim (const Host *self, SatinNodeId id)
{
  for (guint i = 0; i < self->situation.n_victims; i++)
    if (self->victims[i].id == id)
      return &self->victims[i];
  return NULL;
}

/* Checks whom the policy wants to ask as a near, or far, node. */
static void
check_pick (Host *self, SatinNodeId id, gboolean is_near)
{
  const SatinVictim *victim = find_victim (self, id);
  if (id == 0)
    return;
  if (victim == NULL)
    case_note (self->c, RULE_VICTIM, "it asks node %u, which is %s", id,
               id == SELF ? "itself" : "not among the victims");
  else if (victim->is_near != is_near)
    case_note (self->c, is_near ? RULE_NEAR : RULE_FAR, "it asks %s node %u as a %s one",
               is_near ? "far" : "near", id, is_near ? "near" : "far");
}

/* Checks to whom the policy wants to give jobs, or to tell how many there are. */
static void
check_given (Host *self, const SatinStealChoice *choice)
{
  if (choice->push != 0 && find_victim (self, choice->push) == NULL)
    case_note (self->c, RULE_GIVEN, "it gives jobs to node %u, which is not among the victims",
               choice->push);
  if (choice->tell != 0 && find_victim (self, choice->tell) == NULL)
    case_note (self->c, RULE_GIVEN, "it tells its load to node %u, which is not among the victims",
               choice->tell);
}

static void
check_choice (Host *self, const SatinStealChoice *choice)
{
  check_given (self, choice);
  check_pick (self, choice->near, TRUE);
  check_pick (self, choice->far, FALSE);
  if (choice->wait_us < 0 || choice->wait_us > MAX_WAIT_US)
    case_note (self->c, RULE_WAIT,
               "it waits %" G_GINT64_FORMAT " us, which is not from 0 to %" G_GINT64_FORMAT,
               choice->wait_us, MAX_WAIT_US);
  if (choice->near == 0 && choice->far == 0 && choice->wait_us == 0
      && self->situation.near_asked == 0 && self->situation.far_asked == 0)
    case_note (self->c, RULE_STUCK, "it asks nobody and does not want to be asked again");
}

typedef void (*ChooseFunc) (gpointer policy, const SatinStealSituation *situation,
                            SatinStealChoice *ret_choice);

/* Calls one of the policy's two operations and sees that it leaves alone what it is shown. */
static SatinStealChoice
call (Host *self, ChooseFunc func)
{
  SatinStealChoice choice = { 0 };
  gsize size_bytes = self->situation.n_victims * sizeof *self->victims;
  SatinStealSituation situation = self->situation;
  g_autofree SatinVictim *victims = g_memdup2 (self->victims, size_bytes);
  self->c->watch->is_exercised = TRUE;
  func (self->policy, &self->situation, &choice);
  if (memcmp (&situation, &self->situation, sizeof situation) != 0
      || memcmp (victims, self->victims, size_bytes) != 0)
    case_note (self->c, RULE_SHOWN, "it changes what it is shown");
  self->situation = situation;
  memcpy (self->victims, victims, size_bytes);
  return choice;
}

/* Asks the policy with the random numbers that are there. */
static SatinStealChoice
ask (Host *self)
{
  SatinStealChoice choice = call (self, self->ops.choose);
  check_choice (self, &choice);
  return choice;
}

static void
draw (Host *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->situation.random); i++)
    self->situation.random[i] =
        (guint64)g_rand_int (self->random) << 32 | g_rand_int (self->random);
}

static SatinStealChoice
draw_and_ask (Host *self)
{
  draw (self);
  return ask (self);
}

static void
pass_time (Host *self, gint64 duration_us)
{
  self->situation.near_history.since_us += duration_us;
  self->situation.far_history.since_us += duration_us;
}

/* The node was asked just now and has nothing. */
static void
refuse (Host *self, SatinNodeId id, SatinStealHistory *history)
{
  const SatinVictim *victim = find_victim (self, id);
  if (victim == NULL)
    return;
  gsize i = (gsize)(victim - self->victims);
  self->n_asked[i]++;
  self->victims[i].n_refused++;
  history->n_refused++;
  history->since_us = ANSWER_US;
}

/* One turn of the host: asks the policy, and whom it names; all refuse. */
static SatinStealChoice
take_turn (Host *self)
{
  SatinStealChoice choice = draw_and_ask (self);
  gboolean is_asking = choice.near != 0 || choice.far != 0;
  pass_time (self, is_asking ? ANSWER_US : CLAMP (choice.wait_us, 10, MAX_WAIT_US));
  refuse (self, choice.near, &self->situation.near_history);
  refuse (self, choice.far, &self->situation.far_history);
  return choice;
}

/* ---- the rules ---- */

static void
check_opens_and_closes (Case *c)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Host) host = host_new (c, VIEW_MIXED, 1);
      if (host == NULL)
        return;
    }
}

/* In whatever view, everybody is asked, if all refuse for long enough. */
static void
check_all_are_asked (Case *c, View view, guint n_victims)
{
  g_autoptr (Host) host = host_new (c, view, n_victims);
  if (host == NULL)
    return;
  guint n_turns = 1000 * n_victims;
  for (guint turn = 0; turn < n_turns; turn++)
    take_turn (host);
  for (guint i = 0; i < n_victims; i++)
    if (!CASE_EXPECT (c, host->n_asked[i] > 0, "of %u %s nodes, node %u was not asked in %u turns",
                      n_victims,
                      view == VIEW_MIXED  ? "near and far"
                      : view == VIEW_NEAR ? "near"
                                          : "far",
                      host->victims[i].id, n_turns))
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
  g_autoptr (Host) one = host_new (c, VIEW_MIXED, 20);
  g_autoptr (Host) other = host_new (c, VIEW_MIXED, 20);
  if (one == NULL || other == NULL)
    return;
  SatinStealChoice choices[200];
  for (guint turn = 0; turn < G_N_ELEMENTS (choices); turn++)
    choices[turn] = take_turn (one);
  for (guint turn = 0; turn < G_N_ELEMENTS (choices); turn++)
    {
      SatinStealChoice choice = take_turn (other);
      if (!CASE_EXPECT (c, is_same (&choices[turn], &choice),
                        "turn %u of two policies that were shown the same differs", turn))
        return;
    }
}

/* What a policy is shown between two turns of another is not that one's business. */
static void
check_handles_are_independent (Case *c)
{
  g_autoptr (Host) alone = host_new (c, VIEW_MIXED, 20);
  SatinStealChoice choices[200];
  for (guint turn = 0; alone != NULL && turn < G_N_ELEMENTS (choices); turn++)
    choices[turn] = take_turn (alone);
  g_autoptr (Host) disturbed = host_new (c, VIEW_MIXED, 20);
  g_autoptr (Host) other = host_new (c, VIEW_FAR, 7);
  if (alone == NULL || disturbed == NULL || other == NULL)
    return;
  for (guint turn = 0; turn < G_N_ELEMENTS (choices); turn++)
    {
      SatinStealChoice choice = take_turn (disturbed);
      take_turn (other);
      if (!CASE_EXPECT (c, is_same (&choices[turn], &choice),
                        "turn %u comes out otherwise when another policy is used between", turn))
        return;
    }
}

static void
check_huge_view (Case *c)
{
  g_autoptr (Host) host = host_new (c, VIEW_MIXED, 10000);
  gint64 end_us = g_get_monotonic_time () + c->patience_us;
  for (guint turn = 0; host != NULL && turn < 1000; turn++)
    {
      take_turn (host);
      if (!CASE_EXPECT (c, g_get_monotonic_time () < end_us,
                        "with 10000 victims, %u turns take more than %" G_GINT64_FORMAT " ms",
                        turn + 1, c->patience_us / 1000))
        return;
    }
}

static void
check_extreme_numbers (Case *c)
{
  static const guint64 numbers[] = { 0, 1, G_MAXUINT32, (guint64)1 << 63, G_MAXUINT64 };
  g_autoptr (Host) host = host_new (c, VIEW_MIXED, 7);
  for (guint i = 0; host != NULL && i < G_N_ELEMENTS (numbers); i++)
    {
      for (guint each = 0; each < G_N_ELEMENTS (host->situation.random); each++)
        host->situation.random[each] = numbers[i];
      SatinStealChoice choice = ask (host);
      CASE_EXPECT (c,
                   (choice.near == 0 || find_victim (host, choice.near) != NULL)
                       && (choice.far == 0 || find_victim (host, choice.far) != NULL),
                   "random numbers of 0x%" G_GINT64_MODIFIER "x lead outside the view", numbers[i]);
    }
}

static void
check_long_history (Case *c)
{
  static const guint counts[] = { 0, 1, 1000, G_MAXINT, G_MAXUINT };
  static const gint64 times_us[] = { 0, 1, 1000000, (gint64)1 << 50 };
  g_autoptr (Host) host = host_new (c, VIEW_MIXED, 7);
  if (host == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (times_us); k++)
      {
        SatinStealHistory history = { .n_refused = counts[i], .since_us = times_us[k] };
        host->situation.near_history = host->situation.far_history = history;
        host->situation.n_idle = i + 1;
        SatinStealChoice choice = draw_and_ask (host);
        CASE_EXPECT (c, choice.wait_us >= 0 && choice.wait_us <= MAX_WAIT_US,
                     "after %u refusals, the last %" G_GINT64_FORMAT
                     " us ago, it waits %" G_GINT64_FORMAT " us",
                     counts[i], times_us[k], choice.wait_us);
      }
}

static void
check_near_is_left_alone (Case *c)
{
  g_autoptr (Host) host = host_new (c, VIEW_MIXED, 9);
  for (guint turn = 0; host != NULL && turn < 300; turn++)
    {
      host->situation.near_asked = id_of (0);
      if (!CASE_EXPECT (c, take_turn (host).near == 0,
                        "it asks a near node while one was asked and has not answered"))
        return;
    }
}

static void
check_far_is_left_alone (Case *c)
{
  g_autoptr (Host) host = host_new (c, VIEW_MIXED, 9);
  for (guint turn = 0; host != NULL && turn < 300; turn++)
    {
      host->situation.far_asked = id_of (1);
      if (!CASE_EXPECT (c, take_turn (host).far == 0,
                        "it asks a far node while one was asked and has not answered"))
        return;
    }
}

/* Members come and go between two questions. */
static void
check_view_may_shrink (Case *c)
{
  g_autoptr (Host) host = host_new (c, VIEW_MIXED, 50);
  for (guint n_victims = 50; host != NULL && n_victims > 0; n_victims--)
    {
      host->situation.n_victims = n_victims;
      for (guint turn = 0; turn < 20; turn++)
        {
          SatinStealChoice choice = take_turn (host);
          SatinNodeId last = id_of (n_victims - 1);
          if (!CASE_EXPECT (c, choice.near <= last && choice.far <= last,
                            "it asks a node that is gone"))
            return;
        }
    }
}

/* With jobs to give away, an idle worker or none, and whatever the others told. */
static void
check_balance (Case *c)
{
  g_autoptr (Host) host = host_new (c, VIEW_MIXED, 9);
  if (host == NULL)
    return;
  if (host->ops.balance == NULL)
    {
      case_skip (c, "the policy has no balance");
      return;
    }
  for (guint turn = 0; turn < 500; turn++)
    {
      host->situation.n_idle = turn % 3;
      host->situation.n_queued = turn % 5;
      host->situation.is_master = turn % 2;
      host->victims[turn % 9].n_queued = (gint)(turn % 7) - 1;
      draw (host);
      SatinStealChoice choice = call (host, host->ops.balance);
      check_pick (host, choice.near, TRUE);
      check_pick (host, choice.far, FALSE);
      check_given (host, &choice);
      CASE_EXPECT (c, choice.push != SELF && choice.tell != SELF,
                   "it gives jobs to this node or tells it its load");
    }
}

/* The rules that hold always: told by what all cases saw, or by a few turns if none was run. */
static void
check_always (Case *c)
{
  static const View views[] = { VIEW_MIXED, VIEW_NEAR, VIEW_FAR };
  if (c->watch->is_exercised)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (Host) host = host_new (c, views[i], 9);
      for (guint turn = 0; host != NULL && turn < 500; turn++)
        take_turn (host);
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
  { "policy/balance/it-names-other-nodes", check_balance },
  { "policy/limits/extreme-random-numbers-stay-within-the-view", check_extreme_numbers },
  { "policy/limits/waits-stay-bounded-after-long-histories", check_long_history },
  { "policy/limits/ten-thousand-victims-are-no-trouble", check_huge_view },
  { RULE_VICTIM, check_always },
  { RULE_NEAR, check_always },
  { RULE_FAR, check_always },
  { RULE_GIVEN, check_always },
  { RULE_WAIT, check_always },
  { RULE_STUCK, check_always },
  { RULE_SHOWN, check_always },
};

const Suite conformance_policy = { SATIN_PLUGIN_POLICY, rules, G_N_ELEMENTS (rules) };
