/* test-tree.c - tests octrees: their points, their cells, their division into parts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cluster.h"

#define N_POINTS 3000

/* The tree of a random cluster. */
typedef struct
{
  Point *points;
  Tree tree;
  guint32 *order;
} Fixture;

static void
fixture_init (Fixture *self, gconstpointer user_data)
{
  self->points = cluster_points (N_POINTS);
  tree_build (self->points, N_POINTS, 0.7, &self->tree, &self->order);
}

static void
fixture_done (Fixture *self, gconstpointer user_data)
{
  g_free (self->points);
  g_free (self->order);
  satin_record_clear (&Tree_record, &self->tree);
}

static void
test_every_point_is_there_once (Fixture *self, gconstpointer user_data)
{
  g_autofree gboolean *is_there = g_new0 (gboolean, N_POINTS);
  g_assert_cmpuint (self->tree.n_points, ==, N_POINTS);
  for (guint i = 0; i < N_POINTS; i++)
    {
      g_assert_false (is_there[self->order[i]]);
      is_there[self->order[i]] = TRUE;
      g_assert_cmpmem (&self->tree.points[i], sizeof (Point), &self->points[self->order[i]],
                       sizeof (Point));
    }
}

/* Checks that the cells below a cell follow it, and divide its points among them, in their
 * order. */
static void
assert_cells_nest (const Tree *tree)
{
  for (guint i = 0; i < tree->n_cells; i++)
    {
      const Cell *cell = &tree->cells[i];
      gint32 at = cell->first;
      g_assert_cmpint (cell->next, >, (gint32)i);
      g_assert_cmpint (cell->next, <=, (gint32)tree->n_cells);
      if (tree_is_leaf (tree, i))
        continue;
      for (gint32 child = (gint32)i + 1; child < cell->next; child = tree->cells[child].next)
        {
          g_assert_cmpint (tree->cells[child].first, ==, at);
          at += tree->cells[child].n_points;
        }
      g_assert_cmpint (at, ==, cell->first + cell->n_points);
    }
}

static void
test_cells_nest (Fixture *self, gconstpointer user_data)
{
  assert_cells_nest (&self->tree);
  g_assert_cmpint (self->tree.cells[0].next, ==, (gint32)self->tree.n_cells);
  g_assert_cmpint (self->tree.cells[0].n_points, ==, N_POINTS);
}

static void
test_cell_is_the_mass_of_its_points (Fixture *self, gconstpointer user_data)
{
  for (guint i = 0; i < self->tree.n_cells; i++)
    {
      const Cell *cell = &self->tree.cells[i];
      Vector centre = { 0 };
      double mass = 0;
      for (gint32 k = cell->first; k < cell->first + cell->n_points; k++)
        {
          mass += self->tree.points[k].mass;
          centre = vector_add_scaled (centre, self->tree.points[k].at, self->tree.points[k].mass);
        }
      g_assert_cmpfloat_with_epsilon (cell->mass, mass, 1e-12);
      centre = vector_subtract (vector_scale (centre, 1 / mass), cell->centre);
      g_assert_cmpfloat (vector_length (centre), <, 1e-12);
    }
}

static void
test_leaves_are_small (Fixture *self, gconstpointer user_data)
{
  for (guint i = 0; i < self->tree.n_cells; i++)
    g_assert_cmpint (tree_is_leaf (&self->tree, i), ==,
                     self->tree.cells[i].n_points <= TREE_LEAF_POINTS);
}

static void
test_no_box_is_far_from_a_cell_with_its_points (Fixture *self, gconstpointer user_data)
{
  for (guint i = 0; i < self->tree.n_cells; i++)
    {
      const Cell *cell = &self->tree.cells[i];
      Box box = box_around (&self->tree.points[cell->first], (gsize)cell->n_points);
      g_assert_false (cell_is_far (cell, &box));
      g_assert_false (cell_is_far (&self->tree.cells[0], &box));
    }
}

static void
assert_same (const Tree *a, const Tree *b)
{
  g_autoptr (GBytes) bytes_of_a = satin_record_to_bytes (&Tree_record, a);
  g_autoptr (GBytes) bytes_of_b = satin_record_to_bytes (&Tree_record, b);
  g_assert_true (g_bytes_equal (bytes_of_a, bytes_of_b));
}

static void
test_same_points_give_the_same_tree (Fixture *self, gconstpointer user_data)
{
  Tree again = tree_of (self->points, N_POINTS, 0.7);
  assert_same (&again, &self->tree);
  satin_record_clear (&Tree_record, &again);
}

/* ---- division into parts ---- */

/* Splits @run into parts of up to @grain points. Returns: the sum of the parts' points */
static guint
count_parts (const Tree *tree, Run run, guint grain)
{
  Run parts[8];
  guint n_points = tree_run_points (tree, run), n, sum = 0;
  guint next = tree_run_first (tree, run);
  if (n_points <= grain)
    return n_points;
  n = tree_split (tree, run, grain, parts);
  g_assert_cmpuint (n, >, 1);
  g_assert_cmpuint (n, <=, G_N_ELEMENTS (parts));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (tree_run_first (tree, parts[i]), ==, next);
      next += tree_run_points (tree, parts[i]);
      sum += count_parts (tree, parts[i], grain);
    }
  return sum;
}

static void
test_parts_cover_all_points_in_their_order (Fixture *self, gconstpointer user_data)
{
  static const guint grains[] = { TREE_LEAF_POINTS, 32, 500, N_POINTS - 1 };
  for (guint i = 0; i < G_N_ELEMENTS (grains); i++)
    g_assert_cmpuint (count_parts (&self->tree, tree_all (&self->tree), grains[i]), ==, N_POINTS);
}

static void
test_small_neighbours_stay_in_one_part (Fixture *self, gconstpointer user_data)
{
  Run parts[8];
  guint n = tree_split (&self->tree, tree_all (&self->tree), N_POINTS - 1, parts);
  g_assert_cmpuint (n, ==, 2);
}

/* ---- the necessary tree ---- */

static void
test_necessary_tree_has_its_run_in_full (Fixture *self, gconstpointer user_data)
{
  Run parts[8];
  guint n = tree_split (&self->tree, tree_all (&self->tree), 100, parts);
  for (guint i = 0; i < n; i++)
    {
      Tree cut;
      Run run;
      guint n_points = tree_run_points (&self->tree, parts[i]);
      tree_cut (&self->tree, parts[i], &cut, &run);
      assert_cells_nest (&cut);
      g_assert_cmpuint (run.end - run.begin, ==, parts[i].end - parts[i].begin);
      g_assert_cmpmem (
          &cut.points[tree_run_first (&cut, run)], tree_run_points (&cut, run) * sizeof (Point),
          &self->tree.points[tree_run_first (&self->tree, parts[i])], n_points * sizeof (Point));
      satin_record_clear (&Tree_record, &cut);
    }
}

static void
test_necessary_tree_of_few_points_is_small (Fixture *self, gconstpointer user_data)
{
  Tree cut;
  Run run;
  /* The first leaf, which is near the edge of the cluster. */
  guint leaf = 0;
  while (!tree_is_leaf (&self->tree, leaf))
    leaf++;
  tree_cut (&self->tree, (Run){ leaf, leaf + 1 }, &cut, &run);
  g_assert_cmpuint (cut.n_points, <, N_POINTS / 4);
  g_assert_cmpuint (cut.n_cells, <, self->tree.n_cells / 4);
  satin_record_clear (&Tree_record, &cut);
}

static void
test_necessary_tree_of_all_is_all (Fixture *self, gconstpointer user_data)
{
  Tree cut;
  Run run;
  tree_cut (&self->tree, tree_all (&self->tree), &cut, &run);
  assert_same (&cut, &self->tree);
  g_assert_cmpuint (run.begin, ==, 0);
  g_assert_cmpuint (run.end, ==, cut.n_cells);
  satin_record_clear (&Tree_record, &cut);
}

/* ---- special cases ---- */

static void
test_one_point_is_a_leaf (void)
{
  Point point = { 1, { 4, 5, 6 } };
  Tree tree = tree_of (&point, 1, 0.5);
  g_assert_cmpuint (tree.n_cells, ==, 1);
  g_assert_true (tree_is_leaf (&tree, 0));
  satin_record_clear (&Tree_record, &tree);
}

static void
test_points_at_one_place_are_one_leaf (void)
{
  Point points[100], others[101];
  for (guint i = 0; i < 101; i++)
    others[i] = (Point){ 1, { 1, 2, i < 100 ? 3 : 4 } };
  for (guint i = 0; i < 100; i++)
    points[i] = others[i];
  Tree alone = tree_of (points, 100, 0.5), with_another = tree_of (others, 101, 0.5);
  Run parts[8];
  g_assert_cmpuint (alone.n_cells, ==, 1);
  g_assert_cmpuint (tree_split (&alone, tree_all (&alone), 10, parts), ==, 1);
  g_assert_cmpuint (with_another.n_cells, ==, 3);
  g_assert_cmpint (with_another.cells[1].n_points, ==, 100);
  satin_record_clear (&Tree_record, &alone);
  satin_record_clear (&Tree_record, &with_another);
}

/* Neighbouring points differ by 5e-324, the smallest double, or by more, up to 1e9. */
static void
test_extents_of_all_sizes_have_a_tree (void)
{
  static const double extents[] = { 5e-324, 1e-300, 1, 1e9 };
  for (guint i = 0; i < G_N_ELEMENTS (extents); i++)
    {
      Point points[64];
      for (guint k = 0; k < G_N_ELEMENTS (points); k++)
        points[k] = (Point){ 1, { (k - 31.5) * extents[i], k % 2 * extents[i], 0 } };
      Tree tree = tree_of (points, G_N_ELEMENTS (points), 0.5);
      assert_cells_nest (&tree);
      g_assert_cmpuint (tree.n_cells, >, 8);
      satin_record_clear (&Tree_record, &tree);
    }
}

static void
test_tree_without_mass_has_centres_in_it (void)
{
  g_autofree Point *points = cluster_points (100);
  for (guint i = 0; i < 100; i++)
    points[i].mass = 0;
  Tree tree = tree_of (points, 100, 0.5);
  for (guint i = 0; i < tree.n_cells; i++)
    {
      Box box = box_around (&tree.points[tree.cells[i].first], (gsize)tree.cells[i].n_points);
      g_assert_false (cell_is_far (&tree.cells[i], &box));
    }
  satin_record_clear (&Tree_record, &tree);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define TREE_CASE(path, function)                                                                  \
  g_test_add ("/apps/barnes-hut/tree/" path, Fixture, NULL, fixture_init, function, fixture_done)
#define CASE(path, function) g_test_add_func ("/apps/barnes-hut/tree/" path, function)
  TREE_CASE ("every-point-is-there-once", test_every_point_is_there_once);
  TREE_CASE ("cells-nest", test_cells_nest);
  TREE_CASE ("cell-is-the-mass-of-its-points", test_cell_is_the_mass_of_its_points);
  TREE_CASE ("leaves-are-small", test_leaves_are_small);
  TREE_CASE ("no-box-is-far-from-a-cell-with-its-points",
             test_no_box_is_far_from_a_cell_with_its_points);
  TREE_CASE ("same-points-give-the-same-tree", test_same_points_give_the_same_tree);
  TREE_CASE ("parts-cover-all-points-in-their-order", test_parts_cover_all_points_in_their_order);
  TREE_CASE ("small-neighbours-stay-in-one-part", test_small_neighbours_stay_in_one_part);
  TREE_CASE ("necessary-tree-has-its-run-in-full", test_necessary_tree_has_its_run_in_full);
  TREE_CASE ("necessary-tree-of-few-points-is-small", test_necessary_tree_of_few_points_is_small);
  TREE_CASE ("necessary-tree-of-all-is-all", test_necessary_tree_of_all_is_all);
  CASE ("one-point-is-a-leaf", test_one_point_is_a_leaf);
  CASE ("points-at-one-place-are-one-leaf", test_points_at_one_place_are_one_leaf);
  CASE ("extents-of-all-sizes-have-a-tree", test_extents_of_all_sizes_have_a_tree);
  CASE ("tree-without-mass-has-centres-in-it", test_tree_without_mass_has_centres_in_it);
  return g_test_run ();
}
