/* scripted.h - an adaptation that notes what it is shown and decides what the test says
 *
 * The test sees it through the handle of an adapter's adaptation. Its memory is how often it has
 * decided, a byte; "forgetful" has none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/adaptation.h>

#define SCRIPTED_MAX 64

/**
 * Scripted:
 * @n_decided: by this one, and those before whose memory it was given
 * @census: the last, whose nodes and clusters are copied below; of a cluster's name the beginning
 * @n_ask: machines that are asked for each time, @ask_cluster where
 * @remove: who is sent away each time; 0: nobody
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
