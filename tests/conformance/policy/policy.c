/* policy.c - a policy that breaks no rule, or the rule that FAULT names when it is built
 *
 * It asks one node after the other: near nodes in turn, and far nodes in turn.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

typedef enum
{
  NONE,
  OPENS_NOT_AGAIN,
  OPENS_ONLY_ONE,
  SHARES_TURNS,
  ASKS_ITSELF,
  ASKS_A_STRANGER,
  ASKS_FAR_AS_NEAR,
  ASKS_NEAR_AS_FAR,
  ASKS_NEAR_TWICE,
  ASKS_FAR_TWICE,
  FORGETS_THE_LAST,
  FORGETS_THE_FIRST_NEAR,
  FORGETS_THE_FIRST_FAR,
  FORGETS_THE_ONLY,
  DRAWS_ITS_OWN_NUMBERS,
  REMEMBERS_NODES,
  WAITS_FOR_EVER,
  WAITS_BEFORE_NOW,
  WAITS_TOO_LONG_AT_LAST,
  GIVES_UP,
  CHANGES_THE_VIEW,
  FALLS_OFF_THE_END,
  MIXES_UP_OFFERS,
  TAKES_LONG,
  TELLS_ITSELF,
  BALANCES_TO_ITSELF,
} Fault;

#define IS(fault) (FAULT == fault)

typedef struct
{
  guint near_turn;
  guint far_turn;
  SatinNodeId remembered;
  GRand *random; /* (owned) (nullable) */
} Policy;

static guint n_opened;
static guint n_open;
static guint shared_turn;

static gpointer
policy_open (const SatinParams *given, GError **error)
{
  n_opened++;
  n_open++;
  if ((IS (OPENS_NOT_AGAIN) && n_opened == 2) || (IS (OPENS_ONLY_ONE) && n_open > 1))
    {
      n_open--;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "it is open already");
      return NULL;
    }
  Policy *self = g_new0 (Policy, 1);
  if (IS (DRAWS_ITS_OWN_NUMBERS))
    self->random = g_rand_new_with_seed (n_opened);
  return self;
}

static void
policy_close (gpointer policy)
{
  Policy *self = policy;
  n_open--;
  g_clear_pointer (&self->random, g_rand_free);
  g_free (self);
}

/* Whether the fault keeps node @number of @n from being asked. */
static gboolean
is_forgotten (const SatinStealSituation *situation, guint number, guint n, gboolean is_near)
{
  if (IS (FORGETS_THE_LAST))
    return situation->n_victims > 7 && number == n - 1 && n > 1;
  if (IS (FORGETS_THE_FIRST_NEAR) || IS (FORGETS_THE_FIRST_FAR))
    return n == 5 && situation->n_victims == 5 && number == 0
           && is_near == IS (FORGETS_THE_FIRST_NEAR);
  return FALSE;
}

/* Returns: the node whose turn it is; 0: there is none */
static SatinNodeId
pick (const SatinStealSituation *situation, gboolean is_near, guint turn)
{
  guint n = is_near ? situation->n_near : situation->n_victims - situation->n_near;
  if (n == 0)
    return 0;
  guint wanted = turn % n;
  if (is_forgotten (situation, wanted, n, is_near))
    wanted = (wanted + 1) % n;
  return situation->victims[(is_near ? 0 : situation->n_near) + wanted].id;
}

static void
take_turns (Policy *self, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (IS (SHARES_TURNS))
    self->near_turn = self->far_turn = shared_turn++;
  if (situation->near_asked == 0 || IS (ASKS_NEAR_TWICE))
    ret_choice->near = pick (situation, TRUE, self->near_turn++);
  if (situation->far_asked == 0 || IS (ASKS_FAR_TWICE))
    ret_choice->far = pick (situation, FALSE, self->far_turn++);
}

static gboolean
is_asking (const SatinStealChoice *choice)
{
  return choice->near != 0 || choice->far != 0;
}

static void
spoil_nodes (Policy *self, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  const SatinVictim *first = situation->victims;
  if (IS (ASKS_ITSELF) && ret_choice->near != 0)
    ret_choice->near = self->near_turn % 10 == 0 ? situation->self : ret_choice->near;
  if (IS (ASKS_A_STRANGER) && ret_choice->far != 0)
    ret_choice->far = self->far_turn % 10 == 0 ? 3 : ret_choice->far;
  if (IS (ASKS_FAR_AS_NEAR) && situation->near_asked == 0 && ret_choice->near == 0)
    ret_choice->near = pick (situation, FALSE, self->far_turn);
  if (IS (ASKS_NEAR_AS_FAR) && situation->far_asked == 0 && ret_choice->far == 0)
    ret_choice->far = pick (situation, TRUE, self->near_turn);
  if (IS (FORGETS_THE_ONLY) && situation->n_victims == 1)
    *ret_choice = (SatinStealChoice){ .wait_us = 100 };
  if (IS (DRAWS_ITS_OWN_NUMBERS) && ret_choice->near != 0)
    ret_choice->near = pick (situation, TRUE, g_rand_int (self->random));
  if (IS (REMEMBERS_NODES) && situation->n_victims == 50)
    self->remembered = situation->victims[situation->n_near - 1].id;
  if (IS (REMEMBERS_NODES) && situation->n_victims == 40)
    ret_choice->near = self->remembered;
  if (IS (FALLS_OFF_THE_END) && situation->random[0] == G_MAXUINT64)
    ret_choice->near = first[situation->n_victims - 1].id + 1;
  if (IS (MIXES_UP_OFFERS) && situation->n_offers > 0)
    ret_choice->near = first[situation->offers[0]].id;
}

static void
spoil_waits (Policy *self, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (IS (WAITS_FOR_EVER) && self->near_turn % 50 == 49)
    ret_choice->wait_us = G_MAXINT64;
  if (IS (WAITS_BEFORE_NOW) && is_asking (ret_choice))
    ret_choice->wait_us = -1;
  if (IS (WAITS_TOO_LONG_AT_LAST) && situation->near_history.n_refused > 1000000)
    ret_choice->wait_us = 100 * (gint64)situation->near_history.n_refused;
  if (IS (GIVES_UP) && self->near_turn % 50 == 49)
    *ret_choice = (SatinStealChoice){ 0 };
}

static void
policy_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  Policy *self = policy;
  take_turns (self, situation, ret_choice);
  spoil_nodes (self, situation, ret_choice);
  spoil_waits (self, situation, ret_choice);
  if (IS (CHANGES_THE_VIEW))
    ((SatinVictim *)situation->victims)[0].has_offered = TRUE;
  if (IS (TELLS_ITSELF))
    ret_choice->tell = situation->self;
  for (guint i = 0; IS (TAKES_LONG) && i < situation->n_victims; i++)
    for (guint k = 0; k < 1000 * situation->n_victims; k++)
      self->remembered +=
          situation->victims[k % situation->n_victims].n_refused > situation->victims[i].n_refused;
}

static void
policy_balance (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  ret_choice->push = IS (BALANCES_TO_ITSELF) ? situation->self : situation->victims[0].id;
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = policy_open,
  .choose = policy_choose,
  .close = policy_close,
  .balance = policy_balance,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = NAME,
  .version = "0",
  .summary = "asks the nodes in turn",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
