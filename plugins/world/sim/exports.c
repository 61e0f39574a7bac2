/* exports.c - checks that the owner of each imported job waits for it
 *
 * A job runs twice only if a node was lost. So the owner of a job waits for the job that another
 * node runs, unless one of the two nodes is no longer in the run, and the other node does not know
 * that yet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

typedef struct
{
  World *world;          /* (borrowed) */
  GHashTable *nodes;     /* (owned) from number in the run to (borrowed) WorldNode; never
                          * iterated, as its order would not repeat */
  const WorldNode *node; /* (borrowed) the node whose imported jobs are checked */
  SatinNodeId id;        /* the number of @node in the run */
} Look;

/* Returns: (nullable): %NULL when the node is not in the run */
static const SatinView *
get_view (const WorldNode *node)
{
  return node->is_over ? NULL : world_get_view (node);
}

static void
check_ref (const SatinJobRef *ref, gpointer user_data)
{
  const Look *look = user_data;
  const WorldNode *owner = g_hash_table_lookup (look->nodes, GUINT_TO_POINTER (ref->owner));
  const SatinView *view = owner != NULL ? get_view (owner) : NULL;
  if (view == NULL || satin_view_find (view, look->id) == NULL
      || satin_membership_wants (owner->member, look->id, ref))
    return;
  world_breaks (look->world, "node %u runs job %d of node %u, which does not wait for it",
                look->node->number, ref->index, owner->number);
}

void
world_check_refs (World *self)
{
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  Look look = { .world = self, .nodes = nodes };
  for (guint i = 0; i < self->n_started; i++)
    {
      const SatinView *view = get_view (&self->nodes[i]);
      if (view != NULL)
        g_hash_table_insert (nodes, GUINT_TO_POINTER (view->self), &self->nodes[i]);
    }
  for (guint i = 0; i < self->n_started; i++)
    {
      const SatinView *view = get_view (&self->nodes[i]);
      if (view == NULL)
        continue;
      look.node = &self->nodes[i];
      look.id = view->self;
      satin_membership_foreach_ref (look.node->member, check_ref, &look);
    }
}
