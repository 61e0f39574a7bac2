/* victims-world.h - a view of many nodes, and the nodes in it that a policy is shown
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "counting-loop.h"
#include "stealing/candidates.h"

#define SELF      1000
#define MAX_NODES 2000

/* A view, and the nodes in it that are shown. */
typedef struct
{
  SatinLoop *loop;
  SatinPeer peers[MAX_NODES];
  SatinView view;
  StealVictims victims;
} World;

void set_up (World *self, gconstpointer user_data);
void tear_down (World *self, gconstpointer user_data);
/* Adds a node; ids must rise from call to call. */
void join (World *self, SatinNodeId id, const char *cluster);
void leave (World *self, SatinNodeId id);
void update (World *self);
const SatinVictim *shown (World *self, guint place);
SatinVictim *find (World *self, SatinNodeId id);
/* Checks which nodes are shown. @expected: the near ones, 0, the far ones, 0 */
void assert_shown (World *self, const SatinNodeId *expected);
/* Adds @n_near near nodes, and then @n_far far ones; all ids are above SELF. */
void join_many (World *self, guint n_near, guint n_far);
