/* test-leapfrog.c - tests bodies in time: orbits close, time can go back, energy is kept
 *
 * SATIN_TEST_BODIES is the folder with the files of bodies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leapfrog.h"
#include "cluster.h"

#define N_BODIES  500
#define SOFTENING 0.05

/* Computes the forces at the places of the bodies: with a tree, or by sums if @theta is below 0. */
static void
pull (const GArray *bodies, double theta, double softening, Force *ret_forces)
{
  g_autofree Point *points = points_of (bodies);
  guint n = bodies->len;
  if (theta < 0)
    {
      gravity_of_points (points, n, 0, n, softening, ret_forces);
      return;
    }
  g_autofree Force *forces = g_new (Force, n);
  g_autofree guint32 *order = NULL;
  Tree tree;
  tree_build (points, n, theta, &tree, &order);
  gravity_of_run (&tree, tree_all (&tree), softening, forces);
  for (guint i = 0; i < n; i++)
    ret_forces[order[i]] = forces[i];
  satin_record_clear (&Tree_record, &tree);
}

/* Returns: the energy after @n_steps */
static Energy
run (GArray *bodies, guint n_steps, double dt, double theta, double softening)
{
  g_autofree Force *forces = g_new (Force, bodies->len);
  g_autoptr (GError) error = NULL;
  pull (bodies, theta, softening, forces);
  for (guint i = 0; i < n_steps; i++)
    {
      leapfrog_kick (bodies, forces, dt / 2);
      leapfrog_drift (bodies, dt, &error);
      g_assert_no_error (error);
      pull (bodies, theta, softening, forces);
      leapfrog_kick (bodies, forces, dt / 2);
    }
  return leapfrog_energy (bodies, forces);
}

/* Returns: (transfer full): two bodies of mass 1/2 at a distance of 1, with a period of 2 pi */
static GArray *
circle (void)
{
  static const Body both[] = { { 0.5, { 0.5, 0, 0 }, { 0, 0.5, 0 } },
                               { 0.5, { -0.5, 0, 0 }, { 0, -0.5, 0 } } };
  GArray *bodies = g_array_new (FALSE, FALSE, sizeof (Body));
  return g_array_append_vals (bodies, both, 2);
}

static void
test_circle_closes (void)
{
  g_autoptr (GArray) bodies = circle ();
  run (bodies, 1000, 2 * G_PI / 1000, -1, 0);
  Vector at = g_array_index (bodies, Body, 0).at;
  g_assert_cmpfloat_with_epsilon (at.x, 0.5, 1e-4);
  g_assert_cmpfloat_with_epsilon (at.y, 0, 1e-4);
}

/* This orbit of three bodies is published. Any error in a force or a step would leave it open. */
static void
test_figure_of_eight_closes (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SATIN_TEST_BODIES"), "figure-eight.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) first = bodies_read (path, &error);
  g_assert_no_error (error);
  g_autoptr (GArray) bodies = bodies_read (path, &error);
  Energy energy = run (bodies, 1000, 6.32591398 / 1000, -1, 0);
  g_assert_cmpfloat_with_epsilon (energy_total (energy), -1.287142, 1e-6);
  for (guint i = 0; i < 3; i++)
    {
      Vector off =
          vector_subtract (g_array_index (bodies, Body, i).at, g_array_index (first, Body, i).at);
      g_assert_cmpfloat (vector_length (off), <, 1e-3);
    }
}

static void
test_error_falls_with_the_square_of_the_step (void)
{
  double errors[2];
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GArray) bodies = circle ();
      guint n_steps = 100 << i;
      run (bodies, n_steps, 2 * G_PI / n_steps, -1, 0);
      errors[i] = fabs (g_array_index (bodies, Body, 0).at.y);
    }
  g_assert_cmpfloat_with_epsilon (errors[0] / errors[1], 4, 0.1);
}

static void
test_energy_is_that_of_the_orbit (void)
{
  g_autoptr (GArray) bodies = circle ();
  Energy energy = run (bodies, 0, 0, -1, 0);
  g_assert_cmpfloat (energy.kinetic, ==, 0.125);
  g_assert_cmpfloat (energy.potential, ==, -0.25);
}

static void
test_time_can_be_turned_back (void)
{
  guint64 seed = (guint64)g_test_rand_int ();
  g_autoptr (GArray) bodies = plummer_make (N_BODIES, seed);
  g_autoptr (GArray) first = plummer_make (N_BODIES, seed);
  run (bodies, 20, 0.01, -1, SOFTENING);
  run (bodies, 20, -0.01, -1, SOFTENING);
  for (guint i = 0; i < N_BODIES; i++)
    {
      Vector off =
          vector_subtract (g_array_index (bodies, Body, i).at, g_array_index (first, Body, i).at);
      g_assert_cmpfloat (vector_length (off), <, 1e-9);
    }
}

static void
test_energy_stays_over_100_steps (void)
{
  guint64 seed = (guint64)g_test_rand_int ();
  g_autoptr (GArray) bodies = plummer_make (N_BODIES, seed);
  Energy before = run (bodies, 0, 0, 0.5, SOFTENING);
  Energy after = run (bodies, 100, 0.01, 0.5, SOFTENING);
  double drift = energy_drift (before, after);
  g_test_message ("drift %g", drift);
  g_assert_cmpfloat (fabs (drift), <, 2e-3);
}

static void
test_drift_is_a_share_of_the_energy_at_first (void)
{
  Energy first = { 1, -5 }, now = { 2, -5 }, none = { 1, -1 };
  g_assert_cmpfloat (energy_drift (first, now), ==, 0.25);
  g_assert_cmpfloat (energy_drift (now, first), ==, -1.0 / 3);
  g_assert_cmpfloat (energy_drift (first, first), ==, 0);
  g_assert_cmpfloat (energy_drift (none, now), ==, -3);
}

/* Checks that a body out of bounds is an error which contains the body's number. */
static void
assert_refused (Body body)
{
  g_autoptr (GArray) bodies = circle ();
  g_autoptr (GError) error = NULL;
  g_array_append_val (bodies, body);
  g_assert_false (leapfrog_drift (bodies, 1, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==,
                   "body 3 is further away or faster than 1e+09: use a smaller --dt or more "
                   "--softening");
}

static void
test_body_beyond_all_bounds_is_told (void)
{
  assert_refused ((Body){ 1, { 1e9, 0, 0 }, { 1000, 0, 0 } });
  assert_refused ((Body){ 1, { 0, -1e9, 0 }, { 0, -INFINITY, 0 } });
  assert_refused ((Body){ 1, { 0, 0, 0 }, { 0, 0, NAN } });
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/barnes-hut/leapfrog/" path, function)
  CASE ("circle-closes", test_circle_closes);
  CASE ("figure-of-eight-closes", test_figure_of_eight_closes);
  CASE ("error-falls-with-the-square-of-the-step", test_error_falls_with_the_square_of_the_step);
  CASE ("energy-is-that-of-the-orbit", test_energy_is_that_of_the_orbit);
  CASE ("time-can-be-turned-back", test_time_can_be_turned_back);
  CASE ("energy-stays-over-100-steps", test_energy_stays_over_100_steps);
  CASE ("drift-is-a-share-of-the-energy-at-first", test_drift_is_a_share_of_the_energy_at_first);
  CASE ("body-beyond-all-bounds-is-told", test_body_beyond_all_bounds_is_told);
  return g_test_run ();
}
