/* learning.h - what the files of this plugin share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "memory.h"

G_BEGIN_DECLS

/* Returns: @n * @over, rounded up, but at least 1 and at most @n */
guint learning_part_of (guint n, gdouble over);

/* judge.c: the current weight of each reason to remove a node. */
SatinBadnessWeights learning_weights (const Learning *self);

/* Notes that the set of nodes is changed for @reason (as in #Memory), and the figures before, so
 * that the change can be judged. */
void learning_note_change (Learning *self, const SatinCensus *census, gint32 reason);

/* Judges the last change, if enough periods have passed since. */
void learning_judge (Learning *self, const SatinCensus *census);

/* removal.c */
void learning_remove_node (Learning *self, const SatinCensus *census, guint place,
                           SatinRemoveReason reason, SatinDecision *decision);

/* Bars the node's cluster, unless it is barred already. */
void learning_bar_cluster_of (Learning *self, const SatinCensus *census,
                              const SatinCensusNode *node);

/* Removes the worst cluster whose link is too slow. Returns: %FALSE when there is none, or too few
 * nodes would be left */
gboolean learning_remove_far_cluster (Learning *self, const SatinCensus *census,
                                      SatinDecision *decision);

/* Removes slow nodes. Also used in a decision that removes a cluster, because it takes long until
 * that removal is judged, and the judgement says nothing about slow nodes. */
void learning_remove_slow (Learning *self, const SatinCensus *census, SatinDecision *decision);

/* Removes the slow nodes or, if there are none, the worst nodes. */
void learning_shrink (Learning *self, const SatinCensus *census, gdouble efficiency,
                      SatinDecision *decision);

/* growth.c */
void learning_grow (Learning *self, const SatinCensus *census, gdouble utilisation,
                    SatinDecision *decision);

/* Asks for better machines, in place of the slowest nodes. If the run may have no more nodes,
 * removes slow nodes instead, so that machines can be asked for later. */
void learning_replace (Learning *self, const SatinCensus *census, SatinDecision *decision);

/* Removes slow nodes, the slowest first, at most as many as machines have joined for
 * learning_replace(). */
void learning_finish_replacing (Learning *self, const SatinCensus *census, SatinDecision *decision);

G_END_DECLS
