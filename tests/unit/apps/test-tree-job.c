/* test-tree-job.c - jobs of tree refuse shares, shapes and pieces that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include <math.h>

#include "tree/tree.c"
#undef main

static void
test_wrong_halves_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  gint64 n;
  g_assert_true (satin_run (workers, &n, tree, NULL, 100, 1, 10, 60, PACE_NONE));
  g_assert_cmpint (n, >=, 10);
  g_assert_true (satin_run (workers, &n, best_leaf, NULL, 100, 1, 10, 60, VALUE_MAX, PACE_NONE));

  /* Such a job would sleep for centuries. */
  ASSERT_REFUSED (workers, "work", &n, tree, G_MININT64, 1, 10, 60, PACE_SLEEP);
  ASSERT_REFUSED (workers, "work", &n, tree, 0, 1, 10, 60, PACE_NONE);
  /* With such a grain, a job would spawn the same job again. */
  ASSERT_REFUSED (workers, "grain", &n, tree, 100, 1, 0, 60, PACE_NONE);
  /* With such a skew, each level of the tree could have only one leaf. */
  ASSERT_REFUSED (workers, "skew", &n, tree, G_MAXINT64, 1, 10, 100, PACE_NONE);
  ASSERT_REFUSED (workers, "skew", &n, tree, 100, 1, 10, -1, PACE_NONE);
  ASSERT_REFUSED (workers, "grain", &n, best_leaf, 100, 1, 0, 60, VALUE_MAX, PACE_NONE);
  ASSERT_REFUSED (workers, "skew", &n, best_leaf, 100, 1, 10, 100, VALUE_MAX, PACE_NONE);
}

static void
test_wrong_shared_halves_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const satin_maximum_packed packed = { 0 };
  g_autoptr (GError) error = NULL;
  gint64 n;
  SatinObject best = satin_objects_create (satin_objects_of (workers), &satin_maximum_type, "best",
                                           &packed, &error);
  g_assert_no_error (error);
  g_assert_true (
      satin_run (workers, &n, shared_leaf, NULL, best, 0, 100, 1, 10, 60, VALUE_MAX, PACE_NONE));
  ASSERT_REFUSED (workers, "not here", &n, shared_leaf, 0, 0, 100, 1, 10, 60, VALUE_MAX, PACE_NONE);
  ASSERT_REFUSED (workers, "not here", &n, shared_leaf, best + 1, 0, 100, 1, 10, 60, VALUE_MAX,
                  PACE_NONE);
  ASSERT_REFUSED (workers, "grain", &n, shared_leaf, best, 0, 100, 1, -1, 60, VALUE_MAX, PACE_NONE);
}

/* Calls the guard of a job whose object is missing, as the loop does. */
static void
test_guard_bears_a_missing_object (void)
{
  const shared_leaf_args args = { .best = 0, .known = 3, .work_ns = 10, .grain_ns = 10 };
  g_assert_true (shared_leaf_task.guard (NULL, &args));
}

/* Runs a job for a piece of a shape. It must fail with an error that says @reason. */
static void
assert_refused (SatinWorkers *workers, const char *reason, gint32 shape, gint32 size, Piece piece,
                double weight_ns)
{
  gint64 n;
  ASSERT_REFUSED (workers, reason, &n, shape_tree, shape, size, 1, piece.level, piece.x, piece.y,
                  piece.number, piece.slack, weight_ns, PACE_SLEEP);
}

static void
test_wrong_shapes_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  for (gint32 i = 0; i < SHAPE_N; i++)
    {
      const Tree small = { shapes[i], shapes[i]->min, 1 };
      Piece root = { 0 };
      gint64 n;
      small.shape->begin (&small, &root);
      g_assert_true (satin_run (workers, &n, shape_tree, NULL, i, small.size, 1, root.level, root.x,
                                root.y, root.number, root.slack, 0, PACE_NONE));
      g_assert_cmpint (n, ==, shape_sum (&small).n_leaves);

      assert_refused (workers, "size", i, small.shape->min - 1, root, 0);
      assert_refused (workers, "size", i, small.shape->max + 1, root, 0);
      root.level = -1;
      assert_refused (workers, "piece", i, small.size, root, 0);
      root.level = G_MAXINT32;
      assert_refused (workers, "piece", i, small.size, root, 0);
    }
  assert_refused (workers, "shape", -1, 10, (Piece){ 0 }, 0);
  assert_refused (workers, "shape", SHAPE_N, 10, (Piece){ 0 }, 0);
}

static void
test_wrong_pieces_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const gint32 raytracer = shape_get_number (&raytracer_shape), tsp = shape_get_number (&tsp_shape);
  const gint32 knapsack = shape_get_number (&knapsack_shape);
  assert_refused (workers, "piece", raytracer, 3, (Piece){ .level = 3, .x = 8 }, 0);
  assert_refused (workers, "piece", raytracer, 3, (Piece){ .level = 3, .y = -1 }, 0);
  assert_refused (workers, "piece", tsp, 8, (Piece){ .slack = 2 }, 0);
  assert_refused (workers, "piece", tsp, 8, (Piece){ .slack = NAN }, 0);
  assert_refused (workers, "piece", knapsack, 8, (Piece){ .x = -1, .slack = 1 }, 0);
  assert_refused (workers, "piece", knapsack, 8, (Piece){ .x = 401, .slack = 1 }, 0);
  /* With such a limit, a job would walk over all choices of 40 items. */
  assert_refused (workers, "piece", knapsack, 40, (Piece){ .x = 400, .slack = 1 }, 0);
  assert_refused (workers, "piece", knapsack, 40, (Piece){ .x = 400, .slack = NAN }, 0);
}

static void
test_wrong_times_are_refused (void)
{
  static const double wrong[] = { -1e30, 1e30, NAN, INFINITY };
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const gint32 raytracer = shape_get_number (&raytracer_shape);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    assert_refused (workers, "that long", raytracer, 3, (Piece){ .level = 3 }, wrong[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-tree-job/" path, function)
  CASE ("wrong-halves-are-refused", test_wrong_halves_are_refused);
  CASE ("wrong-shared-halves-are-refused", test_wrong_shared_halves_are_refused);
  CASE ("guard-bears-a-missing-object", test_guard_bears_a_missing_object);
  CASE ("wrong-shapes-are-refused", test_wrong_shapes_are_refused);
  CASE ("wrong-pieces-are-refused", test_wrong_pieces_are_refused);
  CASE ("wrong-times-are-refused", test_wrong_times_are_refused);
  return g_test_run ();
}
