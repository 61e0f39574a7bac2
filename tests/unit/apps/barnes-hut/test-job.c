/* test-job.c - jobs of barnes-hut refuse trees, runs and points that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include "barnes-hut/barnes-hut.c"
#undef main

#include "cluster.h"

#define N_POINTS 300
#define GRAIN    40

/* A random cluster, its tree, and a worker. */
typedef struct
{
  SatinWorkers *workers;
  Point *points;
  Tree tree;
} Fixture;

static void
fixture_init (Fixture *self, gconstpointer user_data)
{
  self->workers = make_one_worker ();
  self->points = cluster_points (N_POINTS);
  self->tree = tree_of (self->points, N_POINTS, 0.7);
}

static void
fixture_done (Fixture *self, gconstpointer user_data)
{
  satin_workers_free (self->workers);
  g_free (self->points);
  satin_record_clear (&Tree_record, &self->tree);
}

/* Runs a job for all cells of @tree, which is the tree of the fixture with something wrong. */
static void
assert_tree_refused (Fixture *self, const Tree *tree)
{
  Forces forces = { 0 };
  ASSERT_REFUSED (self->workers, "no tree", &forces, tree_forces, *tree, 0, (gint32)tree->n_cells,
                  0.1, GRAIN, 0);
}

static void
test_right_tree_is_accepted (Fixture *self, gconstpointer user_data)
{
  Forces forces = { 0 };
  g_assert_true (satin_run (self->workers, &forces, tree_forces, NULL, self->tree, 0,
                            (gint32)self->tree.n_cells, 0.1, GRAIN, 0));
  g_assert_cmpuint (forces.n_values, ==, N_POINTS);
  satin_record_clear (&Forces_record, &forces);
}

/* Changes every seventh cell, in each field that is an index or a count. */
static void
test_wrong_cells_are_refused (Fixture *self, gconstpointer user_data)
{
  Cell *cells = (Cell *)self->tree.cells;
  static const gint32 wrong[] = { G_MININT32, -1, 1, G_MAXINT32 };
  for (gsize i = 0; i < self->tree.n_cells; i += 7)
    for (guint k = 0; k < G_N_ELEMENTS (wrong); k++)
      {
        const Cell right = cells[i];
        cells[i].first = (gint32)((guint32)right.first + (guint32)wrong[k]);
        assert_tree_refused (self, &self->tree);
        cells[i] = right;
        cells[i].n_points = right.n_points == wrong[k] ? 0 : wrong[k];
        assert_tree_refused (self, &self->tree);
        cells[i] = right;
        cells[i].next = (gint32)((guint32)i + (wrong[k] == 1 ? 0 : (guint32)wrong[k]));
        assert_tree_refused (self, &self->tree);
        cells[i] = right;
      }
}

static void
test_wrong_sizes_are_refused (Fixture *self, gconstpointer user_data)
{
  Tree few_points = self->tree, few_cells = self->tree;
  few_points.n_points--;
  assert_tree_refused (self, &few_points);
  few_cells.n_cells--;
  assert_tree_refused (self, &few_cells);
}

/* A walk over such a tree would overflow the stack. */
static void
test_deep_tree_is_refused (Fixture *self, gconstpointer user_data)
{
  Cell cells[TREE_MAX_DEPTH + 1];
  const Tree deep = { cells, G_N_ELEMENTS (cells), self->points, 1 };
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = (Cell){ .next = G_N_ELEMENTS (cells), .n_points = 1 };
  assert_tree_refused (self, &deep);
}

/* A job has room for eight parts. */
static void
test_wide_trees_are_refused (Fixture *self, gconstpointer user_data)
{
  Cell cells[TREE_MAX_CHILDREN + 2];
  const guint n = G_N_ELEMENTS (cells);
  const Tree below = { cells, n, self->points, n - 1 };
  const Tree beside = { cells + 1, n - 1, self->points, n - 1 };
  Forces forces = { 0 };
  cells[0] = (Cell){ .next = (gint32)n, .n_points = (gint32)n - 1 };
  for (guint i = 1; i < n; i++)
    cells[i] = (Cell){ .next = (gint32)i + 1, .first = (gint32)i - 1, .n_points = 1 };
  ASSERT_REFUSED (self->workers, "no tree", &forces, tree_forces, below, 0, (gint32)n, 0.1, 0, 0);
  for (guint i = 1; i < n; i++)
    cells[i].next--;
  ASSERT_REFUSED (self->workers, "no tree", &forces, tree_forces, beside, 0, (gint32)n - 1, 0.1, 0,
                  0);
}

static void
test_wrong_runs_are_refused (Fixture *self, gconstpointer user_data)
{
  const Tree *tree = &self->tree;
  gint32 n = (gint32)tree->n_cells;
  Forces forces = { 0 };
  ASSERT_REFUSED (self->workers, "no such cells", &forces, tree_forces, *tree, -1, n, 0.1, 1, 0);
  ASSERT_REFUSED (self->workers, "no such cells", &forces, tree_forces, *tree, n, n, 0.1, 1, 0);
  ASSERT_REFUSED (self->workers, "no such cells", &forces, tree_forces, *tree, 0, n + 1, 0.1, 1, 0);
  ASSERT_REFUSED (self->workers, "side by side", &forces, tree_forces, *tree, 0, n - 1, 0.1, 1, 0);
  /* A far cell has no points. */
  Cell cell = { .next = 1 };
  const Tree far = { &cell, 1, NULL, 0 };
  ASSERT_REFUSED (self->workers, "no points", &forces, tree_forces, far, 0, 1, 0.1, 1, 0);
}

static void
test_wrong_shared_runs_are_refused (Fixture *self, gconstpointer user_data)
{
  g_autofree double *values = sky_values (self->points, N_POINTS);
  const sky_packed packed = { 0.7, values, N_POINTS * SKY_VALUES_PER_POINT };
  g_autoptr (GError) error = NULL;
  Forces forces = { 0 };
  gint32 n = (gint32)self->tree.n_cells;
  SatinObject places =
      satin_objects_create (satin_objects_of (self->workers), &sky_type, "sky", &packed, &error);
  g_assert_no_error (error);
  g_assert_true (
      satin_run (self->workers, &forces, shared_forces, NULL, places, 0, n, 0.1, GRAIN, 0));
  satin_record_clear (&Forces_record, &forces);
  ASSERT_REFUSED (self->workers, "no such cells", &forces, shared_forces, places, 0, n + 1, 0.1, 1,
                  0);
  ASSERT_REFUSED (self->workers, "side by side", &forces, shared_forces, places, 0, n - 1, 0.1, 1,
                  0);
}

static void
test_wrong_points_are_refused (Fixture *self, gconstpointer user_data)
{
  const Point *points = self->points;
  Forces forces = { 0 };
  g_assert_true (
      satin_run (self->workers, &forces, direct_forces, NULL, points, 9, 0, 9, 0.1, 2, 0));
  g_assert_cmpuint (forces.n_values, ==, 9);
  satin_record_clear (&Forces_record, &forces);
#define DIRECT_REFUSED(REASON, ...)                                                                \
  ASSERT_REFUSED (self->workers, REASON, &forces, direct_forces, points, 9, __VA_ARGS__, 0)
  DIRECT_REFUSED ("number of points", 0, 10, 0.1, 2);
  DIRECT_REFUSED ("number of points", 0, -1, 0.1, 2);
  DIRECT_REFUSED ("first point", -1, 9, 0.1, 2);
  DIRECT_REFUSED ("first point", 1, 9, 0.1, 2);
  DIRECT_REFUSED ("first point", G_MAXINT32, 1, 0.1, 2);
  /* With such a grain, a job would spawn the same job again. */
  DIRECT_REFUSED ("grain", 0, 9, 0.1, 0);
}

/* A damaged node may have made the object with the positions. */
static void
test_order_of_other_bodies_is_refused (Fixture *self, gconstpointer user_data)
{
  guint32 order[] = { 0, 1 };
  const sky_state sky = { .n_points = G_N_ELEMENTS (order), .order = order };
  g_auto (World) world = { .bodies = plummer_make (3, 1) };
  static const Force values[3];
  const Forces forces = { values, 3 };
  g_autoptr (GError) error = NULL;
  world_take_order (&world, &sky);
  g_assert_false (world_pull (&world, 1, &forces, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function)                                                                       \
  g_test_add ("/app-barnes-hut-job/" path, Fixture, NULL, fixture_init, function, fixture_done)
  CASE ("right-tree-is-accepted", test_right_tree_is_accepted);
  CASE ("wrong-cells-are-refused", test_wrong_cells_are_refused);
  CASE ("wrong-sizes-are-refused", test_wrong_sizes_are_refused);
  CASE ("deep-tree-is-refused", test_deep_tree_is_refused);
  CASE ("wide-trees-are-refused", test_wide_trees_are_refused);
  CASE ("wrong-runs-are-refused", test_wrong_runs_are_refused);
  CASE ("wrong-shared-runs-are-refused", test_wrong_shared_runs_are_refused);
  CASE ("wrong-points-are-refused", test_wrong_points_are_refused);
  CASE ("order-of-other-bodies-is-refused", test_order_of_other_bodies_is_refused);
  return g_test_run ();
}
