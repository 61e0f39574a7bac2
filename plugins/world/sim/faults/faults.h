/* faults.h - kinds of faults, and random choices of times and nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "world-sim.h"

#include <satin/base/inject.h>

/* The most nodes of a storm; the least is 2. */
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
  gboolean (*hit) (World *world); /* FALSE when there is nobody to hit */
  guint n_joins;                  /* the most nodes that it may add */
  gboolean is_never_drawn;        /* a swarm never draws it */
} FaultKind;

/* How long a pause, a clog, or silence between master and registry lasts. */
#define FAULT_LAST_MIN_US 1e2
#define FAULT_LAST_MAX_US 4e4

/* kinds.c */
extern const FaultKind fault_kinds[WORLD_N_FAULTS];
/* draw.c */
/* A random number in [0, 1). */
double fault_share (World *self);
/* A random time between the two, on a logarithmic scale. */
gint64 fault_draw_us (World *self, double min_us, double max_us);
gint64 fault_draw_short_us (World *self);
gboolean fault_has_master (const World *self);
gboolean fault_may_be_master (const World *self, const WorldNode *node);
/* Whether the node stays in the run for certain: it can reach the registry. A node that cannot for
 * a long time is declared dead. */
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
