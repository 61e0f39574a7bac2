/* test-gravity.c - tests forces, with a tree and by sums: their values, and that parts of a tree
 * give the same bits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cluster.h"
#include "gravity.h"

#define N_POINTS  3000
#define SOFTENING 0.01

/* @forces: computed with the tree, in the order of its points */
typedef struct
{
  Tree tree;
  Force *forces;
} Fixture;

static void
fixture_init (Fixture *self, gconstpointer theta)
{
  g_autofree Point *points = cluster_points (N_POINTS);
  self->tree = tree_of (points, N_POINTS, *(const double *)theta);
  self->forces = g_new (Force, N_POINTS);
  gravity_of_run (&self->tree, tree_all (&self->tree), SOFTENING, self->forces);
}

static void
fixture_done (Fixture *self, gconstpointer theta)
{
  satin_record_clear (&Tree_record, &self->tree);
  g_free (self->forces);
}

/* Returns: the root mean square error of the tree's forces, as a share of that of the exact
 * forces */
static double
error_of (const Fixture *self)
{
  g_autofree Force *exact = g_new (Force, N_POINTS);
  double errors = 0, all = 0;
  gravity_of_points (self->tree.points, N_POINTS, 0, N_POINTS, SOFTENING, exact);
  for (guint i = 0; i < N_POINTS; i++)
    {
      Vector off = vector_subtract (self->forces[i].acceleration, exact[i].acceleration);
      errors += vector_dot (off, off);
      all += vector_dot (exact[i].acceleration, exact[i].acceleration);
    }
  return sqrt (errors / all);
}

static void
test_theta_0_is_direct_summation (Fixture *self, gconstpointer theta)
{
  g_autofree Force *exact = g_new (Force, N_POINTS);
  gravity_of_points (self->tree.points, N_POINTS, 0, N_POINTS, SOFTENING, exact);
  g_assert_cmpmem (self->forces, N_POINTS * sizeof (Force), exact, N_POINTS * sizeof (Force));
}

static void
test_error_is_below_1_per_cent (Fixture *self, gconstpointer theta)
{
  double error = error_of (self);
  g_test_message ("error %g", error);
  g_assert_cmpfloat (error, <, 0.01);
  /* An error near 0 would mean that no cell stood for its points. */
  g_assert_cmpfloat (error, >, 1e-6);
}

/* Computes the forces in parts of up to @grain points, like jobs. The tree of each part is cut from
 * the tree of its parent. */
static void
forces_by_parts (const Tree *tree, Run run, guint grain, Force *ret_forces)
{
  Run parts[8];
  guint n = 1;
  if (tree_run_points (tree, run) > grain)
    n = tree_split (tree, run, grain, parts);
  if (n == 1)
    {
      gravity_of_run (tree, run, SOFTENING, ret_forces);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      Tree cut;
      Run own;
      tree_cut (tree, parts[i], &cut, &own);
      forces_by_parts (&cut, own, grain, ret_forces);
      ret_forces += tree_run_points (tree, parts[i]);
      satin_record_clear (&Tree_record, &cut);
    }
}

static void
test_necessary_trees_give_the_same_bits (Fixture *self, gconstpointer theta)
{
  static const guint grains[] = { GRAVITY_GROUP_POINTS, 100, 1000 };
  g_autofree Force *forces = g_new (Force, N_POINTS);
  for (guint i = 0; i < G_N_ELEMENTS (grains); i++)
    {
      memset (forces, 0, N_POINTS * sizeof (Force));
      forces_by_parts (&self->tree, tree_all (&self->tree), grains[i], forces);
      g_assert_cmpmem (forces, N_POINTS * sizeof (Force), self->forces, N_POINTS * sizeof (Force));
    }
}

/* The tree is encoded and decoded, as for another node. */
static void
test_tree_that_travelled_gives_the_same_bits (Fixture *self, gconstpointer theta)
{
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&Tree_record, &self->tree);
  g_autoptr (GError) error = NULL;
  g_autofree Force *forces = g_new (Force, N_POINTS);
  Tree tree;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  satin_record_decode (&Tree_record, data, n_bytes, &tree, &error);
  g_assert_no_error (error);
  gravity_of_run (&tree, tree_all (&tree), SOFTENING, forces);
  g_assert_cmpmem (forces, N_POINTS * sizeof (Force), self->forces, N_POINTS * sizeof (Force));
  satin_record_clear (&Tree_record, &tree);
}

/* ---- without a tree ---- */

static void
test_force_falls_with_the_square_of_the_distance (void)
{
  static const Point points[] = { { 3, { 1, 1, 1 } }, { 5, { 1, 1, 5 } } };
  Force forces[2];
  gravity_of_points (points, 2, 0, 2, 0, forces);
  g_assert_cmpfloat (forces[0].acceleration.z, ==, 5.0 / 16);
  g_assert_cmpfloat (forces[1].acceleration.z, ==, -3.0 / 16);
  g_assert_cmpfloat (forces[0].acceleration.x, ==, 0);
  g_assert_cmpfloat (forces[0].acceleration.y, ==, 0);
  g_assert_cmpfloat (forces[0].potential, ==, -5.0 / 4);
  g_assert_cmpfloat (forces[1].potential, ==, -3.0 / 4);
}

static void
test_softening_is_at_right_angles_to_distance (void)
{
  static const Point points[] = { { 1, { 0, 0, 0 } }, { 125, { 4, 0, 0 } } };
  Force forces[2];
  gravity_of_points (points, 2, 0, 2, 3, forces);
  g_assert_cmpfloat_with_epsilon (forces[0].potential, -25, 1e-12);
  g_assert_cmpfloat_with_epsilon (forces[0].acceleration.x, 4, 1e-12);
}

static void
test_bodies_at_one_place_do_not_pull (void)
{
  static const Point points[] = { { 1, { 7, 7, 7 } }, { 2, { 7, 7, 7 } }, { 4, { 7, 7, 9 } } };
  Force forces[3];
  gravity_of_points (points, 3, 0, 3, 0, forces);
  g_assert_cmpfloat (forces[0].acceleration.z, ==, 1);
  g_assert_cmpfloat (forces[0].potential, ==, -2);
  g_assert_cmpfloat (forces[2].acceleration.z, ==, -0.75);
}

/* More points are at one place than a group holds, and a tree cannot divide them into cells. */
static void
test_many_bodies_at_one_place_have_the_same_force (void)
{
  enum
  {
    N = 3 * GRAVITY_GROUP_POINTS + 1
  };
  Point points[N + 1];
  Force forces[N + 1];
  for (guint i = 0; i < N; i++)
    points[i] = (Point){ 1, { 0, 0, 0 } };
  points[N] = (Point){ 4, { 2, 0, 0 } };
  Tree tree = tree_of (points, N + 1, 0.5);
  gravity_of_run (&tree, tree_all (&tree), 0, forces);
  for (guint i = 0; i < N; i++)
    g_assert_cmpfloat (forces[i].acceleration.x, ==, 1);
  g_assert_cmpfloat_with_epsilon (forces[N].acceleration.x, -N / 4.0, 1e-9);
  satin_record_clear (&Tree_record, &tree);
}

static void
test_part_of_the_bodies_has_the_same_forces (void)
{
  g_autofree Point *points = cluster_points (200);
  Force all[200], some[77];
  gravity_of_points (points, 200, 0, 200, SOFTENING, all);
  gravity_of_points (points, 200, 50, 77, SOFTENING, some);
  g_assert_cmpmem (some, sizeof some, &all[50], sizeof some);
}

int
main (int argc, char **argv)
{
  static const double never = 0, half = 0.5, one = 1;
  g_test_init (&argc, &argv, NULL);
#define TREE_CASE(path, theta, function)                                                           \
  g_test_add ("/apps/barnes-hut/gravity/" path, Fixture, &theta, fixture_init, function,           \
              fixture_done)
#define CASE(path, function) g_test_add_func ("/apps/barnes-hut/gravity/" path, function)
  TREE_CASE ("theta-0-is-direct-summation", never, test_theta_0_is_direct_summation);
  TREE_CASE ("error-is-below-1-per-cent", half, test_error_is_below_1_per_cent);
  TREE_CASE ("necessary-trees-give-the-same-bits", half, test_necessary_trees_give_the_same_bits);
  TREE_CASE ("necessary-trees-give-the-same-bits-with-theta-1", one,
             test_necessary_trees_give_the_same_bits);
  TREE_CASE ("tree-that-travelled-gives-the-same-bits", one,
             test_tree_that_travelled_gives_the_same_bits);
  CASE ("force-falls-with-the-square-of-the-distance",
        test_force_falls_with_the_square_of_the_distance);
  CASE ("softening-is-at-right-angles-to-distance", test_softening_is_at_right_angles_to_distance);
  CASE ("bodies-at-one-place-do-not-pull", test_bodies_at_one_place_do_not_pull);
  CASE ("many-bodies-at-one-place-have-the-same-force",
        test_many_bodies_at_one_place_have_the_same_force);
  CASE ("part-of-the-bodies-has-the-same-forces", test_part_of_the_bodies_has_the_same_forces);
  return g_test_run ();
}
