/* replicas-world.h - nodes with objects, over a network in memory
 *
 * Every node has a store of its own, and replicas that carry updates. There are objects of four
 * types: of a "top" the highest value counts, whoever set it, and in a "note" the last one that was
 * written, while a "page" has versions, and a "board" is changed in place. Each counts the calls
 * that it had in @n_calls, but a top only those that it had here.
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

/* A message as it was sent. */
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
  SatinNodeId cut;      /* what is sent to this node is lost; 0: none is */
  ReplicasKind lost;    /* what of this kind is sent is lost; 0: none is */
  gboolean is_doubling; /* what is sent arrives twice */
  gint32 n_lost;        /* of a hundred messages, by chance */
} ReplicasWorld;

/* Node 1 is the master; clusters are as in @clusters, a letter each: "aabb". */
ReplicasWorld *replicas_world_new (const char *clusters);
/* Frees every node and checks that no timer is left. */
void replicas_world_free (ReplicasWorld *self);
void replicas_world_advance (ReplicasWorld *self, gint64 duration_us);
/* The node crashes. */
void replicas_world_kill (ReplicasWorld *self, SatinNodeId id);

/* An object called "it", with that value. */
SatinObject replicas_world_create (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type,
                                   gint64 value);
/* Likewise on all nodes. */
SatinObject replicas_world_create_all (ReplicasWorld *self, const SatinObjectType *type,
                                       gint64 value);
/* Sets its value. */
void replicas_world_set (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type,
                         gint64 value);
/* Its value there; -1 when it is not. */
gint64 replicas_world_get (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type);
/* How many calls it had. */
gint replicas_world_count_calls (ReplicasWorld *self, SatinNodeId at, const SatinObjectType *type);
/* A job that came from @from waits for it. */
void replicas_world_want (ReplicasWorld *self, SatinNodeId at, SatinNodeId from,
                          const SatinObjectType *type);

/* Messages of that kind between the two; 0: any. */
guint replicas_world_count_sent (const ReplicasWorld *self, ReplicasKind kind, SatinNodeId from,
                                 SatinNodeId to);
gint64 replicas_world_get_figure (ReplicasWorld *self, SatinNodeId at, const char *name);
guint replicas_world_count_waits (ReplicasWorld *self, SatinNodeId at, const char *what);
