/* automaton.h - a deterministic finite automaton, as bytes
 *
 * A row of bytes for each state: whether the state accepts, and then for each symbol the next
 * state, or %AUTOMATON_NOWHERE when no string of the sample comes there. State 0 is the first.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sample.h"

G_BEGIN_DECLS

#define AUTOMATON_MAX_STATES 64

/* The next state is not known, and may be any. */
#define AUTOMATON_NOWHERE 0xff

/* Returns: number of states; 0 when the bytes are no automaton with this number of symbols */
int automaton_check (const guint8 *rows, gsize n_rows_bytes, int n_letters);

/* Returns: whether the automaton accepts the accepted strings of the sample, and rejects the
 * others. @rows: bytes that automaton_check() has checked */
gboolean automaton_fits (const guint8 *rows, const Sample *sample);

/**
 * automaton_sort:
 * @rows: bytes that automaton_check() has checked, of an automaton all of whose states can be
 *   reached; its states get the numbers in which a search from state 0 reaches them, breadth first
 */
void automaton_sort (guint8 *rows, int n_states, int n_letters);

/* Returns: (transfer full): a line for each state, from which all next states can be read */
char *automaton_to_text (const guint8 *rows, int n_states, int n_letters);

G_END_DECLS
