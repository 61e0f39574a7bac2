/* faults.h - the kinds of faults, and functions that draw times and nodes at random
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "world-sim.h"

#include <satin/base/inject.h>

/* The most nodes that a storm (a fault that hits several nodes) hits; the least number is 2. */
#define FAULT_STORM_MAX 8

/* Whether allocations can be made to fail: satin/base/inject.h. */
#ifdef SATIN_INJECTED_BUGS
#  define FAULT_HAS_MEMORY TRUE
#else
#  define FAULT_HAS_MEMORY FALSE
#endif

typedef struct
{
  const char *name;
  gboolean (*hit) (World *world); /* makes the fault happen; %FALSE when it cannot happen now */
  guint n_joins;                  /* the most nodes that the fault may start */
  gboolean is_never_drawn;        /* the fault is never part of a swarm */
} FaultKind;

/* The range of times that a pause, a clog, or a silence between master and registry lasts. */
#define FAULT_LAST_MIN_US 1e2
#define FAULT_LAST_MAX_US 4e4

/* kinds.c */
extern const FaultKind fault_kinds[WORLD_N_FAULTS];
/* draw.c */
/* A random number in [0, 1). */
double fault_share (World *self);
/* A random time between @min_us and @max_us, on a logarithmic scale. */
gint64 fault_draw_us (World *self, double min_us, double max_us);
gint64 fault_draw_short_us (World *self);
gboolean fault_has_master (const World *self);
gboolean fault_may_be_master (const World *self, const WorldNode *node);
/* Whether the node is certain to stay in the run: it is not leaving, and can reach the registry
 * now. */
gboolean fault_is_reached (const WorldNode *node);
gboolean fault_is_last (const World *self, const WorldNode *node);
WorldNode *fault_draw_node (World *self);
WorldNode *fault_draw_any (World *self);
SatinSimHost *fault_draw_host (World *self);
SatinSimHost *fault_draw_host_or_hub (World *self);
gboolean fault_draw_pair (World *self, SatinSimHost **ret_a, SatinSimHost **ret_b);
guint fault_draw_cluster (World *self);

/* links.c */
gboolean fault_break_links (World *self);
gboolean fault_reset_links (World *self);
gboolean fault_forget_links (World *self);
gboolean fault_clog_links (World *self);
gboolean fault_part (World *self);
gboolean fault_part_one_way (World *self);
