/* settings.h - the command line of the solver
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "formula/formula.h"

#define EFFORT_MAX_CONFLICTS 1000000000
#define EFFORT_MAX_LENGTH    100

/* How a job works. @n_conflicts: a job divides its cube after this many conflicts; @share_length:
 * the most literals of a clause that a job passes to its halves; @clause_length: the most literals
 * of a clause that a job sends to all jobs; @conflict_ns: time of a conflict in a simulation */
SATIN_RECORD (Effort, (long, n_conflicts), (int, share_length), (int, clause_length),
              (int, conflict_ns))

/**
 * Settings:
 * @formula: (owned)
 * @write_path: (owned) (nullable): write the formula to this file instead of solving it
 * @has_model: print the model as "v" lines
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
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure; with --help
 *   there is no formula in it
 * @error: %SATIN_ERROR_INVALID, or as for dimacs_load()
 *
 * Returns: %TRUE on success
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);
void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)
