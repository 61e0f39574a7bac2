/* sorted.h - the binary search, for lists of any form
 *
 * Threads: any that may read the list.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/**
 * SATIN_SORTED_PLACE:
 * @i: a name for the number of an element, used by @is_before
 * @n: how many elements there are, of an integer type that is not narrower than int
 * @is_before: an expression that says whether element @i stands before the place; true for the
 *   first elements, any number of them, and false for all others
 *
 * Finds where something stands in a sorted list, or would have to be inserted:
 * `SATIN_SORTED_PLACE (i, n, items[i].id < id)`. It is a macro because the lists differ: elements
 * side by side or pointers to them, ids of 32 bits or 64. The compiler sees the comparison as if
 * the search was written in place.
 *
 * Cost: O(log n), evaluates @n once and @is_before for each step.
 *
 * Returns: the number of the first element that is not before the place, @n when all are, in the
 * type of @n
 */
/* clang-format off */
#define SATIN_SORTED_PLACE(i, n, is_before) \
  __extension__ ({ \
    __typeof__ ((n) + 0) satin_low = 0, satin_high = (n); \
    while (satin_low < satin_high) \
      { \
        __typeof__ ((n) + 0) i = satin_low + (satin_high - satin_low) / 2; \
        if (is_before) \
          satin_low = i + 1; \
        else \
          satin_high = i; \
      } \
    satin_low; \
  })
/* clang-format on */

G_END_DECLS
