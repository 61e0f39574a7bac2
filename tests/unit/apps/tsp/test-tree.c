/* test-tree.c - tests the trees whose length is a lower bound for tours
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree.h"

#include "small-worlds.h"
#include "tour.h"

#define N_WORLDS 500

/* A random beginning of a tour, and random penalties. */
typedef struct
{
  Distances distances;
  Partial partial;
  gint64 penalties[INSTANCE_MAX_CITIES];
  gint32 shortest; /* the shortest of all tours that begin like this, in either direction */
} World;

static void
world_init (World *self, gint32 n_path, gint64 max_penalty)
{
  gint32 path[INSTANCE_MAX_CITIES];
  gint32 n_cities = n_path + g_test_rand_int_range (1, 6);
  self->distances = small_world_new (MAX (n_cities, 3), 50);
  n_cities = self->distances.n_cities;
  for (gint32 i = 0; i < n_cities; i++)
    {
      path[i] = i;
      self->penalties[i] = g_test_rand_int_range ((gint32)-max_penalty, (gint32)max_penalty + 1);
    }
  partial_init (&self->partial, &self->distances, path, (gsize)n_path);
  self->shortest = small_world_find_shortest (&self->distances, path, n_path);
}

static void
world_done (World *self)
{
  satin_record_clear (&Distances_record, &self->distances);
}

/* The search follows only one direction of each tour, where the last edge is not better than the
 * first edge. Returns: whether this path may be followed to its end */
static gboolean
may_begin_the_shortest (const World *world)
{
  const Partial *partial = &world->partial;
  gint32 last = partial->left[0];
  return partial->n_path == 1 || partial->n_left > 1 || partial_may_close (partial, -1, last);
}

static void
test_no_tour_is_shorter (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      World world;
      Tree tree;
      world_init (&world, 1, 5000);
      g_assert_true (tree_build (&tree, &world.partial, world.penalties));
      g_assert_cmpint (tree.length, <=, (gint64)world.shortest * TREE_PARTS);
      world_done (&world);
    }
}

static void
test_no_tour_with_a_step_is_shorter (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      World world;
      Tree tree;
      world_init (&world, 1, 5000);
      g_assert_true (tree_build (&tree, &world.partial, world.penalties));
      gint64 best = G_MAXINT64;
      for (gint32 city = 1; city < world.distances.n_cities; city++)
        best = MIN (best, tree_bound_step (&tree, &world.partial, world.penalties, city));
      g_assert_cmpint (best, <=, (gint64)world.shortest * TREE_PARTS);
      world_done (&world);
    }
}

/* A step fixes one edge. All other edges stay the same or become more expensive. */
static void
test_no_step_promises_less_than_the_tree (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      World world;
      Tree tree;
      world_init (&world, g_test_rand_int_range (1, 4), 5000);
      if (tree_build (&tree, &world.partial, world.penalties))
        for (gint32 j = 0; j < world.partial.n_left; j++)
          g_assert_cmpint (
              tree_bound_step (&tree, &world.partial, world.penalties, world.partial.left[j]), >=,
              tree.length);
      world_done (&world);
    }
}

/* After the first city, the search follows only one direction of each tour. In one of the two
 * directions, the bound may not be above the length of the shortest tour. */
static void
test_one_direction_is_bounded (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      World world;
      world_init (&world, 1, 5000);
      gint64 best = G_MAXINT64;
      for (gint32 city = 1; city < world.distances.n_cities; city++)
        {
          Tree tree;
          partial_step (&world.partial, city);
          if (world.partial.n_left > 0 && tree_build (&tree, &world.partial, world.penalties))
            best = MIN (best, tree.length);
          partial_back (&world.partial);
        }
      g_assert_cmpint (best, <=, (gint64)world.shortest * TREE_PARTS);
      world_done (&world);
    }
}

static void
test_one_direction_of_a_tour_counts (void)
{
  for (guint i = 0; i < N_WORLDS; i++)
    {
      Distances distances = small_world_new (3, 2);
      for (gint32 city = 1; city < 3; city++)
        {
          const gint32 there[] = { 0, city }, back[] = { 0, 3 - city };
          Partial forward, backward;
          partial_init (&forward, &distances, there, 2);
          partial_init (&backward, &distances, back, 2);
          g_assert_true (partial_may_close (&forward, -1, 3 - city)
                         != partial_may_close (&backward, -1, city));
        }
      satin_record_clear (&Distances_record, &distances);
    }
}

static void
test_last_city_makes_the_tour (void)
{
  guint n_built = 0;
  for (guint i = 0; i < N_WORLDS; i++)
    {
      World world;
      Tree tree;
      do
        {
          world_init (&world, 4, 5000);
          if (world.partial.n_left == 1)
            break;
          world_done (&world);
        }
      while (TRUE);
      g_assert_true (tree_build (&tree, &world.partial, world.penalties)
                     == may_begin_the_shortest (&world));
      if (may_begin_the_shortest (&world))
        {
          n_built++;
          g_assert_cmpint (tree.length, ==, (gint64)world.shortest * TREE_PARTS);
          g_assert_cmpint (tree_count_faults (&tree, &world.partial), ==, 0);
        }
      world_done (&world);
    }
  g_assert_cmpuint (n_built, >, N_WORLDS / 4);
}

static void
test_tree_without_faults_is_a_tour_of_its_length (void)
{
  guint n_paths = 0;
  for (guint i = 0; i < N_WORLDS; i++)
    {
      g_autoptr (GError) error = NULL;
      World world;
      Tree tree;
      gint32 tour[INSTANCE_MAX_CITIES];
      world_init (&world, 1, 5000);
      if (tree_build (&tree, &world.partial, world.penalties)
          && tree_count_faults (&tree, &world.partial) == 0)
        {
          n_paths++;
          g_assert_cmpint (tree.length % TREE_PARTS, ==, 0);
          tree_to_tour (&tree, &world.partial, tour);
          g_assert_true (
              tour_check (&world.distances, tour, (gint32)(tree.length / TREE_PARTS), &error));
          g_assert_no_error (error);
        }
      world_done (&world);
    }
  g_assert_cmpuint (n_paths, >, N_WORLDS / 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/tsp/tree/" path, function)
  CASE ("no-tour-is-shorter", test_no_tour_is_shorter);
  CASE ("no-tour-with-a-step-is-shorter", test_no_tour_with_a_step_is_shorter);
  CASE ("no-step-promises-less-than-the-tree", test_no_step_promises_less_than_the_tree);
  CASE ("one-direction-is-bounded", test_one_direction_is_bounded);
  CASE ("one-direction-of-a-tour-counts", test_one_direction_of_a_tour_counts);
  CASE ("last-city-makes-the-tour", test_last_city_makes_the_tour);
  CASE ("tree-without-faults-is-a-tour-of-its-length",
        test_tree_without_faults_is_a_tour_of_its_length);
  return g_test_run ();
}
