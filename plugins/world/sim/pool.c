/* pool.c - the fleet of a simulated registry, which gets its machines from a pool
 *
 * The fleet first requests machines for the nodes with which the run begins. When the registry is
 * lost, the fleet and its books are lost with the registry's host. Nodes that run at that time
 * continue, and their machines become free when the nodes are over.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

static PoolSite *
get_site (const WorldPool *self, guint place)
{
  return g_ptr_array_index (self->sites, place);
}

/* ---- callbacks of the fleet ---- */

static void
fleet_tell (SatinNodeId to, const char *word, GBytes *payload, gpointer user_data)
{
  const WorldPool *self = user_data;
  satin_hub_signal (self->world->hub, to, word, payload);
}

static void
fleet_leave (const char *machine, gint64 deadline_us, gpointer user_data)
{
  const WorldPool *self = user_data;
  SatinNodeId id = satin_hub_find_on (self->world->hub, machine);
  const SatinLeave leave = { MIN (deadline_us, SATIN_LEAVE_MAX_US) };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  if (id != 0)
    satin_hub_signal (self->world->hub, id, SATIN_SIGNAL_LEAVE, payload);
}

static void
fleet_say (const char *text, gpointer user_data)
{
  const WorldPool *self = user_data;
  satin_loop_note (satin_sim_host_get_loop (self->world->hub_host), G_LOG_DOMAIN, "%s", text);
}

static void
fleet_machines (const char *what, guint n, const char *text, gpointer user_data)
{
  world_journal_machines (((const WorldPool *)user_data)->world, what, n, text);
}

static gboolean
fleet_is_member (const char *machine, gpointer user_data)
{
  return satin_hub_find_on (((const WorldPool *)user_data)->world->hub, machine) != 0;
}

static const SatinFleetHost fleet_host = {
  .struct_size = sizeof (SatinFleetHost),
  .tell = fleet_tell,
  .leave = fleet_leave,
  .say = fleet_say,
  .is_member = fleet_is_member,
  .machines = fleet_machines,
};

/* ---- events of the registry ---- */

void
world_pool_told (World *world, SatinNodeId from, const char *word, GBytes *payload)
{
  if (world->pool != NULL && world->pool->fleet != NULL)
    satin_fleet_told (world->pool->fleet, from, word, payload);
}

void
world_pool_joined (World *world, SatinNodeId id)
{
  const char *host = world->pool != NULL ? satin_hub_get_host (world->hub, id) : NULL;
  if (host != NULL && world->pool->fleet != NULL)
    satin_fleet_joined (world->pool->fleet, host);
}

static void
begin (WorldPool *self)
{
  const GArray *sizes = self->world->options.sizes;
  if (self->has_begun)
    return;
  self->has_begun = TRUE;
  for (guint i = 0; i < sizes->len; i++)
    if (g_array_index (sizes, guint, i) > 0)
      satin_fleet_request (self->fleet, g_array_index (sizes, guint, i), get_site (self, i)->name);
}

void
world_pool_open (World *world)
{
  WorldPool *self = world->pool;
  const SatinFleetOptions options = { .n_least = world->options.n_least,
                                      .n_most = world->options.n_most };
  if (self == NULL)
    return;
  self->n_registries++;
  self->fleet =
      satin_fleet_new (satin_sim_host_get_loop (world->hub_host), &options, &fleet_host, self);
  satin_fleet_set_provision (self->fleet, pool_open_provision (self));
  begin (self);
}

void
world_pool_lost (World *world)
{
  WorldPool *self = world->pool;
  if (self == NULL)
    return;
  self->fleet = NULL; /* not freed: it stays with the crashed host */
  for (guint i = 0; i < self->sites->len; i++)
    get_site (self, i)->leases = NULL;
  for (guint i = 0; i < world->n_started; i++)
    if (world->nodes[i].lease != NULL)
      {
        world->nodes[i].lease = NULL;
        get_site (self, world->nodes[i].cluster)->n_ownerless++;
      }
}

static void
on_closed (const GError *error, gpointer user_data)
{
}

void
world_pool_close (World *world)
{
  if (world->pool != NULL && world->pool->fleet != NULL)
    satin_fleet_close (g_steal_pointer (&world->pool->fleet), on_closed, NULL);
}

/* ---- machines ---- */

void
world_pool_offer (World *world, guint cluster, guint n_machines)
{
  PoolSite *site = get_site (world->pool, cluster);
  site->n_machines += n_machines;
  pool_site_count (site);
}

void
world_pool_begin (World *world)
{
  const WorldOptions *options = &world->options;
  if (options->pool->len == 0)
    return;
  WorldPool *self = g_new0 (WorldPool, 1);
  self->world = world;
  self->sites = g_ptr_array_new_with_free_func (pool_site_free);
  for (guint i = 0; i < options->sizes->len; i++)
    {
      guint n = i < options->pool->len ? g_array_index (options->pool, guint, i) : 0;
      g_ptr_array_add (self->sites, pool_site_new (self, i, n));
    }
  world->pool = self;
}

void
world_pool_done (World *world)
{
  if (world->pool == NULL)
    return;
  g_ptr_array_unref (world->pool->sites);
  g_clear_pointer (&world->pool, g_free);
}
