/* outcome.h - all that a run has found out, and how it is printed
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/output.h"
#include "verdict.h"

G_BEGIN_DECLS

/**
 * Outcome:
 * @settings: (borrowed)
 * @cubes: (owned) of gint32: the cubes that are searched, with a 0 after each
 * @refuted: (owned) of gint32: clauses, with a 0 after each: the negations of cubes without a model
 * @division: (owned) (nullable): the proof that a look refuted cubes
 * @verdicts: (owned) (array length=n_cubes): of the cubes
 * @last: of the job that searches what the cubes leave, or of the search with --sequential
 * @total: the answer, the model, and the sums of all verdicts
 */
typedef struct
{
  const Settings *settings;
  GArray *cubes;
  GArray *refuted;
  GByteArray *division;
  Verdict *verdicts;
  guint n_cubes;
  Verdict last;
  Verdict total;
} Outcome;

/* Divides the formula, unless the settings have cubes. With --sequential there are no cubes, unless
 * they are to be printed. Free @self with outcome_clear(). */
void outcome_init (Outcome *self, const Settings *settings);
void outcome_clear (Outcome *self);

/* Adds the verdicts of the cubes to the total, and the refutations to @refuted. Returns: whether
 * there is no model yet, so that the last job must search */
gboolean outcome_add_cubes (Outcome *self);

/* Adds @last to the total. */
void outcome_add_last (Outcome *self);

/* Checks that all proofs together are not too large. @error: %SATIN_ERROR_LIMIT */
gboolean outcome_check_proof (const Outcome *self, GError **error);

/* Prints the answer, after it has checked a model in the formula as it was given. Writes the proof,
 * if there is no model. @output: (nullable): where the proof goes. @error: %SATIN_ERROR_JOB when
 * the answer is wrong or missing, %SATIN_ERROR_LIMIT when the proof is too large,
 * %SATIN_ERROR_FORMAT when a job's part of the proof is wrong, or as for app_output_end() */
gboolean outcome_print (const Outcome *self, AppOutput *output, GError **error);

/* Prints times and sums on stderr. */
void outcome_print_time (const Outcome *self, gint64 time_us);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

G_END_DECLS
