/* search.h - the search for the best choice of items, which can stop anywhere and divide there
 *
 * The items are sorted: items with much value for their weight come first. In one step, the search
 * takes items as long as they fit. The value of these items, plus the value of the part that would
 * fit of the next item, is a bound: no choice from there on has a higher value. Then the next item
 * is left out. Each such step searches one *position*. The search goes back by leaving out the last
 * item that was taken.
 *
 * A search can stop after any number of positions, and list the places where it would continue. The
 * places have no choices in common, so each of them can be searched by a different job.
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
 * @is_taken: (borrowed) (array length=n_decided): for each of the first @n_decided items 1 if it is
 *   taken, else 0
 * @level: the first item that is not decided; the items from @n_decided up to it are left out
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
 * @value: value of the best choice that was found; if none was found, the value that was known
 *   before
 * @is_taken: (owned): for each item 0 or 1; empty when no choice was found
 * @n_positions: number of positions that were searched
 */
SATIN_RECORD (KnapsackFound, (long, value), (bytes, is_taken), (long, n_positions))

typedef struct
{
  const Knapsack *knapsack; /* (borrowed) */
  gint64 *weight_before;    /* (owned): at i, the weight of all items before item i */
  gint64 *value_before;     /* (owned): at i, the value of all items before item i */
  guint8 *is_taken;         /* (owned): the current choice, up to level */
  gint32 first_level;       /* level of the place where the search began */
  gint32 level;             /* the next item to decide */
  gint64 room;              /* capacity that is left */
  gint64 value;             /* sum of the values of the items that are taken */
  KnapsackFound found;      /* (owned) */
} KnapsackSearch;

/* Whether @place is about items of @knapsack, and the items that are taken there fit. */
gboolean knapsack_place_is_in (const KnapsackPlace *place, const Knapsack *knapsack);

/**
 * knapsack_search_init:
 * @knapsack: (borrowed): must outlive the search
 * @place: where to begin; the items that are taken there fit
 * @value: value of a choice that is known, -1 for none; only better choices count
 */
void knapsack_search_init (KnapsackSearch *self, const Knapsack *knapsack,
                           const KnapsackPlace *place, gint64 value);

/* Gives the search a choice that is better than the value given to knapsack_search_init(). That
 * choice is the result, unless the search finds a better one. Call it before knapsack_search_run().
 * @is_taken: for each item 0 or 1, copied */
void knapsack_search_know (KnapsackSearch *self, gint64 value, const guint8 *is_taken);

void knapsack_search_clear (KnapsackSearch *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KnapsackSearch, knapsack_search_clear)

/* Searches @n_positions more positions at most. Returns: %TRUE when everything was searched */
gboolean knapsack_search_run (KnapsackSearch *self, gint64 n_positions);

/**
 * knapsack_search_places:
 * @ret_places: (out) (array): room for one place more than there are items; the pointers in it are
 *   valid until the search runs again or is cleared
 *
 * Lists the places where the search would continue, the places with the fewest decided items first.
 * Leaves out places that cannot have a better choice than the best so far.
 *
 * Returns: the number of places
 */
guint knapsack_search_places (const KnapsackSearch *self, KnapsackPlace *ret_places);

/* Ends the search. Returns: (transfer full): the result of the search */
KnapsackFound knapsack_search_take (KnapsackSearch *self);

/* Merges the result @other into @self: adds up the positions, and keeps the better choice. The
 * worse choice is then in @other. */
void knapsack_found_merge (KnapsackFound *self, KnapsackFound *other);

/* Whether the choice in @found fits in the knapsack and has the value that @found says. */
gboolean knapsack_found_is_right (const KnapsackFound *found, const Knapsack *knapsack);

G_END_DECLS
