/* pool-machines.c - the provisioner of a pool, with the books (SatinLeases) of each cluster
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

/* ---- one machine ---- */

static SatinLoop *
registry_loop (const PoolSite *site)
{
  return satin_sim_host_get_loop (site->pool->world->hub_host);
}

static void
give_up (PoolLease *self, SatinErrorCode code, const char *why)
{
  g_autoptr (GError) reason = g_error_new_literal (SATIN_ERROR, code, why);
  SatinLease *lease = self->lease;
  g_free (self);
  satin_lease_ended (lease, reason);
}

static void
on_started (gpointer user_data)
{
  PoolLease *self = user_data;
  World *world = self->site->pool->world;
  self->timer = 0;
  self->node = world->ended_us == 0 ? world_start (world, self->site->cluster) : NULL;
  if (self->node == NULL)
    {
      give_up (self, SATIN_ERROR_LIMIT, "no more nodes can be started in this world");
      return;
    }
  self->node->machine = g_strdup (satin_lease_get_name (self->lease));
  self->node->lease = self;
  satin_lease_started (self->lease);
}

static void
lease_start (SatinLease *lease, gpointer user_data)
{
  PoolSite *site = user_data;
  const World *world = site->pool->world;
  PoolLease *self = g_new0 (PoolLease, 1);
  self->site = site;
  self->lease = lease;
  satin_lease_set_data (lease, self);
  /* Machines that are requested before the root job begins start without delay. */
  gint64 delay_us = world->started_us > 0 ? world->options.start_delay_us : 0;
  self->timer = satin_loop_timer_add (registry_loop (site), delay_us, on_started, self);
}

/* Ends the node, because the machine's deadline has passed. */
static void
on_kill (gpointer user_data)
{
  PoolLease *self = user_data;
  self->timer = 0;
  world_kill (self->site->pool->world, self->node);
}

static void
lease_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  PoolLease *self = satin_lease_get_data (lease);
  SatinLoop *loop = registry_loop (user_data);
  satin_loop_timer_cancel (loop, &self->timer);
  if (self->node == NULL)
    {
      g_free (self);
      satin_lease_ended (lease, NULL);
      return;
    }
  if (deadline_us > 0)
    world_leave (self->node, deadline_us);
  self->timer = satin_loop_timer_add (loop, deadline_us, on_kill, self);
}

static const SatinLeaseOps lease_ops = {
  .struct_size = sizeof (SatinLeaseOps),
  .start = lease_start,
  .stop = lease_stop,
};

void
world_pool_gone (WorldNode *node, gboolean has_crashed)
{
  PoolLease *self = g_steal_pointer (&node->lease);
  WorldPool *pool = node->world->pool;
  if (node->machine == NULL)
    return;
  PoolSite *site = g_ptr_array_index (pool->sites, node->cluster);
  if (has_crashed)
    site->n_machines--;
  if (self == NULL)
    site->n_ownerless--;
  pool_site_count (site);
  if (self == NULL)
    return;
  satin_loop_timer_cancel (registry_loop (site), &self->timer);
  SatinLease *lease = self->lease;
  g_free (self);
  g_autoptr (GError) reason =
      has_crashed ? g_error_new_literal (SATIN_ERROR, SATIN_ERROR_NODE_LOST, "it crashed") : NULL;
  satin_lease_ended (lease, reason);
}

/* ---- one cluster ---- */

PoolSite *
pool_site_new (WorldPool *pool, guint cluster, guint n_machines)
{
  PoolSite *self = g_new0 (PoolSite, 1);
  self->pool = pool;
  self->cluster = cluster;
  self->name = g_strdup_printf ("c%u", cluster + 1);
  self->n_machines = n_machines;
  return self;
}

void
pool_site_free (gpointer site)
{
  PoolSite *self = site;
  g_free (self->name);
  g_free (self);
}

void
pool_site_count (PoolSite *self)
{
  if (self->leases != NULL)
    satin_leases_set_machines (self->leases, self->n_machines - self->n_ownerless);
}

/* Makes the books of a cluster. The names of machines have another prefix for each registry, so
 * that no name is used twice. */
static void
site_open (PoolSite *self, const SatinProvisionHost *host, gpointer host_data)
{
  g_autofree char *prefix = self->pool->n_registries > 1
                                ? g_strdup_printf ("%s.%u", self->name, self->pool->n_registries)
                                : g_strdup (self->name);
  const SatinLeaseLimits limits = { .prefix = prefix,
                                    .cluster = self->name,
                                    .n_machines = self->n_machines - self->n_ownerless,
                                    .n_starting = SATIN_PROVISION_MAX };
  self->leases =
      satin_leases_new (registry_loop (self), &limits, host, host_data, &lease_ops, self);
}

/* ---- the provisioner ---- */

static PoolSite *
get_site (const WorldPool *self, guint place)
{
  return g_ptr_array_index (self->sites, place);
}

/* Adds the free machines of an offer to the sum *@user_data. */
static void
add_free (const SatinOffer *offer, gpointer user_data)
{
  *(guint *)user_data += offer->n_machines;
}

static guint
count_free (PoolSite *self)
{
  guint n = 0;
  satin_leases_offer (self->leases, 0, add_free, &n);
  return n;
}

/* Requests @n machines of any cluster, beginning with the first cluster. If there are not enough,
 * all that are missing are requested of the last cluster, which refuses them. */
static void
request_any (WorldPool *self, guint64 request_id, guint n)
{
  for (guint i = 0; i < self->sites->len && n > 0; i++)
    {
      guint n_here = MIN (n, count_free (get_site (self, i)));
      if (i + 1 == self->sites->len)
        n_here = n;
      if (n_here > 0)
        satin_leases_request (get_site (self, i)->leases, request_id, n_here, "");
      n -= n_here;
    }
}

static void
provision_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  WorldPool *self = provision;
  PoolSite *site = get_site (self, 0); /* if no cluster has that name, the books of the first
                                        * cluster refuse the request */
  if (*cluster == '\0')
    {
      request_any (self, request_id, n);
      return;
    }
  for (guint i = 0; i < self->sites->len; i++)
    if (g_str_equal (get_site (self, i)->name, cluster))
      site = get_site (self, i);
  satin_leases_request (site->leases, request_id, n, cluster);
}

static void
provision_cancel (gpointer provision, guint64 request_id)
{
  const WorldPool *self = provision;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_cancel (get_site (self, i)->leases, request_id);
}

static void
provision_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  const WorldPool *self = provision;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_withdraw (get_site (self, i)->leases, name, deadline_us);
}

static void
provision_list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  const WorldPool *self = provision;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_list (get_site (self, i)->leases, func, user_data);
}

static void
provision_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  const WorldPool *self = provision;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_offer (get_site (self, i)->leases, world_speed (self->world, i), func, user_data);
}

static void
on_site_closed (const GError *error, gpointer user_data)
{
  WorldPool *self = user_data;
  if (--self->n_open == 0)
    self->done (error, self->done_data);
}

static void
provision_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  WorldPool *self = provision;
  self->done = done;
  self->done_data = user_data;
  self->n_open = self->sites->len;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_close (g_steal_pointer (&get_site (self, i)->leases), on_site_closed, self);
}

static const SatinProvisionOps provision_ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .request = provision_request,
  .cancel = provision_cancel,
  .withdraw = provision_withdraw,
  .list = provision_list,
  .offers = provision_offers,
  .close = provision_close,
};

SatinProvision *
pool_open_provision (WorldPool *self)
{
  SatinProvision *provision = g_new0 (SatinProvision, 1);
  provision->ops = provision_ops;
  provision->handle = self;
  for (guint i = 0; i < self->sites->len; i++)
    site_open (get_site (self, i), &satin_fleet_provision_host, self->fleet);
  return provision;
}
