/* pairs.h - the pairs of sequences, in the order (1, 0), (2, 0), (2, 1), (3, 0) and so on
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "gotoh.h"

G_BEGIN_DECLS

/* Some pairs that follow each other: from @first up to, but without, @last. */
SATIN_RECORD (Pairs, (long, first), (long, last))

/**
 * pairs_check:
 * @self: pairs that may come from another node
 * @sequences: sequences that sequences_check() accepts
 * @error: %SATIN_ERROR_JOB when there are no such pairs, or a cost is out of its range
 *
 * Returns: %TRUE when the pairs exist and the costs are in their ranges
 */
gboolean pairs_check (const Pairs *self, const Costs *costs, const Sequences *sequences,
                      GError **error);

/* Finds the two sequences of pair @pair. */
void pairs_find (gint64 pair, int *ret_greater, int *ret_less);

/* Returns: how many cells the alignment tables of these pairs have together */
gint64 pairs_n_cells (const Pairs *self, const Sequences *sequences);

/* Computes the scores. @ret_scores: (out caller-allocates): one for each pair */
void pairs_score (const Pairs *self, const Costs *costs, const Sequences *sequences,
                  gint32 *ret_scores);

G_END_DECLS
