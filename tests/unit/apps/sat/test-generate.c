/* test-generate.c - tests generated formulas: their sizes and their answers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "formula/generate.h"

#include <string.h>

#include "formulas.h"

static void
assert_size (const char *kind, gint32 n_variables, guint n_clauses)
{
  g_auto (TestFormula) formula = formulas_make (kind);
  g_assert_cmpint (formula.n_variables, ==, n_variables);
  g_assert_cmpuint (formula_count_clauses (&formula), ==, n_clauses);
  for (gsize i = 0; i < formula.n_literals; i++)
    g_assert_cmpint (ABS (formula.literals[i]), <=, n_variables);
}

static void
test_sizes (void)
{
  assert_size ("uniform:20,85,3,1", 20, 85);
  assert_size ("uniform:5,0,5,0", 5, 0);
  assert_size ("pigeon:1", 2, 3);
  assert_size ("pigeon:6", 42, 7 + 6 * 21);
  assert_size ("parity:10,3", 15, 40);
}

static void
test_uniform_clauses_have_different_variables (void)
{
  g_auto (TestFormula) formula = formulas_make ("uniform:4,200,4,9");
  Clause clause;
  gsize at = 0;
  while (formula_next (formula.literals, formula.n_literals, &at, &clause))
    {
      guint seen = 0;
      g_assert_cmpuint (clause.n_literals, ==, 4);
      for (gsize i = 0; i < 4; i++)
        seen |= 1U << ABS (clause.literals[i]);
      g_assert_cmphex (seen, ==, 0x1e);
    }
}

static void
test_seeds_differ (void)
{
  g_auto (TestFormula) one = formulas_make ("uniform:20,85,3,1");
  g_auto (TestFormula) same = formulas_make ("uniform:20,85,3,1");
  g_auto (TestFormula) other = formulas_make ("uniform:20,85,3,2");
  gsize n_bytes = one.n_literals * sizeof (gint32);
  g_assert_cmpmem (one.literals, n_bytes, same.literals, same.n_literals * sizeof (gint32));
  g_assert_cmpint (memcmp (one.literals, other.literals, n_bytes), !=, 0);
}

static void
test_pigeons_do_not_fit (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:3");
  g_assert_false (formulas_has_model (&formula, NULL, 0));
}

/* Without its first clause the formula has a model. So nothing else makes it unsatisfiable. */
static void
test_each_pigeon_is_one_too_many (void)
{
  g_auto (TestFormula) formula = formulas_make ("pigeon:3");
  const Formula fewer = { formula.n_variables, formula.literals + 4, formula.n_literals - 4 };
  g_assert_true (formulas_has_model (&fewer, NULL, 0));
}

static void
test_parity_is_unsatisfiable (void)
{
  for (guint seed = 0; seed < 5; seed++)
    {
      g_autofree char *kind = g_strdup_printf ("parity:8,%u", seed);
      g_auto (TestFormula) formula = formulas_make (kind);
      g_assert_false (formulas_has_model (&formula, NULL, 0));
    }
}

static gboolean
is_prime (guint number)
{
  for (guint i = 2; i * i <= number; i++)
    if (number % i == 0)
      return FALSE;
  return TRUE;
}

static void
test_primes_have_no_factors (void)
{
  for (guint number = 2; number < 300; number++)
    {
      g_autofree char *kind = g_strdup_printf ("factor:%u", number);
      g_auto (TestFormula) formula = formulas_make (kind);
      g_test_message ("%u", number);
      g_assert_cmpint (formulas_solve (&formula), ==,
                       is_prime (number) ? SOLVER_UNSATISFIABLE : SOLVER_SATISFIABLE);
    }
}

/* Adds the literals of the bits of @factor, whose variables begin with @variable. */
static void
add_factor (GArray *cube, gint32 variable, guint n_bits, gint64 factor)
{
  for (guint i = 0; i < n_bits; i++, variable++)
    {
      gint32 literal = (factor >> i & 1) != 0 ? variable : -variable;
      g_array_append_val (cube, literal);
    }
}

/* Returns: the answer for factor:@number with both factors given */
static SolverAnswer
answer_with_factors (gint64 number, gint64 small, gint64 large)
{
  g_autofree char *kind = g_strdup_printf ("factor:%" G_GINT64_FORMAT, number);
  g_auto (TestFormula) formula = formulas_make (kind);
  g_autoptr (Solver) solver = solver_new (&formula);
  g_autoptr (GArray) cube = g_array_new (FALSE, FALSE, sizeof (gint32));
  guint n_bits = g_bit_storage ((gulong)number), n_small = (n_bits + 1) / 2;
  add_factor (cube, 1, n_small, small);
  add_factor (cube, (gint32)n_small + 1, n_bits - 1, large);
  return solver_search (solver, (const gint32 *)(gpointer)cube->data, cube->len, SOLVER_NO_LIMIT);
}

/* Products of 43, 44, 45 and 48 bits. The multiplier of 44 bits is the first with more than 64. */
static const gint64 factors[][2] = {
  { 431, 20408568497 },
  { 3, 2932031007403 },
  { 4194301, 4194319 },
  { 16777213, 16777199 },
};

static void
test_large_numbers_have_their_factors (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      gint64 small = factors[i][0], large = factors[i][1], number = small * large;
      g_test_message ("%" G_GINT64_FORMAT, number);
      g_assert_cmpint (answer_with_factors (number, small, large), ==, SOLVER_SATISFIABLE);
      g_assert_cmpint (answer_with_factors (number, small, large - 2), ==, SOLVER_UNSATISFIABLE);
    }
}

/* The greatest N for which there is a colouring, as published. */
static const struct
{
  const char *kind;
  gint32 n;
} colourings[] = {
  { "waerden:3,3,", 8 },  { "waerden:3,4,", 17 }, { "waerden:3,5,", 21 }, { "waerden:4,4,", 34 },
  { "waerden:3,6,", 31 }, { "schur:1,", 1 },      { "schur:2,", 4 },      { "schur:3,", 13 },
};

static void
test_colourings_end_where_published (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (colourings); i++)
    for (gint32 more = 0; more < 2; more++)
      {
        g_autofree char *kind =
            g_strdup_printf ("%s%d", colourings[i].kind, colourings[i].n + more);
        g_auto (TestFormula) formula = formulas_make (kind);
        g_test_message ("%s", kind);
        g_assert_cmpint (formulas_solve (&formula), ==,
                         more > 0 ? SOLVER_UNSATISFIABLE : SOLVER_SATISFIABLE);
      }
}

/* There are 52 triples of numbers up to 100. Each makes two clauses. */
static void
test_triples_are_pythagorean (void)
{
  g_auto (TestFormula) formula = formulas_make ("pythagoras:100");
  Clause clause;
  gsize at = 0;
  assert_size ("pythagoras:100", 100, 104);
  while (formula_next (formula.literals, formula.n_literals, &at, &clause))
    {
      const gint32 *abc = clause.literals;
      g_assert_cmpuint (clause.n_literals, ==, 3);
      g_assert_cmpint (abc[0] * abc[0] + abc[1] * abc[1], ==, abc[2] * abc[2]);
      g_assert_true ((abc[0] < 0) == (abc[1] < 0) && (abc[0] < 0) == (abc[2] < 0));
    }
}

/* ---- errors ---- */

static const char *const wrongs[][2] = {
  { "", "there is no kind of formula '': give one of " GENERATE_KINDS },
  { "horn:3", "there is no kind of formula 'horn': give one of " GENERATE_KINDS },
  { "pigeon", "pigeon: has 0 numbers, but must have 1: give one of " GENERATE_KINDS },
  { "pigeon:1,2", "pigeon:1,2 has 2 numbers, but must have 1: give one of " GENERATE_KINDS },
  { "pigeon:0", "pigeon:0: HOLES is '0', but must be from 1 to 100" },
  { "pigeon:six", "pigeon:six: HOLES is 'six', but must be from 1 to 100" },
  { "uniform:20,85,3,-1", "uniform:20,85,3,-1: SEED is '-1', but must be from 0 to 2147483647" },
  { "uniform:2,85,3,1", "uniform: K is above VARS, but the variables of a clause are different" },
  { "parity:5,1", "parity: N must be even, as each corner has three ends of edges" },
  { "factor:281474976710656",
    "factor:281474976710656: NUMBER is '281474976710656', but must be from 2 to 281474976710655" },
};

static void
test_errors_are_told (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autoptr (GError) error = NULL;
      Formula formula;
      g_assert_false (generate_formula (wrongs[i][0], &formula, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, wrongs[i][1]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/sat/generate/" path, function)
  CASE ("sizes-are-as-asked-for", test_sizes);
  CASE ("uniform-clauses-have-different-variables", test_uniform_clauses_have_different_variables);
  CASE ("seeds-differ", test_seeds_differ);
  CASE ("pigeons-do-not-fit", test_pigeons_do_not_fit);
  CASE ("each-pigeon-is-one-too-many", test_each_pigeon_is_one_too_many);
  CASE ("parity-is-unsatisfiable", test_parity_is_unsatisfiable);
  CASE ("primes-have-no-factors", test_primes_have_no_factors);
  CASE ("large-numbers-have-their-factors", test_large_numbers_have_their_factors);
  CASE ("colourings-end-where-published", test_colourings_end_where_published);
  CASE ("triples-are-pythagorean", test_triples_are_pythagorean);
  CASE ("errors-are-told", test_errors_are_told);
  return g_test_run ();
}
