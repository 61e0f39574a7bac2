/* policy-world.h - a policy as its plugin has it, and a picture of nodes to show it
 *
 * Nodes are numbered from 1; a layout has one letter for each, its cluster: "aab" are nodes 1 and 2
 * in one cluster and node 3 in another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/policy.h>

#define POLICY_MAX_NODES 32

typedef struct
{
  SatinPolicyOps ops;
  gpointer handle; /* (owned) */
  SatinVictim victims[POLICY_MAX_NODES];
  guint offers[POLICY_MAX_NODES];
  SatinStealSituation situation;
  GRand *random; /* (owned) */
} PolicyWorld;

/* @assignments: (array zero-terminated=1): parameters */
PolicyWorld *policy_world_new (const char *name, const char *const *assignments);
void policy_world_free (PolicyWorld *self);

/* Shows it the nodes of @layout as node @own sees them, of which nothing is known yet. */
void policy_world_draw (PolicyWorld *self, const char *layout, SatinNodeId own);
SatinVictim *policy_world_victim (PolicyWorld *self, SatinNodeId id);
/* It says that it has jobs. */
void policy_world_add_offer (PolicyWorld *self, SatinNodeId id);

/* With fresh random numbers. */
SatinStealChoice policy_world_choose (PolicyWorld *self);
SatinStealChoice policy_world_balance (PolicyWorld *self);

/* Opening @name with @assignment is refused, with a message that has the key in it. */
void policy_world_assert_refused (const char *name, const char *assignment, const char *key);
