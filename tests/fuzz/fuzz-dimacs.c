/* fuzz-dimacs.c - fuzzes the parser of formulas in the DIMACS format
 *
 * The literals of an accepted formula must be of its variables, and each clause must have an end.
 * The formula must be the same after it was written and read again. A small formula is also
 * searched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "formula/dimacs.h"
#include "formula/generate.h"
#include "solver.h"

#include <string.h>

/* A formula with more variables is not searched. */
#define MAX_VARIABLES 1000
#define MAX_CONFLICTS 100

static void
check (const Formula *formula)
{
  g_assert_cmpint (formula->n_variables, >=, 0);
  for (gsize i = 0; i < formula->n_literals; i++)
    g_assert_cmpint (ABS (formula->literals[i]), <=, formula->n_variables);
  if (formula->n_literals > 0)
    g_assert_cmpint (formula->literals[formula->n_literals - 1], ==, 0);
}

static void
check_again (const Formula *formula)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = dimacs_to_text (formula);
  Formula again = { 0 };
  dimacs_read ("fuzz.cnf", text, strlen (text), &again, &error);
  g_assert_no_error (error);
  g_assert_cmpint (again.n_variables, ==, formula->n_variables);
  g_assert_cmpmem (again.literals, again.n_literals * sizeof (gint32), formula->literals,
                   formula->n_literals * sizeof (gint32));
  satin_record_clear (&Formula_record, &again);
}

static void
check_search (const Formula *formula)
{
  g_autoptr (Solver) solver = solver_new (formula);
  guint8 model[MAX_VARIABLES];
  if (solver_search (solver, NULL, 0, MAX_CONFLICTS) != SOLVER_SATISFIABLE)
    return;
  solver_get_model (solver, model);
  g_assert_true (formula_is_satisfied (formula, model, (gsize)formula->n_variables));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  Formula formula = { 0 };
  gboolean is_good = dimacs_read ("fuzz.cnf", (const char *)bytes, n_bytes, &formula, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  check (&formula);
  check_again (&formula);
  if (formula.n_variables <= MAX_VARIABLES)
    check_search (&formula);
  satin_record_clear (&Formula_record, &formula);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  g_autofree char *kind =
      g_strdup_printf ("uniform:%d,%d,3,%d", g_test_rand_int_range (3, 30),
                       g_test_rand_int_range (0, 60), g_test_rand_int_range (0, 1000));
  Formula formula = { 0 };
  generate_formula (kind, &formula, NULL);
  g_autofree char *text = dimacs_to_text (&formula);
  g_byte_array_append (out, (const guint8 *)text, (guint)strlen (text));
  satin_record_clear (&Formula_record, &formula);
}
