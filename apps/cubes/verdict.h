/* verdict.h - what a job has found out about its cube
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "engine.h"
#include "settings.h"

G_BEGIN_DECLS

#define N_HALVES 2

/**
 * Verdict:
 * @answer: an #EngineAnswer
 * @n_conflicts: number of conflicts of this job and all jobs below it
 * @n_jobs: number of these jobs
 * @core: (owned): if there is no model, the literals of the cube that were needed to find that out
 * @model: (owned): for each variable whether it is true; empty if no model was found
 * @proof: (owned): if there is no model and a proof is asked for, a part of the proof (proof.h); as
 *   long as there is no answer, a part that has begun
 *
 * The result of a job.
 */
SATIN_RECORD (Verdict, (int, answer), (long, n_conflicts), (long, n_jobs), (array_int, core),
              (bytes, model), (bytes, proof))

/**
 * verdict_new:
 * @engine: has just searched @cube
 * @answer: what it has found
 * @n_model: number of variables
 * @ret_verdict: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_LIMIT when the part of the proof is too large
 */
gboolean verdict_new (Engine *engine, EngineAnswer answer, const gint32 *cube, gsize n_cube,
                      gsize n_model, const Effort *effort, Verdict *ret_verdict, GError **error);

/* Makes the verdict a refutation: a look has refuted the cube, for which the search had no answer.
 * @failed: as for look_ahead() */
void verdict_refute (Verdict *self, const gint32 *cube, gsize n_cube, const GArray *failed,
                     const Effort *effort);

/* Whether the verdict of a half decides the whole cube: there is a model, or the half was refuted
 * without the literal @split, by which the halves differ. */
gboolean verdict_is_enough (const Verdict *half, gint32 split);

/**
 * verdict_join:
 * @halves: (array fixed-size=2): one half may have no answer if verdict_is_enough() of the other
 *   half
 * @error: %SATIN_ERROR_LIMIT when the part of the proof is too large
 *
 * Adds the verdicts of both halves to that of the job that made them.
 */
gboolean verdict_join (Verdict *self, const Verdict *halves, gint32 split, const Effort *effort,
                       GError **error);

G_END_DECLS
