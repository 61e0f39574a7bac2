/* world-sim.h - a program in a simulated world: what its files share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/membership.h>
#include <satin/net/hub.h>
#include <satin/net/link.h>
#include <satin/sim/world.h>

/* What the user asked for. */
typedef struct
{
  SatinSimOptions sim;
  GArray *sizes;  /* (owned) of guint: nodes of each cluster */
  GArray *speeds; /* (owned) of double: of each cluster's nodes; the last one for the rest */
  guint n_nodes;
  guint n_workers; /* of a node */
  gsize deque_slots;
  gint64 spawn_ns;
  gint64 deadline_us;
  const char *policy;   /* (borrowed) (nullable) */
  const char *csv_path; /* (borrowed) (nullable) */
} WorldOptions;

/* One node. */
typedef struct
{
  struct _World *world; /* (borrowed) */
  SatinSimHost *host;   /* (borrowed) */
  guint number;         /* from 1 */
  guint cluster;
  SatinWorkers *workers;   /* (owned) */
  SatinMembership *member; /* (owned) */
  gboolean is_over;
  int exit_status;
} WorldNode;

/* Sums over all nodes. */
typedef struct
{
  gint64 n_jobs;
  gint64 n_steals;
  gint64 n_tried;
} WorldFigures;

typedef struct _World
{
  const SatinEntry *entry; /* (borrowed) */
  WorldOptions options;
  SatinSim *sim;             /* (owned) */
  SatinSimHost *hub_host;    /* (borrowed) */
  SatinTransport *transport; /* (owned) the hub's */
  SatinHub *hub;             /* (owned) */
  WorldNode *nodes;          /* (owned) array of n_nodes */
  guint n_over;
  gint64 started_us; /* when the root began */
  gint64 ended_us;   /* when it had ended, 0 before */
  WorldFigures figures;
  int exit_status;
  GError *error; /* (owned) (nullable) */
} World;

/* options.c */
extern const SatinParam world_params[];
gboolean world_options_read (WorldOptions *self, const SatinParams *params, GError **error);
void world_options_done (WorldOptions *self);

/* report.c */
void world_count (World *self);
gboolean world_report (World *self, GError **error);
