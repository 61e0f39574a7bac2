/* scripted.h - an adaptation that records each census, and decides what the test says
 *
 * The test reaches it through the handle of an adapter's adaptation. Its memory is one byte, the
 * count of decisions. The plugin "forgetful" is the same without a memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/adaptation.h>

#define SCRIPTED_MAX 64

/**
 * Scripted:
 * @n_decided: number of decisions, including those in a memory that was loaded
 * @census: the last census; its nodes and clusters are copied below, and the clusters' names are
 * cut
 * @n_ask: machines to ask for at each decision, in @ask_cluster
 * @remove: node to remove at each decision; 0: none
 */
typedef struct
{
  guint n_decided;
  SatinCensus census;
  SatinCensusNode nodes[SCRIPTED_MAX];
  SatinCensusCluster clusters[SCRIPTED_MAX];
  char names[SCRIPTED_MAX][8];
  guint n_ask, ask_cluster;
  SatinNodeId remove;
} Scripted;
