/* check.h - checks what a job gets, which may come from a damaged node
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

/**
 * check_job:
 * @formula: (nullable): %NULL if this node does not have the object, or it is no formula
 * @cube: (array length=n_cube): literals
 * @given: (array length=n_given): clauses in the form of #Formula.literals
 * @error: %SATIN_ERROR_JOB, with what is wrong
 *
 * Cost: as for formula_check_job().
 */
gboolean check_job (const Formula *formula, const gint32 *cube, gsize n_cube, const gint32 *given,
                    gsize n_given, const Effort *effort, GError **error);

G_END_DECLS
