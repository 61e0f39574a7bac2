/* draw.c - draws random times, and random nodes that a fault may hit
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "faults.h"

#include <satin/base/random.h>
#include <math.h>

/* ---- chance ---- */

double
fault_share (World *self)
{
  return satin_random_share (world_random (self));
}

gint64
fault_draw_us (World *self, double min_us, double max_us)
{
  return (gint64)(min_us * pow (max_us / min_us, fault_share (self)));
}

gint64
fault_draw_short_us (World *self)
{
  return fault_draw_us (self, FAULT_LAST_MIN_US, FAULT_LAST_MAX_US);
}

/* ---- nodes ---- */

gboolean
fault_has_master (const World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].is_master && !self->nodes[i].is_over)
      return TRUE;
  return FALSE;
}

/* Whether the node is the master or, while there is none, may become it. */
gboolean
fault_may_be_master (const World *self, const WorldNode *node)
{
  return fault_has_master (self) ? node->is_master : world_has_joined (node);
}

/* Whether the node may be lost. The master may be lost only if the kind "master" is among the
 * faults, and, in a run that waits for all its nodes, only after the root job has begun. */
static gboolean
may_go (const World *self, const WorldNode *node)
{
  gboolean is_awaited = self->started_us == 0 && !self->is_open;
  return (self->may_lose_master && !is_awaited) || !fault_may_be_master (self, node);
}

/* Whether the node is in the run and is not leaving it. */
static gboolean
is_staying (const WorldNode *node)
{
  return !node->is_over && !node->is_dead && node->leave_us == 0 && world_has_joined (node);
}

/* Whether the node is certain to stay in the run: it is not leaving, and can reach the registry
 * now. A node that cannot reach the registry for a long time is declared dead. */
gboolean
fault_is_reached (const WorldNode *node)
{
  return is_staying (node) && node->cut_until_us <= satin_sim_now_us (node->world->sim);
}

gboolean
fault_is_last (const World *self, const WorldNode *node)
{
  for (guint i = 0; i < self->n_started; i++)
    if (&self->nodes[i] != node && fault_is_reached (&self->nodes[i]))
      return FALSE;
  return is_staying (node);
}

/* Returns: (nullable): a random node that lives and may be lost; %NULL when there is none, or it is
 * the last node */
WorldNode *
fault_draw_node (World *self)
{
  guint n = 0, n_living = 0;
  WorldNode *chosen = NULL;
  for (guint i = 0; i < self->n_started; i++)
    {
      WorldNode *node = &self->nodes[i];
      if (node->is_over || satin_sim_host_is_crashed (node->host))
        continue;
      n_living++;
      /* The n-th candidate replaces the chosen one with a chance of 1/n, so all have the same
       * chance. */
      if (may_go (self, node) && world_random (self) % ++n == 0)
        chosen = node;
    }
  return chosen != NULL && n_living > 1 && !fault_is_last (self, chosen) ? chosen : NULL;
}

/* Returns: (nullable): a random node, which may be the master; %NULL when no node was started yet,
 * or the drawn node does not live */
WorldNode *
fault_draw_any (World *self)
{
  if (self->n_started == 0)
    return NULL;
  WorldNode *node = &self->nodes[world_random (self) % self->n_started];
  return node->is_over || satin_sim_host_is_crashed (node->host) ? NULL : node;
}

SatinSimHost *
fault_draw_host (World *self)
{
  WorldNode *node = fault_draw_any (self);
  return node != NULL ? node->host : NULL;
}

/* Returns: (nullable): the host of the registry, with a probability of 1/4, or of a random node */
SatinSimHost *
fault_draw_host_or_hub (World *self)
{
  return world_random (self) % 4 == 0 ? self->hub_host : fault_draw_host (self);
}

/* Draws two random hosts. Returns: %FALSE when one of them does not live, or both are the same */
gboolean
fault_draw_pair (World *self, SatinSimHost **ret_a, SatinSimHost **ret_b)
{
  *ret_a = fault_draw_host (self);
  *ret_b = fault_draw_host_or_hub (self);
  return *ret_a != NULL && *ret_b != NULL && *ret_a != *ret_b;
}

guint
fault_draw_cluster (World *self)
{
  return (guint)(world_random (self) % self->options.sizes->len);
}
