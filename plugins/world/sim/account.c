/* account.c - sums up the work that the nodes did and could have done, and their figures
 *
 * The work counts while the root job runs. If a job is lost with its node (lost.c), its work is
 * done again. So the sum of the nodes' work is the program's work and the work that was done twice.
 * The work that the nodes could have done shows how well they were used.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

static void
add_figure (const char *name, gint64 value, gpointer user_data)
{
  WorldFigures *self = user_data;
  gint64 *sum = g_tree_lookup (self->sums, name);
  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_tree_insert (self->sums, g_strdup (name), sum);
    }
  *sum += value;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer unused)
{
  return g_strcmp0 (a, b);
}

void
world_account_begin (World *self)
{
  self->figures.sums = g_tree_new_full (compare_names, NULL, g_free, g_free);
}

void
world_account_done (World *self)
{
  g_clear_pointer (&self->figures.sums, g_tree_unref);
}

gint64
world_figure (const World *self, const char *name)
{
  const gint64 *sum = g_tree_lookup (self->figures.sums, name);
  return sum != NULL ? *sum : 0;
}

/* Adds the work that the node's processors could have done since the last call, at their current
 * speed. */
static void
pass (WorldNode *self)
{
  const World *world = self->world;
  gint64 now_us = satin_sim_now_us (world->sim);
  gint64 since_us = MAX (self->seen_us, world->started_us);
  if (world->started_us > 0 && now_us > since_us)
    self->available_s += (double)(now_us - since_us) / 1e6 * satin_sim_host_get_speed (self->host)
                         * world->options.n_workers;
  self->seen_us = now_us;
}

static gboolean
is_counted (const WorldNode *self)
{
  return !self->is_over && self->world->ended_us == 0;
}

void
world_account_speed (WorldNode *self, double speed)
{
  if (is_counted (self))
    pass (self);
  satin_sim_host_set_speed (self->host, speed);
}

static void
count (WorldNode *self)
{
  WorldFigures *figures = &self->world->figures;
  pass (self);
  figures->available_s += self->available_s;
  figures->work_s += (double)satin_sim_host_get_work_ns (self->host) / 1e9;
  figures->message_s +=
      (double)(satin_sim_host_get_message_ns (self->host) - self->early_message_ns) / 1e9;
  if (self->member != NULL)
    satin_node_figures (satin_membership_get_node (self->member), add_figure, figures);
}

void
world_account_started (World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    self->nodes[i].early_message_ns = satin_sim_host_get_message_ns (self->nodes[i].host);
}

void
world_account_gone (WorldNode *self)
{
  if (is_counted (self))
    count (self);
}

void
world_account_end (World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    if (!self->nodes[i].is_over)
      count (&self->nodes[i]);
}
