/* generate.c - generates graphs of known kinds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "generate.h"

#include <math.h>
#include <string.h>

#include <satin/base/random.h>

#define MAX_NUMBERS 4

/* ---- words ---- */

/* Makes the graph of @words, of which two are neighbours if they differ in @distance bits or more.
 */
static void
make_graph_of_words (const guint *words, int n_words, int distance, Graph *ret_graph)
{
  graph_init (ret_graph, n_words);
  for (int a = 0; a < n_words; a++)
    for (int b = 0; b < a; b++)
      if (__builtin_popcount (words[a] ^ words[b]) >= distance)
        graph_add_edge (ret_graph, a, b);
}

static gboolean
make_hamming (const int *numbers, Graph *ret_graph)
{
  int n = 1 << numbers[0];
  g_autofree guint *words = g_new (guint, (gsize)n);
  for (int i = 0; i < n; i++)
    words[i] = (guint)i;
  make_graph_of_words (words, n, numbers[1], ret_graph);
  return TRUE;
}

static gboolean
make_johnson (const int *numbers, Graph *ret_graph)
{
  g_autofree guint *words = g_new (guint, GRAPH_MAX_VERTICES);
  int n = 0;
  for (guint word = 0; word < 1u << numbers[0]; word++)
    if (__builtin_popcount (word) == numbers[1])
      {
        if (n == GRAPH_MAX_VERTICES)
          return FALSE;
        words[n++] = word;
      }
  if (n == 0)
    return FALSE;
  make_graph_of_words (words, n, numbers[2], ret_graph);
  return TRUE;
}

/* Whether two words of @n_digits digits, of two bits each, are neighbours in Keller's graph. */
static gboolean
are_keller_neighbours (guint a, guint b, int n_digits)
{
  int n_different = 0;
  gboolean has_opposite = FALSE;
  for (int i = 0; i < n_digits; i++)
    {
      guint difference = ((a >> 2 * i) - (b >> 2 * i)) & 3;
      n_different += difference != 0;
      has_opposite |= difference == 2;
    }
  return n_different >= 2 && has_opposite;
}

static gboolean
make_keller (const int *numbers, Graph *ret_graph)
{
  g_autofree guint *words = g_new (guint, GRAPH_MAX_VERTICES);
  int n_digits = numbers[0], n = 0;
  for (guint word = 0; word < 1u << 2 * n_digits; word++)
    if (are_keller_neighbours (word, 0, n_digits))
      words[n++] = word;
  graph_init (ret_graph, n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++)
      if (are_keller_neighbours (words[a], words[b], n_digits))
        graph_add_edge (ret_graph, a, b);
  return TRUE;
}

/* ---- lines and rings ---- */

/* Returns: the third point of the line through two points of the affine space over three elements.
 * The digits of a point, to the base 3, are its coordinates */
static int
third_point (int a, int b)
{
  int third = 0;
  for (int place = 1; a > 0 || b > 0; place *= 3, a /= 3, b /= 3)
    third += (6 - a % 3 - b % 3) % 3 * place;
  return third;
}

/* The graph has a vertex for each point, and for each line three vertices, one for each point of
 * the line. All vertices are neighbours, with two exceptions: the three vertices of a line, and a
 * line's vertex and the vertex of its point. So the largest clique takes one vertex of each line,
 * whose point is in the cover, and the vertices of all points that are not in the cover. */
static gboolean
make_mann (const int *numbers, Graph *ret_graph)
{
  int n_points = numbers[0], n = 0, n_lines = 0;
  g_autofree int *point_of = g_new (int, GRAPH_MAX_VERTICES);
  g_autofree int *line_of = g_new (int, GRAPH_MAX_VERTICES);
  if (n_points != 9 && n_points != 27 && n_points != 81)
    return FALSE;
  for (; n < n_points; n++)
    {
      point_of[n] = n;
      line_of[n] = -1;
    }
  for (int a = 0; a < n_points; a++)
    for (int b = a + 1; b < n_points; b++)
      {
        int points[] = { a, b, third_point (a, b) };
        if (points[2] < b)
          continue;
        for (int i = 0; i < 3; i++, n++)
          {
            point_of[n] = points[i];
            line_of[n] = n_lines;
          }
        n_lines++;
      }
  graph_init (ret_graph, n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++)
      if (line_of[a] < 0
          || (line_of[a] != line_of[b] && (line_of[b] >= 0 || point_of[a] != point_of[b])))
        graph_add_edge (ret_graph, a, b);
  return TRUE;
}

static gboolean
make_c_fat (const int *numbers, Graph *ret_graph)
{
  int n = numbers[0], n_groups = (int)(n / (numbers[1] * log (n)));
  if (n_groups < 1)
    return FALSE;
  graph_init (ret_graph, n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++)
      {
        int apart = ABS (a % n_groups - b % n_groups);
        if (apart <= 1 || apart == n_groups - 1)
          graph_add_edge (ret_graph, a, b);
      }
  return TRUE;
}

/* ---- random graphs ---- */

/* Returns: a random number in [0, 1) */
static double
draw (guint64 *state)
{
  return (double)(satin_random_next (state) >> 11) / 9007199254740992.0;
}

static gboolean
make_random (const int *numbers, Graph *ret_graph)
{
  guint64 state = (guint64)numbers[2];
  graph_init (ret_graph, numbers[0]);
  for (int a = 0; a < numbers[0]; a++)
    for (int b = 0; b < a; b++)
      if (draw (&state) < numbers[1] / 100.0)
        graph_add_edge (ret_graph, a, b);
  return TRUE;
}

static gboolean
make_p_hat (const int *numbers, Graph *ret_graph)
{
  g_autofree double *densities = g_new (double, (gsize)numbers[0]);
  guint64 state = (guint64)numbers[3];
  if (numbers[1] > numbers[2])
    return FALSE;
  graph_init (ret_graph, numbers[0]);
  for (int a = 0; a < numbers[0]; a++)
    {
      densities[a] = (numbers[1] + draw (&state) * (numbers[2] - numbers[1])) / 100;
      for (int b = 0; b < a; b++)
        if (draw (&state) < (densities[a] + densities[b]) / 2)
          graph_add_edge (ret_graph, a, b);
    }
  return TRUE;
}

/* The clique has the first vertices of a random order. All vertices have the same expected number
 * of neighbours, so that number does not reveal the clique. Source: M. Brockington, J. C.
 * Culberson, "Camouflaging independent sets in quasi-random graphs", in the book of the
 * challenge. */
static gboolean
make_brock (const int *numbers, Graph *ret_graph)
{
  int n = numbers[0], k = numbers[1];
  g_autofree int *order = g_new (int, (gsize)n);
  guint64 state = (guint64)numbers[3];
  double n_neighbours = numbers[2] / 100.0 * (n - 1);
  if (k >= n - 1)
    return FALSE;
  double with_clique = (n_neighbours - (k - 1)) / (n - k);
  double others = (n_neighbours - with_clique * k) / (n - k - 1);
  if (!(with_clique >= 0 && others >= 0 && others <= 1))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      int other = (int)(draw (&state) * (i + 1));
      order[i] = order[other];
      order[other] = i;
    }
  graph_init (ret_graph, n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++)
      if (a < k || draw (&state) < (b < k ? with_clique : others))
        graph_add_edge (ret_graph, order[a], order[b]);
  return TRUE;
}

/* ---- kinds ---- */

/**
 * Kind:
 * @name: what stands before the colon in --generate
 * @make: %FALSE when no graph of this kind has these numbers, or it would be too large; @ret_graph
 *   is untouched then
 * @n_numbers: how many numbers stand behind the colon
 * @least, @most: the smallest and the largest value of each number
 */
typedef struct
{
  const char *name;
  gboolean (*make) (const int *numbers, Graph *ret_graph);
  int n_numbers;
  int least[MAX_NUMBERS];
  int most[MAX_NUMBERS];
} Kind;

static const Kind kinds[] = {
  { "hamming", make_hamming, 2, { 1, 1 }, { 12, 12 } },
  { "johnson", make_johnson, 3, { 1, 1, 1 }, { 24, 24, 24 } },
  { "keller", make_keller, 1, { 2 }, { 6 } },
  { "mann", make_mann, 1, { 9 }, { 81 } },
  { "c-fat", make_c_fat, 2, { 2, 1 }, { GRAPH_MAX_VERTICES, 100 } },
  { "random", make_random, 3, { 1, 0, 0 }, { GRAPH_MAX_VERTICES, 100, G_MAXINT } },
  { "p-hat", make_p_hat, 4, { 1, 0, 0, 0 }, { GRAPH_MAX_VERTICES, 100, 100, G_MAXINT } },
  { "brock", make_brock, 4, { 3, 1, 0, 0 }, { GRAPH_MAX_VERTICES, 1000, 100, G_MAXINT } },
};

static gboolean
read_numbers (const Kind *kind, const char *text, int *ret_numbers)
{
  g_auto (GStrv) words = g_strsplit (text, ",", 0);
  if ((int)g_strv_length (words) != kind->n_numbers)
    return FALSE;
  for (int i = 0; i < kind->n_numbers; i++)
    {
      gint64 number;
      if (!g_ascii_string_to_signed (words[i], 10, kind->least[i], kind->most[i], &number, NULL))
        return FALSE;
      ret_numbers[i] = (int)number;
    }
  return TRUE;
}

gboolean
generate_graph (const char *text, Graph *ret_graph, GError **error)
{
  const char *colon = strchr (text, ':');
  gsize n_name = colon != NULL ? (gsize)(colon - text) : strlen (text);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strlen (kinds[i].name) == n_name && memcmp (kinds[i].name, text, n_name) == 0)
      {
        int numbers[MAX_NUMBERS];
        if (colon != NULL && read_numbers (&kinds[i], colon + 1, numbers)
            && kinds[i].make (numbers, ret_graph))
          return TRUE;
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                     "--generate is '%s', but %s needs %d numbers that go together, with commas: "
                     "apps/maxclique/README.md lists them",
                     text, kinds[i].name, kinds[i].n_numbers);
        return FALSE;
      }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "--generate is '%s', but must be one of " GENERATE_KINDS, text);
  return FALSE;
}
