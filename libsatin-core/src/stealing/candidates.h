/* candidates.h - the list of other nodes that the policy sees
 *
 * Nodes that are leaving are not in the list. The list is kept from one question to the policy to
 * the next. Its nodes change only when the view changes: nodes that join are added, and after any
 * other change the whole view is read again. The facts about nodes that stay in the list are kept.
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
  GArray *shown;    /* (owned) of SatinVictim: near ones by id, then far ones by id */
  guint n_near;     /* near nodes in shown */
  guint n_all_near; /* near nodes in the view that do not leave */
  guint n_all_far;
  guint offers[SATIN_OFFERS_MAX]; /* indexes into shown, the oldest offer first */
  guint n_offers;
  GArray *refusing;    /* (owned) of SatinNodeId: the nodes in shown whose n_refused is not 0 */
  GPtrArray *clusters; /* (owned) of (owned) labels; the index is the cluster's number */
  guint self_cluster;  /* number of the cluster of this node; valid if is_self_numbered */
  gboolean is_self_numbered;
  /* The view that was read last. */
  SatinNodeId self, master;
  guint64 number;
  GArray *read; /* (owned) of SatinNodeId, by rising id */
} StealVictims;

void steal_victims_init (StealVictims *self, SatinLoop *loop);
void steal_victims_done (StealVictims *self);

/* Reads the changes of @view. Cost: O(1) if there is none; O(peers) for each node that joined. */
void steal_victims_update (StealVictims *self, const SatinView *view);

/* Makes the next update read the whole view again, because a node of the view must not be shown any
 * more. */
void steal_victims_forget_view (StealVictims *self);

/* Returns: (nullable): the entry of @id, valid until the next update; %NULL when it is not shown */
SatinVictim *steal_victims_find (const StealVictims *self, SatinNodeId id);

/* Counts one more refusal of @victim. */
void steal_victims_count_refusal (StealVictims *self, SatinVictim *victim);
/* Sets all counts of refusals to 0. Cost: O(nodes that have refused). */
void steal_victims_forgive_all (StealVictims *self);

/* Adds @victim to the offers, because it has jobs to give, and sets its refusals to 0. */
void steal_victims_add_offer (StealVictims *self, SatinVictim *victim);
void steal_victims_remove_offer (StealVictims *self, SatinVictim *victim);
