/* candidates.h - the other nodes, as a policy is shown them
 *
 * A node that is leaving is not among them. Kept from one question to the next: what is learnt of a
 * node changes its entry, and only a change of the view changes which nodes there are. Nodes that
 * join are added; after any other change all are read anew, and what is known of those that stay is
 * kept.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/policy.h>

typedef struct
{
  SatinLoop *loop;  /* (borrowed) for random numbers */
  GArray *shown;    /* (owned) of SatinVictim: near ones by rising id, then far ones by rising id */
  guint n_near;     /* near ones that are shown */
  guint n_all_near; /* near ones in the view */
  guint n_all_far;
  guint offers[SATIN_OFFERS_MAX]; /* places in shown, the oldest first */
  guint n_offers;
  GArray *refusing;    /* (owned) of SatinNodeId: those whose n_refused is not 0 */
  GPtrArray *clusters; /* (owned) of (owned) labels, by number */
  guint self_cluster;  /* once is_self_numbered */
  gboolean is_self_numbered;
  /* what was read */
  SatinNodeId self, master;
  guint64 number;
  GArray *read; /* (owned) of SatinNodeId, by rising id */
} StealVictims;

void steal_victims_init (StealVictims *self, SatinLoop *loop);
void steal_victims_done (StealVictims *self);

/* Reads what is new in @view. Cost: O(1) when nothing is; O(peers) for a node that joined. */
void steal_victims_update (StealVictims *self, const SatinView *view);

/* A node of the view is no victim any more: the next update reads all anew. */
void steal_victims_forget_view (StealVictims *self);

/* Valid until the next update. Returns: (nullable): %NULL when it is not shown */
SatinVictim *steal_victims_find (const StealVictims *self, SatinNodeId id);

/* It refused once more. */
void steal_victims_count_refusal (StealVictims *self, SatinVictim *victim);
/* Nobody has refused. Cost: O(those who have). */
void steal_victims_forgive_all (StealVictims *self);

/* It has jobs: it is no longer one that refused. */
void steal_victims_add_offer (StealVictims *self, SatinVictim *victim);
void steal_victims_remove_offer (StealVictims *self, SatinVictim *victim);
