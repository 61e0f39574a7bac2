/* test-icnf.c - tests the reader of formulas with cubes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "icnf.h"

#include <string.h>

static void
assert_read (const char *text, gint32 n_variables, gsize n_literals, const char *cubes)
{
  g_autoptr (GArray) array = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GError) error = NULL;
  Formula formula = { 0 };
  icnf_read ("f", text, strlen (text), array, &formula, &error);
  g_assert_no_error (error);
  g_assert_cmpint (formula.n_variables, ==, n_variables);
  g_assert_cmpuint (formula.n_literals, ==, n_literals);
  g_autofree char *written = icnf_cubes_to_text ((const gint32 *)(gpointer)array->data, array->len);
  g_assert_cmpstr (written, ==, cubes);
  satin_record_clear (&Formula_record, &formula);
}

static void
test_both_formats_are_read (void)
{
  assert_read ("p cnf 3 2\n1 -3 0 2\n0", 3, 5, "");
  assert_read ("c of march_cu\np inccnf\n1 -3 0\n2 0\na 1 2 0\na -1 0\n", 3, 5,
               "a 1 2 0\na -1 0\n");
  assert_read ("p cnf 3 1\n1 -3 0\na 2 0\n", 3, 3, "a 2 0\n");
  assert_read ("p cnf 3 1\n1 -3 0\n%\n0\n", 3, 3, "");
  assert_read ("p inccnf\na 4 0\na 0\n", 4, 0, "a 4 0\na 0\n");
}

static void
test_cubes_alone_are_read (void)
{
  const char *text = "c cubes\na 1 -2 0\na 2\n0\n";
  g_autoptr (GArray) cubes = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GError) error = NULL;
  icnf_read_cubes ("f", text, strlen (text), 2, cubes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cubes->len, ==, 5);
}

static const char *const wrongs[][2] = {
  { "", "f: line 1: expected p, found the end" },
  { "p dnf 1 1\n", "f: line 1: expected cnf, found 'dnf'" },
  { "p inccnf\n1 2",
    "f: line 2: expected literal, or 0 to end the clause, a whole number from -1000000 to 1000000, "
    "found the end" },
  { "p inccnf\na 1 0\n2 0\n", "f: line 3: expected a, found '2'" },
  { "p cnf 1 1\n1 0\na 2 0\n",
    "f: line 3: expected literal, or 0 to end the cube, a whole number from -1 to 1, found '2'" },
  { "p inccnf\na 1 -1 0\n", "f: line 2: a variable is in this cube twice" },
  { "p cnf 1 2\n1 0\na 1 0\n",
    "f: line 3: expected literal, or 0 to end the clause, a whole number from -1 to 1, found 'a'" },
};

static void
test_errors_are_told (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autoptr (GArray) cubes = g_array_new (FALSE, FALSE, sizeof (gint32));
      g_autoptr (GError) error = NULL;
      Formula formula;
      g_assert_false (
          icnf_read ("f", wrongs[i][0], strlen (wrongs[i][0]), cubes, &formula, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
      g_assert_cmpstr (error->message, ==, wrongs[i][1]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-cubes/icnf/" path, function)
  CASE ("both-formats-are-read", test_both_formats_are_read);
  CASE ("cubes-alone-are-read", test_cubes_alone_are_read);
  CASE ("errors-are-told", test_errors_are_told);
  return g_test_run ();
}
