/* semigroup.h - a numerical semigroup, as the numbers of decompositions of its elements
 *
 * A numerical semigroup is a set of whole numbers with 0, closed under addition, from which only
 * some positive numbers, its *gaps*, are missing. The *genus* is the number of gaps, the
 * *multiplicity* the least element above 0, and the *conductor* the number from which on there is
 * no gap. A *generator* is an element that is not the sum of two elements above 0.
 *
 * A child of a semigroup is the semigroup without one of its generators that are at least the
 * conductor. So each semigroup of genus g has one parent, of genus g - 1, and all semigroups are in
 * one tree, whose root has no gap.
 *
 * For each number, a semigroup knows in how many ways the number is the sum of two elements. For a
 * generator there is one way: 0 plus itself. A byte has room for such a number of ways, so a few
 * vector operations compute these numbers for a child.
 *
 * Threads: any. Source: J. Fromentin, F. Hivert, "Exploring the tree of numerical semigroups",
 * Mathematics of Computation 85, 2016.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define SEMIGROUP_MAX_GENUS 64

/* Room for all numbers that a search up to %SEMIGROUP_MAX_GENUS looks at: up to a little more than
 * four times that genus, and the rest of a vector. */
#define SEMIGROUP_N_NUMBERS (4 * SEMIGROUP_MAX_GENUS + 64)

/* Bytes of a vector, and the greatest number at which a vector may begin. */
#define SEMIGROUP_BLOCK 16
#define SEMIGROUP_LAST  (SEMIGROUP_N_NUMBERS - SEMIGROUP_BLOCK)

/* The gaps of a semigroup of genus %SEMIGROUP_MAX_GENUS or less, a bit for each number: all gaps
 * are below 128. */
SATIN_RECORD (Gaps, (long, low), (long, high))

/* The gaps of the semigroup of genus 1. */
#define GAPS_OF_FIRST ((Gaps){ .low = 2 })

/* A value for each number. */
typedef struct
{
  guint8 of[SEMIGROUP_N_NUMBERS];
} Numbers;

/* Adds @number, from 1 to 127, to the gaps. */
void gaps_add (Gaps *self, int number);

int gaps_count (const Gaps *self);

/**
 * semigroup_make:
 * @gaps: at least one
 * @ret_is_element: (out): 1 for an element, 0 for a gap
 * @ret_n_sums: (out): in how many ways each number is the sum of two elements; the order of the two
 *   does not matter
 * @ret_conductor: (out)
 * @ret_multiplicity: (out)
 *
 * Makes the semigroup with these gaps. Cost: about a microsecond.
 */
void semigroup_make (const Gaps *gaps, Numbers *ret_is_element, Numbers *ret_n_sums,
                     int *ret_conductor, int *ret_multiplicity);

/**
 * semigroup_remove:
 * @is_element: the elements of a semigroup
 * @n_sums: its sums
 * @generator: one of its generators that are at least its conductor
 * @end: the greatest number that the walk still looks at
 * @ret_n_sums: (out): sums of the child without @generator, from @generator to @end
 *
 * Cost: some nanoseconds.
 */
void semigroup_remove (const Numbers *is_element, const Numbers *n_sums, int generator, int end,
                       Numbers *ret_n_sums);

G_END_DECLS
