/* steal-pair.h - a victim and a thief, for test cases
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "steal-world.h"

extern StealWorld *world;
extern WorldNode *victim, *thief; /* nodes 1 and 2 */

/* Each case begins and ends with these. The thief asks only the victim. */
void steal_pair_set_up (void);
void steal_pair_tear_down (void);
/* The victim exports @n new jobs to the thief, which begins the first. */
void steal_pair_export (guint n);
/* The messages of one kind that were sent: to which node, and when. */
typedef struct
{
  StealKind kind;
  guint n;
  SatinNodeId to[16];
  gint64 at_us[16];
} PairSeen;

extern PairSeen seen;

/* Forgets the messages seen before. From now on, notes the messages of @kind on @net. */
void steal_pair_watch_for (FakeNet *net, StealKind kind);
/* Adds the case "/core/AREA/CLAIM". */
void steal_pair_add (const char *area, const char *claim, void (*func) (void));
