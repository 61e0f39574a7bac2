/* asker.h - asks a policy under test which nodes to steal from, as a node would
 *
 * The asker shows the policy a view of victims, draws random numbers, treats every request as
 * refused, and lets time pass. It checks each choice of the policy against the rules that always
 * hold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"

#include <satin/core/policy.h>

#define RULE_VICTIM "policy/always/only-victims-are-asked"
#define RULE_NEAR   "policy/always/a-far-node-is-not-asked-as-a-near-one"
#define RULE_FAR    "policy/always/a-near-node-is-not-asked-as-a-far-one"
#define RULE_GIVEN  "policy/always/jobs-and-loads-go-to-other-nodes-only"
#define RULE_WAIT   "policy/always/waits-are-bounded"
#define RULE_STUCK  "policy/always/it-asks-or-waits-when-nobody-is-asked"
#define RULE_SHOWN  "policy/always/what-it-is-shown-stays-as-it-is"

/* The longest wait that a policy may choose. */
#define MAX_WAIT_US ((gint64)60000000)

/* Which victims are near. */
typedef enum
{
  VIEW_MIXED, /* every second victim, beginning with the first */
  VIEW_NEAR,
  VIEW_FAR,
} View;

/* An open policy, and the situation that it is shown. */
typedef struct
{
  Case *c; /* (borrowed) */
  SatinPolicyOps ops;
  gpointer policy;      /* (owned): the handle of the policy */
  SatinVictim *victims; /* (owned) */
  View view;
  guint *n_asked; /* (owned): how often each victim was asked, by its index in @victims */
  guint offers[SATIN_OFFERS_MAX];
  SatinStealSituation situation;
  GRand *random; /* (owned) */
} Asker;

/* The id of this node. The ids of the victims have gaps, so that the suite notices a policy that
 * uses the index of a victim as its id. */
#define ASKER_SELF 1
SatinNodeId asker_id_of (guint number);

/* Returns: (transfer full) (nullable): %NULL when the policy cannot be opened, which breaks the
 * rule of @c */
Asker *asker_new (Case *c, View view, guint n_victims);
void asker_free (Asker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Asker, asker_free)

/* From now on shows the policy only the first @n_victims nodes. */
void asker_shrink (Asker *self, guint n_victims);
/* Makes the victim with the index @place offer jobs, until it is asked. */
void asker_add_offer (Asker *self, guint place);

/* Returns: (nullable): the victim with this id; %NULL when there is none */
const SatinVictim *asker_find_victim (const Asker *self, SatinNodeId id);
/* asker_ask() asks the policy with the current random numbers, asker_draw_and_ask() with new
 * ones. */
SatinStealChoice asker_ask (Asker *self);
SatinStealChoice asker_draw_and_ask (Asker *self);
/* Takes one turn: draws new numbers and asks the policy. All nodes that the policy chooses
 * refuse. */
SatinStealChoice asker_take_turn (Asker *self);
/* Calls balance of the policy, with new random numbers. */
SatinStealChoice asker_balance (Asker *self);
