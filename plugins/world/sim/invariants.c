/* invariants.c - checks what must hold at every moment, whatever goes wrong
 *
 * The checks run when a fault or an event hits, at regular times, and when the root job has ended.
 * The first broken invariant ends the run with an error.
 *
 *   - on all nodes, complete views with the same number have the same members
 *   - on all nodes, a term has the same master
 *   - a result comes only into a slot that is in use, and only once
 *   - when the root job has ended, no job is left on any node, except unwanted jobs:
 *     world_check_ended()
 *   - the owner of each job that runs on another node waits for the job: exports.c
 *   - no node waits for ever: liveness.c
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <satin/base/random.h>

/* How often invariants are checked, in simulated time, in a world of up to CHECK_N_NODES nodes. In
 * a larger world they are checked less often, so that the checks take about the same share of the
 * computer's time. */
#define CHECK_US      5000
#define CHECK_N_NODES 32

/* Once the root job has ended, invariants are checked this many times less often, because it may
 * take minutes until all nodes have ended, too. */
#define CHECK_N_ENDED 20

/* The most views and terms that are remembered. When there are more, all are forgotten, because
 * only recent ones matter. */
#define MAX_KNOWN 100000

void
world_breaks (World *self, const char *format, ...)
{
  if (self->error != NULL)
    return;
  va_list arguments;
  va_start (arguments, format);
  self->error = g_error_new_valist (SATIN_ERROR, SATIN_ERROR_JOB, format, arguments);
  va_end (arguments);
}

/* Whether @value is the first value for @number, or equals the first. */
static gboolean
is_same (GHashTable *known, guint64 number, guint64 value)
{
  guint64 *found = g_hash_table_lookup (known, &number);
  if (found != NULL)
    return *found == value;
  if (g_hash_table_size (known) >= MAX_KNOWN)
    g_hash_table_remove_all (known);
  guint64 *pair = g_new (guint64, 2);
  pair[0] = number;
  pair[1] = value;
  g_hash_table_insert (known, pair, &pair[1]);
  return TRUE;
}

/* A digest of the view: the ids of all members, also of the node itself, whatever their order. */
static guint64
digest_view (const SatinView *view)
{
  guint64 sum = satin_random_mix (view->self);
  for (guint i = 0; i < view->n_peers; i++)
    sum += satin_random_mix (view->peers[i].id);
  return sum;
}

static void
check_view (World *self, WorldNode *node, const SatinView *view)
{
  if (node->seen_view == view->number && node->seen_peers == view->n_peers)
    return;
  node->seen_view = view->number;
  node->seen_peers = view->n_peers;
  if (!view->is_partial && !is_same (self->views, view->number, digest_view (view)))
    world_breaks (self, "node %u: view %" G_GUINT64_FORMAT " has other members than elsewhere",
                  node->number, view->number);
  if (view->master != 0 && !is_same (self->masters, view->term, view->master))
    world_breaks (self, "node %u: term %" G_GUINT64_FORMAT " has another master than elsewhere",
                  node->number, view->term);
}

static void
check_holdings (World *self, const WorldNode *node)
{
  SatinHoldings holdings;
  satin_membership_look (node->member, &holdings);
  if (holdings.n_refilled > 0)
    world_breaks (self, "node %u: %u results came into slots that nobody had", node->number,
                  holdings.n_refilled);
}

void
world_check (World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    {
      WorldNode *node = &self->nodes[i];
      if (node->member == NULL || node->is_over)
        continue;
      const SatinView *view = world_get_view (node);
      if (view != NULL)
        check_view (self, node, view);
      check_holdings (self, node);
    }
  world_check_liveness (self);
}

/* Whether nodes were lost or asked to leave. */
static gboolean
has_lost_nodes (const World *self)
{
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].leave_us != 0)
      return TRUE;
  return self->n_deaths > 0;
}

/* Whether any job was aborted while another node had it. */
static gboolean
has_aborted (const World *self)
{
  SatinHoldings holdings = { 0 };
  guint n = 0;
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].member != NULL && satin_membership_look (self->nodes[i].member, &holdings))
      n += holdings.n_aborted;
  return n > 0;
}

/* Checks that no node has jobs when the root job has ended. Imported jobs are allowed if nodes were
 * lost or jobs were aborted: jobs of lost nodes continue on other nodes although nobody waits for
 * them, and so do aborted jobs, for a while. */
void
world_check_ended (World *self)
{
  gboolean may_be_unwanted = has_lost_nodes (self) || has_aborted (self);
  for (guint i = 0; i < self->n_started; i++)
    {
      const WorldNode *node = &self->nodes[i];
      SatinHoldings holdings;
      if (node->member == NULL || node->is_over || !satin_membership_look (node->member, &holdings))
        continue;
      if (holdings.n_imports > 0 && may_be_unwanted)
        continue;
      if (holdings.n_imports + holdings.n_exported + holdings.n_queued + holdings.n_in_use > 0)
        world_breaks (self,
                      "node %u: the root job has ended, but %u jobs of others are here, %u are "
                      "exported, %u are queued, and %u workers have frames",
                      node->number, holdings.n_imports, holdings.n_exported, holdings.n_queued,
                      holdings.n_in_use);
    }
}

static void check_again (gpointer user_data);

static void
check_later (World *self)
{
  gint64 delay_us = (gint64)CHECK_US * MAX (self->n_started, CHECK_N_NODES) / CHECK_N_NODES;
  if (self->ended_us > 0)
    delay_us *= CHECK_N_ENDED;
  satin_loop_timer_add (satin_sim_host_get_loop (self->fate), delay_us, check_again, self);
}

static void
check_again (gpointer user_data)
{
  World *self = user_data;
  world_check (self);
  if (self->n_over < self->n_started)
    check_later (self);
}

void
world_check_begin (World *self)
{
  self->views = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->masters = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  check_later (self);
}

void
world_check_end (World *self)
{
  g_clear_pointer (&self->views, g_hash_table_unref);
  g_clear_pointer (&self->masters, g_hash_table_unref);
}
