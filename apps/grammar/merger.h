/* merger.h - merges nodes of a prefix tree, and takes merges back
 *
 * Nodes that are merged are one state of an automaton. If two states are merged, their next states
 * must be merged too, and so on, because the automaton is deterministic. States that are certain to
 * be different are *red*. A next state of a red state that is not red is *blue*: it is merged with
 * a red state, or it becomes red. When no state is blue, the red states are an automaton that fits
 * to the sample.
 *
 * Threads: one at a time for each merger.
 * Source: K. J. Lang, "Faster algorithms for finding minimal consistent DFAs", NEC Research
 * Institute, 1999.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "automaton.h"
#include "tree.h"

G_BEGIN_DECLS

typedef struct _Merger Merger;

/* @tree: a checked tree; copied. Returns: (transfer full): a merger whose only red state is the
 * first one. Free with merger_free() */
Merger *merger_new (const Tree *tree);

void merger_free (Merger *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Merger, merger_free)

int merger_get_n_red (const Merger *self);

/**
 * merger_list_blue:
 * @ret_blue: (out caller-allocates): room for %AUTOMATON_MAX_STATES times the letters
 *
 * Lists the blue states, each once, in the order of the red states and letters that lead there.
 *
 * Returns: number of blue states
 */
int merger_list_blue (const Merger *self, gint32 *ret_blue);

/**
 * merger_merge:
 * @blue: a blue state
 * @red: index of a red state
 * @ret_evidence: (out) (optional): number of states of which the sample says that they are equal;
 *   untouched on failure
 *
 * Merges both and all that follows from it. On failure nothing changes.
 *
 * Returns: %FALSE when a state would both accept and reject, or two red states would be merged
 */
gboolean merger_merge (Merger *self, gint32 blue, int red, int *ret_evidence);

/* Makes a blue state red. There must be fewer than %AUTOMATON_MAX_STATES red states. */
void merger_promote (Merger *self, gint32 blue);

/* Whether @blue is a blue state: a number that may come from another node of the run. */
gboolean merger_is_blue (const Merger *self, gint32 blue);

/* Returns: a mark for merger_undo() */
gsize merger_get_mark (const Merger *self);

/* Takes back all merges since merger_get_mark() returned @mark, and makes states from red state
 * number @n_red on not red. */
void merger_undo (Merger *self, gsize mark, int n_red);

/* Returns: (transfer full) (array length=ret_n_bytes): the red states as the rows of an automaton.
 * No state may be blue */
guint8 *merger_get_automaton (const Merger *self, gsize *ret_n_bytes);

G_END_DECLS
