/* test-plummer.c - tests the star cluster: its units, its shape, and that it is at rest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cluster.h"
#include "leapfrog.h"

#include <stdlib.h>

#define N_BODIES    4000
#define CORE_RADIUS (3 * G_PI / 16)

static void
test_same_seed_gives_the_same_cluster (void)
{
  guint64 seed = (guint64)g_test_rand_int ();
  g_autoptr (GArray) one = plummer_make (100, seed);
  g_autoptr (GArray) two = plummer_make (100, seed);
  g_assert_cmpmem (one->data, 100 * sizeof (Body), two->data, 100 * sizeof (Body));
}

static void
test_other_seed_gives_another (void)
{
  guint64 seed = (guint64)g_test_rand_int ();
  g_autoptr (GArray) one = plummer_make (100, seed);
  g_autoptr (GArray) two = plummer_make (100, seed + 1);
  for (guint i = 0; i < 100; i++)
    for (guint k = 0; k < 100; k++)
      g_assert_cmpfloat (g_array_index (one, Body, i).at.x, !=, g_array_index (two, Body, k).at.x);
}

/* The digest is known, so every machine must make the same bodies. */
static void
test_cluster_is_the_same_everywhere (void)
{
  g_autoptr (GArray) bodies = plummer_make (1000, 1);
  g_autofree char *digest = bodies_digest (bodies);
  g_assert_cmpstr (digest, ==, "aa86c4a3234a276a");
}

static void
test_centre_of_mass_rests_at_the_origin (void)
{
  g_autoptr (GArray) bodies = plummer_make (N_BODIES, (guint64)g_test_rand_int ());
  Vector at = { 0 }, velocity = { 0 };
  double mass = 0;
  for (guint i = 0; i < N_BODIES; i++)
    {
      const Body *body = &g_array_index (bodies, Body, i);
      at = vector_add_scaled (at, body->at, body->mass);
      velocity = vector_add_scaled (velocity, body->velocity, body->mass);
      mass += body->mass;
    }
  g_assert_cmpfloat_with_epsilon (mass, 1, 1e-12);
  g_assert_cmpfloat (vector_length (at), <, 1e-12);
  g_assert_cmpfloat (vector_length (velocity), <, 1e-12);
}

static void
test_cluster_is_in_equilibrium_with_energy_of_a_quarter (void)
{
  g_autoptr (GArray) bodies = plummer_make (N_BODIES, (guint64)g_test_rand_int ());
  g_autofree Point *points = points_of (bodies);
  g_autofree Force *forces = g_new (Force, N_BODIES);
  gravity_of_points (points, N_BODIES, 0, N_BODIES, 0, forces);
  Energy energy = leapfrog_energy (bodies, forces);
  g_assert_cmpfloat_with_epsilon (energy.kinetic, 0.25, 0.03);
  g_assert_cmpfloat_with_epsilon (energy.potential, -0.5, 0.04);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* In Plummer's model, a share s of the mass is within 1 / sqrt (s^(-2/3) - 1) core radii. */
static void
test_mass_is_spread_as_plummer_says (void)
{
  g_autoptr (GArray) bodies = plummer_make (N_BODIES, (guint64)g_test_rand_int ());
  g_autofree double *distances = g_new (double, N_BODIES);
  for (guint i = 0; i < N_BODIES; i++)
    distances[i] = vector_length (g_array_index (bodies, Body, i).at);
  qsort (distances, N_BODIES, sizeof (double), compare);
  g_assert_cmpfloat (distances[N_BODIES - 1], <, 1.1 * PLUMMER_CUT * CORE_RADIUS);
  for (guint tenth = 1; tenth < 10; tenth++)
    {
      double expected = CORE_RADIUS / sqrt (pow (tenth / 10.0, -2.0 / 3) - 1);
      g_assert_cmpfloat_with_epsilon (distances[N_BODIES * tenth / 10], expected, expected / 8);
    }
}

static void
test_one_body_rests (void)
{
  g_autoptr (GArray) bodies = plummer_make (1, (guint64)g_test_rand_int ());
  const Body *body = &g_array_index (bodies, Body, 0);
  g_assert_cmpfloat (body->mass, ==, 1);
  g_assert_cmpfloat (vector_length (body->at), ==, 0);
  g_assert_cmpfloat (vector_length (body->velocity), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/barnes-hut/plummer/" path, function)
  CASE ("same-seed-gives-the-same-cluster", test_same_seed_gives_the_same_cluster);
  CASE ("other-seed-gives-another", test_other_seed_gives_another);
  CASE ("cluster-is-the-same-everywhere", test_cluster_is_the_same_everywhere);
  CASE ("centre-of-mass-rests-at-the-origin", test_centre_of_mass_rests_at_the_origin);
  CASE ("cluster-is-in-equilibrium-with-energy-of-a-quarter",
        test_cluster_is_in_equilibrium_with_energy_of_a_quarter);
  CASE ("mass-is-spread-as-plummer-says", test_mass_is_spread_as_plummer_says);
  CASE ("one-body-rests", test_one_body_rests);
  return g_test_run ();
}
