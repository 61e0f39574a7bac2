/* gotoh.h - the score of the best alignment of two proteins, with affine costs of gaps
 *
 * Two residues that are aligned have the score in the table BLOSUM62. A gap of k residues costs
 * open + k * extend. A global alignment has both proteins from end to end (Needleman and Wunsch).
 * A local alignment has a part of each protein (Smith and Waterman).
 *
 * Threads: any. Source: O. Gotoh, "An improved algorithm for matching biological sequences",
 * Journal of Molecular Biology 162, 1982; S. Henikoff, J. G. Henikoff, "Amino acid substitution
 * matrices from protein blocks", PNAS 89, 1992.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

#include "fasta.h"

G_BEGIN_DECLS

#define GOTOH_MAX_COST 1000

/**
 * Costs:
 * @open: what each gap costs, from 0 to %GOTOH_MAX_COST
 * @extend: what each residue of a gap costs, from 0 to %GOTOH_MAX_COST
 * @is_global: both proteins are aligned from end to end
 */
SATIN_RECORD (Costs, (int, open), (int, extend), (boolean, is_global))

/* The score of each two residues. */
extern const gint8 gotoh_blosum62[FASTA_N_LETTERS][FASTA_N_LETTERS];

/**
 * gotoh_score:
 * @a: (array length=n_a): a protein; each byte is below %FASTA_N_LETTERS
 * @n_a: from 1 to %FASTA_MAX_LENGTH
 * @b: (array length=n_b): another protein
 *
 * Cost: O(n_a * n_b) time, O(n_b) memory
 *
 * Returns: the score of the best alignment; 0 or more for a local one
 */
int gotoh_score (const Costs *costs, const guint8 *a, int n_a, const guint8 *b, int n_b);

G_END_DECLS
