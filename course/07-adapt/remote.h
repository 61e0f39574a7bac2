/* remote.h - messages between the simulator and the processes in which a student's adaptation runs
 *
 * Both sides are built on one machine from one header, so structures travel as they are in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pipe.h"

#include <satin/adapt/adaptation.h>

#define MOST_HANDLES  4096
#define MOST_NODES    8192
#define MOST_CLUSTERS 64
#define MOST_CHANGES  8192
#define NAME_BYTES    32

typedef enum
{
  REMOTE_OPEN,
  REMOTE_DECIDE,
  REMOTE_CLOSE,
} RemoteKind;

/* A question about one handle. After REMOTE_DECIDE follow the nodes of the census, its clusters,
 * and their names. */
typedef struct
{
  guint32 handle;
  guint32 kind;
  SatinCensus census; /* its pointers mean nothing */
} RemoteQuestion;

/* An answer. After it follow the asks and the removals of the decision. */
typedef struct
{
  guint32 is_right; /* whether the operation has succeeded */
  guint32 n_asks;
  guint32 n_removals;
} RemoteAnswer;

/* What follows a question. */
typedef struct
{
  SatinCensusNode nodes[MOST_NODES];
  SatinCensusCluster clusters[MOST_CLUSTERS];
  char names[MOST_CLUSTERS][NAME_BYTES];
} RemoteFigures;

/* Sends a question and the figures of its census. */
static inline gboolean
remote_ask (int fd, const RemoteQuestion *question, const RemoteFigures *figures)
{
  guint n_nodes = question->kind == REMOTE_DECIDE ? question->census.n_nodes : 0;
  guint n_clusters = question->kind == REMOTE_DECIDE ? question->census.n_clusters : 0;
  return pipe_write (fd, question, sizeof *question)
         && pipe_write (fd, figures->nodes, n_nodes * sizeof *figures->nodes)
         && pipe_write (fd, figures->clusters, n_clusters * sizeof *figures->clusters)
         && pipe_write (fd, figures->names, n_clusters * sizeof *figures->names);
}

/* Reads a question and the figures of its census, and makes the pointers of the census. */
static inline gboolean
remote_hear (int fd, RemoteQuestion *question, RemoteFigures *figures)
{
  if (!pipe_read (fd, question, sizeof *question))
    return FALSE;
  if (question->kind != REMOTE_DECIDE)
    return TRUE;
  SatinCensus *census = &question->census;
  if (census->n_nodes > MOST_NODES || census->n_clusters > MOST_CLUSTERS
      || !pipe_read (fd, figures->nodes, census->n_nodes * sizeof *figures->nodes)
      || !pipe_read (fd, figures->clusters, census->n_clusters * sizeof *figures->clusters)
      || !pipe_read (fd, figures->names, census->n_clusters * sizeof *figures->names))
    return FALSE;
  for (guint i = 0; i < census->n_clusters; i++)
    figures->clusters[i].name = figures->names[i];
  census->nodes = figures->nodes;
  census->clusters = figures->clusters;
  return TRUE;
}
