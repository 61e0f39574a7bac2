/* replicas-world.h - nodes with shared objects, connected by a network in memory
 *
 * Every node has a store of objects, and replicas, which send updates to other nodes. There are
 * four types. In a "top", the highest value counts. In a "note", the last value that was written
 * counts. A "page" has versions. A "board" is changed in place. Each object counts the calls that
 * were applied to it in @n_calls; merging two tops does not add these counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../core/counting-loop.h"
#include "../core/fake-peers.h"
#include "objects/private.h"
#include "replicas/private.h"

#define WORLD_MAX_NODES 8
#define WORLD_WINDOW_US ((gint64)1000)
#define WORLD_FAR_US    ((gint64)5000)
#define WORLD_DIGEST_US ((gint64)1000000)
#define WORLD_MAX_BYTES ((gsize)1000)

/* clang-format off */
SATIN_OBJECT_TYPE_DECLARE (top, (long, value), (int, n_calls))
SATIN_OBJECT_TYPE_DECLARE (note, (long, value), (int, n_calls))
SATIN_OBJECT_TYPE_DECLARE (page, (long, value), (int, n_calls), (bytes, text))
SATIN_OBJECT_TYPE_DECLARE (board, (long, value), (int, n_calls))
SATIN_METHOD_DECLARE (top, set, (long, value))
SATIN_METHOD_DECLARE (note, set, (long, value))
SATIN_METHOD_DECLARE (page, set, (long, value))
SATIN_METHOD_DECLARE (board, set, (long, value))
/* clang-format on */

typedef struct
{
  SatinObjects *objects;   /* (owned) */
  SatinReader *reader;     /* (owned) */
  SatinReplicas *replicas; /* (owned) (nullable) */
} WorldNode;

/* A message at the moment when it was sent. */
typedef struct
{
  SatinNodeId from, to;
  ReplicasKind kind;
} WorldMessage;

typedef struct
{
  SatinLoop *loop; /* (owned) */
  FakeNet *net;    /* (owned) */
  guint n_nodes;
  WorldNode nodes[WORLD_MAX_NODES];
  GArray *sent;         /* (owned) of WorldMessage */
  SatinNodeId cut;      /* messages to this node are lost; 0: none */
  ReplicasKind lost;    /* messages of this kind are lost; 0: none */
  gboolean is_doubling; /* each message arrives twice */
  gint32 n_lost;        /* the chance that a message is lost, in percent */
} ReplicasWorld;

/* One node for each letter in @clusters: "aabb" means two clusters of two nodes. Node 1 is the
 * master. */
ReplicasWorld *replicas_world_new (const char *clusters);
/* Frees every node, and checks that no timer is left. */
void replicas_world_free (ReplicasWorld *self);
void replicas_world_advance (ReplicasWorld *self, gint64 duration_us);
/* Node @id crashes. */
void replicas_world_kill (ReplicasWorld *self, SatinNodeId id);

/* Creates an object called "it" on node @at. */
SatinObject replicas_world_create (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type,
                                   gint64 value);
/* Creates an object called "it" on all nodes. */
SatinObject replicas_world_create_all (ReplicasWorld *self, const SatinObjectType *type,
                                       gint64 value);
/* Sets the value of "it" on node @at. */
void replicas_world_set (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type,
                         gint64 value);
/* Returns: the value of "it" on node @at; -1 when it is not there */
gint64 replicas_world_get (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type);
/* Returns: how many calls were applied to "it" on node @at */
gint replicas_world_count_calls (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type);
/* Node @at has a job from node @from that waits for "it". */
void replicas_world_want (ReplicasWorld *self, SatinNodeId at, SatinNodeId from,
                          const SatinObjectType *type);

/* Returns: how many messages of @kind went from @from to @to; 0: any node */
guint replicas_world_count_sent (const ReplicasWorld *self, ReplicasKind kind, SatinNodeId from,
                                 SatinNodeId to);
gint64 replicas_world_get_figure (ReplicasWorld *self, SatinNodeId at, const char *name);
guint replicas_world_count_waits (ReplicasWorld *self, SatinNodeId at, const char *what);
