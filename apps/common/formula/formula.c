/* formula.c - walks over the clauses of a formula, and checks a model
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "formula.h"

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
