/* test-dimacs.c - tests the DIMACS format: reading, writing, errors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "formula/dimacs.h"

#include <string.h>

#include "formulas.h"

static void
assert_literals (const Formula *formula, const gint32 *expected, gsize n_expected)
{
  g_assert_cmpmem (formula->literals, formula->n_literals * sizeof (gint32), expected,
                   n_expected * sizeof (gint32));
}

#define ASSERT_LITERALS(formula, ...)                                                              \
  assert_literals (formula, (const gint32[]){ __VA_ARGS__ },                                       \
                   G_N_ELEMENTS (((const gint32[]){ __VA_ARGS__ })))

/* ---- reading and writing ---- */

static void
test_clauses (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 3 2\n1 -3 0\n2 3 -1 0\n");
  g_assert_cmpint (formula.n_variables, ==, 3);
  ASSERT_LITERALS (&formula, 1, -3, 0, 2, 3, -1, 0);
  g_assert_cmpuint (formula_count_clauses (&formula), ==, 2);
}

static void
test_lines_do_not_matter (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf\n3\n2 1\t-3\r\n0 2 3\n-1\n0");
  ASSERT_LITERALS (&formula, 1, -3, 0, 2, 3, -1, 0);
}

static void
test_comments_are_skipped (void)
{
  g_auto (TestFormula) formula =
      formulas_read ("c first\ncc\nc\np cnf 2 1\nc p cnf 9 9\n1\nc in between\n-2 0\nc last");
  ASSERT_LITERALS (&formula, 1, -2, 0);
}

static void
test_percent_is_the_end (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 2 1\n1 2 0\n%\n0\n");
  ASSERT_LITERALS (&formula, 1, 2, 0);
}

static void
test_clause_may_be_empty (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 0 1\n0\n");
  ASSERT_LITERALS (&formula, 0);
}

static void
test_formula_may_be_empty (void)
{
  g_auto (TestFormula) formula = formulas_read ("p cnf 5 0");
  g_assert_cmpint (formula.n_variables, ==, 5);
  g_assert_cmpuint (formula.n_literals, ==, 0);
}

static void
test_text_is_read_again (void)
{
  g_auto (TestFormula) formula = formulas_make ("uniform:30,100,4,7");
  g_autofree char *text = dimacs_to_text (&formula);
  g_auto (TestFormula) again = formulas_read (text);
  g_assert_cmpint (again.n_variables, ==, formula.n_variables);
  assert_literals (&again, formula.literals, formula.n_literals);
}

/* ---- errors ---- */

typedef struct
{
  const char *name;
  const char *text;
  const char *message;
} Wrong;

#define LITERAL_EXPECTED                                                                           \
  "expected literal, or 0 to end the clause, a whole number from -2 to 2, found "
#define VARIABLES_EXPECTED "expected number of variables, a whole number from 0 to 1000000, found "

static const Wrong wrongs[] = {
  { "empty", "", "line 1: expected p, found the end" },
  { "garbage", "\x7f\x45LF\x02\n", "line 1: expected p, found '\\177ELF\\002'" },
  { "no-header", "c none\n1 2 0\n", "line 2: expected p, found '1'" },
  { "another-format", "p wcnf 2 1\n", "line 1: expected cnf, found 'wcnf'" },
  { "header-cut-off", "p cnf 2",
    "line 1: expected number of clauses, a whole number from 0 to 8388608, found the end" },
  { "negative-variables", "p cnf -2 1\n", "line 1: " VARIABLES_EXPECTED "'-2'" },
  { "too-many-variables", "p cnf 1000001 1\n", "line 1: " VARIABLES_EXPECTED "'1000001'" },
  { "huge-variables", "p cnf 99999999999999999999 1\n",
    "line 1: " VARIABLES_EXPECTED "'99999999999999999999'" },
  { "too-many-clauses", "p cnf 2 99999999\n",
    "line 1: expected number of clauses, a whole number from 0 to 8388608, found '99999999'" },
  { "literal-above", "p cnf 2 1\n1 3 0\n", "line 2: " LITERAL_EXPECTED "'3'" },
  { "literal-below", "p cnf 2 1\n1\n-3 0\n", "line 3: " LITERAL_EXPECTED "'-3'" },
  { "huge-literal", "p cnf 2 1\n-4294967297 0\n", "line 2: " LITERAL_EXPECTED "'-4294967297'" },
  { "word", "p cnf 2 1\n1 two 0\n", "line 2: " LITERAL_EXPECTED "'two'" },
  { "fraction", "p cnf 2 1\n1.5 0\n", "line 2: " LITERAL_EXPECTED "'1.5'" },
  { "sign-alone", "p cnf 2 1\n- 0\n", "line 2: " LITERAL_EXPECTED "'-'" },
  { "clause-without-end", "p cnf 2 1\n1 2\n", "line 3: " LITERAL_EXPECTED "the end" },
  { "percent-in-a-clause", "p cnf 2 1\n1 2\n%\n", "line 3: " LITERAL_EXPECTED "'%'" },
  { "clause-missing", "p cnf 2 3\n1 2 0\n", "line 3: " LITERAL_EXPECTED "the end" },
  { "clause-too-many", "p cnf 2 1\n1 2 0\n\n1 0\n",
    "line 4: expected the end after as many clauses as the header says, found '1'" },
};

static void
test_error_is_told (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strdup_printf ("wrong.cnf: %s", wrong->message);
  Formula formula;
  g_assert_false (dimacs_read ("wrong.cnf", wrong->text, strlen (wrong->text), &formula, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_literals_have_a_limit (void)
{
  g_autoptr (GString) text = g_string_new ("p cnf 1 1\n");
  g_autoptr (GError) error = NULL;
  Formula formula;
  for (guint i = 0; i < FORMULA_MAX_LITERALS; i++)
    g_string_append (text, "1 ");
  g_string_append (text, "0\n");
  g_assert_false (dimacs_read ("wrong.cnf", text->str, text->len, &formula, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, "wrong.cnf: line 2: more than 8388608 literals");
}

static void
test_text_may_hold_any_byte (void)
{
  static const char text[] = "p cnf 2 1\n1 \0 0\n";
  g_autoptr (GError) error = NULL;
  Formula formula;
  g_assert_false (dimacs_read ("wrong.cnf", text, sizeof text - 1, &formula, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
}

static void
test_missing_file_is_told (void)
{
  g_autoptr (GError) error = NULL;
  Formula formula;
  g_assert_false (dimacs_load ("/no/such/file.cnf", &formula, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "formula /no/such/file.cnf does not exist");
}

static void
test_folder_that_is_not_there_is_told (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:2");
  g_autoptr (GError) error = NULL;
  g_assert_false (dimacs_save (&formula, "/no/such/folder/file.cnf", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "cannot write formula"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/sat/dimacs/" path, function)
  CASE ("clauses-end-with-a-zero", test_clauses);
  CASE ("lines-do-not-matter", test_lines_do_not_matter);
  CASE ("comments-are-skipped", test_comments_are_skipped);
  CASE ("percent-is-the-end", test_percent_is_the_end);
  CASE ("clause-may-be-empty", test_clause_may_be_empty);
  CASE ("formula-may-be-empty", test_formula_may_be_empty);
  CASE ("text-is-read-again", test_text_is_read_again);
  CASE ("literals-have-a-limit", test_literals_have_a_limit);
  CASE ("text-may-hold-any-byte", test_text_may_hold_any_byte);
  CASE ("missing-file-is-told", test_missing_file_is_told);
  CASE ("folder-that-is-not-there-is-told", test_folder_that_is_not_there_is_told);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/apps/sat/dimacs/error-is-told/%s", wrongs[i].name);
      g_test_add_data_func (path, &wrongs[i], test_error_is_told);
    }
  return g_test_run ();
}
