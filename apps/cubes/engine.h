/* engine.h - CaDiCaL, searching one cube of a formula
 *
 * The literals of the cube are assumptions. So all clauses that CaDiCaL derives follow from the
 * clauses that were added, without the cube, and hold in every cube.
 *
 * CaDiCaL has a C interface, but that lacks the trace of a proof. So engine.cc uses the C++
 * interface, and is the only file that knows it.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _Engine Engine;

typedef enum
{
  ENGINE_UNKNOWN,       /* the search gave up at its limit of conflicts */
  ENGINE_SATISFIABLE,   /* there is a model */
  ENGINE_UNSATISFIABLE, /* there is no model in the cube */
} EngineAnswer;

/* A number of conflicts that stands for no limit: the search ends only with an answer. */
#define ENGINE_NO_LIMIT 0

/* The most literals of a learned clause that an engine collects. */
#define ENGINE_MAX_LENGTH 100

/**
 * engine_new:
 * @n_variables: number of variables of the formula
 * @max_length: learned clauses of up to this many literals are collected; 0: none
 * @max_proof_bytes: lemmas are collected as long as they need no more bytes; 0: none are
 *
 * Returns: (transfer full): free with engine_free()
 */
Engine *engine_new (gint32 n_variables, guint max_length, gsize max_proof_bytes);
void engine_free (Engine *self);

/* Adds clauses. @literals: (array length=n_literals): in the form of #Formula.literals. Call it
 * before the first engine_solve(). */
void engine_add (Engine *self, const gint32 *literals, gsize n_literals);

/**
 * engine_solve:
 * @cube: (array length=n_cube): literals that are assumed to be true
 * @n_conflicts: the search gives up after this many conflicts, 1 or more; or %ENGINE_NO_LIMIT
 *
 * Searches for a model in the cube, with the clauses that earlier calls have learned, too.
 */
EngineAnswer engine_solve (Engine *self, const gint32 *cube, gsize n_cube, int n_conflicts);

/* Returns: the number of conflicts of all searches together. CaDiCaL does not say it. A search that
 * gave up counts with its limit. A search with an answer counts with the number of clauses that it
 * learned, at most its limit. */
gint64 engine_count_conflicts (const Engine *self);

/* After %ENGINE_SATISFIABLE: for each variable whether it is true. @ret_model: (out) (array
 * length=n_variables) */
void engine_get_model (Engine *self, guint8 *ret_model);

/* After %ENGINE_UNSATISFIABLE: the literals of @cube that were needed for the refutation. Returns:
 * (transfer full) (element-type gint32): some of @cube, in the same order */
GArray *engine_get_core (Engine *self, const gint32 *cube, gsize n_cube);

/* The clauses that were collected: the shortest first. @max_literals: the most literals of all
 * clauses together, including the 0 after each. Returns: (transfer full) (element-type gint32): in
 * the form of #Formula.literals */
GArray *engine_get_learned (const Engine *self, guint max_length, gsize max_literals);

/* The lemmas of all searches in the form of proof.h: each follows by unit propagation from the
 * added clauses and the lemmas before it. Only for an engine that collects lemmas. Returns:
 * (transfer none) */
const GByteArray *engine_get_lemmas (Engine *self);

/* Whether there were more lemmas than the engine may collect. Then some are missing. */
gboolean engine_is_proof_cut (const Engine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Engine, engine_free)

G_END_DECLS
