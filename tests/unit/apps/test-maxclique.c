/* test-maxclique.c - tests graphs, their files and kinds, and the search for the largest clique
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "dimacs.h"
#include "generate.h"
#include "search.h"

#define FILE_NAME "graph.clq"

static void
graph_clear (Graph *graph)
{
  satin_record_clear (&Graph_record, graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Graph, graph_clear)

/* ---- files ---- */

static void
test_file_has_its_edges (void)
{
  static const char text[] = "c a path\np edge 70 2\ne 1 2\nc more\ne 70 2\ne 2 1\n";
  g_auto (Graph) graph = { 0 };
  g_assert_true (dimacs_read (FILE_NAME, text, strlen (text), &graph, NULL));
  g_assert_cmpint (graph.n_vertices, ==, 70);
  g_assert_cmpint (graph_count_edges (&graph), ==, 2);
  g_assert_true (graph_has_edge (&graph, 0, 1));
  g_assert_true (graph_has_edge (&graph, 1, 69));
  g_assert_false (graph_has_edge (&graph, 0, 69));
}

typedef struct
{
  const char *claim;
  const char *text;
  const char *message;
} Wrong;

static const Wrong wrongs[] = {
  { "nothing-at-all", "", "line 1: expected p, found the end" },
  { "another-kind", "p cnf 3 4\n", "line 1: expected edge or col, found 'cnf'" },
  { "no-vertex", "p edge 0 0\n",
    "line 1: expected number of vertices, a whole number from 1 to 4096, found '0'" },
  { "too-many-vertices", "p edge 4097 0\n",
    "line 1: expected number of vertices, a whole number from 1 to 4096, found '4097'" },
  { "no-number-of-edges", "p edge 3\n",
    "line 2: expected number of edges, a whole number from 0 to 2147483647, found the end" },
  { "no-edge", "p edge 3 1\n1 2\n", "line 2: expected e, found '1'" },
  { "vertex-0", "p edge 3 1\ne 0 2\n",
    "line 2: expected vertex, a whole number from 1 to 3, found '0'" },
  { "unknown-vertex", "p edge 3 1\ne 1 4\n",
    "line 2: expected vertex, a whole number from 1 to 3, found '4'" },
  { "edge-cut-short", "p edge 3 1\ne 1",
    "line 2: expected vertex, a whole number from 1 to 3, found the end" },
  { "loop", "p edge 3 1\ne 2 2\n", "line 2: an edge from a vertex to itself" },
};

static void
test_refused (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strconcat (FILE_NAME ": ", wrong->message, NULL);
  Graph graph;
  g_assert_false (dimacs_read (FILE_NAME, wrong->text, strlen (wrong->text), &graph, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, message);
}

/* ---- kinds ---- */

/* A graph whose largest clique is published, or is obvious: it has all edges or none. */
typedef struct
{
  const char *kind;
  int n_vertices;
  gint64 n_edges;
  int size;
} Known;

static const Known knowns[] = {
  { "hamming:6,2", 64, 1824, 32 },
  { "hamming:6,4", 64, 704, 4 },
  { "hamming:8,4", 256, 20864, 16 },
  { "johnson:8,2,4", 28, 210, 4 },
  { "johnson:8,4,4", 70, 1855, 14 },
  { "keller:4", 171, 9435, 11 },
  { "mann:9", 45, 918, 16 },
  { "c-fat:200,1", 200, 1534, 12 },
  { "c-fat:200,2", 200, 3235, 24 },
  { "c-fat:200,5", 200, 8473, 58 },
  { "c-fat:500,1", 500, 4459, 14 },
  { "random:1,0,1", 1, 0, 1 },
  { "random:50,0,1", 50, 0, 1 },
  { "random:70,100,1", 70, 2415, 70 },
  { "p-hat:40,100,100,1", 40, 780, 40 },
};

/* Returns: size of the largest clique. Also checks that clique. */
static int
search_all (const Graph *graph)
{
  g_autoptr (Search) search = search_new (graph, NULL, 0);
  g_assert_true (search_run (search, G_MAXINT64));
  int size = search_get_size (search);
  g_assert_true (graph_is_clique (graph, search_get_clique (search), (gsize)size));
  return size;
}

static void
test_published_clique (gconstpointer user_data)
{
  const Known *known = user_data;
  g_auto (Graph) graph = { 0 }, ordered = { 0 };
  g_autoptr (GError) error = NULL;
  generate_graph (known->kind, &graph, &error);
  g_assert_no_error (error);
  g_assert_cmpint (graph.n_vertices, ==, known->n_vertices);
  g_assert_cmpint (graph_count_edges (&graph), ==, known->n_edges);
  g_autofree gint32 *names = g_new (gint32, (gsize)graph.n_vertices);
  graph_order (&graph, names, &ordered);
  for (int a = 0; a < graph.n_vertices; a++)
    for (int b = 0; b < a; b++)
      g_assert_true (graph_has_edge (&ordered, a, b)
                     == graph_has_edge (&graph, names[a], names[b]));
  g_assert_cmpint (search_all (&ordered), ==, known->size);
}

static void
test_hidden_clique_is_there (void)
{
  g_auto (Graph) graph = { 0 };
  g_assert_true (generate_graph ("brock:120,30,60,3", &graph, NULL));
  g_assert_cmpint (search_all (&graph), >=, 30);
}

static void
test_wrong_numbers_are_refused (void)
{
  static const char *const texts[] = {
    "",          "hamming",       "hamming:6", "hamming:6,4,1",     "hamming:13,2",
    "clique:3",  "keller:x",      "mann:10",   "johnson:24,12,2",   "johnson:3,4,1",
    "random:3",  "c-fat:3,100",   "keller:7",  "brock:100,99,50,1", "brock:100,60,30,1",
    "random:,,", "p-hat:9,9,5,1",
  };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      Graph graph;
      g_assert_false (generate_graph (texts[i], &graph, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

/* ---- searches ---- */

/* Returns: size of the largest clique that consists of @clique and of vertices from @first on, by
 * trying all sets. @n: number of vertices of @clique */
static int
largest_by_trying (const Graph *graph, int first, const gint32 *clique, int n)
{
  int best = n;
  gint32 longer[64];
  for (int i = 0; i < n; i++)
    longer[i] = clique[i];
  for (int vertex = first; vertex < graph->n_vertices; vertex++)
    {
      longer[n] = vertex;
      if (graph_is_clique (graph, longer, (gsize)n + 1))
        best = MAX (best, largest_by_trying (graph, vertex + 1, longer, n + 1));
    }
  return best;
}

/* Searches a place with searches that divide after @n_nodes nodes. */
static int
search_in_parts (const Graph *graph, const Place *place, int limit, gint64 n_nodes)
{
  g_autoptr (Search) search = search_new (graph, place, limit);
  if (search_run (search, n_nodes))
    return search_get_size (search);
  gsize n;
  g_autofree Place *places = search_get_places (search, &n);
  int size = search_get_size (search);
  for (gsize i = 0; i < n; i++)
    size = MAX (size, search_in_parts (graph, &places[i], size, n_nodes));
  return size;
}

static void
test_search_finds_the_largest_clique (void)
{
  for (int seed = 1; seed <= 60; seed++)
    {
      g_autofree char *kind = g_strdup_printf ("random:%d,%d,%d", 5 + seed % 11, 20 + seed, seed);
      g_auto (Graph) graph = { 0 };
      g_assert_true (generate_graph (kind, &graph, NULL));
      int size = largest_by_trying (&graph, 0, NULL, 0);
      g_assert_cmpint (search_all (&graph), ==, size);
      g_assert_cmpint (search_in_parts (&graph, NULL, 0, 1), ==, size);
      g_assert_cmpint (search_in_parts (&graph, NULL, 0, 7), ==, size);
    }
}

static void
test_first_clique_is_one (void)
{
  for (int seed = 1; seed <= 20; seed++)
    {
      g_autofree char *kind = g_strdup_printf ("random:%d,%d,%d", 60 + seed, 4 * seed, seed);
      g_auto (Graph) graph = { 0 };
      gint32 clique[80];
      g_assert_true (generate_graph (kind, &graph, NULL));
      int size = graph_find_first_clique (&graph, clique);
      g_assert_cmpint (size, >, 0);
      g_assert_true (graph_is_clique (&graph, clique, (gsize)size));
      g_assert_cmpint (search_all (&graph), >=, size);
    }
}

static void
test_known_clique_is_kept_and_larger_ones_are_found (void)
{
  g_auto (Graph) graph = { 0 };
  g_assert_true (generate_graph ("random:60,70,5", &graph, NULL));
  int size = search_all (&graph);
  g_autoptr (Search) first = search_new (&graph, NULL, 0);
  search_run (first, G_MAXINT64);
  /* The search may know the largest clique, or a smaller one. It always ends with the largest. */
  for (int n = size - 1; n <= size; n++)
    {
      g_autoptr (Search) search = search_new (&graph, NULL, 0);
      search_add_clique (search, search_get_clique (first), (gsize)n);
      g_assert_true (search_run (search, G_MAXINT64));
      g_assert_cmpint (search_get_size (search), ==, size);
    }
}

static void
test_what_is_no_clique_is_not_taken (void)
{
  static const gint32 outside[] = { 0, 70 }, twice[] = { 3, 3 }, apart[] = { 0, 1 };
  g_auto (Graph) graph = { 0 };
  graph_init (&graph, 70);
  g_autoptr (Search) search = search_new (&graph, NULL, 0);
  search_add_clique (search, outside, G_N_ELEMENTS (outside));
  search_add_clique (search, twice, G_N_ELEMENTS (twice));
  search_add_clique (search, apart, G_N_ELEMENTS (apart));
  g_assert_cmpint (search_get_size (search), ==, 0);
  g_assert_null (search_get_clique (search));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-maxclique/" path, function)
  CASE ("file-has-its-edges", test_file_has_its_edges);
  CASE ("hidden-clique-is-there", test_hidden_clique_is_there);
  CASE ("wrong-numbers-are-refused", test_wrong_numbers_are_refused);
  CASE ("search-finds-the-largest-clique", test_search_finds_the_largest_clique);
  CASE ("first-clique-is-one", test_first_clique_is_one);
  CASE ("known-clique-is-kept", test_known_clique_is_kept_and_larger_ones_are_found);
  CASE ("what-is-no-clique-is-not-taken", test_what_is_no_clique_is_not_taken);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/app-maxclique/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (knowns); i++)
    {
      g_autofree char *path = g_strconcat ("/app-maxclique/published/", knowns[i].kind, NULL);
      g_test_add_data_func (path, &knowns[i], test_published_clique);
    }
  return g_test_run ();
}
