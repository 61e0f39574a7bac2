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
 * @cube: (array length=n_cube): literals
 * @told: (array length=n_told): clauses in the form of #Formula.literals
 * @error: %SATIN_ERROR_JOB, with what is wrong
 *
 * Cost: O(variables and literals), like solver_new().
 */
gboolean check_job (const Formula *formula, const gint32 *cube, gsize n_cube, const gint32 *told,
                    gsize n_told, const Effort *effort, GError **error);

G_END_DECLS
