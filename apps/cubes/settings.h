/* settings.h - the command line of cubes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/formula/formula.h"
#include "../common/options.h"
#include "divide.h"

G_BEGIN_DECLS

#define EFFORT_MAX_CONFLICTS 1000000000
#define EFFORT_MAX_LENGTH    100

/* A job's part of the proof is a part of its result, and a checkpoint stores results of up to 63
 * MiB. */
#define EFFORT_MAX_PART_BYTES ((gint64)48 << 20)

/**
 * Effort:
 * @n_conflicts: a job divides its cube after this many conflicts
 * @pass_length: the most literals of a clause that a job passes to its halves
 * @share_length: the most literals of a clause that a job sends to all jobs
 * @n_candidates: the number of variables that a job tries when it divides its cube
 * @conflict_ns: time of a conflict in a simulation
 * @max_proof_bytes: the most bytes of a job's part of the proof; 0: no proof is asked for
 *
 * How a job works.
 */
SATIN_RECORD (Effort, (int, n_conflicts), (int, pass_length), (int, share_length),
              (int, n_candidates), (int, conflict_ns), (long, max_proof_bytes))

/**
 * Settings:
 * @formula: (owned)
 * @cubes: (owned): of gint32: the cubes that were given, with a 0 after each; empty: none
 * @limits: how far the formula is divided, if no cubes were given
 * @write_path: (owned) (nullable): write the formula to this file instead of solving it
 * @proof_path: (owned) (nullable): where the proof goes
 * @max_proof_bytes: the most bytes of all jobs' parts of the proof
 * @has_model: print the model as "v" lines
 * @is_divided_only: print the cubes instead of searching them
 */
typedef struct
{
  AppOptions common;
  Formula formula;
  GArray *cubes;
  DivideLimits limits;
  Effort effort;
  char *write_path;
  char *proof_path;
  gint64 max_proof_bytes;
  gboolean has_model;
  gboolean is_divided_only;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv)
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure; with --help
 *   there is no formula in it
 * @error: %SATIN_ERROR_INVALID, or as for icnf_load()
 *
 * Returns: %TRUE on success
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);
void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
