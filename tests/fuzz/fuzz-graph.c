/* fuzz-graph.c - fuzzes the parser of graphs in the DIMACS format
 *
 * No vertex of an accepted graph may be its own neighbour. If A is a neighbour of B, B must be a
 * neighbour of A. No bit behind the last vertex may be set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dimacs.h"
#include "fuzz.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  Graph graph = { 0 };
  gboolean is_good = dimacs_read ("fuzz", (const char *)bytes, n_bytes, &graph, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  g_assert_cmpuint (graph.n_rows, ==, (gsize)graph.n_vertices * (gsize)graph_n_words (&graph));
  int n_bits = graph_n_words (&graph) * GRAPH_WORD_BITS;
  for (int a = 0; a < graph.n_vertices; a++)
    for (int b = 0; b < n_bits; b++)
      if (graph_has_edge (&graph, a, b))
        {
          g_assert_cmpint (b, <, graph.n_vertices);
          g_assert_cmpint (a, !=, b);
          g_assert_true (graph_has_edge (&graph, b, a));
        }
  satin_record_clear (&Graph_record, &graph);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "p edge 3 2\ne 1 2\ne 2 3\n",
    "c a comment\np col 70 1\ne 70 1\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
