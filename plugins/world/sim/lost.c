/* lost.c - counts how much work is lost with a node
 *
 * The work for a job counts at the node that has the job: the job's own work, and the work of jobs
 * below it whose results came back. When the job has ended, its result goes to its owner; from then
 * on, its work counts at the owner, for the owner's job from which it descends. So when a node is
 * lost, the work of all unfinished jobs that the node has is lost. The work of jobs below these
 * that other nodes have does not count as lost, because their results may still be used.
 *
 * On nodes with several workers, each job is assumed to run on the worker that began it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <string.h>

/* The work for one job that a node has: the root job or an imported job. */
typedef struct
{
  WorldNode *node; /* (borrowed) */
  guint64 number;  /* the node's own number for the job; 0: a root job */
  gint64 work_ns;
  SatinJobRef ref;  /* the owner's reference to the job; for a root job, @ref.owner is 0 */
  WorldNode *owner; /* (borrowed) (nullable): the owner of the job */
  guint64 under;    /* the number of the owner's job from which this job descends */
} Share;

typedef struct _WorldShares
{
  GPtrArray *list;   /* (owned) of Share (borrowed from table), in the order in which they were
                      * made */
  GHashTable *table; /* (owned) set of (owned) Share, by node and number */
  GHashTable *by_id; /* (owned) from number in the run to (borrowed) WorldNode */
} WorldShares;

static guint
hash_share (gconstpointer data)
{
  const Share *self = data;
  return (guint)(self->number * 100003 + self->node->number);
}

static gboolean
is_same_share (gconstpointer a, gconstpointer b)
{
  const Share *one = a, *other = b;
  return one->node == other->node && one->number == other->number;
}

static Share *
get_share (World *world, WorldNode *node, guint64 number)
{
  WorldShares *self = world->shares;
  const Share key = { .node = node, .number = number };
  Share *share = g_hash_table_lookup (self->table, &key);
  if (share == NULL)
    {
      share = g_new (Share, 1);
      *share = key;
      g_hash_table_add (self->table, share);
      g_ptr_array_add (self->list, share);
    }
  return share;
}

static SatinNodeId
get_id (const WorldNode *node)
{
  const SatinView *view = world_get_view (node);
  return view != NULL ? view->self : 0;
}

/* Returns: (nullable): %NULL when no node with that id was ever seen */
static WorldNode *
find_by_id (World *world, SatinNodeId id)
{
  GHashTable *by_id = world->shares->by_id;
  WorldNode *found = g_hash_table_lookup (by_id, GUINT_TO_POINTER (id));
  for (guint i = 0; i < world->n_started && found == NULL; i++)
    if (get_id (&world->nodes[i]) == id)
      {
        found = &world->nodes[i];
        g_hash_table_insert (by_id, GUINT_TO_POINTER (id), found);
      }
  return found;
}

/* Notes the owner of the job. The owner may change: if it is lost, another node adopts the job.
 * Also notes the owners of the jobs above: a job that was stolen again before it began has no work
 * of its own, and would not be noted otherwise. */
static void
note_owner (Share *self)
{
  SatinJobRef ref;
  const WorldNode *node = self->node;
  if (self->number == 0 || !satin_membership_find_import (node->member, self->number, &ref)
      || ref.owner == 0)
    return;
  if (self->owner != NULL && ref.owner == self->ref.owner && ref.index == self->ref.index
      && ref.generation == self->ref.generation)
    return;
  self->ref = ref;
  self->owner = find_by_id (node->world, ref.owner);
  if (self->owner == NULL)
    return;
  self->under = satin_membership_get_under (self->owner->member, get_id (node), &ref);
  if (self->under != 0 && !self->owner->is_lost)
    note_owner (get_share (node->world, self->owner, self->under));
}

void
world_lost_charge (WorldNode *node, gconstpointer thread, gint64 duration_ns)
{
  World *world = node->world;
  if (world->shares == NULL || node->is_lost || node->is_over)
    return;
  guint64 number = satin_membership_get_running (node->member, thread);
  Share *share = get_share (world, node, number);
  share->work_ns += duration_ns;
  node->charged_ns += duration_ns;
  note_owner (share);
}

/* Adds the work of a job that has ended to the owner's job that got its result. If the owner is
 * lost or unknown, the work is not counted any more. */
static void
hand_over (World *world, const Share *self)
{
  if (self->owner != NULL && !self->owner->is_lost)
    get_share (world, self->owner, self->under)->work_ns += self->work_ns;
}

static gboolean
has_ended (const Share *self)
{
  SatinJobRef ref;
  return self->number != 0
         && !satin_membership_find_import (self->node->member, self->number, &ref);
}

/* Hands over the work of all jobs that have ended, and forgets these jobs. Must be repeated until
 * it returns %FALSE, because the jobs that get the work may have ended, too, and may be new or
 * visited already. Returns: whether any job had ended */
static gboolean
settle_once (World *world)
{
  WorldShares *self = world->shares;
  GPtrArray *all = self->list;
  guint n_all = all->len, n_kept = 0;
  for (guint i = 0; i < n_all; i++)
    {
      Share *share = g_ptr_array_index (all, i);
      if (!has_ended (share))
        {
          all->pdata[n_kept++] = share;
          continue;
        }
      hand_over (world, share);
      g_hash_table_remove (self->table, share);
    }
  gboolean is_any = n_kept < n_all;
  if (is_any)
    g_ptr_array_remove_range (all, n_kept, n_all - n_kept);
  return is_any;
}

void
world_lost_node (WorldNode *self)
{
  World *world = self->world;
  if (world->shares == NULL || self->is_lost || self->is_over || self->member == NULL
      || world->ended_us != 0)
    return;
  while (settle_once (world))
    ;
  self->is_lost = TRUE;
  GPtrArray *all = world->shares->list;
  gint64 lost_ns = 0;
  guint n_kept = 0;
  for (guint i = 0; i < all->len; i++)
    {
      Share *share = g_ptr_array_index (all, i);
      if (share->node != self)
        {
          all->pdata[n_kept++] = share;
          continue;
        }
      lost_ns += share->work_ns;
      g_hash_table_remove (world->shares->table, share);
    }
  g_ptr_array_set_size (all, (gint)n_kept);
  gint64 left_ns = self->charged_ns - satin_sim_host_get_work_ns (self->host);
  world->figures.lost_s += (double)(lost_ns - left_ns) / 1e9;
}

static void
on_leaving (gpointer user_data)
{
  world_lost_node (user_data);
}

void
world_lost_later (WorldNode *self, gint64 delay_us)
{
  World *world = self->world;
  if (world->shares != NULL)
    satin_loop_timer_add (satin_sim_host_get_loop (world->fate), delay_us - 1, on_leaving, self);
}

void
world_lost_id (World *self, SatinNodeId id)
{
  WorldNode *node = self->shares != NULL ? find_by_id (self, id) : NULL;
  if (node != NULL)
    world_lost_node (node);
}

void
world_lost_begin (World *self)
{
  const WorldOptions *options = &self->options;
  gboolean is_any = self->events->len > 0 || strcmp (options->faults, "none") != 0;
  if (options->csv_path == NULL || !is_any)
    return;
  self->shares = g_new (WorldShares, 1);
  *self->shares = (WorldShares){
    .list = g_ptr_array_new (),
    .table = g_hash_table_new_full (hash_share, is_same_share, g_free, NULL),
    .by_id = g_hash_table_new (NULL, NULL),
  };
}

void
world_lost_done (World *self)
{
  if (self->shares == NULL)
    return;
  g_ptr_array_unref (self->shares->list);
  g_hash_table_unref (self->shares->table);
  g_hash_table_unref (self->shares->by_id);
  g_clear_pointer (&self->shares, g_free);
}
