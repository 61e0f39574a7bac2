/* policy-world.h - a policy plugin, and a situation with nodes to show to it
 *
 * Nodes are numbered from 1. A layout has one letter for each node, which is its cluster: in "aab",
 * nodes 1 and 2 are in one cluster and node 3 is in another.
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

/* Prepares the situation: the nodes of @layout as node @own sees them. Node @own knows nothing of
 * them yet. */
void policy_world_draw (PolicyWorld *self, const char *layout, SatinNodeId own);
SatinVictim *policy_world_victim (PolicyWorld *self, SatinNodeId id);
/* Marks node @id as one that has offered jobs. */
void policy_world_add_offer (PolicyWorld *self, SatinNodeId id);

/* These call the policy, with new random numbers. */
SatinStealChoice policy_world_choose (PolicyWorld *self);
SatinStealChoice policy_world_balance (PolicyWorld *self);

/* Checks that the policy refuses @assignment with a message that names @key. */
void policy_world_assert_refused (const char *name, const char *assignment, const char *key);
