/* faults.h - what can go wrong, and chance
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "world-sim.h"

#include <satin/base/mistake.h>

/* Most nodes of a storm, 2 at least. */
#define FAULT_STORM_MAX 8

/* Whether allocations can be made to fail: satin/base/mistake.h. */
#ifdef SATIN_MISTAKES
#  define FAULT_HAS_MEMORY TRUE
#else
#  define FAULT_HAS_MEMORY FALSE
#endif

typedef struct
{
  const char *name;
  gboolean (*hit) (World *world); /* FALSE when there is nobody to hit */
  guint n_joins;                  /* nodes that it may add */
  gboolean is_never_drawn;        /* not by a swarm */
} FaultKind;

/* fault-kinds.c */
extern const FaultKind fault_kinds[WORLD_N_FAULTS];
/* In [0, 1). */
double fault_share (World *self);
/* On a logarithmic scale. */
gint64 fault_draw_us (World *self, double min_us, double max_us);
