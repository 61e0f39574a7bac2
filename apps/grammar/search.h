/* search.h - searches for an automaton with a certain number of states that fits to a sample
 *
 * A node of the search is a prefix tree with some merges (merger.h). The search takes the blue
 * state with the fewest possible merges, because a wrong decision shows early there. It tries all
 * these merges, those with the most evidence first, and then makes the state red, if the limit
 * allows one more state. The first automaton that it finds ends the search.
 *
 * A search can stop after any number of nodes, and list the *places* where it would continue. A
 * place is a list of decisions, and which choices for the next blue state are left. The places have
 * no automata in common, so each can be searched by a different job.
 *
 * Threads: one at a time for each search.
 * Source: K. J. Lang, "Faster algorithms for finding minimal consistent DFAs", NEC Research
 * Institute, 1999.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "merger.h"

G_BEGIN_DECLS

/* The decision to make a state red. */
#define SEARCH_PROMOTE (-1)

/**
 * Decision:
 * @blue: a blue state
 * @red: index of the red state with which it is merged, or %SEARCH_PROMOTE
 */
SATIN_RECORD (Decision, (int, blue), (int, red))

/**
 * Place:
 * @decisions: (owned) (array length=n_decisions): those that lead there
 * @next: how many choices for the next blue state were tried
 */
typedef struct
{
  Decision *decisions;
  gsize n_decisions;
  gint32 next;
} Place;

typedef struct _Search Search;

/**
 * search_new:
 * @tree: a tree that tree_check() has checked; copied
 * @limit: number of states that an automaton may have, from 1 to %AUTOMATON_MAX_STATES
 * @place: where the search begins; it may come from another node of the run. %NULL: at the tree
 * @error: %SATIN_ERROR_JOB when @limit is out of its range, or @place is impossible
 *
 * Returns: (transfer full): free with search_free()
 */
Search *search_new (const Tree *tree, int limit, const Place *place, GError **error);

void search_free (Search *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

/* Searches @n_nodes more nodes at most. Returns: %TRUE when an automaton was found, or everything
 * was searched */
gboolean search_run (Search *self, gint64 n_nodes);

/**
 * search_list_places:
 * @ret_n_places: (out): number of places
 *
 * Lists the places where the search would continue, those with the fewest decisions first.
 *
 * Returns: (transfer full) (array length=ret_n_places): free with search_free_places()
 */
Place *search_list_places (const Search *self, gsize *ret_n_places);

void search_free_places (Place *places, gsize n_places);

/* Returns: (nullable) (transfer none) (array length=ret_n_bytes): the rows of the automaton that
 * was found, or %NULL when none was. @ret_n_bytes: (out) */
const guint8 *search_get_automaton (const Search *self, gsize *ret_n_bytes);

gint64 search_get_n_nodes (const Search *self);

G_END_DECLS
