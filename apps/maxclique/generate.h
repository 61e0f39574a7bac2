/* generate.h - generates graphs of known kinds, always the same for the same text
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "graph.h"

G_BEGIN_DECLS

/* The kinds that generate_graph() understands, for the help text. */
#define GENERATE_KINDS "hamming, johnson, keller, mann, c-fat, random, p-hat, brock"

/**
 * generate_graph:
 * @text: a kind and its numbers: "hamming:6,4"
 * @ret_graph: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID when @text is not a kind with numbers in range
 *
 * Kinds, with N vertices except where a formula is given:
 *
 *   hamming:B,D       the 2^B words of B bits; neighbours differ in D bits or more
 *   johnson:B,W,D     the words of B bits with W ones; neighbours differ in D bits or more
 *   keller:D          words of D digits from 0 to 3; neighbours differ in two digits or more, and
 *                     in one of them by 2. Only the neighbours of the word 0 are in the graph
 *   mann:P            a set cover as a graph: P points (9, 27 or 81) of an affine space, covered by
 *                     its lines, of three points each
 *   c-fat:N,C         vertices in a ring of N / (C log N) groups; neighbours are in the same or in
 *                     adjacent groups
 *   random:N,P,S      each edge with a probability of P per cent; S: another graph for each seed
 *   p-hat:N,A,B,S     each vertex draws a density from A to B per cent; an edge has the mean of its
 *                     two vertices' densities as its probability
 *   brock:N,K,P,S     random, with a clique of K vertices that have as many neighbours as others
 *
 * The first five make the graphs of the DIMACS challenge of 1993. The others make graphs of that
 * challenge's kinds, with other random numbers.
 *
 * Source: D. S. Johnson, M. A. Trick (eds.), "Cliques, Coloring, and Satisfiability: Second DIMACS
 * Implementation Challenge", 1996.
 *
 * Returns: %TRUE on success
 */
gboolean generate_graph (const char *text, Graph *ret_graph, GError **error);

G_END_DECLS
