/* search.c - branch and bound: branches on the next city, bounds with spanning trees
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "../common/arguments.h"
#include "tree.h"

/* No useful penalty is larger than this. */
#define MAX_PENALTY ((gint64)INSTANCE_MAX_DISTANCE * 8 * TREE_PARTS)

/* The bound of the node with one city is raised this many times as often as the bound of another
 * node. A node begins with the penalties of its parent, so all nodes profit from those of the
 * first. */
#define FIRST_RAISES 25

/* A possible next city. Every tour that continues with @city is at least @bound long, in parts
 * (tree.h). */
typedef struct
{
  gint32 city;
  gint64 bound;
} Step;

/**
 * Level:
 * @penalties: (owned) (nullable): the best penalties found for the node
 * @steps: (owned) (nullable): the next cities, the most promising first
 * @next: index of the first step that has not been taken
 *
 * A node (search.h), from the node where the search began to the current node.
 */
typedef struct
{
  gint64 *penalties;
  Step *steps;
  gint32 n_steps;
  gint32 next;
} Level;

/**
 * Search:
 * @partial: the node where the search is now
 * @n_before: number of cities on the path of the place where the search began
 * @limit: only tours that are shorter than this count; falls with each tour that is found
 * @cap: tours that are longer than this do not count
 * @tour: the shortest tour found, if @has_tour
 * @levels: the nodes, by the number of cities on the path
 */
struct _Search
{
  Partial partial;
  gint32 n_before;
  gint32 n_raises;
  gint32 limit;
  gint32 cap;
  gboolean has_tour;
  gint32 tour[INSTANCE_MAX_CITIES];
  gint64 n_nodes;
  Level levels[INSTANCE_MAX_CITIES + 1];
};

/* ---- bounds ---- */

/* Whether a tour that is at least @bound long, in parts, may still count. */
static gboolean
may_count (const Search *self, gint64 bound)
{
  return bound <= (gint64)MIN (self->limit - 1, self->cap) * TREE_PARTS;
}

/* Makes the tour that consists of the current path and @tree the shortest tour found. @tree must be
 * a path. */
static void
note_tour (Search *self, const Tree *tree)
{
  tree_to_tour (tree, &self->partial, self->tour);
  self->has_tour = TRUE;
  self->limit = distances_get_length (self->partial.distances, self->tour);
}

/* Raises the penalty of each city that has more than two edges in the tree, and lowers the penalty
 * of each city that has one edge. A change is in proportion to the gap between the length of the
 * tree and the limit, and to the share of raises that are left. */
static void
change_penalties (const Search *self, const Tree *tree, gint32 n_faults, gint32 n_raises,
                  gint32 n_raises_left, gint64 *penalties)
{
  const Partial *partial = &self->partial;
  gint64 gap = ((gint64)MIN (self->limit - 1, self->cap) + 1) * TREE_PARTS - tree->length;
  gint64 step = 2 * gap * n_raises_left / ((gint64)n_faults * n_raises);
  for (gint32 i = 0; i < partial->n_left; i++)
    {
      gint32 city = partial->left[i];
      gint64 penalty = penalties[city] + step * (tree->degree[city] - 2);
      penalties[city] = CLAMP (penalty, -MAX_PENALTY, MAX_PENALTY);
    }
}

/* Raises the bound of the current node. @penalties: (inout): the penalties to begin with, then the
 * best found; @ret_best: (out): the tree with these. Returns: %FALSE when nothing is left to search
 * below the node */
static gboolean
raise_bound (Search *self, gint64 *penalties, Tree *ret_best)
{
  gint32 n = self->partial.distances->n_cities;
  gint64 tried[INSTANCE_MAX_CITIES];
  gint32 n_raises = self->n_raises * (self->partial.n_path == 1 ? FIRST_RAISES : 1);
  Tree tree;
  ret_best->length = G_MININT64;
  memcpy (tried, penalties, (gsize)n * sizeof *tried);
  for (gint32 n_raises_left = n_raises;; n_raises_left--)
    {
      if (!tree_build (&tree, &self->partial, tried) || !may_count (self, tree.length))
        return FALSE;
      gint32 n_faults = tree_count_faults (&tree, &self->partial);
      if (n_faults == 0)
        {
          note_tour (self, &tree);
          return FALSE;
        }
      if (tree.length > ret_best->length)
        {
          *ret_best = tree;
          memcpy (penalties, tried, (gsize)n * sizeof *tried);
        }
      if (n_raises_left == 0)
        return TRUE;
      change_penalties (self, &tree, n_faults, n_raises, n_raises_left, tried);
    }
}

/* ---- nodes ---- */

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *left = a, *right = b;
  if (left->bound != right->bound)
    return left->bound < right->bound ? -1 : 1;
  return left->city - right->city;
}

/* Returns: the level of the current node, without steps, and with a copy of @penalties */
static Level *
open_level (Search *self, const gint64 *penalties)
{
  Level *level = &self->levels[self->partial.n_path];
  gsize n_cities = (gsize)self->partial.distances->n_cities;
  if (level->penalties == NULL)
    {
      level->penalties = g_new (gint64, n_cities);
      level->steps = g_new (Step, n_cities);
    }
  memcpy (level->penalties, penalties, n_cities * sizeof *penalties);
  level->n_steps = level->next = 0;
  return level;
}

/* Takes the next step of @before. Finds the steps of the node to which it leads, with their bounds.
 */
static void
enter (Search *self, Level *before)
{
  Partial *partial = &self->partial;
  partial_step (partial, before->steps[before->next++].city);
  Level *level = open_level (self, before->penalties);
  self->n_nodes++;

  Tree tree;
  if (!raise_bound (self, level->penalties, &tree))
    return;
  for (gint32 i = 0; i < partial->n_left; i++)
    {
      Step step = { .city = partial->left[i] };
      step.bound = tree_bound_step (&tree, partial, level->penalties, step.city);
      if (may_count (self, step.bound))
        level->steps[level->n_steps++] = step;
    }
  qsort (level->steps, (gsize)level->n_steps, sizeof *level->steps, compare_steps);
}

/* Whether @level has a step left that may count. The steps are sorted, so if the next step cannot
 * count, no later step can. */
static gboolean
has_step (const Search *self, const Level *level)
{
  return level->next < level->n_steps && may_count (self, level->steps[level->next].bound);
}

/* ---- checks ---- */

static gboolean
check_distances (const Distances *distances, GError **error)
{
  gsize n = (gsize)distances->n_cities;
  if (!app_argument_check ("number of cities", distances->n_cities, INSTANCE_MIN_CITIES,
                           INSTANCE_MAX_CITIES, error))
    return FALSE;
  if (distances->n_between != n * n)
    return app_argument_refuse ("there are not the distances of all cities", error);
  for (gsize i = 0; i < distances->n_between; i++)
    if (distances->between[i] < 0 || distances->between[i] > INSTANCE_MAX_DISTANCE)
      return app_argument_refuse ("a distance is out of range", error);
  return TRUE;
}

/* Whether the path and the city after it are different cities, and at least one city is left. */
static gboolean
is_beginning (const Place *place, gint32 n_cities)
{
  gboolean is_on_path[INSTANCE_MAX_CITIES] = { FALSE };
  if (place->n_path + 2 > (gsize)n_cities)
    return FALSE;
  for (gsize i = 0; i <= place->n_path; i++)
    {
      gint32 city = i < place->n_path ? place->path[i] : place->city;
      if (city < 0 || city >= n_cities || is_on_path[city])
        return FALSE;
      is_on_path[city] = TRUE;
    }
  return TRUE;
}

gboolean
search_check (const Distances *distances, const Place *place, gsize n_penalties, GError **error)
{
  if (!check_distances (distances, error))
    return FALSE;
  if (!is_beginning (place, distances->n_cities))
    return app_argument_refuse ("the path is no beginning of a tour", error);
  if (n_penalties != (gsize)distances->n_cities)
    return app_argument_refuse ("there is not a penalty for each city", error);
  for (gsize i = 0; i < n_penalties; i++)
    if (place->penalties[i] < -MAX_PENALTY || place->penalties[i] > MAX_PENALTY)
      return app_argument_refuse ("a penalty is out of range", error);
  return TRUE;
}

/* ---- searches ---- */

Search *
search_new (const Distances *distances, const Place *place, gint32 n_raises, gint32 limit)
{
  Search *self = g_new0 (Search, 1);
  partial_init (&self->partial, distances, place->path, place->n_path);
  self->n_before = (gint32)place->n_path;
  self->n_raises = n_raises;
  self->limit = limit;
  self->cap = G_MAXINT32;
  Level *level = open_level (self, place->penalties);
  level->steps[level->n_steps++] = (Step){ .city = place->city, .bound = G_MININT64 };
  return self;
}

void
search_free (Search *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->levels); i++)
    {
      g_free (self->levels[i].penalties);
      g_free (self->levels[i].steps);
    }
  g_free (self);
}

gboolean
search_run (Search *self, gint64 n_nodes)
{
  for (;;)
    {
      Level *level = &self->levels[self->partial.n_path];
      if (has_step (self, level))
        {
          if (n_nodes-- == 0)
            return FALSE;
          enter (self, level);
        }
      else if (self->partial.n_path == self->n_before)
        return TRUE;
      else
        partial_back (&self->partial);
    }
}

Place *
search_get_places (const Search *self, gsize *ret_n_places)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  for (gint32 n_path = self->n_before; n_path <= self->partial.n_path; n_path++)
    {
      const Level *level = &self->levels[n_path];
      for (gint32 i = level->n_steps - 1; i >= level->next; i--)
        if (may_count (self, level->steps[i].bound))
          {
            Place place = { self->partial.path, (gsize)n_path, level->steps[i].city,
                            level->penalties };
            g_array_append_val (places, place);
          }
    }
  return g_array_steal (places, ret_n_places);
}

void
search_set_cap (Search *self, gint32 length)
{
  self->cap = length;
}

void
search_add_tour (Search *self, const gint32 *tour, gsize n_tour, gint32 length)
{
  if (n_tour != (gsize)self->partial.distances->n_cities || length >= self->limit)
    return;
  memcpy (self->tour, tour, n_tour * sizeof *tour);
  self->has_tour = TRUE;
  self->limit = length;
}

gint32
search_get_limit (const Search *self)
{
  return self->limit;
}

const gint32 *
search_get_tour (const Search *self)
{
  return self->has_tour ? self->tour : NULL;
}

gint64
search_get_n_nodes (const Search *self)
{
  return self->n_nodes;
}
