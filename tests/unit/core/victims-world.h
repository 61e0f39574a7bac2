/* victims-world.h - a view of many nodes, and those of them that a policy is shown, for test cases
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "counting-loop.h"
#include "stealing/candidates.h"

#define SELF      1000
#define MAX_NODES 2000

/* A view, and what is shown of it. */
typedef struct
{
  SatinLoop *loop;
  SatinPeer peers[MAX_NODES];
  SatinView view;
  StealVictims victims;
} World;

void set_up (World *self, gconstpointer user_data);
void tear_down (World *self, gconstpointer user_data);
/* By rising id. */
void join (World *self, SatinNodeId id, const char *cluster);
void leave (World *self, SatinNodeId id);
void update (World *self);
const SatinVictim *shown (World *self, guint place);
SatinVictim *find (World *self, SatinNodeId id);
/* What is shown: the near ones, 0, the far ones, 0. */
void assert_shown (World *self, const SatinNodeId *expected);
/* @n_near nodes, then @n_far ones, all above this one. */
void join_many (World *self, guint n_near, guint n_far);
