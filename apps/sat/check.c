/* check.c - checks what a job gets, which may come from a damaged node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include "../common/arguments.h"

static gboolean
check_effort (const Effort *effort, GError **error)
{
  return app_argument_check ("number of conflicts", effort->n_conflicts, 1, EFFORT_MAX_CONFLICTS,
                             error)
         && app_argument_check ("length of clauses to pass", effort->share_length, 0,
                                EFFORT_MAX_LENGTH, error)
         && app_argument_check ("length of clauses to send", effort->clause_length, 0,
                                EFFORT_MAX_LENGTH, error)
         && app_argument_check ("time of a conflict", effort->conflict_ns, 0, G_MAXINT32, error);
}

/* Whether two literals of the cube have the same variable. @cube: valid literals */
static gboolean
has_twice (const gint32 *cube, gsize n_cube, gint32 n_variables)
{
  g_autofree guint8 *is_there = g_malloc0 ((gsize)n_variables + 1);

  for (gsize i = 0; i < n_cube; i++)
    if (is_there[ABS (cube[i])]++ != 0)
      return TRUE;
  return FALSE;
}

gboolean
check_job (const Formula *formula, const gint32 *cube, gsize n_cube, const gint32 *told,
           gsize n_told, const Effort *effort, GError **error)
{
  if (!formula_check_job (formula, cube, n_cube, told, n_told, error)
      || !check_effort (effort, error))
    return FALSE;
  /* The solver has a level for each literal of the cube, and room for as many levels as there are
   * variables. */
  if (has_twice (cube, n_cube, formula->n_variables))
    return app_argument_refuse ("the cube has a variable twice", error);
  return TRUE;
}
