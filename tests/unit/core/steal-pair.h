/* steal-pair.h - a node that is stolen from and one that steals from it, for test cases
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "steal-world.h"

extern StealWorld *world;
extern WorldNode *victim, *thief; /* nodes 1 and 2 */

/* Of each case; the thief asks the victim only. */
void steal_pair_set_up (void);
void steal_pair_tear_down (void);
/* The thief has @n jobs, from 0 on, and has begun the first. */
void steal_pair_export (guint n);
/* The messages of one kind that were sent: to whom, and when. */
typedef struct
{
  StealKind kind;
  guint n;
  SatinNodeId to[16];
  gint64 at_us[16];
} PairSeen;

extern PairSeen seen;

/* Forgets what was seen; messages of @kind on @net are noted from now on. */
void steal_pair_watch_for (FakeNet *net, StealKind kind);
/* Adds the case "/core/AREA/CLAIM". */
void steal_pair_add (const char *area, const char *claim, void (*func) (void));
