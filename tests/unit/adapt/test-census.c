/* test-census.c - tests the computation of efficiency and badness, on tables
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt.h>

#define CLOSE 1e-9

static const SatinCensusCluster clusters[] = { { .name = "a" }, { .name = "b" }, { .name = "c" } };

static SatinCensus
census (const SatinCensusNode *nodes, guint n_nodes)
{
  return (SatinCensus){
    .n_nodes = n_nodes, .nodes = nodes, .n_clusters = G_N_ELEMENTS (clusters), .clusters = clusters
  };
}

#define CENSUS(NODES) census (NODES, G_N_ELEMENTS (NODES))

static void
test_efficiency (void)
{
  static const struct
  {
    gdouble speeds[2];
    gdouble overheads[2];
    gdouble expected;
  } rows[] = {
    { { 1, 1 }, { 0, 0 }, 1 },          { { 1, 1 }, { 0.5, 0.5 }, 0.5 },
    { { 1, 0.5 }, { 0, 0 }, 0.75 },     { { 1, 0.1 }, { 0.2, 0.5 }, 0.425 },
    { { 1, 0 }, { 0.25, 0.25 }, 0.75 }, { { 0, 0 }, { 0.5, 0 }, 0.75 },
    { { 1, 1 }, { 1, 1 }, 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const SatinCensusNode nodes[] = {
        { .id = 1, .speed = rows[i].speeds[0], .overhead = rows[i].overheads[0] },
        { .id = 2, .speed = rows[i].speeds[1], .overhead = rows[i].overheads[1] },
      };
      SatinCensus table = CENSUS (nodes);
      g_assert_cmpfloat_with_epsilon (satin_census_efficiency (&table), rows[i].expected, CLOSE);
      g_assert_cmpfloat_with_epsilon (satin_census_rate (&table), 2 * rows[i].expected, CLOSE);
    }
}

static void
test_unknown_speed (void)
{
  const SatinCensusNode nodes[] = { { .id = 1, .speed = 1 },
                                    { .id = 2, .speed = 0.5 },
                                    { .id = 3 } };
  SatinCensus table = CENSUS (nodes);
  g_assert_cmpfloat_with_epsilon (satin_census_speed (&table, &nodes[2]), 0.75, CLOSE);
}

static void
test_who_counts (void)
{
  const SatinCensusNode nodes[] = {
    { .id = 1, .speed = 1, .overhead = 0.5 },
    { .id = 2, .speed = 1, .is_new = TRUE },
    { .id = 3, .speed = 1, .is_leaving = TRUE },
  };
  SatinCensus table = CENSUS (nodes), empty = census (nodes, 0);
  g_assert_cmpuint (satin_census_count (&table), ==, 1);
  g_assert_cmpfloat_with_epsilon (satin_census_efficiency (&table), 0.5, CLOSE);
  g_assert_cmpfloat_with_epsilon (satin_census_efficiency (&empty), 0, CLOSE);
}

static void
test_cluster (void)
{
  const SatinCensusNode nodes[] = {
    { .id = 1, .cluster = 1, .speed = 1, .far_overhead = 0.2, .is_kept = TRUE },
    { .id = 2, .cluster = 1, .speed = 0.5, .far_overhead = 0.4 },
    { .id = 3, .cluster = 1, .speed = 0.5, .far_overhead = 1, .is_new = TRUE, .is_kept = TRUE },
    { .id = 4, .cluster = 0, .speed = 1 },
  };
  SatinCensus table = CENSUS (nodes);
  SatinClusterFigures figures;
  satin_census_cluster (&table, 1, &figures);
  g_assert_cmpuint (figures.n_nodes, ==, 2);
  g_assert_cmpuint (figures.n_kept, ==, 2);
  g_assert_cmpfloat_with_epsilon (figures.speed, 1.5, CLOSE);
  g_assert_cmpfloat_with_epsilon (figures.far_overhead, 0.3, CLOSE);
  g_assert_cmpuint (satin_census_count_clusters (&table), ==, 2);
}

static void
test_worst_cluster (void)
{
  const SatinBadnessWeights weights = SATIN_BADNESS_WEIGHTS;
  SatinCensusNode nodes[] = {
    { .id = 1, .cluster = 0, .speed = 1 },
    { .id = 2, .cluster = 0, .speed = 1 },
    { .id = 3, .cluster = 2, .speed = 1 },
  };
  SatinCensus table = CENSUS (nodes);
  g_assert_cmpuint (satin_census_worst_cluster (&table, &weights), ==, 2);
  nodes[0].far_overhead = nodes[1].far_overhead = 0.1;
  g_assert_cmpuint (satin_census_worst_cluster (&table, &weights), ==, 0);
  g_assert_cmpuint (satin_census_worst_removable (&table, &weights, -1), ==, 0);
  nodes[2].speed = 0.01;
  g_assert_cmpuint (satin_census_worst_removable (&table, &weights, -1), ==, 2);
  g_assert_cmpuint (satin_census_worst_removable (&table, &weights, 0.05), ==, 0);
  nodes[2].speed = 1;
  nodes[1].is_kept = TRUE;
  g_assert_cmpuint (satin_census_worst_cluster (&table, &weights), ==, 0);
  g_assert_cmpuint (satin_census_worst_removable (&table, &weights, -1), ==, 2);
  nodes[2].is_kept = TRUE;
  g_assert_cmpuint (satin_census_worst_removable (&table, &weights, -1), ==, SATIN_ANY_CLUSTER);
  nodes[2].cluster = 0;
  g_assert_cmpuint (satin_census_worst_cluster (&table, &weights), ==, SATIN_ANY_CLUSTER);
}

static void
test_rank (void)
{
  const SatinBadnessWeights weights = SATIN_BADNESS_WEIGHTS;
  const SatinCensusNode nodes[] = {
    { .id = 1, .cluster = 0, .speed = 0.01, .is_kept = TRUE },
    { .id = 2, .cluster = 0, .speed = 1 },
    { .id = 3, .cluster = 0, .speed = 0.05 },
    { .id = 4, .cluster = 1, .speed = 1, .far_overhead = 0.2 },
    { .id = 5, .cluster = 1, .speed = 1, .far_overhead = 0.2 },
    { .id = 6, .cluster = 0, .speed = 1 },
    { .id = 7, .cluster = 1, .speed = 0.1, .is_new = TRUE },
  };
  SatinCensus table = CENSUS (nodes);
  guint places[G_N_ELEMENTS (nodes)];
  g_assert_cmpuint (satin_census_rank (&table, &weights, places), ==, 5);
  /* Nodes 5 and 4 have a badness of 1 + 20 + 10, node 3 has 20, nodes 6 and 2 have 1. Among equals,
   * the node that joined last comes first. */
  static const guint expected[] = { 4, 3, 2, 5, 1 };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (places[i], ==, expected[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/census/slow-nodes-count-like-idle-ones", test_efficiency);
  g_test_add_func ("/adapt/census/an-unknown-speed-is-the-mean", test_unknown_speed);
  g_test_add_func ("/adapt/census/who-joins-or-leaves-does-not-count", test_who_counts);
  g_test_add_func ("/adapt/census/a-cluster-is-the-sum-of-its-nodes", test_cluster);
  g_test_add_func ("/adapt/census/the-worst-cluster-is-slow-or-badly-connected",
                   test_worst_cluster);
  g_test_add_func ("/adapt/census/the-worst-nodes-come-first-and-kept-ones-never", test_rank);
  return g_test_run ();
}
