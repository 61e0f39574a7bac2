/* search.h - the search for what is best to carry, which may stop anywhere and be divided there
 *
 * Items are taken or left, the most valuable for their weight first. What fits is
 * taken without a question; where the next item does not fit, the value of a part of it
 * bounds what can still be reached. A search that has looked at enough *positions* tells
 * the places where it would go on: they have nothing in common, so each may be searched
 * by somebody else.
 *
 * Threads: one at a time for each search. Source: E. Horowitz, S. Sahni, Computing Partitions with
 * Applications to the Knapsack Problem, J. ACM 1974.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

/**
 * KnapsackPlace:
 * @is_taken: (borrowed) (array length=n_decided): for each of the first items whether it is taken,
 * 0 or 1
 * @level: the items from @n_decided up to here are left; all others are not decided
 *
 * Where a search begins or goes on.
 */
typedef struct
{
  const guint8 *is_taken;
  gsize n_decided;
  gint32 level;
} KnapsackPlace;

/**
 * KnapsackFound:
 * @value: of the best choice; without one the value that was known before
 * @is_taken: (owned): for each item 0 or 1; nothing when no better choice was found
 * @n_positions: how many were looked at
 */
SATIN_RECORD (KnapsackFound, (long, value), (bytes, is_taken), (long, n_positions))

typedef struct
{
  const Knapsack *knapsack; /* (borrowed) */
  gint64 *weight_before;    /* (owned): of all items before the i-th; one more than items */
  gint64 *value_before;     /* (owned): likewise */
  guint8 *is_taken;         /* (owned): the choice so far, up to level */
  gint32 first_level;       /* where the search began */
  gint32 level;             /* the next item to decide */
  gint64 room;              /* what can still be carried */
  gint64 value;             /* of what is taken */
  KnapsackFound found;      /* (owned) */
} KnapsackSearch;

/**
 * knapsack_search_init:
 * @knapsack: stays the caller's and valid
 * @place: where to begin; what is taken there can be carried
 * @value: of a choice that is known; only better ones are looked for. -1 for none
 */
void knapsack_search_init (KnapsackSearch *self, const Knapsack *knapsack,
                           const KnapsackPlace *place, gint64 value);

/* Before it runs: a choice that is better than what was known at first; it is what is found unless
 * there is a better one. @is_taken: for each item 0 or 1, copied */
void knapsack_search_know (KnapsackSearch *self, gint64 value, const guint8 *is_taken);

void knapsack_search_clear (KnapsackSearch *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KnapsackSearch, knapsack_search_clear)

/* Goes on for @n_positions at most. Returns: %TRUE when all was searched */
gboolean knapsack_search_run (KnapsackSearch *self, gint64 n_positions);

/**
 * knapsack_search_places:
 * @ret_places: (out) (array): room for one more than there are items; they borrow from @self, until
 *   it goes on
 *
 * Where the search would go on, the largest parts first, without those that cannot be better than
 * what was found.
 *
 * Returns: how many
 */
guint knapsack_search_places (const KnapsackSearch *self, KnapsackPlace *ret_places);

/* What was found, which is the caller's from now on; the search is over. */
KnapsackFound knapsack_search_take (KnapsackSearch *self);

/* Adds what was found in @other, which is left with the worse of the two. */
void knapsack_found_merge (KnapsackFound *self, KnapsackFound *other);

/* Whether @found is a choice that can be carried and has the value that it says. */
gboolean knapsack_found_is_right (const KnapsackFound *found, const Knapsack *knapsack);

G_END_DECLS
