/* test-shapes.c - tests the trees of jobs that resemble those of real programs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree/shape.h"

#include <math.h>
#include <satin/base/error.h>

/* Figures of all pieces of a tree. */
typedef struct
{
  gint64 n_leaves;
  gint64 n_inner;
  guint most_children;
  double sum, squares, smallest, largest;
} Figures;

static void
collect (const Tree *tree, const Piece *piece, Figures *figures)
{
  Piece children[SHAPE_MAX_CHILDREN];
  guint n_children = tree->shape->divide (tree, piece, children);
  figures->most_children = MAX (figures->most_children, n_children);
  figures->n_inner += n_children > 0;
  for (guint i = 0; i < n_children; i++)
    collect (tree, &children[i], figures);
  if (n_children > 0)
    return;
  double weight = tree->shape->weigh (tree, piece);
  figures->n_leaves++;
  figures->sum += weight;
  figures->squares += weight * weight;
  figures->smallest = MIN (figures->smallest, weight);
  figures->largest = MAX (figures->largest, weight);
}

static Figures
collect_all (const Shape *shape, int size, gint64 seed)
{
  const Tree tree = { shape, size, seed };
  Figures figures = { .smallest = G_MAXDOUBLE };
  Piece root = { 0 };
  shape->begin (&tree, &root);
  collect (&tree, &root, &figures);
  double mean = figures.sum / (double)figures.n_leaves;
  g_test_message ("%s:%d: %" G_GINT64_FORMAT " leaves, deviation %.2f, largest %.1f", shape->name,
                  size, figures.n_leaves,
                  sqrt (figures.squares / (double)figures.n_leaves - mean * mean) / mean,
                  figures.largest / mean);
  return figures;
}

static void
test_sum_is_of_all_leaves (void)
{
  for (guint i = 0; i < SHAPE_N; i++)
    {
      const Tree tree = { shapes[i], 10 < shapes[i]->max ? 10 : shapes[i]->max - 3, 1 };
      Figures figures = collect_all (tree.shape, tree.size, tree.seed);
      TreeSum sum = shape_sum (&tree);
      g_assert_cmpint (sum.n_leaves, ==, figures.n_leaves);
      g_assert_cmpfloat_with_epsilon (sum.weight, figures.sum, figures.sum * 1e-9);
    }
}

static void
test_seed_makes_another_tree (void)
{
  for (guint i = 0; i < SHAPE_N; i++)
    {
      const Tree one = { shapes[i], shapes[i]->min + 2, 1 };
      const Tree other = { shapes[i], shapes[i]->min + 2, 2 };
      g_assert_cmpfloat (shape_sum (&one).weight, !=, shape_sum (&other).weight);
    }
}

static void
test_children_have_room (void)
{
  for (guint i = 0; i < SHAPE_N; i++)
    g_assert_cmpuint (collect_all (shapes[i], MIN (shapes[i]->max, 20), 1).most_children, <=,
                      SHAPE_MAX_CHILDREN);
}

/* ---- the shape of a ray tracer ---- */

static void
test_picture_has_all_its_quarters (void)
{
  g_assert_cmpint (collect_all (&raytracer_shape, 6, 1).n_leaves, ==, 4096);
}

static void
test_dearest_part_takes_several_times_the_cheapest (void)
{
  Figures figures = collect_all (&raytracer_shape, 6, 1);
  g_assert_cmpfloat (figures.smallest, >=, 0.1);
  g_assert_cmpfloat (figures.largest, <=, 1);
  g_assert_cmpfloat (figures.largest, >, 4 * figures.smallest);
}

static double
weigh_quarter (gint32 x, gint32 y)
{
  const Tree tree = { &raytracer_shape, 6, 1 };
  const Piece leaf = { .level = 6, .x = x, .y = y };
  return raytracer_shape.weigh (&tree, &leaf);
}

static void
test_neighbours_are_alike (void)
{
  double near = 0, far = 0;
  for (gint32 x = 0; x < 63; x++)
    for (gint32 y = 0; y < 64; y++)
      {
        near += fabs (weigh_quarter (x, y) - weigh_quarter (x + 1, y));
        far += fabs (weigh_quarter (x, y) - weigh_quarter ((x + 32) % 64, y));
      }
  g_assert_cmpfloat (near, <, far / 4);
}

/* ---- the shape of a search for tours ---- */

static void
test_tours_are_pruned (void)
{
  Figures figures = collect_all (&tsp_shape, 14, 1);
  g_assert_cmpint (figures.n_leaves, <, 13 * 12 * 11 * 10 * 9 / 8);
  g_assert_cmpint (figures.n_leaves, >, 1000);
  g_assert_cmpuint (figures.most_children, <=, 13);
}

static void
test_few_tours_are_large (void)
{
  Figures figures = collect_all (&tsp_shape, 14, 1);
  g_assert_cmpfloat (figures.largest, >, 5 * figures.sum / (double)figures.n_leaves);
}

/* ---- the shape of a knapsack search ---- */

/* The weight of a piece is the number of pieces below it, plus one. */
static void
test_choices_are_counted (void)
{
  const Tree tree = { &knapsack_shape, 24, 1 };
  Piece root = { 0 };
  knapsack_shape.begin (&tree, &root);
  Figures figures = collect_all (&knapsack_shape, 24, 1);
  g_assert_cmpfloat_with_epsilon (knapsack_shape.weigh (&tree, &root),
                                  figures.sum + (double)figures.n_inner, 0.5);
}

static void
test_capacity_cuts_branches (void)
{
  const Tree tree = { &knapsack_shape, 24, 1 };
  Piece root = { 0 };
  knapsack_shape.begin (&tree, &root);
  g_assert_cmpfloat (knapsack_shape.weigh (&tree, &root), <, 0.7 * pow (2, 25));
}

static void
test_no_leaf_has_a_large_share (void)
{
  Figures figures = collect_all (&knapsack_shape, 28, 1);
  g_assert_cmpfloat (figures.largest, <, figures.sum / 8000);
  g_assert_cmpuint (figures.most_children, ==, 2);
}

/* ---- names ---- */

static void
test_size_is_read (void)
{
  g_autoptr (GError) error = NULL;
  Tree tree;
  g_assert_true (shape_read ("knapsack:28", &tree, &error));
  g_assert_no_error (error);
  g_assert_true (tree.shape == &knapsack_shape);
  g_assert_cmpint (tree.size, ==, 28);
}

static void
test_what_is_no_shape_is_refused (void)
{
  static const char *const texts[] = { "",      "tsp",         "tsp:",   "tsp:7",
                                       "tsp:x", "raytracer:0", "queens", "cube:3" };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      Tree tree;
      g_assert_false (shape_read (texts[i], &tree, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/apps/shapes/" claim, func)
  ADD ("sum-is-of-all-leaves", test_sum_is_of_all_leaves);
  ADD ("seed-makes-another-tree", test_seed_makes_another_tree);
  ADD ("children-have-room", test_children_have_room);
  ADD ("picture-has-all-its-quarters", test_picture_has_all_its_quarters);
  ADD ("dearest-part-takes-several-times-the-cheapest",
       test_dearest_part_takes_several_times_the_cheapest);
  ADD ("neighbours-are-alike", test_neighbours_are_alike);
  ADD ("tours-are-pruned", test_tours_are_pruned);
  ADD ("few-tours-are-large", test_few_tours_are_large);
  ADD ("choices-are-counted", test_choices_are_counted);
  ADD ("capacity-cuts-branches", test_capacity_cuts_branches);
  ADD ("no-leaf-has-a-large-share", test_no_leaf_has_a_large_share);
  ADD ("size-is-read", test_size_is_read);
  ADD ("what-is-no-shape-is-refused", test_what_is_no_shape_is_refused);
  return g_test_run ();
}
