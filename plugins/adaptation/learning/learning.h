/* learning.h - what the parts of a decision share
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "memory.h"

G_BEGIN_DECLS

/* The part of @n that lies as far outside as @over says, in [0, 1]; at least one. */
guint learning_part_of (guint n, gdouble over);

/* judge.c: how much each reason to remove a node weighs now. */
SatinBadnessWeights learning_weights (const Learning *self);

/* The nodes are changed for @reason, which is to be judged. */
void learning_note_change (Learning *self, const SatinCensus *census, gint32 reason);

/* What is to be judged, when it was seen for long enough. */
void learning_judge (Learning *self, const SatinCensus *census);

/* removal.c */
void learning_remove_node (Learning *self, const SatinCensus *census, guint place,
                           SatinRemoveReason reason, SatinDecision *decision);

/* What is offered in its cluster is not what one gets. */
void learning_bar_cluster_of (Learning *self, const SatinCensus *census,
                              const SatinCensusNode *node);

/* Returns: %FALSE when no cluster has too slow a link */
gboolean learning_remove_far_cluster (Learning *self, const SatinCensus *census,
                                      SatinDecision *decision);

/* Also beside a cluster that is sent away: how long it takes until its going is over and judged
 * says nothing of those that are slow. */
void learning_remove_slow (Learning *self, const SatinCensus *census, SatinDecision *decision);

/* Those that are slow go, or the worst when none is. */
void learning_shrink (Learning *self, const SatinCensus *census, gdouble efficiency,
                      SatinDecision *decision);

/* growth.c */
void learning_grow (Learning *self, const SatinCensus *census, gdouble utilisation,
                    SatinDecision *decision);

/* Better machines, in place of the slowest nodes. */
void learning_replace (Learning *self, const SatinCensus *census, SatinDecision *decision);

/* Of those as many go as have come. */
void learning_finish_replacing (Learning *self, const SatinCensus *census, SatinDecision *decision);

G_END_DECLS
