/* pool.h - machines that a run can have more of
 *
 * A provisioner whose machines are simulated hosts. A machine is a node from when it was started
 * until the node is over: then it can be had again, unless it has crashed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "world-sim.h"

#include <satin/adapt/leases.h>

typedef struct _WorldPool WorldPool;

/* The machines of one cluster. */
typedef struct
{
  WorldPool *pool; /* (borrowed) */
  guint cluster;
  char *name;          /* (owned) "c2" */
  guint n_machines;    /* that there are */
  guint n_ownerless;   /* of these, nodes of an earlier registry's */
  SatinLeases *leases; /* (nullable) while there is a registry, which is lost with its host */
} PoolSite;

/* One machine that was asked for. */
typedef struct _PoolLease
{
  PoolSite *site;     /* (borrowed) */
  SatinLease *lease;  /* (borrowed) */
  WorldNode *node;    /* (borrowed) (nullable) before it starts */
  SatinTimerId timer; /* it starts, or is to be gone */
} PoolLease;

struct _WorldPool
{
  World *world;       /* (borrowed) */
  GPtrArray *sites;   /* (owned) of (owned) PoolSite, by cluster */
  SatinFleet *fleet;  /* (nullable) likewise */
  gboolean has_begun; /* the first nodes were asked for */
  guint n_registries;
  guint n_open; /* of its sites, while the provisioner is closed */
  SatinDoneFunc done;
  gpointer done_data;
};

/* pool-machines.c: (transfer full): for a registry that begins, on its host's loop */
SatinProvision *pool_open_provision (WorldPool *self);
/* (transfer full) (nullable) */
PoolSite *pool_site_new (WorldPool *pool, guint cluster, guint n_machines);
void pool_site_free (gpointer site);
/* How many can be had at a time. */
void pool_site_count (PoolSite *self);
