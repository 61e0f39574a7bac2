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
 * @i: a name for the index of an element; @is_before uses it
 * @n: the number of elements, of an integer type that is not narrower than int
 * @is_before: an expression that is true if element @i stands before the place. It is true for the
 *   first elements, any number of them, and false for all others
 *
 * Finds the place of something in a sorted list, or where it would be inserted: `SATIN_SORTED_PLACE
 * (i, n, items[i].id < id)`. It is a macro because the lists differ: some hold elements and some
 * pointers, and ids have 32 or 64 bits. The compiler sees the comparison as if the search was
 * written in place.
 *
 * Cost: O(log n). It evaluates @n once and @is_before in each step.
 *
 * Returns: the index of the first element that is not before the place, in the type of @n; @n when
 *   all elements are before it
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
