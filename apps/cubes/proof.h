/* proof.h - the parts of a proof that a formula is unsatisfiable, and how they become one file
 *
 * A part is what a job has found out. Its last lemma says that the job's cube has no model. A part
 * may have parts of other jobs in it:
 *
 *   part   = 'b' (lemma | part)... lemma 'e'
 *   lemma  = 'a' literal... 0
 *
 * A literal is twice its variable, plus 1 if it is negative, as a number of 7 bits in each byte,
 * the lowest first; all bytes but the last have their highest bit set. So lemmas have the form of
 * the binary DRAT format.
 *
 * Each lemma follows by unit propagation from the formula, the lemmas before it in its part and in
 * the parts around that, and the last lemmas of parts that have ended. Lemmas of other kinds, which
 * only keep the answer (RAT), do not occur. So the parts of one proof may stand in any order, and
 * when a part ends, all its lemmas but the last one can be deleted.
 *
 * Threads: one at a time for each array.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include <satin/base/error.h>

G_BEGIN_DECLS

void proof_begin (GByteArray *self);

/* Adds a lemma with these literals. */
void proof_add (GByteArray *self, const gint32 *literals, gsize n_literals);

/* Adds the lemma that at least one literal of @cube, or the literal @more, is false. @more: 0 for
 * none */
void proof_add_negated (GByteArray *self, const gint32 *cube, gsize n_cube, gint32 more);

/* Ends a part. Its last lemma says that not all literals of @core are true. */
void proof_end (GByteArray *self, const gint32 *core, gsize n_core);

/**
 * proof_write:
 * @parts: (array length=n_bytes): whole parts, in the form above; bytes of another node, which may
 *   be wrong
 * @file: where the text goes: a line for each lemma, and for each deletion a line that begins
 *   with d
 * @error: %SATIN_ERROR_FORMAT when @parts are not in the form above
 *
 * Writes parts in the DRAT format.
 *
 * Returns: %TRUE on success; whether @file could be written is not checked
 */
gboolean proof_write (const guint8 *parts, gsize n_bytes, FILE *file, GError **error);

G_END_DECLS
