/* ft-world.h - nodes that recover, without a core: who calls them is the test
 *
 * Every node has a SatinFt over a fake network. What the core would do is noted: which orphans it
 * was to drop. What it would know is set by the test: which jobs are exported.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

#include "counting-loop.h"
#include "fake-peers.h"
#include "recovery/private.h"

#define WORLD_MAX_NODES 6

/* A message under way, as it was sent. */
typedef struct
{
  SatinNodeId from, to;
  FtKind kind;
} WorldMessage;

typedef struct
{
  SatinFt *ft;             /* (owned) */
  SatinRecovery *recovery; /* (borrowed) */
  GArray *dropped;         /* (owned) of guint64: import ids */
  GArray *saving;          /* (owned) of guint64: likewise, whose children are wanted */
  GArray *exported;        /* (owned) of SatinJobRef */
} WorldNode;

typedef struct
{
  SatinLoop *loop; /* (owned) */
  FakeNet *net;    /* (owned) */
  guint n_nodes;
  WorldNode nodes[WORLD_MAX_NODES];
  GArray *sent;       /* (owned) of WorldMessage */
  GBytes *last;       /* (owned) (nullable) the last message that was sent */
  gboolean is_losing; /* messages do not arrive */
  SatinNodeId thief;  /* who had what ft_world_lose() loses; node 9 at first */
  gint64 away_us;     /* for so long */
} FtWorld;

/* Grace and window 1 ms; @max_bytes are kept. */
FtWorld *ft_world_new (guint n_nodes, SatinFtStrategy strategy, gsize max_bytes);
/* Frees every node and checks that no timer is left. */
void ft_world_free (FtWorld *self);
WorldNode *ft_world_node (FtWorld *self, SatinNodeId id);
void ft_world_advance (FtWorld *self, gint64 duration_us);

/* The core of @id still waits for that job. */
void ft_world_export (FtWorld *self, SatinNodeId id, gint32 index, gint64 generation);

/* An orphan with import id @n at node @at, with argument @n, that its owner, node 9, called @n and
 * 100
 * + @n. */
typedef struct
{
  const SatinLineage *lineage; /* NULL: one that cannot be read */
  const char *path;            /* NULL: not known */
  gsize n_bytes;               /* of its result; 0: it runs still */
  SatinNodeId owner;           /* who is lost; 0: node 9 */
} WorldOrphan;
void ft_world_orphan (FtWorld *self, SatinNodeId at, gint32 n, const WorldOrphan *orphan);
/* That happens to an orphan there; @n_bytes: of its result, when it is OVER. */
void ft_world_say (FtWorld *self, SatinNodeId at, SatinOrphanEvent what, guint64 import_id,
                   gsize n_bytes);

/* Node @at has ended the job with argument @n, @n_levels below the root, which its owner, node 9,
 * called @n and 100 + @n; its result is @n. */
void ft_world_end (FtWorld *self, SatinNodeId at, gint32 n, gint32 n_levels);
/* What a result of ft_world_end() is when it is looked up. Frees @look's */
gint32 ft_world_read (SatinLook *look);

/* What node @id does when that job is lost; hints (transfer full). */
gpointer ft_world_lose (FtWorld *self, SatinNodeId id, gint32 index, gint64 generation,
                        gpointer hints);
/* The same, of a job without hints that has argument @n, so far below the root. */
gpointer ft_world_lose_piece (FtWorld *self, const SatinJobRef *ref, gint32 n, gint32 n_levels);
/* What @hints, of node @id, know of the child @number with argument @n. */
SatinLook ft_world_look (FtWorld *self, SatinNodeId id, gpointer hints, guint32 number, gint32 n);
/* What they know of their job itself. */
SatinLook ft_world_look_self (FtWorld *self, SatinNodeId id, gpointer hints);
void ft_world_unref (FtWorld *self, SatinNodeId id, gpointer hints);
/* Their job goes back to its owner; hints (transfer full). */
void ft_world_give_back (FtWorld *self, SatinNodeId id, gpointer hints);

guint ft_world_count_sent (const FtWorld *self, FtKind kind, SatinNodeId to);
