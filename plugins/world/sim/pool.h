/* pool.h - a pool of machines, from which a simulated run can get nodes
 *
 * The pool is a provisioner whose machines are simulated hosts. A machine is in use from its start
 * until its node is over. Then it is free again, unless it has crashed.
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
  guint n_machines;    /* how many machines the cluster has, free or in use */
  guint n_ownerless;   /* how many of these have nodes that an earlier registry started */
  SatinLeases *leases; /* (owned) (nullable) the books, while there is a registry; lost with the
                        * registry's host */
} PoolSite;

/* One requested machine. */
typedef struct _PoolLease
{
  PoolSite *site;     /* (borrowed) */
  SatinLease *lease;  /* (borrowed) */
  WorldNode *node;    /* (borrowed) (nullable) %NULL before it starts */
  SatinTimerId timer; /* when the machine starts, or its node must be gone */
} PoolLease;

struct _WorldPool
{
  World *world;       /* (borrowed) */
  GPtrArray *sites;   /* (owned) of (owned) PoolSite, by cluster */
  SatinFleet *fleet;  /* (owned) (nullable) while there is a registry; lost with the registry's
                       * host */
  gboolean has_begun; /* machines for the first nodes were requested */
  guint n_registries;
  guint n_open; /* sites that are not closed yet, while the provisioner closes */
  SatinDoneFunc done;
  gpointer done_data;
};

/* pool-machines.c: makes a provisioner for a new registry, on the loop of the registry's host.
 * Returns: (transfer full) */
SatinProvision *pool_open_provision (WorldPool *self);
/* Returns: (transfer full) */
PoolSite *pool_site_new (WorldPool *pool, guint cluster, guint n_machines);
void pool_site_free (gpointer site);
/* Sets in the books how many machines the current registry may use. */
void pool_site_count (PoolSite *self);
