/* ft-world.h - several nodes with a SatinFt each, where the test plays the core
 *
 * The nodes are connected by a fake network. The world records what a SatinFt asks of its core:
 * which orphans to drop, and whose children to save. The test sets what the core would know: which
 * jobs are exported.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

#include "counting-loop.h"
#include "fake-peers.h"
#include "recovery/private.h"

#define WORLD_MAX_NODES 6

/* A message at the moment when it was sent. */
typedef struct
{
  SatinNodeId from, to;
  FtKind kind;
} WorldMessage;

typedef struct
{
  SatinFt *ft;             /* (owned) */
  SatinRecovery *recovery; /* (borrowed) */
  GArray *dropped;         /* (owned) of guint64: import ids of the orphans to drop */
  GArray *saving;          /* (owned) of guint64: import ids of the orphans whose finished children
                              to save */
  GArray *exported;        /* (owned) of SatinJobRef */
} WorldNode;

typedef struct
{
  SatinLoop *loop; /* (owned) */
  FakeNet *net;    /* (owned) */
  guint n_nodes;
  WorldNode nodes[WORLD_MAX_NODES];
  GArray *sent;       /* (owned) of WorldMessage */
  GBytes *last;       /* (owned) (nullable): the last message that was sent */
  gboolean is_losing; /* messages do not arrive */
  SatinNodeId thief;  /* the lost node that had the jobs of ft_world_lose(); node 9 at first */
  gint64 away_us;     /* how long that node had them */
} FtWorld;

/* @max_bytes: how many bytes of results a node keeps. The grace period is 1 ms. With a table of
 * results, a node collects its results for 1 ms before it sends them. */
FtWorld *ft_world_new (guint n_nodes, SatinFtStrategy strategy, gsize max_bytes);
/* Frees every node, and checks that no timer is left. */
void ft_world_free (FtWorld *self);
WorldNode *ft_world_node (FtWorld *self, SatinNodeId id);
void ft_world_advance (FtWorld *self, gint64 duration_us);

/* The core of node @id still waits for the exported job (@index, @generation). */
void ft_world_export (FtWorld *self, SatinNodeId id, gint32 index, gint64 generation);

/* Node @at has an orphan with import id @n and argument @n. Its lost owner knew it as the exported
 * job (@n, 100 + @n). */
typedef struct
{
  const SatinLineage *lineage; /* NULL: bytes that cannot be read as a lineage */
  const char *path;            /* NULL: not known */
  gsize n_bytes;               /* size of its result; 0: it still runs */
  SatinNodeId owner;           /* its lost owner; 0: node 9 */
} WorldOrphan;
void ft_world_orphan (FtWorld *self, SatinNodeId at, gint32 n, const WorldOrphan *orphan);
/* The core of node @at reports the event @what of an orphan. @n_bytes: size of its result, for
 * OVER */
void ft_world_say (FtWorld *self, SatinNodeId at, SatinOrphanEvent what, guint64 import_id,
                   gsize n_bytes);

/* Node @at has ended the job with argument @n, which is @n_levels below the root job. Its owner,
 * node 9, knew it as the exported job (@n, 100 + @n). Its result is @n. */
void ft_world_end (FtWorld *self, SatinNodeId at, gint32 n, gint32 n_levels);
/* Returns: the result of an ft_world_end() that @look holds. Frees that result. */
gint32 ft_world_read (SatinLook *look);

/* The core of node @id reports that the thief of this exported job is lost. Returns: (transfer
 * full): the job's hints */
gpointer ft_world_lose (FtWorld *self, SatinNodeId id, gint32 index, gint64 generation,
                        gpointer hints);
/* Like ft_world_lose(), but for a job without hints, with argument @n, which is @n_levels below the
 * root job. */
gpointer ft_world_lose_piece (FtWorld *self, const SatinJobRef *ref, gint32 n, gint32 n_levels);
/* Looks up what @hints, of node @id, know of child @number with argument @n. The caller frees the
 * hints that it gets. */
SatinLook ft_world_look (FtWorld *self, SatinNodeId id, gpointer hints, guint32 number, gint32 n);
/* Like ft_world_look(), but frees the hints that it gets. */
SatinLook ft_world_peek (FtWorld *self, SatinNodeId id, gpointer hints, guint32 number, gint32 n);
/* Looks up what @hints know of their own job. */
SatinLook ft_world_look_self (FtWorld *self, SatinNodeId id, gpointer hints);
void ft_world_unref (FtWorld *self, SatinNodeId id, gpointer hints);
/* The job with @hints (transfer full) goes back to its owner undone. */
void ft_world_give_back (FtWorld *self, SatinNodeId id, gpointer hints);

guint ft_world_count_sent (const FtWorld *self, FtKind kind, SatinNodeId to);
