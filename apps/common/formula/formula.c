/* formula.c - walks over the clauses of a formula, checks a model, and checks what a job gets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "formula.h"

#include "../arguments.h"

gboolean
formula_next (const gint32 *literals, gsize n_literals, gsize *at, Clause *ret_clause)
{
  gsize end = *at;

  if (end >= n_literals)
    return FALSE;
  while (end < n_literals && literals[end] != 0)
    end++;
  *ret_clause = (Clause){ literals + *at, end - *at };
  *at = end + 1;
  return TRUE;
}

guint
formula_count_clauses (const Formula *self)
{
  guint n = 0;

  for (gsize i = 0; i < self->n_literals; i++)
    n += self->literals[i] == 0;
  return n;
}

static gboolean
holds (const Clause *clause, const guint8 *model)
{
  for (gsize i = 0; i < clause->n_literals; i++)
    {
      gint32 literal = clause->literals[i];
      if (literal > 0 ? model[literal - 1] : !model[-literal - 1])
        return TRUE;
    }
  return FALSE;
}

gboolean
formula_is_satisfied (const Formula *self, const guint8 *model, gsize n_model)
{
  Clause clause;
  gsize at = 0;

  if (n_model != (gsize)self->n_variables)
    return FALSE;
  while (formula_next (self->literals, self->n_literals, &at, &clause))
    if (!holds (&clause, model))
      return FALSE;
  return TRUE;
}

/* ---- jobs ---- */

/* Whether all are literals of the variables up to @n_variables. @may_end: 0 may stand among them */
static gboolean
are_literals (const gint32 *literals, gsize n, gint32 n_variables, gboolean may_end)
{
  for (gsize i = 0; i < n; i++)
    if (literals[i] < -n_variables || literals[i] > n_variables || (literals[i] == 0 && !may_end))
      return FALSE;
  return TRUE;
}

static gboolean
are_clauses (const gint32 *literals, gsize n, gint32 n_variables)
{
  return are_literals (literals, n, n_variables, TRUE) && (n == 0 || literals[n - 1] == 0);
}

gboolean
formula_check_job (const Formula *self, const gint32 *cube, gsize n_cube, const gint32 *given,
                   gsize n_given, GError **error)
{
  if (!app_argument_check ("number of variables", self->n_variables, 0, FORMULA_MAX_VARIABLES,
                           error))
    return FALSE;
  if (self->n_literals > FORMULA_MAX_LITERALS
      || !are_clauses (self->literals, self->n_literals, self->n_variables))
    return app_argument_refuse ("the formula has a wrong clause", error);
  if (!are_literals (cube, n_cube, self->n_variables, FALSE))
    return app_argument_refuse ("the cube has a wrong literal", error);
  if (n_given > FORMULA_MAX_LITERALS || !are_clauses (given, n_given, self->n_variables))
    return app_argument_refuse ("a given clause is wrong", error);
  return TRUE;
}
