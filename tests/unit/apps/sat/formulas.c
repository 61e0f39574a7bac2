/* formulas.c - formulas for the tests of the solver, and ways to find their answers without it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "formulas.h"

#include <string.h>

#include "formula/dimacs.h"
#include "formula/generate.h"

Formula
formulas_read (const char *text)
{
  g_autoptr (GError) error = NULL;
  Formula formula = { 0 };

  dimacs_read ("test.cnf", text, strlen (text), &formula, &error);
  g_assert_no_error (error);
  return formula;
}

Formula
formulas_make (const char *kind)
{
  g_autoptr (GError) error = NULL;
  Formula formula = { 0 };

  generate_formula (kind, &formula, &error);
  g_assert_no_error (error);
  return formula;
}

Formula
formulas_draw (guint number)
{
  guint n_variables = 4 + number % 12;
  g_autofree char *kind = g_strdup_printf ("uniform:%u,%u,3,%u", n_variables,
                                           n_variables * (38 + number % 17) / 10, number);

  return formulas_make (kind);
}

static gboolean
has_cube (const guint8 *model, const gint32 *cube, gsize n_cube)
{
  for (gsize i = 0; i < n_cube; i++)
    if (model[ABS (cube[i]) - 1] != (cube[i] > 0))
      return FALSE;
  return TRUE;
}

gboolean
formulas_has_model (const Formula *formula, const gint32 *cube, gsize n_cube)
{
  guint8 model[FORMULAS_MAX_VARIABLES];
  gsize n = (gsize)formula->n_variables;

  g_assert_cmpuint (n, <=, FORMULAS_MAX_VARIABLES);
  for (guint bits = 0; bits < 1U << n; bits++)
    {
      for (gsize i = 0; i < n; i++)
        model[i] = bits >> i & 1;
      if (has_cube (model, cube, n_cube) && formula_is_satisfied (formula, model, n))
        return TRUE;
    }
  return FALSE;
}

SolverAnswer
formulas_solve (const Formula *formula)
{
  g_autoptr (Solver) solver = solver_new (formula);

  return solver_search (solver, NULL, 0, SOLVER_NO_LIMIT);
}
