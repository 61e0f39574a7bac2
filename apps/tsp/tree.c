/* tree.c - builds the tree by Prim's algorithm over the cities that are left
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree.h"

#include <string.h>

/* Returns: the length of an edge to @city, in parts, with the penalty of one end only. @row: the
 * distances from the edge's other end to all cities; @penalty: the penalty to add */
static inline gint64
edge_in_parts (const gint32 *row, gint32 city, gint64 penalty)
{
  return (gint64)row[city] * TREE_PARTS + penalty;
}

/* ---- the inner tree ---- */

/* The cities that are not in the tree yet, and the cheapest edge from each to the tree. */
typedef struct
{
  gint32 city[INSTANCE_MAX_CITIES];
  gint32 parent[INSTANCE_MAX_CITIES];
  gint64 cost[INSTANCE_MAX_CITIES]; /* without the city's own penalty */
  gint32 n;
} Outside;

/* Updates the cheapest edges after @joined has come into the tree. Returns: the index in @outside
 * of the city that is nearest to the tree */
static gint32
find_nearest (Outside *outside, const Distances *distances, const gint64 *penalties, gint32 joined)
{
  const gint32 *row = distances->between + joined * distances->n_cities;
  gint64 penalty = penalties[joined], best = G_MAXINT64;
  gint32 nearest = 0;
  for (gint32 i = 0; i < outside->n; i++)
    {
      gint64 cost = edge_in_parts (row, outside->city[i], penalty);
      if (cost < outside->cost[i])
        {
          outside->cost[i] = cost;
          outside->parent[i] = joined;
        }
      cost = outside->cost[i] + penalties[outside->city[i]];
      if (cost < best)
        {
          best = cost;
          nearest = i;
        }
    }
  return nearest;
}

static void
build_inner (Tree *self, const Partial *partial, const gint64 *penalties)
{
  Outside outside = { .n = partial->n_left - 1 };
  gint32 joined = partial->left[partial->n_left - 1];
  memcpy (outside.city, partial->left, (gsize)outside.n * sizeof (gint32));
  for (gint32 i = 0; i < outside.n; i++)
    outside.cost[i] = G_MAXINT64;
  self->inner = -2 * penalties[joined];
  self->parent[joined] = -1;
  self->degree[joined] = 0;
  while (outside.n > 0)
    {
      gint32 i = find_nearest (&outside, partial->distances, penalties, joined);
      joined = outside.city[i];
      self->inner += outside.cost[i] - penalties[joined];
      self->parent[joined] = outside.parent[i];
      self->degree[joined] = 1;
      self->degree[outside.parent[i]]++;
      outside.n--;
      outside.city[i] = outside.city[outside.n];
      outside.parent[i] = outside.parent[outside.n];
      outside.cost[i] = outside.cost[outside.n];
    }
}

/* ---- the outer edges ---- */

/* Of several edges, the cheapest two, and the cities that they lead to. */
typedef struct
{
  gint64 cost[2];
  gint32 city[2];
} Cheapest;

static void
cheapest_add (Cheapest *self, gint64 cost, gint32 city)
{
  guint at = cost < self->cost[0] ? 0 : 1;
  if (cost >= self->cost[1])
    return;
  if (at == 0)
    {
      self->cost[1] = self->cost[0];
      self->city[1] = self->city[0];
    }
  self->cost[at] = cost;
  self->city[at] = city;
}

/* Returns: the cheapest two edges from the end of the path */
static Cheapest
find_next (const Partial *partial, const gint64 *penalties)
{
  gint32 end = partial_end (partial);
  const gint32 *row = partial->distances->between + end * partial->distances->n_cities;
  Cheapest cheapest = { { G_MAXINT64, G_MAXINT64 }, { -1, -1 } };
  for (gint32 i = 0; i < partial->n_left; i++)
    {
      gint32 city = partial->left[i];
      cheapest_add (&cheapest, edge_in_parts (row, city, penalties[city]), city);
    }
  return cheapest;
}

/* Returns: the cheapest two edges back to the first city, for tours that continue with @next; @next
 * is -1 if any city may come next */
static Cheapest
find_last (const Partial *partial, const gint64 *penalties, gint32 next)
{
  const gint32 *row = partial->distances->between + partial->path[0] * partial->distances->n_cities;
  Cheapest cheapest = { { G_MAXINT64, G_MAXINT64 }, { -1, -1 } };
  for (gint32 i = 0; i < partial->n_left; i++)
    {
      gint32 city = partial->left[i];
      if ((next < 0 && partial->n_path == 1) || partial_may_close (partial, next, city))
        cheapest_add (&cheapest, edge_in_parts (row, city, penalties[city]), city);
    }
  return cheapest;
}

/* Picks the cheapest pair of edges to the path, one of @next and one of @last. The two must lead to
 * different cities, unless @may_be_same. @ret_next, @ret_last: (out): index in @next and in @last.
 * Returns: the cost of the pair; %G_MAXINT64 when there is none */
static gint64
pick_outer (const Cheapest *next, const Cheapest *last, gboolean may_be_same, guint *ret_next,
            guint *ret_last)
{
  gint64 best = G_MAXINT64;
  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < 2; j++)
      {
        if (next->city[i] < 0 || last->city[j] < 0
            || (next->city[i] == last->city[j] && !may_be_same))
          continue;
        if (next->cost[i] + last->cost[j] < best)
          {
            best = next->cost[i] + last->cost[j];
            *ret_next = i;
            *ret_last = j;
          }
      }
  return best;
}

gboolean
tree_build (Tree *self, const Partial *partial, const gint64 *penalties)
{
  Cheapest next = find_next (partial, penalties), last = find_last (partial, penalties, -1);
  guint next_i = 0, last_i = 0;
  gint64 outer = pick_outer (&next, &last, partial->n_left == 1, &next_i, &last_i);
  if (outer == G_MAXINT64)
    return FALSE;
  build_inner (self, partial, penalties);
  self->length = (gint64)partial->length * TREE_PARTS + self->inner + outer;
  self->next = next.city[next_i];
  self->last = last.city[last_i];
  self->degree[self->next]++;
  self->degree[self->last]++;
  return TRUE;
}

gint64
tree_bound_step (const Tree *self, const Partial *partial, const gint64 *penalties, gint32 next)
{
  Cheapest last = find_last (partial, penalties, next);
  guint last_i = last.city[0] == next && partial->n_left > 1 ? 1 : 0;
  if (last.city[last_i] < 0)
    return G_MAXINT64;
  gint64 step = (gint64)distances_get (partial->distances, partial_end (partial), next) * TREE_PARTS
                + penalties[next];
  return (gint64)partial->length * TREE_PARTS + self->inner + step + last.cost[last_i];
}

/* ---- trees that are paths ---- */

gint32
tree_count_faults (const Tree *self, const Partial *partial)
{
  gint32 n_faults = 0;
  for (gint32 i = 0; i < partial->n_left; i++)
    {
      gint32 fault = self->degree[partial->left[i]] - 2;
      n_faults += fault * fault;
    }
  return n_faults;
}

void
tree_to_tour (const Tree *self, const Partial *partial, gint32 *ret_tour)
{
  gint32 joined[INSTANCE_MAX_CITIES][2], n_joined[INSTANCE_MAX_CITIES] = { 0 };
  for (gint32 i = 0; i < partial->n_left; i++)
    {
      gint32 city = partial->left[i], parent = self->parent[city];
      if (parent < 0)
        continue;
      joined[city][n_joined[city]++] = parent;
      joined[parent][n_joined[parent]++] = city;
    }
  memcpy (ret_tour, partial->path, (gsize)partial->n_path * sizeof *ret_tour);
  gint32 before = -1, city = self->next;
  for (gint32 i = 0; i < partial->n_left; i++)
    {
      ret_tour[partial->n_path + i] = city;
      gint32 after =
          n_joined[city] > 0 && joined[city][0] != before ? joined[city][0] : joined[city][1];
      before = city;
      city = after;
    }
}
