/* test-maxclique-job.c - jobs of maxclique refuse objects, places and numbers that only a damaged
 * node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "maxclique/maxclique.c"
#undef main

#define N_VERTICES 70

static SatinObject
create (SatinWorkers *workers, const char *name, const Graph *graph)
{
  const input_packed packed = { *graph };
  g_autoptr (GError) error = NULL;
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &input_type, name, &packed, &error);
  g_assert_no_error (error);
  return object;
}

/* Runs a job at @place in @graph. It must fail with an error whose message contains @reason. */
static void
assert_refused (SatinObject graph, SatinWorkers *workers, const char *reason, Plan plan,
                const Place *place, gsize n_candidates, int limit)
{
  Found found = { 0 };
  ASSERT_REFUSED (workers, reason, &found, find_clique, graph, 0, plan, place->clique,
                  place->n_clique, place->candidates, n_candidates, limit);
}

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const gint32 clique[] = { 1 }, apart[] = { 0, 2 }, outside[] = { G_MAXINT32 };
  static const gint64 candidates[] = { 5, 0 }, same[] = { 2, 0 }, behind[] = { 0, 64 };
  const Place right = { clique, 1, candidates };
  const Plan plan = { .grain = 10 };
  Graph graph, half;
  Found found = { 0 };
  graph_init (&graph, N_VERTICES);
  graph_add_edge (&graph, 0, 1);
  graph_add_edge (&graph, 1, 2);
  SatinObject object = create (workers, "graph", &graph);
  g_assert_true (
      satin_run (workers, &found, find_clique, NULL, object, 0, plan, clique, 1, candidates, 2, 1));
  g_assert_cmpuint (found.n_clique, ==, 2);
  satin_record_clear (&Found_record, &found);

  assert_refused (0, workers, "object", plan, &right, 2, 1);
  assert_refused (object, workers, "grain", (Plan){ 0 }, &right, 2, 1);
  assert_refused (object, workers, "time of a node", (Plan){ 1, -1 }, &right, 2, 1);
  assert_refused (object, workers, "limit", plan, &right, 2, N_VERTICES + 1);
  assert_refused (object, workers, "limit", plan, &right, 2, -1);
  assert_refused (object, workers, "sizes", plan, &right, 1, 1);
  assert_refused (object, workers, "not a clique", plan, &(Place){ apart, 2, candidates }, 2, 1);
  assert_refused (object, workers, "not a clique", plan, &(Place){ outside, 1, candidates }, 2, 1);
  assert_refused (object, workers, "candidate", plan, &(Place){ clique, 1, same }, 2, 1);
  assert_refused (object, workers, "candidate", plan, &(Place){ clique, 1, behind }, 2, 1);
  half = graph;
  half.n_rows /= 2;
  assert_refused (create (workers, "half", &half), workers, "sizes", plan, &right, 2, 1);
  half.n_vertices = G_MAXINT32;
  assert_refused (create (workers, "large", &half), workers, "vertices", plan, &right, 2, 1);
  satin_record_clear (&Graph_record, &graph);
}

/* Each vertex is its own neighbour, and the search must still end. */
static void
test_search_ends_in_a_graph_with_loops (void)
{
  Graph graph;
  graph_init (&graph, N_VERTICES);
  memset ((gint64 *)graph.rows, 0xff, graph.n_rows * sizeof *graph.rows);
  g_autoptr (Search) search = search_new (&graph, NULL, 0);
  g_assert_true (search_run (search, 1000000));
  g_assert_cmpint (search_get_size (search), ==, N_VERTICES);
  satin_record_clear (&Graph_record, &graph);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-maxclique-job/wrong-arguments-are-refused",
                   test_wrong_arguments_are_refused);
  g_test_add_func ("/app-maxclique-job/search-ends-with-loops",
                   test_search_ends_in_a_graph_with_loops);
  return g_test_run ();
}
