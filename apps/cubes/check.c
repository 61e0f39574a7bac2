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
  return formula_check_job (formula, cube, n_cube, given, n_given, error)
         && check_effort (effort, error);
}
