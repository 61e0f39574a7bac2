/* learning.h - what the files of this plugin share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "memory.h"

G_BEGIN_DECLS

/* @n * @over, rounded up: at least 1, at most @n. */
guint learning_part_of (guint n, gdouble over);

/* judge.c: the current weight of each reason to remove a node. */
SatinBadnessWeights learning_weights (const Learning *self);

/* Notes that nodes are changed for @reason. The change will be judged. */
void learning_note_change (Learning *self, const SatinCensus *census, gint32 reason);

/* Judges the last change, if the new nodes were seen for long enough. */
void learning_judge (Learning *self, const SatinCensus *census);

/* removal.c */
void learning_remove_node (Learning *self, const SatinCensus *census, guint place,
                           SatinRemoveReason reason, SatinDecision *decision);

/* Bars the node's cluster: its machines are worse than it offers. */
void learning_bar_cluster_of (Learning *self, const SatinCensus *census,
                              const SatinCensusNode *node);

/* Removes the worst cluster whose link is too slow. Returns: %FALSE when there is none */
gboolean learning_remove_far_cluster (Learning *self, const SatinCensus *census,
                                      SatinDecision *decision);

/* Removes nodes that are slow. It may follow the removal of a cluster in the same decision: it
 * takes long until that is judged, and the judgement says nothing about slow nodes. */
void learning_remove_slow (Learning *self, const SatinCensus *census, SatinDecision *decision);

/* Removes the slow nodes or, if there are none, the worst ones. */
void learning_shrink (Learning *self, const SatinCensus *census, gdouble efficiency,
                      SatinDecision *decision);

/* growth.c */
void learning_grow (Learning *self, const SatinCensus *census, gdouble utilisation,
                    SatinDecision *decision);

/* Asks for better machines, in place of the slowest nodes. */
void learning_replace (Learning *self, const SatinCensus *census, SatinDecision *decision);

/* Removes as many of these nodes as machines have joined. */
void learning_finish_replacing (Learning *self, const SatinCensus *census, SatinDecision *decision);

G_END_DECLS
