/* settings.h - the command line of the solver
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "formula/formula.h"

/* How a job works. @n_conflicts: before it divides; @share_length: of learned clauses that its
 * halves are told; @clause_length: of those that all jobs are told; @conflict_ns: what a conflict
 * takes in a simulation */
SATIN_RECORD (Effort, (long, n_conflicts), (int, share_length), (int, clause_length),
              (int, conflict_ns))

/**
 * Settings:
 * @formula: (owned)
 * @write_path: (owned) (nullable): the formula is written there, and not solved
 * @has_model: v lines are wanted
 */
typedef struct
{
  AppOptions common;
  Formula formula;
  Effort effort;
  char *write_path;
  gboolean has_model;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv)
 * @ret_settings: (out caller-allocates): clear it, on failure too; without formula when only help
 * was asked for
 * @error: %SATIN_ERROR_INVALID, or as for dimacs_load()
 *
 * Returns: %TRUE on success
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);
void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)
