/* colouring.h - formulas that ask for a colouring of the numbers from 1 to n
 *
 * Each function appends the clauses of its formula to an array, in the form of #Formula.literals,
 * and returns the number of variables.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula.h"

/* No colour has an arithmetic progression that is too long: @first_length terms in the first of two
 * colours, @second_length terms in the second. Van der Waerden's number W(J, K) is the least n for
 * which there is no such colouring: W(3, 5) = 22, W(4, 4) = 35. Both lengths are 2 or more. The
 * variable i says that the number i has the second colour. */
gint32 colouring_add_progressions (GArray *literals, gint32 first_length, gint32 second_length,
                                   gint32 n);

/* No colour has numbers a, b and a + b, where a and b may be the same. Schur's number S(k) is the
 * greatest n for which there is such a colouring with k colours: S(3) = 13, S(4) = 44. The variable
 * (i - 1) * @n_colours + k says that the number i has colour k. */
gint32 colouring_add_sums (GArray *literals, gint32 n_colours, gint32 n);

/* Neither of two colours has numbers a, b and c with a^2 + b^2 = c^2. There is such a colouring up
 * to n = 7824 (Heule, Kullmann and Marek, 2016). The variable i says that the number i has the
 * second colour. */
gint32 colouring_add_triples (GArray *literals, gint32 n);
