/* test-tsplib.c - tests the reader of files of cities, and its errors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tsplib.h"

#include <string.h>

#define FILE_NAME "folder/cities.tsp"
#define PLANE     "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n"
#define GLOBE     "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\n"
#define MATRIX    "DIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
#define PLACES    "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 6 8\n"

static Instance *
read_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  Instance *instance = tsplib_read (FILE_NAME, text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_nonnull (instance);
  return instance;
}

static void
assert_distances (const Instance *instance, gint32 n_cities, const gint32 *distances)
{
  gsize n = (gsize)n_cities * (gsize)n_cities;
  g_assert_cmpint (instance->distances.n_cities, ==, n_cities);
  g_assert_cmpuint (instance->distances.n_between, ==, n);
  g_assert_cmpmem (instance->distances.between, n * sizeof *distances, distances,
                   n * sizeof *distances);
}

/* ---- reading ---- */

static void
test_places_are_measured (void)
{
  static const gint32 distances[] = { 0, 5, 10, 5, 0, 5, 10, 5, 0 };
  g_autoptr (Instance) instance = read_text ("NAME: line\n" PLANE PLACES "EOF\n");
  assert_distances (instance, 3, distances);
  g_assert_cmpstr (instance->name, ==, "line");
  g_assert_cmpfloat (instance->points[2].x, ==, 6);
  g_assert_cmpfloat (instance->points[2].y, ==, 8);
}

static void
test_cities_come_in_any_order (void)
{
  static const gint32 distances[] = { 0, 5, 10, 5, 0, 5, 10, 5, 0 };
  g_autoptr (Instance) instance =
      read_text (PLANE "NODE_COORD_SECTION\n3 6.0 8e0\n1 0 0\n2 +3 4.00\n");
  assert_distances (instance, 3, distances);
}

/* In a picture, north is up, and east is to the right. */
static void
test_globe_is_drawn_upright (void)
{
  g_autoptr (Instance) instance =
      read_text (GLOBE "NODE_COORD_SECTION\n1 40 10\n2 50 10\n3 40 20\n");
  g_assert_cmpint (distances_get (&instance->distances, 0, 1), ==, 1114);
  g_assert_cmpint (distances_get (&instance->distances, 0, 2), ==, 853);
  g_assert_cmpfloat (instance->points[0].x, ==, instance->points[1].x);
  g_assert_cmpfloat (instance->points[0].y, <, instance->points[1].y);
  g_assert_cmpfloat (instance->points[0].x, <, instance->points[2].x);
  g_assert_cmpfloat (instance->points[0].y, ==, instance->points[2].y);
}

/* The same distances in all formats. */
static const struct
{
  const char *form;
  const char *numbers;
} forms[] = {
  { "FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0" },
  { "UPPER_ROW", "1 2 3\n4 5\n6" },
  { "LOWER_ROW", "1\n2 4\n3 5 6" },
  { "UPPER_DIAG_ROW", "0 1 2 3\n0 4 5\n0 6\n0" },
  { "LOWER_DIAG_ROW", "0\n1 0\n2 4 0\n3 5 6 0" },
  { "UPPER_COL", "1\n2 4\n3 5 6" },
  { "LOWER_COL", "1 2 3\n4 5\n6" },
  { "UPPER_DIAG_COL", "0\n1 0\n2 4 0\n3 5 6 0" },
  { "LOWER_DIAG_COL", "0 1 2 3\n0 4 5\n0 6\n0" },
  /* The lines of the file need not be those of the matrix, and the diagonal does not count. */
  { "FULL_MATRIX", "9 1 2 3 1\n9 4 5 2 4 9 6\n\n3 5 6\n9" },
};

static void
test_matrix_is_read_in_every_form (void)
{
  static const gint32 distances[] = { 0, 1, 2, 3, 1, 0, 4, 5, 2, 4, 0, 6, 3, 5, 6, 0 };
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *text = g_strdup_printf (MATRIX "%s\nEDGE_WEIGHT_SECTION\n%s\nEOF\n",
                                               forms[i].form, forms[i].numbers);
      g_autoptr (Instance) instance = read_text (text);
      assert_distances (instance, 4, distances);
      g_assert_null (instance->points);
    }
}

static void
test_matrix_may_have_places_to_be_drawn_at (void)
{
  g_autoptr (Instance) instance =
      read_text (MATRIX "UPPER_ROW\nDISPLAY_DATA_TYPE: TWOD_DISPLAY\nEDGE_WEIGHT_SECTION\n"
                        "1 2 3 4 5 6\nDISPLAY_DATA_SECTION\n1 0 0\n2 1 0\n3 1 1\n4 0.5 7\nEOF");
  g_assert_cmpint (distances_get (&instance->distances, 3, 2), ==, 6);
  g_assert_cmpfloat (instance->points[3].x, ==, 0.5);
  g_assert_cmpfloat (instance->points[3].y, ==, 7);
}

static void
test_keywords_are_written_in_many_ways (void)
{
  g_autoptr (Instance) instance =
      read_text ("NAME :a #1 name \r\nCOMMENT: NODE_COORD_SECTION\nCOMMENT : two\nTYPE:TSP\n"
                 "DIMENSION\t:\t3\nEDGE_WEIGHT_TYPE : EUC_2D\nEDGE_WEIGHT_FORMAT: FUNCTION \n"
                 "NODE_COORD_TYPE: TWOD_COORDS\nNODE_COORD_SECTION:\n1 0 0\n2 3 4\n3 6 8");
  g_assert_cmpstr (instance->name, ==, "a #1 name");
  g_assert_cmpint (distances_get (&instance->distances, 0, 2), ==, 10);
}

static void
test_file_without_name_has_its_own (void)
{
  g_autoptr (Instance) instance = read_text (PLANE PLACES);
  g_assert_cmpstr (instance->name, ==, "cities.tsp");
}

static void
test_nothing_is_read_behind_the_end (void)
{
  g_autoptr (Instance) instance = read_text (PLANE PLACES "EOF\nand more\n");
  g_assert_cmpint (instance->distances.n_cities, ==, 3);
}

/* ---- errors ---- */

typedef struct
{
  const char *claim;
  const char *text;
  const char *message; /* without the name of the file before it */
} Wrong;

#define DISTANCE(i, j)                                                                             \
  "expected distance between the cities " i " and " j ", a whole number from 0 to 10000000, "
#define SECTION "UPPER_ROW\nEDGE_WEIGHT_SECTION\n"

static const Wrong wrongs[] = {
  { "nothing-at-all", "\n\n", "line 3: there is no DIMENSION in this file" },
  { "no-measure", "DIMENSION: 3\n", "line 2: there is no EDGE_WEIGHT_TYPE in this file" },
  { "no-places", PLANE "EOF\n", "line 4: there is no NODE_COORD_SECTION in this file" },
  { "no-distances", MATRIX "UPPER_ROW\n", "line 4: there is no EDGE_WEIGHT_SECTION in this file" },
  { "no-keyword", "salesman\n",
    "line 1: expected a keyword of a TSPLIB problem, found 'salesman'" },
  { "bytes-that-are-no-text", "\1\377\n",
    "line 1: expected a keyword of a TSPLIB problem, found '\\001\\377'" },
  { "keyword-of-another-kind", PLANE "FIXED_EDGES_SECTION\n1 2\n-1\n",
    "line 4: expected a keyword of a TSPLIB problem, found 'FIXED_EDGES_SECTION'" },
  { "keyword-without-value", "TYPE:\nDIMENSION: 3\n", "line 1: TYPE has no value" },
  { "keyword-at-the-end", "TYPE", "line 1: TYPE has no value" },
  { "keyword-twice", PLANE "DIMENSION: 4\n",
    "line 4: expected a keyword that did not stand before, found 'DIMENSION'" },
  { "asymmetric-problem", "TYPE: ATSP\n",
    "line 1: expected the TYPE TSP, a symmetric problem, found 'ATSP'" },
  { "too-few-cities", "DIMENSION: 2\n", "line 1: expected a DIMENSION from 3 to 150, found '2'" },
  { "too-many-cities", "DIMENSION: 151\n",
    "line 1: expected a DIMENSION from 3 to 150, found '151'" },
  { "negative-dimension", "DIMENSION: -3\n",
    "line 1: expected a DIMENSION from 3 to 150, found '-3'" },
  { "huge-dimension", "DIMENSION: 99999999999999999999\n",
    "line 1: expected a DIMENSION from 3 to 150, found '99999999999999999999'" },
  { "other-measure", "EDGE_WEIGHT_TYPE: ATT\n",
    "line 1: expected the EDGE_WEIGHT_TYPE EUC_2D, GEO or EXPLICIT, found 'ATT'" },
  { "other-form", "EDGE_WEIGHT_FORMAT: DIAGONAL\n",
    "line 1: expected an EDGE_WEIGHT_FORMAT, one of FULL_MATRIX UPPER_ROW LOWER_ROW "
    "UPPER_DIAG_ROW LOWER_DIAG_ROW, found 'DIAGONAL'" },
  { "places-before-the-dimension", "NODE_COORD_SECTION\n1 0 0\n",
    "line 1: DIMENSION must come before this" },
  { "distances-before-the-dimension", "EDGE_WEIGHT_SECTION\n1\n",
    "line 1: DIMENSION must come before this" },
  { "distances-before-their-form", "DIMENSION: 3\nEDGE_WEIGHT_SECTION\n1\n",
    "line 2: EDGE_WEIGHT_FORMAT must come before this" },
  { "city-0", PLANE "NODE_COORD_SECTION\n0 1 1\n",
    "line 5: expected number of a city, a whole number from 1 to 3, found '0'" },
  { "city-beyond-the-last", PLANE "NODE_COORD_SECTION\n4 1 1\n",
    "line 5: expected number of a city, a whole number from 1 to 3, found '4'" },
  { "city-twice", PLANE "NODE_COORD_SECTION\n1 1 1\n2 1 1\n1 1 1\n",
    "line 7: this city stood here already" },
  { "places-cut-short", PLANE "NODE_COORD_SECTION\n1 1 1\n2 1\n",
    "line 7: expected coordinate, a number from -1e+06 to 1e+06, found the end" },
  { "city-missing", PLANE "NODE_COORD_SECTION\n1 1 1\n2 1 1\nEOF\n",
    "line 7: expected number of a city, a whole number from 1 to 3, found 'EOF'" },
  { "city-too-many", PLANE PLACES "4 1 1\n",
    "line 8: expected a keyword of a TSPLIB problem, found '4'" },
  { "coordinate-too-far", PLANE "NODE_COORD_SECTION\n1 1e7 1\n",
    "line 5: expected coordinate, a number from -1e+06 to 1e+06, found '1e7'" },
  { "coordinate-that-is-no-number", PLANE "NODE_COORD_SECTION\n1 nan 1\n",
    "line 5: expected coordinate, a number from -1e+06 to 1e+06, found 'nan'" },
  { "coordinate-that-is-infinite", GLOBE "NODE_COORD_SECTION\n1 1 inf\n",
    "line 5: expected coordinate, a number from -1e+06 to 1e+06, found 'inf'" },
  { "distances-cut-short", MATRIX SECTION "1 2\n", "line 6: " DISTANCE ("1", "4") "found the end" },
  { "distance-missing", MATRIX SECTION "1 2 3 4 5\nEOF\n",
    "line 6: " DISTANCE ("3", "4") "found 'EOF'" },
  { "distance-too-many", MATRIX SECTION "1 2 3 4 5 6 7\n",
    "line 5: expected a keyword of a TSPLIB problem, found '7'" },
  { "negative-distance", MATRIX SECTION "1 -2 3\n", "line 5: " DISTANCE ("1", "3") "found '-2'" },
  { "huge-distance", MATRIX SECTION "1 2 10000001\n",
    "line 5: " DISTANCE ("1", "4") "found '10000001'" },
  { "distance-with-a-fraction", MATRIX SECTION "1.5\n",
    "line 5: " DISTANCE ("1", "2") "found '1.5'" },
  { "distance-that-differs-in-the-other-direction",
    MATRIX "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2 3\n7 0 4 5\n",
    "line 6: expected the same distance as in the other direction, found '7'" },
};

static void
test_refused (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strconcat (FILE_NAME ": ", wrong->message, NULL);
  g_assert_null (tsplib_read (FILE_NAME, wrong->text, strlen (wrong->text), &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_any_bytes_are_read_or_refused (void)
{
  static const char *const good[] = {
    "NAME: line\n" GLOBE PLACES "EOF\n",
    MATRIX "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0\n"
           "DISPLAY_DATA_SECTION\n1 0 0\n2 1 0\n3 1 1\n4 0.5 7\nEOF\n",
  };
  guint n_read = 0;
  for (guint round = 0; round < 20000; round++)
    {
      const char *from = good[round % G_N_ELEMENTS (good)];
      gsize n_from = strlen (from);
      g_autofree char *text = g_memdup2 (from, n_from);
      g_autoptr (GError) error = NULL;
      for (gint i = g_test_rand_int_range (0, 4); i > 0; i--)
        text[g_test_rand_int_range (0, (gint32)n_from)] = (char)g_test_rand_int_range (0, 256);
      gsize n = round % 3 == 0 ? (gsize)g_test_rand_int_range (0, (gint32)n_from) : n_from;
      g_autoptr (Instance) instance = tsplib_read (FILE_NAME, text, n, &error);
      g_assert_true ((instance == NULL) == (error != NULL));
      n_read += instance != NULL;
    }
  g_assert_cmpuint (n_read, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/tsp/tsplib/" path, function)
  CASE ("places-are-measured", test_places_are_measured);
  CASE ("cities-come-in-any-order", test_cities_come_in_any_order);
  CASE ("globe-is-drawn-upright", test_globe_is_drawn_upright);
  CASE ("matrix-is-read-in-every-form", test_matrix_is_read_in_every_form);
  CASE ("matrix-may-have-places-to-be-drawn-at", test_matrix_may_have_places_to_be_drawn_at);
  CASE ("keywords-are-written-in-many-ways", test_keywords_are_written_in_many_ways);
  CASE ("file-without-name-has-its-own", test_file_without_name_has_its_own);
  CASE ("nothing-is-read-behind-the-end", test_nothing_is_read_behind_the_end);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/apps/tsp/tsplib/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  CASE ("any-bytes-are-read-or-refused", test_any_bytes_are_read_or_refused);
  return g_test_run ();
}
