/* search.h - the search for the best choice of items, which can stop anywhere and divide there
 *
 * Each item is taken or left out, the most valuable for their weight first. Items are taken as long
 * as they fit. At the first item that does not fit, the value of the part of it that would fit
 * bounds what can still be reached. One such step is a *position*.
 *
 * A search can stop after any number of positions and list the places that are left. The places
 * have no choices in common, so each of them can be searched by a different job.
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
 * @is_taken: (borrowed) (array length=n_decided): 1 for each of the first items that is taken, else
 *   0
 * @level: the items from @n_decided up to here are left out; all later ones are not decided
 *
 * A place where a search begins or continues.
 */
typedef struct
{
  const guint8 *is_taken;
  gsize n_decided;
  gint32 level;
} KnapsackPlace;

/**
 * KnapsackFound:
 * @value: value of the best choice; if none was found, the value that was known before
 * @is_taken: (owned): for each item 0 or 1; empty when no better choice was found
 * @n_positions: number of positions that were searched
 */
SATIN_RECORD (KnapsackFound, (long, value), (bytes, is_taken), (long, n_positions))

typedef struct
{
  const Knapsack *knapsack; /* (borrowed) */
  gint64 *weight_before;    /* (owned): sum over the items before the i-th; one more than items */
  gint64 *value_before;     /* (owned): sum over the items before the i-th; one more than items */
  guint8 *is_taken;         /* (owned): the current choice, up to level */
  gint32 first_level;       /* level of the place where the search began */
  gint32 level;             /* the next item to decide */
  gint64 room;              /* capacity that is left */
  gint64 value;             /* of the items that are taken */
  KnapsackFound found;      /* (owned) */
} KnapsackSearch;

/**
 * knapsack_search_init:
 * @knapsack: (borrowed): outlives the search
 * @place: where to begin; the items that are taken there fit
 * @value: value of a choice that is known, -1 for none; only better ones are searched for
 */
void knapsack_search_init (KnapsackSearch *self, const Knapsack *knapsack,
                           const KnapsackPlace *place, gint64 value);

/* Call it before the search runs. Gives it a choice that is better than @value of
 * knapsack_search_init(); this choice is the result unless the search finds a better one.
 * @is_taken: for each item 0 or 1, copied */
void knapsack_search_know (KnapsackSearch *self, gint64 value, const guint8 *is_taken);

void knapsack_search_clear (KnapsackSearch *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KnapsackSearch, knapsack_search_clear)

/* Searches @n_positions more positions at most. Returns: %TRUE when everything was searched */
gboolean knapsack_search_run (KnapsackSearch *self, gint64 n_positions);

/**
 * knapsack_search_places:
 * @ret_places: (out) (array): has room for one more than there are items; the places borrow from
 *   @self, until it runs on
 *
 * Lists the places where the search would continue, the largest first. Leaves out those that cannot
 * hold a better choice than the one that was found.
 *
 * Returns: the number of places
 */
guint knapsack_search_places (const KnapsackSearch *self, KnapsackPlace *ret_places);

/* Ends the search. Returns: (transfer full): its result */
KnapsackFound knapsack_search_take (KnapsackSearch *self);

/* Merges the result @other into @self. @other is left with the worse choice of the two. */
void knapsack_found_merge (KnapsackFound *self, KnapsackFound *other);

/* Whether the choice in @found fits in the knapsack and has the value that @found says. */
gboolean knapsack_found_is_right (const KnapsackFound *found, const Knapsack *knapsack);

G_END_DECLS
