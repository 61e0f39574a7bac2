/* asker.c - asks a policy under test which nodes to steal from, as a node would
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "asker.h"

#include <string.h>

/* How long a request and its answer take. */
#define ANSWER_US 100

#define SEED 20061

void
asker_free (Asker *self)
{
  if (self->policy != NULL)
    self->ops.close (self->policy);
  g_rand_free (self->random);
  g_free (self->victims);
  g_free (self->n_asked);
  g_free (self);
}

SatinNodeId
asker_id_of (guint number)
{
  return 3 * number + 2;
}

static gboolean
is_near_in (View view, guint number)
{
  return view == VIEW_NEAR || (view == VIEW_MIXED && number % 2 == 0);
}

/* Of the first @n_nodes nodes, adds the near nodes to the view if @is_near, else the far nodes.
 * Near nodes are in cluster 0, with this node; far nodes are in clusters 1 and 2. Node 0 is the
 * master. */
static void
add_victims (Asker *self, guint n_nodes, gboolean is_near)
{
  SatinStealSituation *situation = &self->situation;
  guint n_far = 0;
  for (guint i = 0; i < n_nodes; i++)
    if (is_near_in (self->view, i) == is_near)
      self->victims[situation->n_victims++] = (SatinVictim){
        .id = asker_id_of (i),
        .is_near = is_near,
        .is_master = i == 0,
        .cluster = is_near ? 0 : 1 + n_far++ % 2,
        .n_queued = -1,
        .success = 1,
      };
  situation->n_clusters += is_near ? 1 : MIN (n_far, 2);
}

static void
fill_view (Asker *self, guint n_victims)
{
  self->situation.n_victims = self->situation.n_clusters = self->situation.n_offers = 0;
  add_victims (self, n_victims, TRUE);
  self->situation.n_near = self->situation.n_victims;
  add_victims (self, n_victims, FALSE);
}

Asker *
asker_new (Case *c, View view, guint n_victims)
{
  g_autoptr (Asker) self = g_new0 (Asker, 1);
  g_autoptr (GError) error = NULL;
  self->c = c;
  self->random = g_rand_new_with_seed (SEED);
  self->n_asked = g_new0 (guint, n_victims);
  self->view = view;
  self->victims = g_new0 (SatinVictim, n_victims);
  self->situation = (SatinStealSituation){
    .n_idle = 1,
    .victims = self->victims,
    .self = ASKER_SELF,
    .offers = self->offers,
  };
  fill_view (self, n_victims);
  satin_plugin_copy_ops (c->plugin, satin_policy_required, &self->ops, sizeof self->ops, NULL);
  self->policy = self->ops.open (c->params, &error);
  return case_expect_open (c, self->policy != NULL, error) ? g_steal_pointer (&self) : NULL;
}

void
asker_shrink (Asker *self, guint n_victims)
{
  fill_view (self, n_victims);
}

void
asker_add_offer (Asker *self, guint place)
{
  if (self->victims[place].has_offered || self->situation.n_offers == SATIN_OFFERS_MAX)
    return;
  self->victims[place].has_offered = TRUE;
  self->offers[self->situation.n_offers++] = place;
}

static void
remove_offer (Asker *self, guint place)
{
  guint n = 0;
  for (guint i = 0; i < self->situation.n_offers; i++)
    if (self->offers[i] != place)
      self->offers[n++] = self->offers[i];
  self->situation.n_offers = n;
  self->victims[place].has_offered = FALSE;
}

const SatinVictim *
asker_find_victim (const Asker *self, SatinNodeId id)
{
  for (guint i = 0; i < self->situation.n_victims; i++)
    if (self->victims[i].id == id)
      return &self->victims[i];
  return NULL;
}

/* Checks the victim @id, which the policy chose as a near node if @is_near, else as a far node. */
static void
check_pick (Asker *self, SatinNodeId id, gboolean is_near)
{
  const SatinVictim *victim = asker_find_victim (self, id);
  if (id == 0)
    return;
  if (victim == NULL)
    case_note (self->c, RULE_VICTIM, "it asks node %u, which is %s", id,
               id == ASKER_SELF ? "itself" : "not among the victims");
  else if (victim->is_near != is_near)
    case_note (self->c, is_near ? RULE_NEAR : RULE_FAR, "it asks %s node %u as a %s one",
               is_near ? "far" : "near", id, is_near ? "near" : "far");
}

/* Checks the nodes to which the policy wants to give jobs or report the load of this node. */
static void
check_given (Asker *self, const SatinStealChoice *choice)
{
  if (choice->push != 0 && asker_find_victim (self, choice->push) == NULL)
    case_note (self->c, RULE_GIVEN, "it gives jobs to node %u, which is not among the victims",
               choice->push);
  if (choice->tell != 0 && asker_find_victim (self, choice->tell) == NULL)
    case_note (self->c, RULE_GIVEN, "it tells its load to node %u, which is not among the victims",
               choice->tell);
}

static void
check_choice (Asker *self, const SatinStealChoice *choice)
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

/* Calls an operation of the policy, and checks that the operation does not change the situation
 * that it is shown. */
static SatinStealChoice
call (Asker *self, ChooseFunc func)
{
  SatinStealChoice choice = { 0 };
  gsize size_bytes = self->situation.n_victims * sizeof *self->victims;
  SatinStealSituation situation = self->situation;
  g_autofree SatinVictim *victims = g_memdup2 (self->victims, size_bytes);
  guint offers[SATIN_OFFERS_MAX];
  memcpy (offers, self->offers, sizeof offers);
  self->c->watch->is_exercised = TRUE;
  func (self->policy, &self->situation, &choice);
  if (memcmp (&situation, &self->situation, sizeof situation) != 0
      || memcmp (victims, self->victims, size_bytes) != 0
      || memcmp (offers, self->offers, sizeof offers) != 0)
    case_note (self->c, RULE_SHOWN, "it changes what it is shown");
  self->situation = situation;
  memcpy (self->victims, victims, size_bytes);
  memcpy (self->offers, offers, sizeof offers);
  return choice;
}

SatinStealChoice
asker_ask (Asker *self)
{
  SatinStealChoice choice = call (self, self->ops.choose);
  check_choice (self, &choice);
  return choice;
}

/* Draws new random numbers for the situation. */
static void
draw (Asker *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->situation.random); i++)
    {
      guint64 high_bits = (guint64)g_rand_int (self->random) << 32;
      self->situation.random[i] = high_bits | g_rand_int (self->random);
    }
}

SatinStealChoice
asker_draw_and_ask (Asker *self)
{
  draw (self);
  return asker_ask (self);
}

static void
pass_time (Asker *self, gint64 duration_us)
{
  self->situation.near_history.since_us += duration_us;
  self->situation.far_history.since_us += duration_us;
}

/* Updates the situation after the node @id has answered that it has no jobs. */
static void
refuse (Asker *self, SatinNodeId id, SatinStealHistory *history)
{
  const SatinVictim *victim = asker_find_victim (self, id);
  if (victim == NULL)
    return;
  gsize i = (gsize)(victim - self->victims);
  self->n_asked[i]++;
  self->victims[i].n_refused++;
  remove_offer (self, (guint)i);
  history->n_refused++;
  history->since_us = ANSWER_US;
}

SatinStealChoice
asker_take_turn (Asker *self)
{
  SatinStealChoice choice = asker_draw_and_ask (self);
  gboolean is_asking = choice.near != 0 || choice.far != 0;
  pass_time (self, is_asking ? ANSWER_US : CLAMP (choice.wait_us, 10, MAX_WAIT_US));
  refuse (self, choice.near, &self->situation.near_history);
  refuse (self, choice.far, &self->situation.far_history);
  return choice;
}

SatinStealChoice
asker_balance (Asker *self)
{
  draw (self);
  SatinStealChoice choice = call (self, self->ops.balance);
  check_pick (self, choice.near, TRUE);
  check_pick (self, choice.far, FALSE);
  check_given (self, &choice);
  return choice;
}
