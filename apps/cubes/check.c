/* check.c - checks what a job gets, which may come from a damaged node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include "../common/arguments.h"

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

static gboolean
check_effort (const Effort *effort, GError **error)
{
  return app_argument_check ("number of conflicts", effort->n_conflicts, 1, EFFORT_MAX_CONFLICTS,
                             error)
         && app_argument_check ("length of clauses to pass", effort->pass_length, 0,
                                EFFORT_MAX_LENGTH, error)
         && app_argument_check ("length of clauses to share", effort->share_length, 0,
                                EFFORT_MAX_LENGTH, error)
         && app_argument_check ("number of candidates", effort->n_candidates, 1,
                                FORMULA_MAX_VARIABLES, error)
         && app_argument_check ("time of a conflict", effort->conflict_ns, 0, G_MAXINT32, error)
         && app_argument_check ("size of a proof", effort->max_proof_bytes, 0,
                                EFFORT_MAX_PART_BYTES, error);
}

gboolean
check_job (const Formula *formula, const gint32 *cube, gsize n_cube, const gint32 *given,
           gsize n_given, const Effort *effort, GError **error)
{
  if (formula == NULL)
    return app_argument_refuse ("the formula is not here", error);
  if (!app_argument_check ("number of variables", formula->n_variables, 0, FORMULA_MAX_VARIABLES,
                           error)
      || !check_effort (effort, error))
    return FALSE;
  if (formula->n_literals > FORMULA_MAX_LITERALS
      || !are_clauses (formula->literals, formula->n_literals, formula->n_variables))
    return app_argument_refuse ("the formula has a wrong clause", error);
  if (!are_literals (cube, n_cube, formula->n_variables, FALSE))
    return app_argument_refuse ("the cube has a wrong literal", error);
  if (!are_clauses (given, n_given, formula->n_variables))
    return app_argument_refuse ("a given clause is wrong", error);
  return TRUE;
}
